"""The envelope every event shares."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from domain.sealed import Sealed
from domain.stamp import Seat, Stamp

__all__ = [
    "UUID_PATTERN",
    "CardRef",
    "CaseEvent",
    "DecisionEvent",
    "Event",
    "GameEvent",
    "MatchEvent",
    "ObjectId",
    "SealedCard",
    "Source",
    "StampedGameEvent",
    "Zone",
]

UUID_PATTERN = r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
Uuid = Annotated[str, Field(pattern=UUID_PATTERN)]
Time = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$")]
ObjectId = str
"""A game object as the source names it, as text."""
CardRef = str
"""A card or ability as the source names it: a number as text, or a name."""
SealedCard = Sealed[CardRef] | None
"""A card that may be hidden; null where the source did not know it either."""
Zone = Literal[
    "library",
    "hand",
    "battlefield",
    "graveyard",
    "exile",
    "stack",
    "command",
    "sideboard",
    "outside",
    "limbo",
    "other",
]


class Source(BaseModel):
    """Which record of which system the event was taken from."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=True, defer_build=True
    )

    system: str
    """The source system, for example `arena` or `scenario`."""
    record: str
    """The source's own identity of the record; never a place in a file."""


class Event(BaseModel):
    """An immutable fact of one stream. Times and places of the import are not part of it."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=True, defer_build=True
    )
    TOPIC: ClassVar[str]
    FAMILY: ClassVar[str]

    number: int = Field(ge=1)
    """Position in the stream, from 1 without holes."""
    event_id: Uuid
    """Version 5 UUID of the stream and the source record."""
    occurred_at: Time | None
    """When it happened, UTC; null where the source does not say."""
    clock: Literal["server", "client", "local", "none"]
    """Quality of the time: the server's clock, the client's, a wall clock without zone, or none."""
    source: Source
    """Where the event was taken from."""
    correlation_id: str | None
    """Shared by a request and everything that answers it."""
    causation: int | None
    """Number of the event of this stream that led to this one."""
    action: str | None
    """Shared by the decisions of one action."""


class GameEvent(Event):
    """An event of a game's stream."""

    game_id: Uuid
    """The stream: one game as one source saw it."""


class StampedGameEvent(GameEvent):
    """A game event with acting seat and deciding player."""

    stamp: Stamp
    """Whose action it was and who chose it."""


class DecisionEvent(StampedGameEvent):
    """A choice that was made, or attempted."""

    DECISION_CLASS: ClassVar[str] = "game"

    request: int | None = None
    """Number of the decision_requested event it answers."""
    refused: bool = False
    """The attempt was made and the game did not accept it."""
    called_for: bool = True
    """False where no rule and no object asks for this choice."""
    whole_action: bool = False
    """The source states only the whole action, not its single decisions."""
    paid_from: Seat | None = None
    """Whose resources paid, where stated."""
    cites: str | None = None
    """A rule number somebody relied on."""


class MatchEvent(Event):
    """An event of a match's stream."""

    match_id: Uuid
    """The stream: one match as one source saw it."""


class CaseEvent(Event):
    """An event of a judge's investigation."""

    case_id: Uuid
    """The stream: one case."""
    stamp: Stamp
    """Who entered it and by what right."""
