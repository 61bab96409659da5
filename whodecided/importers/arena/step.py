"""One state being translated: the picture before and after it, and what has been told so far."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from whodecided.importers.arena.board import View
from whodecided.importers.arena.desk import Desk
from whodecided.importers.arena.envelope import GameState, Json
from whodecided.importers.arena.items import StateItem
from whodecided.importers.arena.telling import NOTHING
from whodecided.importers.arena.words import zone_word

__all__ = ["Step", "begin_step", "card_secret", "owner_of_zone", "seat_of", "seat_or_none"]

_OWNED: Final = frozenset({"library", "hand", "graveyard", "sideboard"})


def seat_or_none(value: Any) -> int | None:
    """The value if it can be a seat."""
    return value if type(value) is int and 1 <= value <= 64 else None


def seat_of(thing: Json | None, name: str = "controllerSeatId") -> int | None:
    """A seat that an object, zone or player names."""
    return None if thing is None else seat_or_none(thing.get(name))


def owner_of_zone(zone: Json | None) -> int | None:
    """Whose zone it is, for a zone that each player has."""
    return seat_of(zone, "ownerSeatId") if zone_word(zone) in _OWNED else None


def card_secret(thing: Json | None, name: str = "card") -> Mapping[str, Any]:
    """The card of an object as a value to be sealed; nothing when the log does not show it."""
    card = None if thing is None else thing.get("grpId")
    return {name: str(card)} if card else NOTHING


class Step(msgspec.Struct, eq=False, gc=False):
    """A state on its way into events.

    `placed` are the objects whose zone has been told, `former` new ids with the old ones, `created`
    the abilities with their sources, `deleted` those that are gone again, `uses` the actions that
    name an object, `paying` what the mana of a permanent pays for, `arrivals` the zones that
    transfers lead to, `cause` the event that what is told now comes from.
    """

    desk: Desk
    item: StateItem
    before: View
    after: View
    state: GameState
    placed: set[int] = msgspec.field(default_factory=set)
    former: dict[int, int] = {}
    created: dict[int, int] = {}
    deleted: set[int] = msgspec.field(default_factory=set)
    uses: dict[int, int] = {}
    paying: dict[int, int] = {}
    payments: dict[int, list[int]] = {}
    mana_seen: dict[int, int] = {}
    arrivals: dict[int, int] = {}
    shown: set[int] = msgspec.field(default_factory=set)
    stood_for: set[int] = msgspec.field(default_factory=set)
    turned: set[int] = msgspec.field(default_factory=set)
    life: dict[int, int] = {}
    cause: int | None = None

    @property
    def notes(self) -> list[Json]:
        """All annotations; old clients do not keep the lasting ones apart."""
        return self.state.persistentAnnotations + self.state.annotations

    def object(self, number: int) -> Json | None:
        """An object after the state, or as it was before when it is gone."""
        return self.after.object(number) or self.before.object(number)

    def known_card(self, number: int) -> Json | None:
        """An object that shows the card: itself, or what it was under its former id."""
        thing = self.object(number)
        if thing is None and number in self.former:
            return self.object(self.former[number])
        return thing

    def zone(self, number: int | None) -> Json | None:
        """A zone after the state."""
        return None if number is None else self.after.zone(number)

    def tell(
        self,
        event: str,
        part: str,
        fields: Mapping[str, Any],
        secrets: Mapping[str, Any] = NOTHING,
        *,
        seat: int | None = None,
    ) -> int:
        """Tell a fact of play that comes from what is going on."""
        return self.desk.teller.tell(event, part, fields, secrets, seat=seat, causation=self.cause)

    def place(self, event: str, part: str, number: int, **fields: Any) -> int:
        """Tell where an object is now; it is in the record from here on."""
        secrets = card_secret(self.known_card(number))
        seat = fields.pop("acting_seat", None)
        told = self.tell(event, part, {"object": str(number), **fields}, secrets, seat=seat)
        self.desk.told[number] = told
        self.placed.add(number)
        return told


def begin_step(desk: Desk, item: StateItem) -> Step:
    """A state on its way; what is resolving is the cause of what is told."""
    cause = None if desk.resolving is None else desk.made.get(desk.resolving)
    return Step(desk, item, item.before, item.after, item.state, cause=cause)
