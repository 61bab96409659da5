"""The library's recorder over our tables: events, their stream and the journal as one write."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

from eventsourcing.persistence import StoredEvent as LibraryStoredEvent
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteCursor

from domain.errors import IntegrityFailure
from domain.ports import Origin, Provenance
from whodecided.evidence.merkle import Peaks, leaf_hash, leaf_hashes
from whodecided.store.connection import LogDatastore
from whodecided.store.journal import encode_entry, read_entry
from whodecided.store.planning import FactsOf, require_kind, require_secret
from whodecided.store.schema import SCHEMA_STATEMENTS

__all__ = ["EventRecorder", "EventRow"]

EventRow = tuple[str, int, str, bytes]
"""Stream id, number, topic, canonical bytes."""


class EventRecorder(SQLiteApplicationRecorder):
    """Writes events only together with their stream and a journal entry.

    Notification ids are log positions. Subscriptions are not supported.
    """

    def __init__(self, datastore: LogDatastore, facts_of: FactsOf) -> None:
        super().__init__(datastore, events_table_name="events")
        self.facts_of = facts_of
        self._log_id: str | None = None
        self.insert_events_statement = (
            "INSERT INTO events (originator_id, originator_version, topic, state)"
            " VALUES (?, ?, ?, ?)"
        )

    def construct_create_table_statements(self) -> list[str]:
        """The statements that make an empty database an empty log."""
        return list(SCHEMA_STATEMENTS)

    def insert_events(  # type: ignore[override]  # no write without its origin
        self,
        stored_events: Sequence[LibraryStoredEvent],
        *,
        kind: str,
        origin: Origin,
        secret: int = 1,
        **_: Any,
    ) -> Sequence[int]:
        """Write the events of one or several streams of one kind; their positions.

        Raises the library's IntegrityError when a number is taken or would leave a hole.
        """
        positions: list[int] = []
        with self.datastore.transaction(commit=True) as cursor:
            for stream_id, group in groupby(stored_events, key=attrgetter("originator_id")):
                rows = [(stream_id, e.originator_version, e.topic, e.state) for e in group]
                facts = [self.facts_of(row[3]) for row in rows]
                last = self.write(cursor, kind, secret, rows, facts, (), origin)
                positions += range(last - len(rows) + 1, last + 1)
        return positions

    def write(
        self,
        cursor: SQLiteCursor,
        kind: str,
        secret: int,
        rows: Sequence[EventRow],
        facts: Iterable[bytes],
        provenance: Sequence[Provenance],
        origin: Origin,
    ) -> int:
        """Write consecutive events of one stream and their journal entry; the last one's position.

        `facts` are the facts digests of the rows, `provenance` goes into the entry's digest;
        `secret` is the number of the log secret that sealed what is hidden in them. Belongs inside
        a write transaction.
        """
        stream_id, first, *_ = rows[0]
        self._require_stream(cursor, stream_id, kind, secret)
        cursor.executemany(self.insert_events_statement, rows)
        peaks = self._peaks(cursor, stream_id, first - 1)
        leaves = leaf_hashes(row[3] for row in rows)
        peaks.extend(leaves)
        entry = encode_entry(
            self.log_id(cursor),
            stream_id,
            kind,
            first,
            peaks.size,
            peaks.root(),
            facts,
            provenance,
            origin,
        )
        cursor.execute(
            "INSERT INTO journal (journal_index, entry)"
            " SELECT coalesce(max(journal_index), -1) + 1, ? FROM journal",
            (entry,),
        )
        cursor.execute(
            "INSERT INTO leaves (journal_index, stream_id, size, peaks, leaves, entry_hash)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (
                cursor.lastrowid,
                stream_id,
                peaks.size,
                bytes(peaks),
                b"".join(leaves),
                leaf_hash(entry),
            ),
        )
        return self.head(cursor)

    def log_id(self, cursor: SQLiteCursor) -> str:
        """The log's id; IntegrityFailure when it has none."""
        if self._log_id is None:
            cursor.execute("SELECT log_id FROM log")
            rows = cursor.fetchall()
            if len(rows) != 1:
                raise IntegrityFailure("log", f"has {len(rows)} ids instead of one")
            self._log_id = str(rows[0][0])
        return self._log_id

    def head(self, cursor: SQLiteCursor) -> int:
        """Position of the log's last event, 0 when empty."""
        return self._max_notification_id(cursor) or 0

    def _peaks(self, cursor: SQLiteCursor, stream_id: str, size: int) -> Peaks:
        """The stream's tree before an append, which the journal must confirm."""
        if size == 0:
            return Peaks()
        cursor.execute(
            "SELECT journal_index, peaks, entry FROM leaves JOIN journal USING (journal_index)"
            " WHERE stream_id = ? AND size = ?",
            (stream_id, size),
        )
        for index, stored, entry in cursor.fetchall():
            try:
                peaks = Peaks.from_bytes(size, stored)
            except ValueError as error:
                raise IntegrityFailure(f"stream {stream_id}", str(error)) from error
            if peaks.root().hex() == read_entry(index, entry).root:
                return peaks
        raise IntegrityFailure(
            f"stream {stream_id}", f"the tree kept of its {size} events does not fit the journal"
        )

    def _require_stream(self, cursor: SQLiteCursor, stream_id: str, kind: str, secret: int) -> None:
        cursor.execute("SELECT kind, secret FROM streams WHERE stream_id = ?", (stream_id,))
        found = cursor.fetchone()
        if found is None:
            cursor.execute(
                "INSERT INTO streams (stream_id, kind, secret) VALUES (?, ?, ?)",
                (stream_id, kind, secret),
            )
        else:
            require_kind(stream_id, found[0], kind)
            require_secret(stream_id, found[1], secret)
