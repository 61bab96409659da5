"""The Python API: name a game, ask, import, and be always current."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import whodecided
from domain.errors import BadInput, LogUnavailable, NotEntitled, NotFound
from tests.support.games import ALICE, act, tell, turn
from tests.support.stories import STORIES, controlled_turn, gap
from whodecided.importers.arena.synthetic.demo import demo_log


@pytest.fixture
def log(tmp_path: Path) -> Iterator[whodecided.Log]:
    for story in STORIES:
        story().in_directory(tmp_path / "log")
    with whodecided.open_log(tmp_path / "log") as opened:
        yield opened


def test_a_game_is_named_by_id_by_first_digits_or_by_place(log: whodecided.Log) -> None:
    game_id = controlled_turn().game_id

    for name in (game_id, game_id[:8], game_id[:8].upper(), "1", 1):
        assert log.resolve(name) == game_id


@pytest.mark.parametrize("name", ["99", "ffffffff", "nonsense", "", "../x"])
def test_a_game_that_is_not_there_is_not_found(log: whodecided.Log, name: str) -> None:
    with pytest.raises(NotFound) as raised:
        log.game(name)

    assert raised.value.advice == "`whodecided games` lists the games."


def test_digits_that_fit_several_games_are_refused_with_longer_ones(tmp_path: Path) -> None:
    path, number = tmp_path / "log", 0
    seen: dict[str, str] = {}
    while True:
        told = tell(turn(1), match=f"match-{number}")
        told.in_directory(path)
        number += 1
        if told.game_id[0] in seen:
            break
        seen[told.game_id[0]] = told.game_id
    letter = told.game_id[0]
    with whodecided.open_log(path) as log:
        if letter.isdigit():
            letter = told.game_id[:1] + "-"
            with pytest.raises(NotFound):
                log.resolve(letter)
        else:
            with pytest.raises(BadInput) as raised:
                log.resolve(letter)
            assert told.game_id[:13] in str(raised.value.advice)


def test_an_empty_log_says_what_to_do(tmp_path: Path) -> None:
    with whodecided.open_log(tmp_path / "log", create=True) as log:
        assert log.games().games == ()
        with pytest.raises(NotFound) as raised:
            log.game(1)

    assert raised.value.advice == "The log holds no game yet; import a file first."


def test_a_log_that_is_not_there_is_not_made_by_asking(tmp_path: Path) -> None:
    with pytest.raises(LogUnavailable):
        whodecided.open_log(tmp_path / "absent")

    assert not (tmp_path / "absent").exists()


def test_games_come_in_the_order_in_which_they_came_into_the_log(log: whodecided.Log) -> None:
    answer = log.games()

    assert [game.game_id for game in answer.games] == [story().game_id for story in STORIES]
    assert [game.place for game in answer.games] == [1, 2, 3, 4, 5]
    first, second = answer.games[:2]
    alice, _ = first.seats
    assert (alice.seat, alice.player, alice.local, alice.won) == (1, ALICE, False, True)
    assert [s.local for s in second.seats] == [False, True]
    assert (first.result, first.reason, second.result) == ("win", "concession", None)


def test_a_question_folds_what_the_log_has_now(tmp_path: Path) -> None:
    path = tmp_path / "log"
    tell(turn(1)).in_directory(path)
    with whodecided.open_log(path) as log:
        before = log.game_record(1)
        assert log.game_record(1) is before
        tell(turn(1), act("priority_passed", 1)).in_directory(path)

        assert log.game(1).events == 3
        assert log.games().games[0].events == 3
        assert log.who(1, 3).deciding_player == ALICE


def test_every_question_can_be_asked(log: whodecided.Log) -> None:
    assert log.who(1, 16).deciding_player == ALICE
    assert len(log.control(1).effects) == 1
    assert log.active(1, 16).moment.active_seats == (2,)
    assert log.sees(1, 16, viewer="1").viewer == "seat:1"
    assert log.at(1, 16).events[0].view.number == 16
    assert log.replay(1).number == 24
    assert log.findings(log.resolve(gap().game_id)).findings != ()
    assert {one.code for one in log.all_findings().findings} >= {"gap-before-decision"}
    assert log.game(1).sources[0].file_name == "told.log"


def test_the_viewer_of_the_log_counts_where_a_question_names_none(tmp_path: Path) -> None:
    controlled_turn().in_directory(tmp_path / "log")
    with whodecided.open_log(tmp_path / "log", viewer="2") as log:
        assert log.replay(1, 12).viewer == "seat:2"
        assert log.replay(1, 12, viewer="judge").viewer == "judge"


def test_tables_are_for_a_judge_alone(log: whodecided.Log) -> None:
    with pytest.raises(NotEntitled):
        log.sql("SELECT 1")
    with pytest.raises(NotEntitled):
        log.relation("decisions")

    assert log.sql("SELECT count(*) FROM games", viewer="judge").rows == ((5,),)


def test_a_relation_can_be_read_until_the_log_is_closed(log: whodecided.Log) -> None:
    decisions = log.relation("decisions", viewer="judge")

    for_another = decisions.filter("for_another").aggregate("count(*)").fetchall()
    counted = log.sql("SELECT count(*) FROM decisions WHERE for_another", viewer="judge").rows

    assert tuple(for_another) == counted
    assert for_another != [(0,)]


def test_a_table_that_does_not_exist_is_bad_input(log: whodecided.Log) -> None:
    with pytest.raises(BadInput, match="nonsense"):
        log.relation("nonsense", viewer="judge")


def test_status_counts_what_the_log_holds_and_says_how_its_tables_are(log: whodecided.Log) -> None:
    before = log.status()
    assert dict(before.kinds) == {"game": 5}
    assert before.tables.problem == "no tables have been made yet"

    log.rebuild()
    after = log.status()
    assert (after.tables.problem, after.tables.behind) == (None, 0)
    assert after.events == sum(len(story().events) for story in STORIES)


def test_importing_brings_the_tables_up_to_date_and_keeps_names_when_asked(tmp_path: Path) -> None:
    file = tmp_path / "Player.log"
    file.write_text(demo_log(), encoding="utf-8")
    with whodecided.open_log(tmp_path / "log", create=True) as log:
        report = log.import_files([file], keep_names=True)
        again = log.import_files([file])
        [game] = log.games().games

        assert report.events_added == again.events_present > 0
        assert again.events_added == 0
        assert log.status().tables.behind == 0
        assert set(log.names(seat.player for seat in game.seats).values()) == {"Alice", "Bob"}
