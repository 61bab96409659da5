"""Some of the games of a log: of a span of days, of a player, with remarks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.errors import BadInput, NotFound
from tests.support.games import ALICE, act, fact, tell, turn
from whodecided.api import Log, open_log

CAROL = "player:ca401000-0000-4000-8000-000000000003"


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Log]:
    """Four games: of two days, of a third with a gap, and without a day."""
    path = tmp_path_factory.mktemp("games") / "log"
    plain = (turn(1, 1), act("priority_passed", 1))
    tell(*plain, match="first", played_on="2026-05-01").in_directory(path)
    tell(*plain, match="second", played_on="2026-06-01", players=(ALICE, CAROL)).in_directory(path)
    gap = fact("gap_found", cause="missing")
    tell(turn(1, 1), gap, match="third", played_on="2026-07-01").in_directory(path)
    tell(*plain, match="fourth", played_on=None).in_directory(path)
    with open_log(path) as opened:
        opened.directory.people.keep([(CAROL.removeprefix("player:"), "Carol")])
        yield opened


@pytest.mark.parametrize(
    ("asked", "places"),
    [
        ({}, [1, 2, 3, 4]),
        ({"since": "2026-06-01"}, [2, 3]),
        ({"until": "2026-06-01"}, [1, 2]),
        ({"since": "2026-05-02", "until": "2026-06-30"}, [2]),
        ({"player": "Carol"}, [2]),
        ({"player": CAROL}, [2]),
        ({"player": "player:ca4"}, [2]),
        ({"player": "ca4"}, [2]),
        ({"player": ALICE}, [1, 2, 3, 4]),
        ({"remarks": True}, [3]),
        ({"remarks": True, "player": "ca4"}, []),
    ],
)
def test_a_game_is_listed_when_it_is_all_of_what_is_asked_for(
    log: Log, asked: dict[str, Any], places: list[int]
) -> None:
    answer = log.games(**asked)

    assert [game.place for game in answer.games] == places
    assert (answer.recorded, answer.unreadable) == (4, ())


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"since": "yesterday"}, "'yesterday' is not a date"),
        ({"until": "2026-02-30"}, "'2026-02-30' is not a date"),
        ({"since": "2026-05-02", "until": "2026-05-01"}, "2026-05-01 is before 2026-05-02"),
    ],
)
def test_a_span_that_cannot_be_is_refused(log: Log, asked: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        log.games(**asked)


@pytest.mark.parametrize("nobody", ["", "player:", "Zoe", "ca5"])
def test_a_player_of_no_game_is_not_found(log: Log, nobody: str) -> None:
    with pytest.raises(NotFound, match=f"no player '{nobody}'"):
        log.games(player=nobody)


def test_digits_that_fit_several_players_are_refused(tmp_path: Path) -> None:
    pair = (CAROL, f"{CAROL[:-1]}4")
    tell(turn(1, 1), players=pair).in_directory(tmp_path / "log")

    with open_log(tmp_path / "log") as log, pytest.raises(BadInput, match="fits several"):
        log.games(player="ca4")
