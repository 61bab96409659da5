"""What rows of any SQL log must hold: numbers without holes, nothing that belongs to no event."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["row_faults"]


def row_faults(rows: Callable[[str], list[Any]], position: str) -> Iterator[str]:
    """What is wrong; `rows` runs a statement, `position` is the column of the log-wide position."""
    for table, key, first in (("events", position, 1), ("journal", "journal_index", 0)):
        [(count, low, high)] = rows(f"SELECT count(*), min({key}), max({key}) FROM {table}")
        if count and (low, high) != (first, first + count - 1):
            yield f"{table}: {count} rows run from {low} to {high}: there are holes"
    for table in ("disclosures", "provenance"):
        [(stray,)] = rows(
            f"SELECT coalesce(max(position), 0) > (SELECT coalesce(max({position}), 0) FROM events)"
            f" OR coalesce(min(position), 1) < 1 FROM {table}"
        )
        if stray:
            yield f"{table} has rows of no event"
    [(differ,)] = rows("SELECT (SELECT count(*) FROM leaves) <> (SELECT count(*) FROM journal)")
    if differ:
        yield "journal and leaves have different numbers of rows"
