"""Log events: about the record itself. They never change what a fold says happened."""

from __future__ import annotations

from typing import ClassVar, Literal

from domain.events.base import GameEvent
from domain.principals import Principal

__all__ = ["GapFound", "NoteAdded", "StampDisputed"]


class GapFound(GameEvent):
    """A part of the game is not in the record."""

    TOPIC: ClassVar[str] = "game.gap_found/v1"

    cause: Literal["summarised", "missing", "torn", "starts_in_mid_game", "reconnect", "unknown"]
    """Why it is missing."""
    after_record: str | None = None
    """The last record before the gap."""
    before_record: str | None = None
    """The first record after it."""
    may_hide: tuple[str, ...] = ()
    """Names of events it may hide; empty where nothing is known."""


class NoteAdded(GameEvent):
    """A remark for readers, anchored to an event."""

    TOPIC: ClassVar[str] = "game.note_added/v1"

    about: int | None
    """Number of the event it is about."""
    text: str
    """The remark."""
    by: Principal | None = None
    """Who made it."""


class StampDisputed(GameEvent):
    """Somebody disputes who is recorded to have decided."""

    TOPIC: ClassVar[str] = "game.stamp_disputed/v1"

    about: int
    """Number of the disputed event."""
    claimed: Principal
    """Who is said to have decided."""
    by: Principal
    """Who disputes."""
    grounds: str | None = None
    """Why."""
