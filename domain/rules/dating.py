"""Which edition a game is judged by: that of the day it was played."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from domain.rules.book import RuleBook
from domain.rules.editions import is_day
from domain.rules.library import RuleLibrary

__all__ = ["ChosenRules", "DatedBy", "GameDay", "day_of_game", "rules_of_game"]

DatedBy = Literal["played_on", "occurred_at", "undated"]


@dataclass(frozen=True, slots=True)
class GameDay:
    """The day of a game (YYYY-MM-DD, None when `undated`) and how it is known.

    `played_on`: the local day that the source states; `occurred_at`: the UTC day of the first event
    with a time.
    """

    day: str | None
    by: DatedBy


@dataclass(frozen=True, slots=True)
class ChosenRules:
    """A rule book for a game, and by what its day was chosen: `asked`, or as the game is dated."""

    rules: RuleBook
    by: Literal["asked", "played_on", "occurred_at", "undated"]


def day_of_game(events: Iterable[Any]) -> GameDay:
    """The day of a game, from its events."""
    first: str | None = None
    for event in events:
        played_on = getattr(event, "played_on", None)
        if played_on is not None and is_day(played_on):
            return GameDay(played_on, "played_on")
        if first is None and event.occurred_at is not None:
            first = event.occurred_at[:10]
    return GameDay(None, "undated") if first is None else GameDay(first, "occurred_at")


def rules_of_game(
    library: RuleLibrary, events: Iterable[Any], asked: str | None = None
) -> ChosenRules:
    """The rules of the day asked for, else of the game's own day, else the newest with a notice.

    Raises BadInput for a text asked for that is no day, or one before the oldest edition.
    """
    if asked is not None:
        return ChosenRules(library.on(asked), "asked")
    found = day_of_game(events)
    if found.day is None or found.day < library.editions[0].id:  # such as a clock never set
        return ChosenRules(library.undated(), "undated")
    return ChosenRules(library.on(found.day), found.by)
