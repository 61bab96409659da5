"""The batch runner: pages of the log become rows, exactly once.

A page's rows and the position read are written in one transaction. A stream that a page touches
is folded whole and its rows are replaced, so many small steps give the same rows as a large one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import duckdb
import pyarrow as pa

from domain.codec import decode_all
from domain.errors import PoisonEvent
from domain.ports import EventLog, JournalEntry, StoredEvent
from domain.rules import RuleLibrary
from projections.bookkeeping import BOOKKEEPING
from projections.database import EVENTS, JOURNAL, DuckTracking, transaction
from projections.schema import FOLDED, TABLES
from projections.tables import fold_tables

__all__ = ["PAGE", "Progress", "anchor_of", "run"]

Progress = Callable[[int, int], None]
"""Called after each page with the position read and the log's head."""

PAGE: Final = 5_000
"""Events per transaction, streams' earlier events not counted."""


@dataclass
class _Batch:
    """What one page changes: streams folded anew, their tables, and the poisoned ones."""

    folded: list[tuple[str, str, int]] = field(default_factory=list)
    tables: dict[str, list[pa.Table]] = field(default_factory=lambda: {name: [] for name in FOLDED})
    poison: list[tuple[str, str, int | None, str]] = field(default_factory=list)


def run(
    connection: duckdb.DuckDBPyConnection,
    log: EventLog,
    rules: RuleLibrary,
    progress: Progress | None = None,
    *,
    page: int = PAGE,
) -> int:
    """Bring the tables up to the log's head and return the position reached.

    Every game is folded under the rules of its own day.
    A game whose events cannot be read or folded has no rows; it stands in `poison` with the reason.
    Raises IntegrityFailure when another runner processed the same page.
    """
    tracking = DuckTracking(connection)
    position = tracking.position(EVENTS)
    folded = _folded(connection)
    while events := log.read_all(after=position, limit=page):
        batch = _fold_page(log, events, folded, rules)
        position = events[-1].position
        with transaction(connection):
            _replace_rows(connection, batch, folded)
            tracking.advance(EVENTS, position)
            _set_anchor(connection, events[-1])
        folded.update((stream, number) for stream, _, number in batch.folded)
        if progress is not None:
            progress(position, max(position, log.head()))
    _read_journal(connection, tracking, log)
    return position


def anchor_of(event: StoredEvent) -> str:
    """Digest (hex) that tells whether a log still has this event at this position."""
    digest = hashlib.sha256(f"{event.position} {event.stream_id} {event.number} ".encode())
    digest.update(event.state)
    return digest.hexdigest()


def _folded(connection: duckdb.DuckDBPyConnection) -> dict[str, int]:
    return dict(connection.execute("SELECT stream_id, number FROM folded").fetchall())


def _fold_page(
    log: EventLog, page: Sequence[StoredEvent], folded: dict[str, int], rules: RuleLibrary
) -> _Batch:
    touched: dict[str, list[StoredEvent]] = {}
    for event in page:
        touched.setdefault(event.stream_id, []).append(event)
    batch = _Batch()
    for stream_id, part in touched.items():
        if part[-1].number > folded.get(stream_id, 0):
            _fold_stream(batch, _whole_stream(log, stream_id, part), rules)
    return batch


def _whole_stream(log: EventLog, stream_id: str, part: list[StoredEvent]) -> Sequence[StoredEvent]:
    whole = part[0].number == 1 and part[-1].number == log.stream_head(stream_id)
    return part if whole else log.read(stream_id)


def _fold_stream(batch: _Batch, stored: Sequence[StoredEvent], rules: RuleLibrary) -> None:
    stream_id, number = stored[-1].stream_id, stored[-1].number
    kind = stored[-1].topic.partition(".")[0]
    batch.folded.append((stream_id, kind, number))
    try:
        tables = fold_tables(stream_id, kind, decode_all(stored), rules)
    except PoisonEvent as error:
        batch.poison.append((stream_id, kind, error.number, error.reason))
    except Exception as error:  # whatever a fold stumbles over halts this game and no other
        batch.poison.append((stream_id, kind, None, f"{type(error).__name__}: {error}"))
    else:
        for name, table in tables.items():
            batch.tables[name].append(table)


def _replace_rows(
    connection: duckdb.DuckDBPyConnection, batch: _Batch, folded: dict[str, int]
) -> None:
    again = [stream for stream, _, _ in batch.folded if stream in folded]
    if again:
        for name, table in FOLDED.items():
            _delete(connection, name, table.key[0], again)
        _delete(connection, "folded", "stream_id", again)
        _delete(connection, "poison", "stream_id", again)
    for name, parts in batch.tables.items():
        if parts:
            _insert(connection, name, pa.concat_tables(parts))
    for name, rows in (("folded", batch.folded), ("poison", batch.poison)):
        if rows:
            _insert(connection, name, BOOKKEEPING[name].arrow(rows))


def _delete(
    connection: duckdb.DuckDBPyConnection, table: str, column: str, streams: list[str]
) -> None:
    connection.execute(f'DELETE FROM "{table}" WHERE "{column}" IN (SELECT unnest(?))', [streams])


def _insert(connection: duckdb.DuckDBPyConnection, name: str, rows: pa.Table) -> None:
    connection.register("batch_rows", rows)
    connection.execute(f'INSERT INTO "{name}" SELECT * FROM batch_rows')
    connection.unregister("batch_rows")


def _set_anchor(connection: duckdb.DuckDBPyConnection, event: StoredEvent) -> None:
    connection.execute("DELETE FROM anchor")
    connection.execute("INSERT INTO anchor VALUES (?)", [anchor_of(event)])


def _read_journal(
    connection: duckdb.DuckDBPyConnection, tracking: DuckTracking, log: EventLog
) -> None:
    while entries := log.journal(after=tracking.position(JOURNAL) - 1):
        with transaction(connection):
            _insert(connection, "sources", TABLES["sources"].arrow(list(_sources(entries))))
            tracking.advance(JOURNAL, entries[-1].journal_index + 1)


def _sources(entries: Iterable[JournalEntry]) -> Iterable[tuple[Any, ...]]:
    for entry in entries:
        origin = entry.origin
        yield (
            entry.journal_index,
            entry.stream_id,
            entry.kind,
            entry.first,
            entry.last,
            origin.recorded_at,
            origin.tool,
            origin.file_name,
            origin.file_digest,
            entry.facts_digest,
            entry.root,
        )
