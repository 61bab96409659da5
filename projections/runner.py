"""The batch runner: pages of the log become rows, exactly once.

Rows and the position read are written in one transaction, a page's in one or more. A stream that a
page touches is folded whole and its rows are replaced, so many small steps give the same rows as a
large one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from typing import Any, Final

import duckdb
import pyarrow as pa

from domain.ports import EventLog, JournalEntry, StoredEvent
from domain.rules import RuleLibrary
from projections.bookkeeping import BOOKKEEPING
from projections.database import EVENTS, JOURNAL, DuckTracking, transaction
from projections.folding import Batch, Chunk, fold_in_order
from projections.schema import FOLDED, TABLES

__all__ = ["PAGE", "Progress", "anchor_of", "run"]

Progress = Callable[[int, int], None]
"""Called after each transaction with the position read and the log's head."""

PAGE: Final = 20_000
"""Events per transaction, or a chunk more; streams that were appended to bit by bit count whole."""
_CHUNK: Final = 5_000
"""Events that are folded at once, where streams are not longer."""


def run(
    connection: duckdb.DuckDBPyConnection,
    log: EventLog,
    rules: RuleLibrary,
    progress: Progress | None = None,
    *,
    page: int = PAGE,
    jobs: int = 1,
) -> int:
    """Bring the tables up to the log's head and return the position reached.

    Every game is folded under the rules of its own day, in `jobs` processes, this one included.
    A game whose events cannot be read or folded has no rows; it stands in `poison` with the reason.
    Raises IntegrityFailure when another runner processed the same page, BrokenProcessPool when one
    of the processes dies.
    """
    tracking = DuckTracking(connection)
    position = tracking.position(EVENTS)
    folded = _folded(connection)
    chunks = _chunks(log, position, dict(folded), page)
    with closing(fold_in_order(chunks, rules, jobs)) as done:
        for first in done:
            with transaction(connection):
                last = _write_chunks(connection, first, done, folded)
                tracking.advance(EVENTS, last.position)
                _set_anchor(connection, last)
            position = last.position
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


def _chunks(log: EventLog, position: int, folded: dict[str, int], page: int) -> Iterator[Chunk]:
    """The streams that the events after a position touch, page by page, each of them whole."""
    chunk = min(page, _CHUNK)
    while events := log.read_all(after=position, limit=page):
        position = events[-1].position
        streams: list[Sequence[StoredEvent]] = []
        size = uncommitted = 0
        for before, stream in _touched(log, events, folded):
            # Streams appended bit by bit: one page may touch many long ones.
            if size + len(stream) > chunk and streams:
                uncommitted += size
                enough = uncommitted >= page
                yield Chunk(streams, before if enough else None)
                streams, size, uncommitted = [], 0, 0 if enough else uncommitted
            streams.append(stream)
            size += len(stream)
        yield Chunk(streams, events[-1])


def _touched(
    log: EventLog, page: Sequence[StoredEvent], folded: dict[str, int]
) -> Iterator[tuple[StoredEvent, Sequence[StoredEvent]]]:
    """The streams to be folded, in order, each after the event of the page just before its first.

    Up to there all is folded once the streams before it are; the first stream has its own event.
    """
    parts: dict[str, tuple[StoredEvent, list[StoredEvent]]] = {}
    before = page[0]
    for event in page:
        parts.setdefault(event.stream_id, (before, []))[1].append(event)
        before = event
    for stream_id, (before, part) in parts.items():
        if part[-1].number > folded.get(stream_id, 0):
            stream = _whole_stream(log, stream_id, part)
            folded[stream_id] = stream[-1].number
            yield before, stream


def _whole_stream(log: EventLog, stream_id: str, part: list[StoredEvent]) -> Sequence[StoredEvent]:
    whole = part[0].number == 1 and part[-1].number == log.stream_head(stream_id)
    return part if whole else log.read(stream_id)


def _write_chunks(
    connection: duckdb.DuckDBPyConnection,
    first: tuple[Chunk, Batch],
    more: Iterator[tuple[Chunk, Batch]],
    folded: dict[str, int],
) -> StoredEvent:
    """Write chunks, `first` and those after it, to where a transaction ends; its last event."""
    chunk, batch = first
    _replace_rows(connection, batch, folded)
    while chunk.end is None:
        chunk, batch = next(more)
        _replace_rows(connection, batch, folded)
    return chunk.end


def _replace_rows(
    connection: duckdb.DuckDBPyConnection, batch: Batch, folded: dict[str, int]
) -> None:
    again = [stream for stream, _, _ in batch.folded if stream in folded]
    if again:
        for name, table in FOLDED.items():
            _delete(connection, name, table.key[0], again)
        _delete(connection, "folded", "stream_id", again)
        _delete(connection, "poison", "stream_id", again)
    for name, table in batch.tables.items():
        _insert(connection, name, table)
    for name, rows in (("folded", batch.folded), ("poison", batch.poison)):
        if rows:
            _insert(connection, name, BOOKKEEPING[name].arrow(rows))
    folded.update((stream, number) for stream, _, number in batch.folded)


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
