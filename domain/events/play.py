"""Facts of play: what happened to objects and players without anybody choosing it here."""

from __future__ import annotations

from typing import ClassVar

from domain.events.base import ObjectId, SealedCard, StampedGameEvent, Zone
from domain.stamp import Seat

__all__ = [
    "AbilityTriggered",
    "CardDrawn",
    "CountersChanged",
    "DamageDealt",
    "LifeChanged",
    "ManaLost",
    "ObjectControlChanged",
    "ObjectEntered",
    "ObjectMoved",
    "ObjectRenamed",
    "Resolved",
    "TimeoutUsed",
    "TokenCreated",
    "TotalsStated",
]


class AbilityTriggered(StampedGameEvent):
    """A triggered ability triggers (CR 603)."""

    TOPIC: ClassVar[str] = "game.ability_triggered/v1"

    object: ObjectId | None = None
    """The ability on the stack."""
    source_object: ObjectId | None = None
    """The object whose ability it is."""
    ability: SealedCard = None
    """The ability as the source names it."""
    controller: Seat | None = None
    """Who controls the ability."""


class Resolved(StampedGameEvent):
    """A spell or ability has finished resolving (CR 608)."""

    TOPIC: ClassVar[str] = "game.resolved/v1"

    object: ObjectId | None = None
    """The spell or ability."""
    seat: Seat | None = None
    """Who controlled it."""


class ObjectEntered(StampedGameEvent):
    """An object comes into the record in a zone, or the record learns what it is."""

    TOPIC: ClassVar[str] = "game.object_entered/v1"

    object: ObjectId
    """The object."""
    owner: Seat | None = None
    """Its owner."""
    controller: Seat | None = None
    """Its controller, where it can have one."""
    zone: Zone
    """Where it is."""
    zone_owner: Seat | None = None
    """Whose zone, for a zone each player has."""
    card: SealedCard = None
    """The card."""
    face_down: bool = False
    """It is face down."""


class ObjectMoved(StampedGameEvent):
    """An object changes zones (CR 400.7), or is turned face down there."""

    TOPIC: ClassVar[str] = "game.object_moved/v1"

    object: ObjectId
    """The object, by the name it has afterwards."""
    from_zone: Zone | None = None
    """Where it was."""
    to_zone: Zone
    """Where it is now."""
    zone_owner: Seat | None = None
    """Whose zone it is now in, for a zone each player has."""
    owner: Seat | None = None
    """Its owner."""
    controller: Seat | None = None
    """Its controller afterwards, where it can have one."""
    card: SealedCard = None
    """The card."""
    face_down: bool = False
    """It is face down now."""
    cause: str | None = None
    """The source's own word for the reason (`destroy`, `discard`, `mill` ...)."""
    source_object: ObjectId | None = None
    """The object that moved it."""


class ObjectRenamed(StampedGameEvent):
    """The source gives an object a new id (CR 400.7: a new object)."""

    TOPIC: ClassVar[str] = "game.object_renamed/v1"

    former: ObjectId
    """The id before."""
    object: ObjectId
    """The id now."""


class ObjectControlChanged(StampedGameEvent):
    """Control of an object changes; never of a player."""

    TOPIC: ClassVar[str] = "game.object_control_changed/v1"

    object: ObjectId
    """The object."""
    controller: Seat
    """Who controls it now."""
    former: Seat | None = None
    """Who controlled it before."""
    by_player_control: bool = False
    """The source gives player control as the reason (which the rules never do, CR 723.3)."""


class CardDrawn(StampedGameEvent):
    """A card is drawn (CR 121)."""

    TOPIC: ClassVar[str] = "game.card_drawn/v1"

    seat: Seat
    """Who drew."""
    object: ObjectId | None = None
    """The card as an object in hand."""
    card: SealedCard = None
    """The card."""


class LifeChanged(StampedGameEvent):
    """A life total changes."""

    TOPIC: ClassVar[str] = "game.life_changed/v1"

    seat: Seat
    """Whose."""
    change: int
    """By how much."""
    total: int | None = None
    """The total afterwards, where stated."""


class DamageDealt(StampedGameEvent):
    """Damage is dealt (CR 120)."""

    TOPIC: ClassVar[str] = "game.damage_dealt/v1"

    source_object: ObjectId | None = None
    """What dealt it."""
    target: str
    """To what: `seat:<n>` or an object id."""
    amount: int
    """How much."""
    combat: bool | None = None
    """Whether it is combat damage; null where not stated."""


class CountersChanged(StampedGameEvent):
    """Counters are put on or removed from something."""

    TOPIC: ClassVar[str] = "game.counters_changed/v1"

    target: str
    """On what: `seat:<n>` or an object id."""
    counter: str
    """The kind of counter as the source names it."""
    change: int
    """How many more (positive) or fewer."""


class TokenCreated(StampedGameEvent):
    """A token is created (CR 111)."""

    TOPIC: ClassVar[str] = "game.token_created/v1"

    object: ObjectId
    """The token."""
    owner: Seat | None = None
    """Its owner."""
    controller: Seat | None = None
    """Its controller."""
    card: SealedCard = None
    """What it is."""


class ManaLost(StampedGameEvent):
    """Unspent mana is lost."""

    TOPIC: ClassVar[str] = "game.mana_lost/v1"

    seat: Seat
    """Whose."""
    amount: int
    """How much mana."""
    life: int | None = None
    """Life actually lost for it, where stated."""


class TimeoutUsed(StampedGameEvent):
    """A player's time extension is used."""

    TOPIC: ClassVar[str] = "game.timeout_used/v1"

    seat: Seat
    """Whose."""
    left: int | None = None
    """How many are left, where stated."""


class TotalsStated(StampedGameEvent):
    """The source states totals of a player that the record so far does not give."""

    TOPIC: ClassVar[str] = "game.totals_stated/v1"

    seat: Seat
    """Whose."""
    life: int | None = None
    """The life total, where stated here."""
    library: int | None = None
    """How many cards the library holds, where stated here."""
