"""One generation of the views as a DuckDB database: its tables, its macros, its stamp."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import duckdb

from domain.errors import IntegrityFailure
from projections.attach import attach
from projections.bookkeeping import BOOKKEEPING
from projections.macros import MACROS
from projections.schema import SCHEMA_DIGEST, TABLES

__all__ = [
    "EVENTS",
    "JOURNAL",
    "PROJECTION",
    "DuckTracking",
    "Stamp",
    "create_tables",
    "interruptible",
    "open_writer",
    "read_stamp",
    "transaction",
    "wanted_stamp",
]

EVENTS: Final = "events"
"""Name of the projection of all events; its position is the log's."""
JOURNAL: Final = "journal"
"""Name of the projection of the journal; its position is the number of entries read."""

PROJECTION_VERSION: Final = 2
"""Raised when the folds give other rows for the same events."""

# Small row groups take less memory to write, and a game's rows are found in few of them; small
# blocks halve the file of a small log.
_LAYOUT: Final = "ROW_GROUP_SIZE 16384, BLOCK_SIZE 65536"
# Streams that are folded again leave holes where their rows were. Each task that closes some holds
# row groups in memory; as many tasks as DuckDB would start at once need more than there is.
_WRITER: Final = {"memory_limit": "128MB", "max_vacuum_tasks": 1}

PROJECTION: Final = (
    f"{PROJECTION_VERSION}-"
    + hashlib.sha256(
        "\n".join(
            [SCHEMA_DIGEST, *(t.create_statement() for t in BOOKKEEPING.values()), *MACROS.values()]
        ).encode()
    ).hexdigest()[:12]
)
"""Version of the tables: of the folds, the columns, the macros and the bookkeeping."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """What made a generation: versions of the tables, of DuckDB, of the rules with the kernel."""

    projection: str
    duckdb: str
    rules: str


def wanted_stamp(rules: str) -> Stamp:
    """The stamp of a generation that this program would make now."""
    return Stamp(PROJECTION, duckdb.__version__, rules)


def open_writer(file: Path) -> duckdb.DuckDBPyConnection:
    """Open a generation that is not published yet for writing, or begin it for its owner alone."""
    connection = attach(file, _LAYOUT, _WRITER)
    file.chmod(0o600)
    return connection


def create_tables(connection: duckdb.DuckDBPyConnection, stamp: Stamp) -> None:
    """Make all tables and macros in an empty database, in one transaction."""
    with transaction(connection):
        for table in (*TABLES.values(), *BOOKKEEPING.values()):
            connection.execute(table.create_statement())
        for statement in MACROS.values():
            connection.execute(statement)
        connection.execute(
            "INSERT INTO generation VALUES (?, ?, ?)",
            [stamp.projection, stamp.duckdb, stamp.rules],
        )
        connection.execute("INSERT INTO tracking VALUES (?, 0), (?, 0)", [EVENTS, JOURNAL])


def read_stamp(connection: duckdb.DuckDBPyConnection) -> Stamp | None:
    """The stamp of a generation, None for a database that has none."""
    try:
        rows = connection.execute("SELECT projection, duckdb, rules FROM generation").fetchall()
    except duckdb.CatalogException:
        return None
    return Stamp(*rows[0]) if rows else None


@contextmanager
def interruptible() -> Iterator[None]:
    """Raise KeyboardInterrupt for ctrl-C, which DuckDB turns into errors known by their texts."""
    try:
        yield
    except (RuntimeError, duckdb.Error) as error:
        if str(error) == "Query interrupted" or "KeyboardInterrupt" in str(error):
            raise KeyboardInterrupt from error
        raise


@contextmanager
def transaction(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Everything in the block is written, or nothing."""
    connection.begin()
    try:
        yield
        connection.commit()
    except BaseException:
        _roll_back(connection)
        raise


def _roll_back(connection: duckdb.DuckDBPyConnection) -> None:
    try:
        connection.rollback()
    except duckdb.TransactionException:
        return  # a commit that failed has rolled back already


class DuckTracking:
    """Implements `domain.ports.TrackingStore` in the database of the rows; never commits itself."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def position(self, projection: str) -> int:
        """See `TrackingStore.position`."""
        found = self._connection.execute(
            "SELECT position FROM tracking WHERE projection = ?", [projection]
        ).fetchone()
        return 0 if found is None else int(found[0])

    def advance(self, projection: str, position: int) -> None:
        """See `TrackingStore.advance`."""
        moved = self._connection.execute(
            "UPDATE tracking SET position = $2 WHERE projection = $1 AND position < $2"
            " RETURNING position",
            [projection, position],
        ).fetchone()
        if moved is None:
            raise IntegrityFailure(
                f"projection {projection}", f"position {position} was already processed"
            )
