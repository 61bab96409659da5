"""SQLite connections of a log: write-ahead log, full sync, appends that lock before they read."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from eventsourcing.persistence import (
    ConnectionUnavailableError,
    DatabaseError,
    DataError,
    IntegrityError,
    InterfaceError,
    InternalError,
    NotSupportedError,
    OperationalError,
    PersistenceError,
    ProgrammingError,
)
from eventsourcing.sqlite import (
    SQLiteConnection,
    SQLiteConnectionPool,
    SQLiteCursor,
    SQLiteDatastore,
)

from whodecided.store.schema import APPLICATION_ID

__all__ = ["LOCK_TIMEOUT", "LogConnection", "LogDatastore", "file_uri"]

LOCK_TIMEOUT: Final = 30.0
"""Seconds an append waits for other writers before it gives up."""

_PAGES_BEFORE_CHECKPOINT: Final = 4000
"""Pages of 4 KiB in the write-ahead log; copying them back more often makes appending slower."""

_LIBRARY_ERRORS: Final[dict[type[sqlite3.Error], type[PersistenceError]]] = {
    sqlite3.DataError: DataError,
    sqlite3.DatabaseError: DatabaseError,
    sqlite3.IntegrityError: IntegrityError,
    sqlite3.InterfaceError: InterfaceError,
    sqlite3.InternalError: InternalError,
    sqlite3.NotSupportedError: NotSupportedError,
    sqlite3.OperationalError: OperationalError,
    sqlite3.ProgrammingError: ProgrammingError,
}


def _library_error(error: sqlite3.Error) -> PersistenceError:
    return _LIBRARY_ERRORS.get(type(error), PersistenceError)(error)


def file_uri(path: Path, mode: str) -> str:
    """How SQLite opens a log's file: `mode` is ro, rw or rwc.

    Where neither the file nor its directory can be written, as on read-only media, SQLite could not
    make the files that a write-ahead log needs even for reading; it is told that nobody writes.
    """
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    writable = os.access(path, os.W_OK) or os.access(path.parent, os.W_OK)
    if writable or not os.path.exists(path):
        return uri
    if any(os.path.exists(f"{path}{ending}") for ending in ("-wal", "-shm")):
        return uri
    return f"{path.absolute().as_uri()}?mode=ro&immutable=1"


class LogConnection(SQLiteConnection):
    """A connection whose write transactions take the write lock at once."""

    @contextmanager
    def transaction(self, *, commit: bool) -> Iterator[SQLiteCursor]:
        """Read (rolled back at the end) or write transaction; errors are the library's own."""
        connection = self._sqlite_conn
        try:
            with SQLiteCursor(connection.cursor()) as raw:
                raw.execute("BEGIN IMMEDIATE" if commit else "BEGIN")
                yield SQLiteCursor(raw)
            if commit:
                connection.commit()
        except sqlite3.Error as error:
            raise _library_error(error) from error
        finally:
            # A commit that failed (full disk) leaves the transaction open on a pooled connection.
            if connection.in_transaction:
                connection.rollback()


class _LogConnectionPool(SQLiteConnectionPool):
    """Connections to one file; a file is only made when `create` says so."""

    def __init__(self, path: Path, *, create: bool, lock_timeout: float) -> None:
        super().__init__(db_name=str(path), pool_timeout=lock_timeout)
        self._create = create
        self._uri = file_uri(path, "rwc" if create else "rw")

    def _create_connection(self) -> LogConnection:
        try:
            connection = sqlite3.connect(
                self._uri,
                uri=True,
                check_same_thread=False,
                isolation_level=None,
                timeout=self.pool_timeout,
            )
        except sqlite3.Error as error:
            raise _library_error(error) from error
        try:
            _configure(connection, create=self._create)
        except sqlite3.Error as error:
            connection.close()
            raise _library_error(error) from error
        except BaseException:
            connection.close()
            raise
        return LogConnection(connection, max_age=None)


def _configure(connection: sqlite3.Connection, *, create: bool) -> None:
    """Set what SQLite keeps per connection; what is deleted is overwritten, not only unlinked.

    A database that is not a log is left as it is.
    """
    ours = connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
    if (create or ours) and connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute(f"PRAGMA wal_autocheckpoint={_PAGES_BEFORE_CHECKPOINT}")
    connection.execute("PRAGMA secure_delete=ON")
    connection.row_factory = sqlite3.Row


class LogDatastore(SQLiteDatastore):
    """The connections to one `events.sqlite`; within a process one thread writes at a time."""

    def __init__(
        self, path: Path, *, create: bool = False, lock_timeout: float = LOCK_TIMEOUT
    ) -> None:
        super().__init__(str(path), originator_id_type="text")
        self.path = path
        self.lock_timeout = lock_timeout
        self.pool = _LogConnectionPool(path, create=create, lock_timeout=lock_timeout)
        self._writing = threading.Lock()

    @contextmanager
    def get_connection(self, *, commit: bool) -> Iterator[SQLiteConnection]:
        """Lend a connection.

        The pool's own writer lock stays unused: it stays taken when a connection cannot be made.
        """
        if not commit:
            with self._lent() as connection:
                yield connection
            return
        if not self._writing.acquire(timeout=self.lock_timeout):
            raise ConnectionUnavailableError("another thread is still writing")
        try:
            with self._lent() as connection:
                yield connection
        finally:
            self._writing.release()

    @contextmanager
    def _lent(self) -> Iterator[SQLiteConnection]:
        connection = self.pool.get_connection()
        try:
            yield connection
        finally:
            self.pool.put_connection(connection)
