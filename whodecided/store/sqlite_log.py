"""The event log in one SQLite file."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from eventsourcing.sqlite import SQLiteCursor

from domain.errors import LogUnavailable
from domain.ports import (
    Append,
    Appended,
    Disclosure,
    JournalEntry,
    Leaves,
    Provenance,
    StoredEvent,
)
from whodecided.store.connection import LOCK_TIMEOUT, LogDatastore
from whodecided.store.faults import os_fault, reported
from whodecided.store.files import write_new
from whodecided.store.journal import read_entry
from whodecided.store.planning import FactsOf, Plan, plan_append, require_kind
from whodecided.store.recorder import EventRecorder
from whodecided.store.schema import APPLICATION_ID, SCHEMA_VERSION

__all__ = ["SqliteEventLog", "create_events_file"]

_EVENT = "SELECT originator_id, originator_version, topic, state, NULL, rowid FROM events"


def create_events_file(path: Path, log_id: str | None = None) -> None:
    """Make an empty log file at a path where nothing is yet, for its owner alone.

    A copy of a log is given that log's id; a new log gets one of its own.
    """
    # SQLite gives the files beside it the permissions that this one has.
    try:
        write_new(path, b"", 0o600)
    except OSError as error:
        raise os_fault(path, error) from error
    with reported(path):
        datastore = LogDatastore(path, create=True)
        try:
            EventRecorder(datastore, bytes).create_table()
            with datastore.transaction(commit=True) as cursor:
                values = (log_id or secrets.token_hex(16),)
                cursor.execute("INSERT INTO log (log_id) VALUES (?)", values)
        finally:
            datastore.close()


class SqliteEventLog:
    """Implements `domain.ports.EventLog` over one file; several processes may append at once.

    `facts_of` gives the facts digest of canonical bytes; `lock_timeout` is how many seconds an
    append waits for other writers. Opening raises LogUnavailable for a file that cannot be used.
    """

    def __init__(
        self, path: Path, facts_of: FactsOf, *, lock_timeout: float = LOCK_TIMEOUT
    ) -> None:
        self.path = path
        datastore = LogDatastore(path, lock_timeout=lock_timeout)
        self.recorder = EventRecorder(datastore, facts_of)
        try:
            with self._reading() as cursor:
                _require_log(path, cursor)
        except BaseException:
            datastore.close()
            raise

    @property
    def log_id(self) -> str:
        """See `EventLog.log_id`."""
        with self._reading() as cursor:
            return self.recorder.log_id(cursor)

    def close(self) -> None:
        """Close every connection; the log cannot be used afterwards."""
        self.recorder.datastore.close()

    def append(self, appends: Sequence[Append]) -> list[Appended]:
        """See `EventLog.append`."""
        with self._writing() as cursor:
            return [self._append(cursor, append) for append in appends]

    def read(self, stream_id: str, *, after: int = 0, upto: int | None = None) -> list[StoredEvent]:
        """See `EventLog.read`."""
        with self._reading() as cursor:
            return _read(cursor, stream_id, after, upto)

    def read_all(self, *, after: int = 0, limit: int = 5000) -> list[StoredEvent]:
        """See `EventLog.read_all`."""
        with self._reading() as cursor:
            statement = f"{_EVENT} WHERE rowid > ? ORDER BY rowid LIMIT ?"
            return list(map(StoredEvent._make, _rows(cursor, statement, after, limit)))

    def stream_head(self, stream_id: str) -> int:
        """See `EventLog.stream_head`."""
        with self._reading() as cursor:
            return _stream_head(cursor, stream_id)

    def secret_of(self, stream_id: str) -> int | None:
        """See `EventLog.secret_of`."""
        with self._reading() as cursor:
            found = _rows(cursor, "SELECT secret FROM streams WHERE stream_id = ?", stream_id)
            return found[0][0] if found else None

    def head(self) -> int:
        """See `EventLog.head`."""
        with self._reading() as cursor:
            return self.recorder.head(cursor)

    def streams(self, kind: str | None = None) -> Iterator[tuple[str, str, int]]:
        """See `EventLog.streams`."""
        with self._reading() as cursor:
            found = _rows(
                cursor,
                "SELECT stream_id, kind, (SELECT max(originator_version) FROM events"
                " WHERE originator_id = stream_id)"
                " FROM streams WHERE ?1 IS NULL OR kind = ?1 ORDER BY creation",
                kind,
            )
        yield from found

    def disclosures(self, stream_id: str) -> list[Disclosure]:
        """See `EventLog.disclosures`."""
        with self._reading() as cursor:
            statement = (
                "SELECT originator_version, field, value, salt FROM events"
                " JOIN disclosures ON position = rowid WHERE originator_id = ?"
                " ORDER BY originator_version, field"
            )
            return list(map(Disclosure._make, _rows(cursor, statement, stream_id)))

    def erase_disclosures(self, stream_id: str, number: int | None = None) -> int:
        """See `EventLog.erase_disclosures`.

        Deleted bytes are overwritten in the file; readers that still hold an older state keep the
        write-ahead log, and with it the old bytes, until they end.
        """
        with self._writing() as cursor:
            cursor.execute(
                "DELETE FROM disclosures WHERE position IN (SELECT rowid FROM events"
                " WHERE originator_id = ?1 AND (?2 IS NULL OR originator_version = ?2))",
                (stream_id, number),
            )
            erased: int = cursor.sqlite_cursor.rowcount
        with reported(self.path), self.recorder.datastore.get_connection(commit=True) as connection:
            connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return erased

    def provenance(self, stream_id: str) -> list[Provenance]:
        """See `EventLog.provenance`."""
        with self._reading() as cursor:
            statement = (
                "SELECT originator_version, digest, byte_offset, line FROM events"
                " JOIN provenance ON position = rowid JOIN files USING (file_key)"
                " WHERE originator_id = ? ORDER BY originator_version"
            )
            return list(map(Provenance._make, _rows(cursor, statement, stream_id)))

    def journal(self, *, after: int = -1, limit: int = 5000) -> list[JournalEntry]:
        """See `EventLog.journal`."""
        with self._reading() as cursor:
            statement = (
                "SELECT journal_index, entry FROM journal WHERE journal_index > ?"
                " ORDER BY journal_index LIMIT ?"
            )
            return [read_entry(*row) for row in _rows(cursor, statement, after, limit)]

    def leaves(self, *, after: int = -1, upto: int) -> list[Leaves]:
        """See `EventLog.leaves`."""
        with self._reading() as cursor:
            statement = (
                "SELECT journal_index, stream_id, size, peaks, leaves, entry_hash FROM leaves"
                " WHERE journal_index > ? AND journal_index <= ? ORDER BY journal_index"
            )
            return list(map(Leaves._make, _rows(cursor, statement, after, upto)))

    def disclosures_between(self, after: int, upto: int) -> list[tuple[int, str, bytes, bytes]]:
        """See `EventLog.disclosures_between`."""
        with self._reading() as cursor:
            statement = (
                "SELECT position, field, value, salt FROM disclosures"
                " WHERE position > ? AND position <= ? ORDER BY position, field"
            )
            return _rows(cursor, statement, after, upto)

    def provenance_between(self, after: int, upto: int) -> list[tuple[int, str, int, int]]:
        """See `EventLog.provenance_between`."""
        with self._reading() as cursor:
            statement = (
                "SELECT position, digest, byte_offset, line FROM provenance"
                " LEFT JOIN files USING (file_key)"
                " WHERE position > ? AND position <= ? ORDER BY position"
            )
            return _rows(cursor, statement, after, upto)

    @contextmanager
    def _reading(self) -> Iterator[SQLiteCursor]:
        with reported(self.path), self.recorder.datastore.transaction(commit=False) as cursor:
            yield cursor

    @contextmanager
    def _writing(self) -> Iterator[SQLiteCursor]:
        with reported(self.path), self.recorder.datastore.transaction(commit=True) as cursor:
            yield cursor

    def _append(self, cursor: SQLiteCursor, append: Append) -> Appended:
        stream_id = append.stream_id
        kind = _rows(cursor, "SELECT kind FROM streams WHERE stream_id = ?", stream_id)
        if kind:
            require_kind(stream_id, kind[0][0], append.kind)
        head = _stream_head(cursor, stream_id)
        plan = plan_append(
            append,
            head,
            lambda after, upto: _read(cursor, stream_id, after, upto),
            self.recorder.facts_of,
        )
        if plan.added:
            rows = [event[:4] for event in plan.added]
            last = self.recorder.write(
                cursor,
                append.kind,
                append.secret,
                rows,
                plan.facts,
                plan.provenance,
                append.origin,
            )
            _write_details(cursor, plan, last - head - len(rows))
        else:
            last = self.recorder.head(cursor)
        return Appended(stream_id, plan.present, len(plan.added), last)


def _require_log(path: Path, cursor: SQLiteCursor) -> None:
    application = _rows(cursor, "PRAGMA application_id")[0][0]
    version = _rows(cursor, "PRAGMA user_version")[0][0]
    if application != APPLICATION_ID:
        raise LogUnavailable(
            str(path),
            "this is a database, but not a log",
            advice="Name another directory, or restore events.sqlite from a backup.",
        )
    if version < SCHEMA_VERSION:
        raise LogUnavailable(
            str(path),
            f"it was written by a version before the first release (schema {version})",
            advice="Import the game logs again into a new log.",
        )
    if version > SCHEMA_VERSION:
        raise LogUnavailable(
            str(path),
            f"it was written by a newer version (schema {version}, known is {SCHEMA_VERSION})",
            advice="Install the newer version of whodecided to open it.",
        )


def _rows(cursor: SQLiteCursor, statement: str, *params: Any) -> list[Any]:
    raw = cursor.sqlite_cursor
    raw.row_factory = None
    return raw.execute(statement, params).fetchall()


def _read(cursor: SQLiteCursor, stream_id: str, after: int, upto: int | None) -> list[StoredEvent]:
    statement = (
        f"{_EVENT} WHERE originator_id = ?1 AND originator_version > ?2"
        " AND (?3 IS NULL OR originator_version <= ?3) ORDER BY originator_version"
    )
    return list(map(StoredEvent._make, _rows(cursor, statement, stream_id, after, upto)))


def _stream_head(cursor: SQLiteCursor, stream_id: str) -> int:
    statement = "SELECT max(originator_version) FROM events WHERE originator_id = ?"
    return _rows(cursor, statement, stream_id)[0][0] or 0


def _write_details(cursor: SQLiteCursor, plan: Plan, shift: int) -> None:
    """Write disclosures and provenance; position = number + shift for every added event."""
    if plan.disclosures:
        cursor.executemany(
            "INSERT INTO disclosures (position, field, value, salt) VALUES (?, ?, ?, ?)",
            [
                (number + shift, field, value, salt)
                for number, field, value, salt in plan.disclosures
            ],
        )
    if not plan.provenance:
        return
    keys = {
        digest: _file_key(cursor, digest) for digest in {p.file_digest for p in plan.provenance}
    }
    cursor.executemany(
        "INSERT INTO provenance (position, file_key, byte_offset, line) VALUES (?, ?, ?, ?)",
        [(number + shift, keys[digest], at, line) for number, digest, at, line in plan.provenance],
    )


def _file_key(cursor: SQLiteCursor, digest: str) -> int:
    found = _rows(cursor, "SELECT file_key FROM files WHERE digest = ?", digest)
    if found:
        key: int = found[0][0]
        return key
    cursor.execute("INSERT INTO files (digest) VALUES (?)", (digest,))
    return int(cursor.lastrowid)
