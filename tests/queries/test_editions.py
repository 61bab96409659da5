"""Questions, tables and findings judge a game by the rules of its own day, or of one asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

import whodecided
from domain.principals import UNDETERMINED
from tests.support.games import ALICE, BOB, LIBRARY, Told, act, fact, tell, turn
from tests.support.tables import tables_of

CAT = "player:ca70000000000000"
DAYS = ("2006-03-01", "2010-09-30", "2010-10-01", "2026-09-25")
DECISION, LEFT = 6, 5


def _controller_leaves(day: str | None) -> Told:
    """Seat 1 controls the turn of seat 2 and leaves in the middle of it."""
    return tell(
        turn(1),
        fact("control_created", label="e1", controller=ALICE, affected=(2,), scope="next_turn"),
        turn(2),
        fact("player_left", seat=1, reason="lost"),
        act("priority_passed", 2),
        players=(ALICE, BOB, CAT),
        match=f"game of {day}",
        played_on=day,
    )


@pytest.fixture(scope="module")
def log_of_days(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("days") / "log"
    for day in (*DAYS, None):
        _controller_leaves(day).in_directory(path)
    return path


def _decider(day: str) -> str:
    return UNDETERMINED if day < "2010-10-01" else BOB


@pytest.mark.parametrize("place", range(1, len(DAYS) + 1))
def test_who_answers_by_the_rules_of_the_games_own_day(log_of_days: Path, place: int) -> None:
    day = DAYS[place - 1]
    with whodecided.open_log(log_of_days) as log:
        answer = log.who(place, DECISION)

    assert answer.deciding_player == _decider(day)
    assert (answer.edition.day, answer.edition.by) == (day, "played_on")
    assert answer.edition.reading == LIBRARY.on(day).reading
    assert answer.recorded is not None
    assert answer.recorded.deciding_player == BOB
    codes = [finding.code for finding in answer.findings]
    assert codes == (["stamp-superseded"] if day < "2010-10-01" else [])


def test_every_question_can_be_asked_under_another_edition(log_of_days: Path) -> None:
    with whodecided.open_log(log_of_days) as log:
        asked = {"edition": "2010-09-30"}
        own, other = log.who(4, DECISION), log.who(4, DECISION, **asked)
        seats = {one.seat: one.decider for one in log.active(4, LEFT + 1, **asked).deciders}
        effects = log.control(4, **asked).effects
        findings = log.findings(4, **asked).findings
        again = log.who(4, DECISION)

    assert (own.deciding_player, other.deciding_player) == (BOB, UNDETERMINED)
    assert (own.edition.by, other.edition.by, other.edition.day) == (
        "played_on",
        "asked",
        "2010-09-30",
    )
    assert set(other.alternatives) == {ALICE, BOB}
    assert other.rule_gap is not None
    assert seats == {1: "nobody", 2: UNDETERMINED, 3: CAT}
    assert [effect.ended for effect in effects] == [None]
    assert [(one.number, one.code) for one in findings] == [(DECISION, "stamp-superseded")]
    assert again == own


def test_a_game_without_a_day_is_judged_by_the_newest_rules_and_says_so(log_of_days: Path) -> None:
    with whodecided.open_log(log_of_days) as log:
        edition = log.who(len(DAYS) + 1, DECISION).edition

    assert (edition.by, edition.edition) == ("undated", "2026-09-25")
    assert "game-undated" in edition.notices


def test_the_tables_judge_every_game_by_the_rules_of_its_own_day() -> None:
    told = [_controller_leaves(day) for day in DAYS]
    tables = tables_of(*told)
    readings = {row["game_id"]: row["reading"] for row in tables["games"]}
    deciders = {
        row["game_id"]: (row["computed_decider"], row["rule_gap"])
        for row in tables["decisions"]
        if row["number"] == DECISION
    }
    superseded = {row["game_id"] for row in tables["findings"]}

    for day, game in zip(DAYS, told, strict=True):
        assert readings[game.game_id] == LIBRARY.on(day).reading
        assert deciders[game.game_id] == (_decider(day), day < "2010-10-01")
        assert (game.game_id in superseded) is (day < "2010-10-01")
    assert [row["rules"] for row in tables["generation"]] == [LIBRARY.version]


def test_a_stated_decider_stays_and_the_right_is_that_of_the_rules_asked_for(
    tmp_path: Path,
) -> None:
    told = tell(
        turn(2),
        fact(
            "control_created",
            label="woc",
            controller=ALICE,
            affected=(2,),
            scope="while_resolving",
            source_card="Word of Command",
            object="w",
        ),
        act("spell_cast", 2, stated=ALICE),
        played_on="2009-12-01",
    )
    told.in_directory(tmp_path / "log")
    with whodecided.open_log(tmp_path / "log") as log:
        old, new = log.who(1, 4), log.who(1, 4, edition="2010-10-01")

    assert (old.deciding_player, new.deciding_player) == (ALICE, ALICE)
    assert old.recorded is not None
    assert old.recorded.authority == "control_effect"
    kinds = [answer.authority and answer.authority.kind for answer in (old, new)]
    assert kinds == ["choice_effect", "control_effect"]
