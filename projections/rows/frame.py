"""Rows of `games`, `seats` and `turns`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from domain.ids import short_id
from projections.game import FoldedGame
from projections.rows.span import span
from projections.rows.stream import Stream
from projections.rows.timeline import Timeline

__all__ = ["game_row", "seat_rows", "turn_rows"]

Row = tuple[Any, ...]
Named = Mapping[str, Sequence[Any]]


def game_row(
    stream: Stream, game: FoldedGame, by_name: Named, line: Timeline, counts: tuple[int, int]
) -> Row:
    """The row of a game; `counts` are those of its decisions and findings."""
    start = _first(by_name, "game_started")
    end = _ending(by_name, line)
    return (
        stream.stream_id,
        short_id(stream.stream_id),
        stream.position,
        start and start.game_key,
        start and start.match_key,
        start and start.match_stream,
        start and start.game_number,
        game.events[0].source.system,
        start and start.viewpoint,
        start and start.format,
        start and start.variant,
        start and start.played_on,
        *span(game.events),
        start is not None and start.from_start,
        start and start.generation,
        start and start.supersedes,
        end and end.result,
        () if end is None else end.winners,
        end and end.reason,
        0 if start is None else len(start.seats),
        len(game.turns.turns(game.last)),
        game.last,
        len(by_name.get("gap_found", ())),
        *counts,
        game.rules.reading,
    )


def seat_rows(game_id: str, game: FoldedGame, by_name: Named, line: Timeline) -> list[Row]:
    """One row per seat that the record names."""
    start = _first(by_name, "game_started")
    if start is None:
        return []
    end = _ending(by_name, line)
    departed = game.control_at(game.last).departed
    rows = []
    for info in sorted(start.seats, key=lambda seat: seat.seat):
        left = departed.get(info.seat)
        rows.append(
            (
                game_id,
                start.number,
                info.seat,
                info.player,
                info.team,
                left and left.number,
                left and left.reason,
                None if end is None or end.result == "unknown" else info.seat in end.winners,
            )
        )
    return rows


def turn_rows(game_id: str, game: FoldedGame, by_name: Named, line: Timeline) -> list[Row]:
    """One row per turn taken or skipped, in the order of events, undone ones too.

    A turn whose beginning a gap hides begins with the snapshot that found it going on.
    """
    players = game.control_at(game.last).players
    inside: dict[int, list[Any]] = {}
    for event, turn in zip(game.events, line.turns, strict=True):
        if turn is not None:
            inside.setdefault(turn.number, []).append(event)
    found = [e for e in by_name.get("state_anchored", ()) if e.number in inside]
    begun = [*by_name.get("turn_started", ()), *by_name.get("turn_skipped", ()), *found]
    rows = []
    for event in sorted(begun, key=lambda begin: begin.number):
        skipped = event.NAME == "turn_skipped"
        turn = None if skipped else game.turns.turn(event.number)
        seat = event.active_seat if event.NAME == "state_anchored" else event.seat
        held = [event] if skipped else inside[event.number]
        rows.append(
            (
                game_id,
                event.number,
                held[-1].number,
                turn and turn.ordinal,
                turn and turn.stated,
                seat,
                players.get(seat),
                getattr(event, "team_seats", None),
                skipped,
                not line.survives[event.number - 1],
                turn and turn.extra,
                *span(held),
            )
        )
    return rows


def _first(by_name: Named, name: str) -> Any:
    return next(iter(by_name.get(name, ())), None)


def _ending(by_name: Named, line: Timeline) -> Any:
    """The end of the game that no rewind took back."""
    ends = [e for e in by_name.get("game_ended", ()) if line.survives[e.number - 1]]
    return ends[-1] if ends else None
