"""Control: effects that let somebody decide for another player, and stand-ins."""

from __future__ import annotations

from typing import ClassVar, Literal

from domain.events.base import ObjectId, StampedGameEvent
from domain.principals import Principal
from domain.stamp import Seat

__all__ = [
    "ChoiceGranted",
    "ControlCreated",
    "ControlEnded",
    "ControlObserved",
    "Scope",
    "SeatReturned",
    "SeatTakenOver",
]

Scope = Literal[
    "next_turn", "next_combat_phase", "this_turn", "while_resolving", "while_searching", "observed"
]


class ControlCreated(StampedGameEvent):
    """A player-controlling effect comes into being (CR 723.1)."""

    TOPIC: ClassVar[str] = "game.control_created/v1"

    label: str
    """Name of the effect inside the game."""
    controller: Principal
    """Who will decide."""
    affected: tuple[Seat, ...]
    """For whom."""
    scope: Scope
    """When it is in force."""
    source_card: str | None = None
    """The card that made it, where public."""
    object: ObjectId | None = None
    """The object whose resolution or presence bounds it."""
    extra_turn_after: bool = False
    """It promises the affected player an extra turn afterwards."""
    may_not: tuple[str, ...] = ()
    """Decisions the controller may not make (event names, CR 723.7)."""
    must: tuple[str, ...] = ()
    """Decisions the controller must make (event names, CR 723.7)."""


class ControlObserved(StampedGameEvent):
    """The source shows that somebody else answers for the seat, or that this is over."""

    TOPIC: ClassVar[str] = "game.control_observed/v1"

    label: str
    """Name of the observation inside the game."""
    seat: Seat
    """For whom somebody else answers."""
    by: Principal | None
    """Who answers; null when it is over."""


class ControlEnded(StampedGameEvent):
    """Something the game says ends an effect."""

    TOPIC: ClassVar[str] = "game.control_ended/v1"

    effect: str
    """Label of the effect."""
    reason: str | None = None
    """What ended it."""


class ChoiceGranted(StampedGameEvent):
    """Another player makes certain choices without controlling the player."""

    TOPIC: ClassVar[str] = "game.choice_granted/v1"

    label: str
    """Name of the effect inside the game."""
    chooser: Principal
    """Who makes the choices."""
    affected: tuple[Seat, ...]
    """Whose choices they are."""
    decisions: tuple[str, ...]
    """Which: `attackers`, `blockers`, `votes`, `targets`, or event names."""
    lasts: Literal["this_turn", "this_combat", "this_vote", "while_resolving"]
    """For how long."""
    source_card: str | None = None
    """The card that says so, where public."""
    object: ObjectId | None = None
    """The object whose resolution bounds it."""


class SeatTakenOver(StampedGameEvent):
    """A server, a program or a judge answers in the seat's name from here on."""

    TOPIC: ClassVar[str] = "game.seat_taken_over/v1"

    seat: Seat
    """Whose seat."""
    by: Principal
    """The stand-in."""
    mode: str | None = None
    """The source's own word for it."""


class SeatReturned(StampedGameEvent):
    """The seat's player answers again."""

    TOPIC: ClassVar[str] = "game.seat_returned/v1"

    seat: Seat
    """Whose seat."""
    by: Principal | None = None
    """The stand-in that gives it back."""
