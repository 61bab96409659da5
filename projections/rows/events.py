"""Rows of `events`: one per event of any stream."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from projections.rows.computed import Computed
from projections.rows.details import SHAPES
from projections.rows.stream import Stream
from projections.rows.timeline import Timeline

__all__ = ["event_rows"]

_NO_STAMP: Final = (None,) * 9
_COMPUTED: Final = (None,) * len(Computed._fields)
Row = tuple[Any, ...]


def event_rows(stream: Stream, events: Sequence[Any], line: Timeline | None = None) -> list[Row]:
    """The rows; `line` is the timeline of a game."""
    head = (stream.stream_id, stream.kind, stream.game_id, stream.position)
    nothing = (None,) * len(events)
    folded: Iterable[tuple[Any, ...]] = zip(*(nothing,) * 4, strict=True)
    if line is not None:
        folded = zip(line.players, line.computed, line.active, line.ordinals, strict=True)
    rows = []
    for event, (player, computed, active_seat, turn) in zip(events, folded, strict=True):
        shape = SHAPES[event.TOPIC]
        source = event.source
        rows.append(
            (
                *head,
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
                player,
                *(_COMPUTED if computed is None else computed),
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
