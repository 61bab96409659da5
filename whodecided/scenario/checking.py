"""What single values of a scenario may be; every error names file, entry and what is allowed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from domain.errors import BadInput
from domain.rules.editions import is_day
from whodecided.scenario.words import EFFECTS, STAND_INS, WORDS

__all__ = ["Checker", "listed", "shown"]

_NUMBER: Final = re.compile(r"[0-9]{1,9}")
_SHOWN: Final = 60
_LISTED: Final = 70


def shown(value: Any) -> str:
    """A value as an error shows it, shortened."""
    if value is None:
        return "nothing"
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def listed(names: Iterable[str]) -> str:
    """The values that are allowed, as an error lists them."""
    every = list(dict.fromkeys(names))
    more = f" and {len(every) - _LISTED} more" if len(every) > _LISTED else ""
    return (", ".join(every[:_LISTED]) or "none") + more


class Checker:
    """Checks values against the players, people, teams and labels of one scenario.

    `place` says which entry is looked at, `number` which event (0 outside the events). `names` are
    the events' names in their order, `labels` the numbers of the labelled ones.
    """

    def __init__(self, file: str, place: str) -> None:
        self.file = file
        self.place = place
        self.number = 0
        self.players: tuple[str, ...] = ()
        self.people: tuple[str, ...] = ()
        self.teams: tuple[tuple[str, ...], ...] = ()
        self.names: tuple[str, ...] = ()
        self.labels: dict[str, int] = {}

    def fail(self, reason: str) -> BadInput:
        """The error to raise about the entry that is looked at."""
        return BadInput(self.file, f"{self.place}: {reason}")

    @contextmanager
    def within(self, part: str, number: int = 0) -> Iterator[None]:
        """Look at a part of the entry."""
        before = self.place, self.number
        self.place, self.number = f"{self.place}, {part}", number
        yield
        self.place, self.number = before

    # Shapes.

    def mapping(self, value: Any) -> Mapping[str, Any]:
        """A mapping."""
        if not isinstance(value, dict):
            raise self.fail(f"a mapping is needed, not {shown(value)}")
        return value

    def entries(self, value: Any, key: str) -> list[Any]:
        """A list with something in it."""
        if not isinstance(value, list):
            raise self.fail(f"{key}: a list of entries is needed, not {shown(value)}")
        if not value:
            raise self.fail(f"{key}: at least one entry is needed")
        return value

    def keys(self, plain: Mapping[str, Any], needs: Sequence[str], allowed: Sequence[str]) -> None:
        """Only keys that are allowed, and all that are needed."""
        for key in plain:
            if key not in allowed:
                raise self.fail(
                    f"no key is called {shown(key)} here (there are: {listed(allowed)})"
                )
        for key in needs:
            if key not in plain:
                raise self.fail(f"the key {key!r} is missing")

    # Single values; `key` is the key that holds them.

    def text(self, value: Any, key: str) -> str:
        """A text that is not empty."""
        if not isinstance(value, str) or not value.strip():
            raise self.fail(f"{key}: a text is needed, not {shown(value)}")
        return value

    def texts(self, value: Any, key: str) -> tuple[str, ...]:
        """A text, or a list of different ones."""
        return self._several(value, key, self.text)

    def one_of(self, value: Any, key: str, allowed: Sequence[str]) -> str:
        """One of several words."""
        if value not in allowed:
            raise self.fail(f"{key}: {shown(value)} is none of: {listed(allowed)}")
        return str(value)

    def words(self, value: Any, key: str, allowed: Sequence[str]) -> tuple[str, ...]:
        """One of several words, or a list of different ones of them."""
        return self._several(value, key, lambda one, _: self.one_of(one, key, allowed))

    def day(self, value: Any, key: str) -> str:
        """A day of the calendar; the id of an edition is one."""
        if not isinstance(value, str) or not is_day(value):
            raise self.fail(f"{key}: {shown(value)} is not a date like 2026-09-25")
        return value

    def flag(self, value: Any, key: str) -> bool:
        """True or false."""
        return self.one_of(value, key, ("true", "false")) == "true"

    def count(self, value: Any, key: str, lowest: int = 0) -> int:
        """A whole number."""
        if not isinstance(value, str) or not _NUMBER.fullmatch(value) or int(value) < lowest:
            raise self.fail(f"{key}: a number from {lowest} is needed, not {shown(value)}")
        return int(value)

    # People.

    def player(self, value: Any, key: str) -> str:
        """A player of the scenario."""
        if value not in self.players:
            players = listed(self.players)
            raise self.fail(f"{key}: {shown(value)} is no player (there are: {players})")
        return str(value)

    def seats(self, value: Any, key: str) -> tuple[str, ...]:
        """A player, or a list of different ones."""
        return self._several(value, key, self.player)

    def team(self, value: Any, key: str, *, alone: bool = False) -> tuple[str, ...]:
        """A player, or members of one team where a team may act (unless `alone`)."""
        named = self.seats(value, key)
        if len(named) > 1 and (alone or not any(set(named) <= set(team) for team in self.teams)):
            why = "only one player is meant here" if alone else "they are not of one team"
            raise self.fail(f"{key}: {shown(value)}: {why}")
        return named

    def person(self, value: Any, key: str, also: Sequence[str] = ()) -> str:
        """A player, a person without a seat, or one of the other words."""
        allowed = (*self.players, *self.people, *also)
        return self.one_of(value, key, allowed)

    def persons(self, value: Any, key: str) -> tuple[str, ...]:
        """One person, or a list of different ones."""
        return self._several(value, key, self.person)

    def stand_in(self, value: Any, key: str) -> str:
        """Whoever may answer in a seat's name."""
        return self.person(value, key, STAND_INS)

    def anyone(self, value: Any, key: str) -> str:
        """Whoever may have decided."""
        return self.person(value, key, WORDS)

    # Events.

    def moment(self, value: Any, key: str) -> int:
        """The number of an event, or 0 for the time before the first; labels are numbers."""
        found = self.labels.get(value) if isinstance(value, str) else None
        if found is None:
            if isinstance(value, str) and not _NUMBER.fullmatch(value):
                labels = listed(self.labels)
                raise self.fail(f"{key}: no event has the label {shown(value)} (labels: {labels})")
            found = self.count(value, key)
        if found > len(self.names):
            raise self.fail(f"{key}: there is no event {found}, the last one is {len(self.names)}")
        if self.number and found >= self.number:
            raise self.fail(f"{key}: {shown(value)} is not an earlier event")
        return found

    def event(self, value: Any, key: str) -> int:
        """The number of an event."""
        found = self.moment(value, key)
        if found == 0:
            raise self.fail(f"{key}: the first event is 1")
        return found

    def effect(self, value: Any, key: str) -> str:
        """The label of an effect."""
        if not isinstance(value, str) or not self._names_effect(value):
            known = listed(filter(self._names_effect, self.labels))
            raise self.fail(f"{key}: {shown(value)} is the label of no effect (there are: {known})")
        self.moment(value, key)
        return value

    def _names_effect(self, label: str) -> bool:
        return label in self.labels and self.names[self.labels[label] - 1] in EFFECTS

    def _several(self, value: Any, key: str, check: Callable[[Any, str], str]) -> tuple[str, ...]:
        named = self.entries(value, key) if isinstance(value, list) else [value]
        found = tuple(check(one, key) for one in named)
        if len(set(found)) < len(found):
            raise self.fail(f"{key}: {shown(value)} names one twice")
        return found
