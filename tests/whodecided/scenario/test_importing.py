"""A scenario in a log is a game like any other, told once, without names or hidden cards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from domain.errors import BadInput, NotFound
from tests.shared import PROJECT_ROOT
from whodecided.api import Log, open_log

_TEMPLATE: Final = PROJECT_ROOT / "whodecided" / "scenario" / "template.yaml"
_CASES: Final = PROJECT_ROOT / "tests" / "scenarios" / "cases"


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    with open_log(tmp_path / "log", create=True) as opened:
        yield opened


def test_questions_are_answered_as_for_any_game(log: Log) -> None:
    report = log.import_scenario(_TEMPLATE, "mine")
    answer = log.who("mine", 8)

    assert (report.events_added, report.events_present) == (9, 0)
    assert answer.game_id == report.game_id
    assert (answer.event.event, answer.acting_seat) == ("spell_cast", 2)
    assert answer.deciding_player == answer.seats[0].player
    assert [rule.number for rule in answer.rules][-1] == "723.5"
    assert log.sees("mine", 8, viewer="judge").game_id == report.game_id
    assert log.replay("mine").game_id == report.game_id
    assert [effect.label for effect in log.control("mine").effects] == ["slaver"]
    assert [one.code for one in log.findings("mine").findings] == ["tournament-decision-by-other"]


def test_an_old_game_is_judged_by_the_rules_of_its_day(log: Log, tmp_path: Path) -> None:
    old = tmp_path / "old.yaml"
    text = _TEMPLATE.read_text(encoding="utf-8")
    old.write_text(text.replace("rules_date: 2026-09-25", "rules_date: 2012-06-01", 1))
    log.import_scenario(old, "old")

    assert [rule.number for rule in log.who("old", 8).rules][-1] == "712.5"


def test_tables_hold_it_too(log: Log) -> None:
    log.import_scenario(_TEMPLATE, "mine")
    (game,) = log.games().games

    assert (game.system, game.events, game.played_on) == ("scenario", 9, "2026-09-25")
    rows = log.sql("SELECT count(*) FROM decisions WHERE for_another", viewer="judge").rows
    assert rows == ((2,),)


def test_the_same_scenario_again_adds_nothing_and_a_longer_one_what_is_new(
    log: Log, tmp_path: Path
) -> None:
    log.import_scenario(_TEMPLATE, "mine")
    again = log.import_scenario(_TEMPLATE, "mine")
    longer = tmp_path / "longer.yaml"
    text = _TEMPLATE.read_text(encoding="utf-8")
    longer.write_text(
        text.replace("decided_by: Alice}\n", "decided_by: Alice}\n  - game_ended\n"),
        encoding="utf-8",
    )
    more = log.import_scenario(longer, "mine")

    assert (again.events_added, again.events_present) == (0, 9)
    assert (more.events_added, more.events_present) == (1, 9)


def test_another_scenario_under_a_name_that_is_taken_is_refused(log: Log, tmp_path: Path) -> None:
    log.import_scenario(_TEMPLATE, "mine")
    other = tmp_path / "other.yaml"
    text = _TEMPLATE.read_text(encoding="utf-8")
    other.write_text(text.replace("turn_skipped: {seat: Bob}", "turn_skipped: {seat: Alice}"))
    with pytest.raises(BadInput, match="'mine' that differs from event 5 on"):
        log.import_scenario(other, "mine")

    assert log.import_scenario(other, "other").events_added == 9
    assert log.directory.events.head() == 18


def test_games_of_two_names_have_players_of_their_own(log: Log) -> None:
    log.import_scenario(_TEMPLATE, "one")
    log.import_scenario(_TEMPLATE, "two")
    players = {seat.player for name in ("one", "two") for seat in log.who(name, 8).seats}

    assert len(players) == 4


def test_names_are_kept_only_when_asked_for_and_never_in_events(log: Log) -> None:
    log.import_scenario(_TEMPLATE, "mine")
    players = [seat.player for seat in log.who("mine", 8).seats]
    assert log.names(players) == {}

    log.import_scenario(_TEMPLATE, "mine", keep_names=True)
    assert list(log.names(players).values()) == ["Alice", "Bob"]
    for stored in log.directory.events.read_all():
        assert b"Alice" not in stored.state
        assert b"Murder" not in stored.state


def test_hidden_cards_are_for_those_who_may_see_them(log: Log) -> None:
    log.import_scenario(_CASES / "visibility.yaml", "seen", scenario=_first_with_a_hand())
    judge = log.replay("seen", viewer="judge")
    states = b"".join(stored.state for stored in log.directory.events.read_all())

    assert b'"o1"' in states
    assert judge.game_id
    for name in (b'"ace"', b'"blank"'):
        assert name not in states


def _first_with_a_hand() -> str:
    from whodecided.scenario.scenario import read_scenarios

    return next(
        scenario.id
        for scenario in read_scenarios(_CASES / "visibility.yaml")
        if any(told.keys.get("object") == "ace" for told in scenario.events)
    )


def test_of_several_scenarios_one_must_be_named(log: Log) -> None:
    with pytest.raises(BadInput) as caught:
        log.import_scenario(_CASES / "chains.yaml", "mine")
    assert caught.value.advice is not None
    assert "CHN-01" in caught.value.advice

    with pytest.raises(BadInput, match="no scenario 'CHN-99'"):
        log.import_scenario(_CASES / "chains.yaml", "mine", scenario="CHN-99")
    assert log.import_scenario(_CASES / "chains.yaml", "mine", scenario="CHN-01").events_added


@pytest.mark.parametrize("name", ["", "1", "2a", "my game", "../x", "fade", "a" * 65])
def test_a_name_that_could_be_something_else_is_refused(log: Log, name: str) -> None:
    with pytest.raises(BadInput, match="is no name for a game"):
        log.import_scenario(_TEMPLATE, name)
    assert log.directory.events.head() == 0


def test_a_name_that_was_not_imported_is_not_found(log: Log) -> None:
    log.import_scenario(_TEMPLATE, "mine")
    with pytest.raises(NotFound):
        log.who("yours", 1)


def test_a_file_that_cannot_be_used_leaves_the_log_as_it_was(log: Log, tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text(_TEMPLATE.read_text(encoding="utf-8").replace("seat: Bob", "seat: Zed"))
    with pytest.raises(BadInput, match="'Zed' is no player"):
        log.import_scenario(bad, "mine")

    assert log.directory.events.head() == 0


def test_every_case_can_be_put_into_a_log(log: Log) -> None:
    from whodecided.scenario.scenario import read_scenarios

    for file in (_CASES / "visibility.yaml", _CASES / "teams.yaml", _CASES / "subgames.yaml"):
        for scenario in read_scenarios(file):
            log.import_scenario(file, f"game-{scenario.id}", scenario=scenario.id)

    assert log.status().tables.poison == ()
