"""What the shared SQL of a log needs of a database: one open transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

__all__ = ["EventRow", "Transaction"]

EventRow = tuple[str, int, str, bytes]
"""Stream id, number, topic, canonical bytes."""


class Transaction(Protocol):
    """Runs statements whose parameters are marked `?`, all of them in one transaction."""

    position: str
    """The column of `events` that holds the log-wide position."""

    def rows(self, statement: str, *params: Any) -> list[Any]:
        """The rows, as tuples, that a statement gives."""
        ...

    def run(self, statement: str, *params: Any) -> int:
        """Run a statement that gives no rows; how many rows it wrote or deleted."""
        ...

    def insert_events(self, events: Sequence[EventRow]) -> None:
        """Write consecutive events of one stream at the end of the log."""
        ...

    def insert_disclosures(self, rows: Sequence[tuple[int, str, bytes, bytes]]) -> None:
        """Write position, field, value and salt of hidden values of events written before."""
        ...

    def insert_provenance(self, rows: Sequence[tuple[int, int, int, int]]) -> None:
        """Write position, key of the file, byte offset and line of events written before."""
        ...
