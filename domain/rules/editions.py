"""What is known of the documents: editions, numbers of topics, behaviour by date.

Days are text `YYYY-MM-DD`, which compares in the order of time; `until` is the last day and None
means that no end is known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from domain.rules.text import LocalText, Status

__all__ = [
    "Edition",
    "Family",
    "NumberSpan",
    "Switch",
    "SwitchSpan",
    "Topic",
    "TournamentDocument",
    "day_after",
    "day_before",
    "holds",
    "is_day",
]


def day_after(day: str) -> str:
    """The day after a day."""
    return (date.fromisoformat(day) + timedelta(days=1)).isoformat()


def day_before(day: str) -> str:
    """The day before a day."""
    return (date.fromisoformat(day) - timedelta(days=1)).isoformat()


def is_day(text: str) -> bool:
    """Whether a text is a day of the calendar written YYYY-MM-DD."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def holds(first: str, last: str | None, day: str) -> bool:
    """Whether the day lies in the span."""
    return first <= day and (last is None or day <= last)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """A Comprehensive Rules document; `id` is its effective date.

    `status` says how its section number is known, `day` how its date is. `in_play_from` is the
    first day of play under it where that is later. `changed`: what it changed about player control.
    """

    id: str
    section: str
    family: str
    status: Status
    day: Status
    sources: tuple[str, ...]
    sets: tuple[str, ...] = ()
    in_play_from: str | None = None
    note: str | None = None
    changed: LocalText | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Editions whose section on player control has the same structure."""

    id: str
    title: LocalText


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberSpan:
    """The number of a topic outside the section on player control, and when it holds.

    `seen` lists the documents in which it was read.
    """

    number: str
    first: str
    last: str | None
    seen: tuple[str, ...]
    sources: tuple[str, ...]

    def status(self, document: str) -> Status:
        """How the number is known for this document."""
        return "seen" if document in self.seen else "inferred"


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A subject with a stable id.

    `clause` gives its place inside the section on player control by family (`.1a`), from the day
    `clause_from` on if there is one; `numbers` its numbers elsewhere, which never overlap in time.
    `name` is our paraphrase.
    """

    id: str
    document: str
    name: LocalText
    clause: Mapping[str, str]
    numbers: tuple[NumberSpan, ...]
    clause_from: str | None = None

    def in_section(self, edition: Edition) -> str | None:
        """The number inside the edition's section on player control."""
        suffix = self.clause.get(edition.family)
        early = self.clause_from is not None and edition.id < self.clause_from
        return None if suffix is None or early else edition.section + suffix

    def span(self, day: str) -> NumberSpan | None:
        """The number outside the section that holds on the day."""
        return next((n for n in self.numbers if holds(n.first, n.last, day)), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchSpan:
    """Days on which a switch is on, or on which its value is disputed (`why` says why)."""

    first: str
    last: str | None
    status: Status = "seen"
    day: Status = "seen"
    sources: tuple[str, ...] = ()
    why: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """A behaviour of the rules that has its own dates; off outside the spans of `on`."""

    key: str
    document: str
    topic: str | None
    meaning: LocalText
    on: tuple[SwitchSpan, ...]
    disputed: tuple[SwitchSpan, ...]
    sources: tuple[str, ...]

    def span(self, day: str) -> SwitchSpan | None:
        """The days on which it is on that the day belongs to; None while it is off."""
        return next((s for s in self.on if holds(s.first, s.last, day)), None)

    def dispute(self, day: str) -> SwitchSpan | None:
        """The stretch of disputed days the day belongs to."""
        return next((s for s in self.disputed if holds(s.first, s.last, day)), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentDocument:
    """A document of the tournament rules; `sideboard`: what changed for a controlled player."""

    id: str
    status: Status
    sources: tuple[str, ...]
    note: str | None = None
    sideboard: LocalText | None = None
