"""Events of a match's stream."""

from __future__ import annotations

from typing import ClassVar, Literal

from domain.events.base import MatchEvent
from domain.events.frame import SeatInfo
from domain.principals import Principal
from domain.stamp import Seat, Stamp

__all__ = [
    "GameLinked",
    "MatchEnded",
    "MatchGapFound",
    "MatchOpened",
    "MatchSideboarded",
    "MatchTimeExtended",
    "PlayOrDrawChosen",
]


class MatchOpened(MatchEvent):
    """A match's record begins."""

    TOPIC: ClassVar[str] = "match.match_opened/v1"

    match_key: str
    """Same for every record of the match."""
    viewpoint: str
    """Whose view the source is."""
    seats: tuple[SeatInfo, ...]
    """Who sits where, as far as known."""
    format: str | None
    """The format or queue as the source names it."""
    best_of: int | None
    """1 or 3, where stated."""
    client: str | None
    """Version of the source's program, where stated."""
    generation: int
    """Generation of the importer's numbering."""
    from_start: bool
    """False where the record starts in mid-match."""


class PlayOrDrawChosen(MatchEvent):
    """It is chosen who plays first in a game."""

    TOPIC: ClassVar[str] = "match.play_or_draw_chosen/v1"

    stamp: Stamp
    """Who chose it."""
    game_number: int | None
    """For which game."""
    first: Seat
    """Who plays first."""


class GameLinked(MatchEvent):
    """A game of the match has its own stream."""

    TOPIC: ClassVar[str] = "match.game_linked/v1"

    game_id: str
    """The game's stream."""
    game_number: int | None
    """Which game, from 1."""


class MatchSideboarded(MatchEvent):
    """A player submits a deck between games."""

    TOPIC: ClassVar[str] = "match.sideboarded/v1"

    stamp: Stamp
    """Whose deck and who submitted it."""
    before_game: int | None
    """Before which game."""


class MatchTimeExtended(MatchEvent):
    """A judge gives the match extra time."""

    TOPIC: ClassVar[str] = "match.time_extended/v1"

    stamp: Stamp
    """Who gave it."""
    minutes: int
    """How many minutes."""


class MatchGapFound(MatchEvent):
    """A part of the match is not in the record."""

    TOPIC: ClassVar[str] = "match.gap_found/v1"

    cause: Literal["starts_in_mid_match", "missing", "unknown"]
    """Why."""


class MatchEnded(MatchEvent):
    """The match is over."""

    TOPIC: ClassVar[str] = "match.match_ended/v1"

    result: Literal["win", "draw", "unknown"]
    """Whether somebody won."""
    winners: tuple[Seat, ...]
    """The seats that won."""
    reason: str | None
    """Why it ended, in the words of game_ended."""
    games: tuple[tuple[int, int | None], ...]
    """(game number, winning team or null) of each game, as the source sums them up."""
    by: Principal | None
    """Who ended it, where somebody did."""
