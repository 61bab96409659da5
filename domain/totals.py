"""Life totals and library sizes, as far as the record gives them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final

from domain.events.registry import name_of
from domain.visibility.versions import Versioned

__all__ = ["TOTALS_EVENTS", "Totals", "fold_totals"]

TOTALS_EVENTS: Final = frozenset(
    {
        "totals_stated",
        "life_changed",
        "card_drawn",
        "object_moved",
        "rewound",
        "gap_found",
        "subgame_started",
        "subgame_ended",
        "game_restarted",
    }
)
"""Names of the events that say something about totals."""

_Key = tuple[str, int]


class Totals:
    """What is known of every seat's totals just after any event of a game.

    A total is known from the event that states it on, and followed from there by what changes it.
    After a gap, and across a subgame or a restart, nothing is known until it is stated again.
    """

    def __init__(self) -> None:
        self._known: Versioned[_Key, int] = Versioned()

    def take(self, number: int, name: str, field: Callable[[str], Any]) -> None:
        """Take in event `number` by its short name; `field` gives its fields."""
        if name == "totals_stated":
            self._state(number, ("life", field("seat")), field("life"))
            self._state(number, ("library", field("seat")), field("library"))
        elif name == "life_changed":
            self._life(number, ("life", field("seat")), field("change"), field("total"))
        elif name == "card_drawn":
            self._add(number, ("library", field("seat")), -1)
        elif name == "object_moved":
            self._move(number, field)
        elif name == "rewound":
            self._known.rewind(number, field("to"))
        else:
            self._known.clear(number)

    def life(self, seat: int, number: int | None = None) -> int | None:
        """The life total just after event `number`, by default now; None where unknown."""
        return self._read(("life", seat), number)

    def library(self, seat: int, number: int | None = None) -> int | None:
        """How many cards the library holds just after event `number`, by default now."""
        return self._read(("library", seat), number)

    def _read(self, key: _Key, number: int | None) -> int | None:
        return self._known.latest(key) if number is None else self._known.at(key, number)

    def _state(self, number: int, key: _Key, value: int | None) -> None:
        if value is not None:
            self._known.set(number, key, value)

    def _life(self, number: int, key: _Key, change: int, total: int | None) -> None:
        if total is None:
            self._add(number, key, change)
        else:
            self._known.set(number, key, total)

    def _move(self, number: int, field: Callable[[str], Any]) -> None:
        before, after = field("from_zone"), field("to_zone")
        if before == after:
            return
        if before == "library" and field("owner") is not None:
            self._add(number, ("library", field("owner")), -1)
        if after == "library" and (owner := field("zone_owner") or field("owner")) is not None:
            self._add(number, ("library", owner), 1)

    def _add(self, number: int, key: _Key, change: int) -> None:
        known = self._known.latest(key)
        if known is not None:
            self._known.set(number, key, known + change)


def fold_totals(events: Iterable[Any]) -> Totals:
    """The totals of a game's events (structs or models), in order."""
    totals = Totals()
    for event in events:
        name = name_of(event.TOPIC)
        if name in TOTALS_EVENTS:
            totals.take(event.number, name, partial(getattr, event))
    return totals
