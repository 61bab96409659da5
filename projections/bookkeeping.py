"""The tables in which the views keep account of themselves."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from projections.columns import Table, optional, required

__all__ = ["BOOKKEEPING"]

_FOLDED = Table(
    "folded",
    "One row per stream that was read: how far.",
    ("stream_id",),
    (
        required("stream_id", "VARCHAR", "The stream (UUID)."),
        required("stream_kind", "VARCHAR", "`game`, `match` or `case`."),
        required("number", "INTEGER", "Number of the last event read."),
    ),
)

_POISON = Table(
    "poison",
    "One row per stream that has no rows, because it could not be read or folded.",
    ("stream_id",),
    (
        required("stream_id", "VARCHAR", "The stream (UUID)."),
        required("stream_kind", "VARCHAR", "`game`, `match` or `case`."),
        optional("number", "INTEGER", "Number of the event; null where the whole fold failed."),
        required("reason", "VARCHAR", "What is wrong with it."),
    ),
)

_TRACKING = Table(
    "tracking",
    "How far each projection has read.",
    ("projection",),
    (
        required("projection", "VARCHAR", "`events` or `journal`."),
        required("position", "BIGINT", "Last position read; of the journal, entries read."),
    ),
)

_ANCHOR = Table(
    "anchor",
    "One row: which stored event the position of `events` was.",
    (),
    (required("digest", "VARCHAR", "SHA-256 (hex) over position, stream, number and bytes."),),
)

_GENERATION = Table(
    "generation",
    "One row: what made these tables.",
    (),
    (
        required("projection", "VARCHAR", "Version of the tables."),
        required("duckdb", "VARCHAR", "Version of DuckDB."),
        required("rules", "VARCHAR", "Version of the rules and of the kernel that reads them."),
    ),
)

BOOKKEEPING: Final = MappingProxyType(
    {t.name: t for t in (_GENERATION, _TRACKING, _ANCHOR, _FOLDED, _POISON)}
)
"""Table name -> table, in the order of the data dictionary."""
