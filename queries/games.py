"""Which games the log holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from projections.views import ViewSet

__all__ = ["GameSummary", "GamesAnswer", "SeatSummary", "games"]

_GAMES: Final = """
SELECT game_id, short_id, match_key, game_number, system, viewpoint, format, played_on,
       strftime(started_at, '%Y-%m-%dT%H:%M:%S.%fZ'), strftime(ended_at, '%Y-%m-%dT%H:%M:%S.%fZ'),
       from_start, result, reason, turns, events, decisions, gaps, findings, supersedes
FROM games
"""
_SEATS: Final = "SELECT game_id, seat, player, won FROM seats ORDER BY game_id, seat"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatSummary:
    """A seat of a game; `won` is None while the result is not known."""

    seat: int
    player: str
    local: bool
    won: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSummary:
    """One game as one source saw it. `place` counts the games of the log from 1; people type it."""

    place: int
    game_id: str
    short_id: str
    match_key: str | None
    game_number: int | None
    system: str
    viewpoint: str | None
    format: str | None
    played_on: str | None
    started_at: str | None
    ended_at: str | None
    from_start: bool
    result: str | None
    reason: str | None
    turns: int
    events: int
    decisions: int
    gaps: int
    findings: int
    supersedes: str | None
    seats: tuple[SeatSummary, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GamesAnswer:
    """The games of a log in the order in which they came into it.

    `unreadable` are the ids of games that no table holds because their events cannot be folded.
    """

    games: tuple[GameSummary, ...]
    unreadable: tuple[str, ...]


def games(views: ViewSet, order: Sequence[str]) -> GamesAnswer:
    """All games; `order` holds the ids of the log's games in the order they came into it."""
    with views.reader() as connection:
        rows = {row[0]: row for row in connection.execute(_GAMES).fetchall()}
        seats: dict[str, list[tuple[Any, ...]]] = {}
        for game_id, *seat in connection.execute(_SEATS).fetchall():
            seats.setdefault(game_id, []).append(tuple(seat))
    return GamesAnswer(
        games=tuple(
            _summary(place, rows[game_id], seats.get(game_id, []))
            for place, game_id in enumerate(order, 1)
            if game_id in rows
        ),
        unreadable=tuple(game_id for game_id in order if game_id not in rows),
    )


def _summary(place: int, row: Sequence[Any], seats: Sequence[tuple[Any, ...]]) -> GameSummary:
    names = [name for name in GameSummary.__dataclass_fields__ if name not in ("place", "seats")]
    facts = dict(zip(names, row, strict=True))
    local = facts["viewpoint"]
    return GameSummary(
        place=place,
        seats=tuple(
            SeatSummary(seat=seat, player=player, local=local == f"seat:{seat}", won=won)
            for seat, player, won in seats
        ),
        **facts,
    )
