"""Rows of `events`: one per event of any stream."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from projections.rows.details import SHAPES

__all__ = ["event_rows"]

_NO_STAMP: Final = (None,) * 9
Row = tuple[Any, ...]


def event_rows(
    stream_id: str,
    kind: str,
    events: Sequence[Any],
    turns: Sequence[int | None],
    active: Sequence[int | None],
) -> list[Row]:
    """The rows; `turns` and `active` hold the turn and the active seat just after each event."""
    game_id = stream_id if kind == "game" else None
    rows = []
    for event, turn, active_seat in zip(events, turns, active, strict=True):
        shape = SHAPES[event.TOPIC]
        source = event.source
        rows.append(
            (
                stream_id,
                kind,
                game_id,
                event.number,
                event.event_id,
                shape.event,
                shape.family,
                shape.topic,
                event.occurred_at,
                event.clock,
                source.system,
                source.record,
                event.correlation_id,
                event.causation,
                event.action,
                *(_stamp(event.stamp) if shape.stamped else _NO_STAMP),
                active_seat,
                turn,
                [name for name in shape.sealed if getattr(event, name) is not None],
                shape.details(event),
            )
        )
    return rows


def _stamp(stamp: Any) -> Row:
    authority = stamp.authority
    return (
        stamp.acting_seat,
        stamp.team_seats,
        stamp.deciding_player,
        stamp.performer,
        authority.kind,
        authority.ref,
        stamp.decision_class,
        stamp.basis,
        stamp.reading,
    )
