"""Which games the log holds."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from domain.errors import BadInput, NotFound
from domain.rules.editions import is_day

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
_ADVICE: Final = "A player is a kept name, an id or its first digits; `whodecided show` tells ids."


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

    @property
    def day(self) -> str | None:
        """The day it was played as the source states it, else that of its first event with a time.

        Written YYYY-MM-DD; None where the record says neither.
        """
        return self.played_on or (self.started_at[:10] if self.started_at else None)

    @property
    def remarkable(self) -> bool:
        """Whether it has gaps or findings, or the record starts in mid-game."""
        return bool(self.gaps or self.findings or not self.from_start)


@dataclass(frozen=True, slots=True, kw_only=True)
class GamesAnswer:
    """The games asked for in the order in which they came into the log.

    `recorded` is how many games the log has in all. `unreadable` are the ids of games that no table
    holds because their events cannot be folded; they are named whatever was asked for.
    """

    recorded: int
    games: tuple[GameSummary, ...]
    unreadable: tuple[str, ...]


def games(
    views: ViewSet,
    order: Sequence[str],
    *,
    since: str | None = None,
    until: str | None = None,
    player: str | None = None,
    called: Collection[str] = (),
    remarks: bool = False,
) -> GamesAnswer:
    """The games that are all of what is asked for; without anything all games.

    `order` holds the ids of the log's games in the order they came into it. `since` and `until` are
    days (YYYY-MM-DD), both included; a game without a day is in no such span. `player` is an id or
    its first digits, or a name under which the players `called` are kept. `remarks` leaves out
    games without gaps or findings that are recorded from their start. Raises BadInput for what is
    no day, for a span that ends before it begins and for digits that fit several players, NotFound
    for a player of no game.
    """
    _require_span(since, until)
    with views.reader() as connection:
        rows = {row[0]: row for row in connection.execute(_GAMES).fetchall()}
        seats: dict[str, list[tuple[Any, ...]]] = {}
        for game_id, *seat in connection.execute(_SEATS).fetchall():
            seats.setdefault(game_id, []).append(tuple(seat))
    found = [
        _summary(place, rows[game_id], seats.get(game_id, []))
        for place, game_id in enumerate(order, 1)
        if game_id in rows
    ]
    if since is not None or until is not None:
        found = [one for one in found if one.day and (since or "") <= one.day <= (until or "9999")]
    if player is not None:
        players = _players(player, called, {who for held in seats.values() for _, who, _ in held})
        found = [one for one in found if any(seat.player in players for seat in one.seats)]
    return GamesAnswer(
        recorded=len(order),
        games=tuple(one for one in found if one.remarkable or not remarks),
        unreadable=tuple(game_id for game_id in order if game_id not in rows),
    )


def _require_span(since: str | None, until: str | None) -> None:
    for name, day in (("since", since), ("until", until)):
        if day is not None and not is_day(day):
            raise BadInput(name, f"{day!r} is not a date", advice="Write it as YYYY-MM-DD.")
    if since is not None and until is not None and until < since:
        raise BadInput("until", f"{until} is before {since}")


def _players(named: str, called: Collection[str], known: Collection[str]) -> set[str]:
    """Who of the known is meant: several under one kept name, one by an id."""
    found = {player for player in known if player in called}
    found = found or {one for one in known if named in (one, one.partition(":")[2])}
    if found:
        return found
    digits = named.removeprefix("player:")
    found = {one for one in known if digits and one.partition(":")[2].startswith(digits)}
    if not found:
        raise NotFound("player", named, advice=_ADVICE)
    if len(found) > 1:
        several = ", ".join(sorted(found))
        raise BadInput("player", f"{named!r} fits several: {several}", advice="Type more digits.")
    return found


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
