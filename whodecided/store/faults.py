"""What went wrong underneath, said as one of the product's own errors with advice."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from eventsourcing.persistence import ConnectionUnavailableError, PersistenceError

from domain.errors import IntegrityFailure, LogUnavailable, WhodecidedError

__all__ = ["os_fault", "reported", "sqlite_fault"]

_BUSY: Final = (
    "another process is writing to it and has not finished",
    "Wait for the other import to end, then run the command again.",
)
_RESTORE: Final = (
    "Keep the file aside and restore it from a backup or a copy; `whodecided verify` then says"
    " whether the log is whole."
)
_FAULTS: Final = {
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
    sqlite3.SQLITE_FULL: (
        "the disk is full; nothing of this append was written",
        "Free some space and run the command again; what is already in the log is kept.",
    ),
    sqlite3.SQLITE_IOERR: (
        "reading or writing failed; nothing of this append was written",
        "Check the disk, its free space and any size limit, then run the command again.",
    ),
    sqlite3.SQLITE_READONLY: (
        "it cannot be written",
        "Give yourself write permission on the log directory and everything in it.",
    ),
    sqlite3.SQLITE_PERM: (
        "permission was denied",
        "Give yourself read and write permission on the log directory and everything in it.",
    ),
    sqlite3.SQLITE_CANTOPEN: (
        "it cannot be opened",
        "Check that the log directory exists and that you may read and write in it.",
    ),
    sqlite3.SQLITE_NOTADB: (
        "it is not a log: events.sqlite is not a database",
        "Name another directory, or restore events.sqlite from a backup.",
    ),
}


def sqlite_fault(path: Path, error: BaseException) -> WhodecidedError:
    """The product's error for a failed SQLite call, given SQLite's own error or the library's."""
    if isinstance(error, ConnectionUnavailableError):
        return LogUnavailable(str(path), _BUSY[0], advice=_BUSY[1])
    cause = error if isinstance(error, sqlite3.Error) else error.__cause__
    code = getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in (sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_CORRUPT):
        advice = _RESTORE if code == sqlite3.SQLITE_CORRUPT else None
        return IntegrityFailure(str(path), str(cause), advice=advice)
    reason, advice = _FAULTS.get(code, (str(cause), None))
    return LogUnavailable(str(path), reason, advice=advice)


def os_fault(path: Path, error: OSError) -> LogUnavailable:
    """The product's error for a file or directory that cannot be used."""
    return LogUnavailable(
        str(path),
        error.strerror or str(error),
        advice="Check that the path is a directory you may read and write, and the free space.",
    )


@contextmanager
def reported(path: Path) -> Iterator[None]:
    """Turn storage errors of the block into the product's own."""
    try:
        yield
    except (sqlite3.Error, PersistenceError) as error:
        raise sqlite_fault(path, error) from error
    except UnicodeDecodeError as error:  # a name or a text in a damaged file
        raise IntegrityFailure(
            str(path), "it holds text that is not UTF-8", advice=_RESTORE
        ) from error
