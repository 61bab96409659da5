"""The event log in one SQLite file."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from domain.errors import LogUnavailable
from whodecided.store.connection import LOCK_TIMEOUT, LogDatastore
from whodecided.store.faults import os_fault, reported
from whodecided.store.files import write_new
from whodecided.store.inspection import inspect_file
from whodecided.store.planning import FactsOf
from whodecided.store.recorder import EventRecorder, SqliteTransaction
from whodecided.store.schema import APPLICATION_ID, SCHEMA_VERSION
from whodecided.store.sql_log import SqlEventLog

__all__ = ["SqliteEventLog", "create_events_file"]


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


class SqliteEventLog(SqlEventLog):
    """Implements `domain.ports.EventLog` over one file; several processes may append at once.

    `facts_of` gives the facts digest of canonical bytes; `lock_timeout` is how many seconds an
    append waits for other writers. Opening raises LogUnavailable for a file that cannot be used.
    """

    def __init__(
        self, path: Path, facts_of: FactsOf, *, lock_timeout: float = LOCK_TIMEOUT
    ) -> None:
        super().__init__(facts_of)
        self.path = path
        datastore = LogDatastore(path, lock_timeout=lock_timeout)
        self.recorder = EventRecorder(datastore, facts_of)
        try:
            with self._reading() as transaction:
                _require_log(path, transaction)
        except BaseException:
            datastore.close()
            raise

    @property
    def name(self) -> str:
        """See `SqlEventLog.name`."""
        return self.path.name

    def close(self) -> None:
        """See `SqlEventLog.close`."""
        self.recorder.datastore.close()

    def inspect(self) -> str | None:
        """See `SqlEventLog.inspect`."""
        return inspect_file(self.path)

    def opener(self) -> Callable[[], SqliteEventLog]:
        """See `SqlEventLog.opener`."""
        return partial(SqliteEventLog, self.path, self._facts_of)

    def purge(self) -> None:
        """See `SqlEventLog.purge`.

        Deleted bytes were overwritten in the file; the write-ahead log goes now. Readers that still
        hold an older state keep it, and with it the old bytes, until they end.
        """
        with reported(self.path), self.recorder.datastore.get_connection(commit=True) as connection:
            connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")

    @contextmanager
    def _reading(self) -> Iterator[SqliteTransaction]:
        with reported(self.path), self.recorder.datastore.transaction(commit=False) as cursor:
            yield SqliteTransaction(cursor)

    @contextmanager
    def _writing(self) -> Iterator[SqliteTransaction]:
        with reported(self.path), self.recorder.datastore.transaction(commit=True) as cursor:
            yield SqliteTransaction(cursor)


def _require_log(path: Path, transaction: SqliteTransaction) -> None:
    application = transaction.rows("PRAGMA application_id")[0][0]
    version = transaction.rows("PRAGMA user_version")[0][0]
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
