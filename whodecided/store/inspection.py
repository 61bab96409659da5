"""Is `events.sqlite` still the database this product makes: whole, with its tables and guards?"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from whodecided.store.connection import file_uri
from whodecided.store.faults import reported
from whodecided.store.row_faults import row_faults
from whodecided.store.schema import SCHEMA_STATEMENTS

__all__ = ["inspect_file"]

_LAYOUT = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"


def inspect_file(path: Path) -> str | None:
    """What is wrong with the file, None when nothing is.

    Asks SQLite for damaged pages, indexes that differ from their tables and values of a wrong type;
    compares tables and triggers with those made; looks for holes and for rows of no event.
    """
    with (
        reported(path),
        closing(sqlite3.connect(file_uri(path, "ro"), uri=True)) as connection,
    ):
        return next(_faults(connection), None)


def _faults(connection: sqlite3.Connection) -> Iterator[str]:
    for (found,) in connection.execute("PRAGMA integrity_check(1)"):
        if found != "ok":
            yield f"SQLite finds damage: {found}"
    made, found_layout = _made_layout(), dict(_layout(connection))
    for name in sorted(made.keys() - found_layout.keys()):
        yield f"{' '.join(name)} is missing"
    for name in sorted(found_layout.keys() - made.keys()):
        yield f"{' '.join(name)} does not belong to a log"
    for name in sorted(made.keys() & found_layout.keys()):
        if made[name] != found_layout[name]:
            yield f"{' '.join(name)} is not as it was made"
    yield from row_faults(lambda statement: connection.execute(statement).fetchall(), "rowid")


def _layout(connection: sqlite3.Connection) -> Iterator[tuple[tuple[str, str], str | None]]:
    for kind, name, sql in connection.execute(_LAYOUT):
        yield (str(kind), str(name)), sql


def _made_layout() -> dict[tuple[str, str], str | None]:
    with closing(sqlite3.connect(":memory:")) as fresh:
        for statement in SCHEMA_STATEMENTS:
            fresh.execute(statement)
        return dict(_layout(fresh))
