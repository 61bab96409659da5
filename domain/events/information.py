"""Information: who was shown what."""

from __future__ import annotations

from typing import ClassVar, Literal

from domain.events.base import ObjectId, SealedCard, StampedGameEvent, Zone
from domain.principals import Principal
from domain.sealed import Sealed
from domain.stamp import Seat

__all__ = [
    "Instructed",
    "LookGranted",
    "LookedAt",
    "Revealed",
    "Scried",
    "Shuffled",
    "TurnedFaceUp",
]


class LookedAt(StampedGameEvent):
    """Somebody looks at a card or a zone; whether they may is judged from the rules."""

    TOPIC: ClassVar[str] = "game.looked_at/v1"

    viewer: Principal
    """Who looks."""
    object: ObjectId | None = None
    """At one object."""
    zone: Zone | None = None
    """Or at a whole zone."""
    owner: Seat | None = None
    """Of this player."""
    card: SealedCard = None
    """The card, where one object is looked at."""


class LookGranted(StampedGameEvent):
    """Somebody may see an object or a zone for a time."""

    TOPIC: ClassVar[str] = "game.look_granted/v1"

    viewers: tuple[Principal, ...]
    """Who may look."""
    object: ObjectId | None = None
    """One object."""
    zone: Zone | None = None
    """Or a whole zone."""
    owner: Seat | None = None
    """Of this player."""
    card: SealedCard = None
    """The card, where one object is meant."""
    lasts: Literal["this_turn", "while_in_zone", "rest_of_game"] = "while_in_zone"
    """For how long."""


class Revealed(StampedGameEvent):
    """A card or zone is shown: known from now on, entitled only at this event (CR 701.16)."""

    TOPIC: ClassVar[str] = "game.revealed/v1"

    to: tuple[Principal, ...] | None = None
    """To whom; null for everybody."""
    object: ObjectId | None = None
    """One object."""
    zone: Zone | None = None
    """Or a whole zone."""
    owner: Seat | None = None
    """Of this player."""
    card: SealedCard = None
    """The card, where one object is shown."""


class TurnedFaceUp(StampedGameEvent):
    """A face-down object is turned face up (CR 708)."""

    TOPIC: ClassVar[str] = "game.turned_face_up/v1"

    object: ObjectId
    """The object."""
    card: SealedCard = None
    """What it is."""


class Shuffled(StampedGameEvent):
    """A library is shuffled (CR 701.20): its cards' places are unknown to everybody."""

    TOPIC: ClassVar[str] = "game.shuffled/v1"

    owner: Seat
    """Whose library."""
    former: tuple[ObjectId, ...] = ()
    """Ids before, where the source renames the cards."""
    objects: tuple[ObjectId, ...] = ()
    """Ids afterwards, in an order that says nothing."""


class Scried(StampedGameEvent):
    """A player looks at the top cards of a library and puts them on top or at the bottom."""

    TOPIC: ClassVar[str] = "game.scried/v1"

    seat: Seat
    """Who scried."""
    top: tuple[ObjectId, ...] = ()
    """Kept on top."""
    bottom: tuple[ObjectId, ...] = ()
    """Put at the bottom."""


class Instructed(StampedGameEvent):
    """One person tells another what to do."""

    TOPIC: ClassVar[str] = "game.instructed/v1"

    by: Principal
    """Who says it."""
    to: Principal
    """To whom."""
    text: Sealed[str] | None = None
    """What was said; may name hidden cards."""
