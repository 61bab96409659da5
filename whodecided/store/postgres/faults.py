"""What went wrong on the server, said as one of the product's own errors with advice."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import psycopg
from eventsourcing.persistence import PersistenceError
from psycopg import errors

from domain.errors import IntegrityFailure, LogUnavailable, LogUnreachable, WhodecidedError

__all__ = ["postgres_fault", "reported"]

_FAULTS: Final[dict[type[psycopg.Error], tuple[str, str]]] = {
    errors.LockNotAvailable: (
        "another process is writing to it and has not finished",
        "Wait for the other import to end, then run the command again.",
    ),
    errors.DiskFull: (
        "the server's disk is full; nothing of this append was written",
        "Free some space and run the command again; what is already in the log is kept.",
    ),
    errors.InsufficientPrivilege: (
        "the user may not do this",
        "Give the user rights on the schema and its tables, or connect as their owner.",
    ),
    errors.ReadOnlySqlTransaction: (
        "it cannot be written: the server is a copy, or this user may only read",
        "Name the main server.",
    ),
}
_LOST: Final = (
    "The server must run and let this user into this database. What was written before is kept;"
    " running the command again completes it."
)
_DAMAGED: Final = ("22", "23", "XX")
"""SQLSTATE classes: values and constraints that do not fit, and damage."""
_AWAY: Final = ("", "08", "57")
"""SQLSTATE classes: none where there is no server, lost connections, and an operator's orders."""


def postgres_fault(place: str, error: BaseException) -> WhodecidedError:
    """The product's error for a failed call, given psycopg's own error or the library's."""
    cause = error if isinstance(error, psycopg.Error) else error.__cause__ or error
    for kind, (reason, advice) in _FAULTS.items():
        if isinstance(cause, kind):
            return LogUnavailable(place, reason, advice=advice)
    said = str(cause).strip().removeprefix("connection failed: ").partition("\n")[0]
    state = getattr(cause, "sqlstate", None) or ""
    if state[:2] in _DAMAGED:
        return IntegrityFailure(place, said)
    if isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError):
        kind_of_fault = LogUnreachable if state[:2] in _AWAY else LogUnavailable
        return kind_of_fault(place, said or type(cause).__name__, advice=_LOST)
    return LogUnavailable(place, said or type(cause).__name__)


@contextmanager
def reported(place: str) -> Iterator[None]:
    """Turn storage errors of the block into the product's own."""
    try:
        yield
    except (psycopg.Error, PersistenceError) as error:
        raise postgres_fault(place, error) from error
