"""Rows of `objects`."""

from __future__ import annotations

from typing import Any

from domain.visibility import VisibilityRecord

__all__ = ["object_rows"]

Row = tuple[Any, ...]


def object_rows(game_id: str, record: VisibilityRecord) -> list[Row]:
    """One row per stretch in which an object keeps its id, place, owner, controller and face."""
    rows: list[Row] = []
    for track in record.facts:
        changes = record.facts.changed(track)
        ends = (*(number - 1 for number in changes[1:]), None)
        for number, end, facts in zip(changes, ends, record.facts.values(track), strict=True):
            if facts is not None:
                place = (facts.zone, facts.zone_owner, facts.owner, facts.controller)
                face = (facts.face_down, facts.public)
                rows.append((game_id, number, end, facts.name, track, *place, *face))
    return rows
