"""Names for people to read: seats, principals, cards, events' places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from queries.parts import Citation, SeatView
from whodecided.cardnames import CardNames

__all__ = ["Labels", "event_range", "plural", "spoken"]

_WORDS = {
    "nobody": "nobody (the seat has left)",
    "rules": "the rules (nobody chooses)",
    "undetermined": "undetermined (the rules leave a gap)",
    "unknown": "unknown (the record does not say)",
}


@dataclass(frozen=True)
class Labels:
    """How seats and principals of one answer are called; `people` holds names that were kept."""

    seats: Mapping[int, SeatView]
    cards: CardNames
    people: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls, seats: Iterable[SeatView], cards: CardNames, people: Mapping[str, str] | None = None
    ) -> Labels:
        """Labels for the seats of an answer."""
        return cls({seat.seat: seat for seat in seats}, cards, people or {})

    def seat(self, seat: int | None, *, marked: bool = False) -> str:
        """`Seat 2 · player 3fa9c2d1`; marked: with what is special about the seat."""
        if seat is None:
            return "nobody's seat"
        info = self.seats.get(seat)
        if info is None:
            return f"Seat {seat}"
        marks = " (viewpoint)" if marked and info.local else ""
        return f"Seat {seat} · {self.person(info.player)}{marks}"

    def person(self, principal: str) -> str:
        """A name that was kept, else `player 3fa9c2d1`."""
        if principal in self.people:
            return self.people[principal]
        kind, _, name = principal.partition(":")
        return f"{kind} {name[:8] if kind == 'player' else name}".strip()

    def principal(self, principal: str | None) -> str:
        """Who decides, with the seat where the principal has one."""
        if principal is None:
            return "nobody"
        if principal in _WORDS:
            return _WORDS[principal]
        if principal.startswith("seat:"):
            return self.seat(int(principal[5:]))
        held = [seat for seat, info in self.seats.items() if info.player == principal]
        return self.seat(held[0]) if held else self.person(principal)

    def short(self, principal: str | None) -> str:
        """As short as a table's cell needs it: `Seat 2`, `server arena`, `rules`."""
        if principal is None:
            return "-"
        if principal.startswith("seat:"):
            return f"Seat {principal[5:]}"
        held = [seat for seat, info in self.seats.items() if info.player == principal]
        return f"Seat {held[0]}" if held else self.person(principal)

    def citation(self, rule: Citation) -> str:
        """`CR 723.5 (2026-09-25) the controller makes the decisions`."""
        return f"{rule.document} {rule.number} ({rule.edition}) {rule.name}"

    def thing(self, details: Mapping[str, Any], hidden: Iterable[str]) -> str:
        """The card or ability an event is about, with its object."""
        name = None
        for kind, call in (("card", self.cards.card), ("ability", self.cards.ability)):
            if kind in hidden:
                name = f"a hidden {kind}"
            elif isinstance(details.get(kind), str):
                name = call(details[kind])
        number = details.get("object") or details.get("source_object")
        if name is None:
            return f"object {number}" if number else "an unknown card"
        return f"{name} (object {number})" if number else name


def plural(count: int, noun: str) -> str:
    """`1 event`, `2 events`, `12,345 events`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def spoken(word: str) -> str:
    """A word of the catalogue as people read it: `spell_cast` -> `spell cast`."""
    return word.replace("_", " ").replace("-", " ")


def event_range(first: int, last: int | None) -> str:
    """`events 12-40`, `event 12`, `events 12-` to the end of the record."""
    if last is None:
        return f"events {first}-"
    return f"event {first}" if first == last else f"events {first}-{last}"
