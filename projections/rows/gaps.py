"""Rows of `gaps`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from projections.rows.stream import Stream

__all__ = ["gap_rows"]

Row = tuple[Any, ...]


def gap_rows(stream: Stream, by_name: Mapping[str, Sequence[Any]]) -> list[Row]:
    """One row per gap of a game or match; a match's gaps are never anchored."""
    anchors = [event.number for event in by_name.get("state_anchored", ())]
    return [
        (
            stream.stream_id,
            stream.kind,
            stream.game_id,
            gap.number,
            _next(anchors, gap.number),
            gap.cause,
            getattr(gap, "after_record", None),
            getattr(gap, "before_record", None),
            getattr(gap, "may_hide", ()),
        )
        for gap in by_name.get("gap_found", ())
    ]


def _next(numbers: Iterable[int], number: int) -> int | None:
    return next((later for later in numbers if later > number), None)
