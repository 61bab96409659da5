"""Which edition a game is judged by: that of its own day."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from domain.errors import BadInput
from domain.rules import GameDay, day_of_game, rules_of_game
from tests.support.games import LIBRARY, act, tell, turn

EVENING = "2018-05-31T23:59:59.000000Z"
NIGHT = "2018-06-01T00:00:01.000000Z"


def _game(played_on: str | None, *times: str | None) -> list[Any]:
    events = tell(turn(1), act("priority_passed", 1), played_on=played_on).events
    when = (*times, *[None] * len(events))
    return [replace(event, occurred_at=at) for event, at in zip(events, when, strict=False)]


def test_the_day_that_is_stated_counts_before_any_time() -> None:
    assert day_of_game(_game("2016-07-15", EVENING)) == GameDay("2016-07-15", "played_on")


def test_a_game_without_a_stated_day_was_played_on_the_utc_day_of_its_first_time() -> None:
    assert day_of_game(_game(None, None, EVENING, NIGHT)) == GameDay("2018-05-31", "occurred_at")
    assert day_of_game(_game(None, NIGHT, EVENING)) == GameDay("2018-06-01", "occurred_at")


@pytest.mark.parametrize("stated", [None, "last Friday", "2016-02-30"])
def test_a_day_that_nobody_states_is_not_guessed(stated: str | None) -> None:
    assert day_of_game(_game(stated)) == GameDay(None, "undated")
    assert day_of_game(_game(stated, NIGHT)).by == "occurred_at"


@pytest.mark.parametrize(
    ("played_on", "edition", "by"),
    [
        ("2010-09-30", "2010-07-16", "played_on"),
        ("2010-10-01", "2010-10-01", "played_on"),
        ("2031-01-01", "2026-09-25", "played_on"),
        (None, "2018-04-27", "occurred_at"),
    ],
)
def test_the_rules_are_those_of_the_day(played_on: str | None, edition: str, by: str) -> None:
    chosen = rules_of_game(LIBRARY, _game(played_on, EVENING))

    assert (chosen.rules.edition, chosen.by) == (edition, by)
    assert "game-undated" not in chosen.rules.notices


@pytest.mark.parametrize("day", [None, "1970-01-01", "1993-08-04"])
def test_an_undated_game_gets_the_newest_rules_with_a_notice(day: str | None) -> None:
    chosen = rules_of_game(LIBRARY, _game(day))

    assert (chosen.rules.edition, chosen.by) == (LIBRARY.editions[-1].id, "undated")
    assert chosen.rules.notices == ("game-undated",)
    assert LIBRARY.on(LIBRARY.editions[-1].id).notices == ()
    assert chosen.rules.reading == LIBRARY.on(LIBRARY.editions[-1].id).reading


def test_a_day_asked_for_counts_before_the_games_own() -> None:
    chosen = rules_of_game(LIBRARY, _game("2016-07-15"), "2004-06-01")

    assert (chosen.rules.edition, chosen.by) == ("2003-10-01", "asked")


@pytest.mark.parametrize("asked", ["1993-08-04", "yesterday", ""])
def test_a_day_asked_for_that_has_no_rules_is_refused(asked: str) -> None:
    with pytest.raises(BadInput, match="rules date"):
        rules_of_game(LIBRARY, _game("2016-07-15"), asked)
