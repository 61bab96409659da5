"""Is `events.sqlite` still the database this product makes: whole, with its tables and guards?"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from whodecided.store.faults import reported
from whodecided.store.schema import SCHEMA_STATEMENTS

__all__ = ["inspect_file"]

_STRAYS = {
    f"SELECT max(position) > (SELECT coalesce(max(rowid), 0) FROM events) FROM {table}"
    f" UNION ALL SELECT min(position) < 1 FROM {table} ORDER BY 1 DESC": (
        f"{table} has rows of no event"
    )
    for table in ("disclosures", "provenance")
} | {
    "SELECT (SELECT count(*) FROM leaves) <> (SELECT count(*) FROM journal)": (
        "journal and leaves have different numbers of rows"
    )
}
_LAYOUT = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"


def inspect_file(path: Path) -> str | None:
    """What is wrong with the file, None when nothing is.

    Asks SQLite for damaged pages, indexes that differ from their tables and values of a wrong type;
    compares tables and triggers with those made; looks for holes and for rows of no event.
    """
    with (
        reported(path),
        closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection,
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
    for table, key, first in (("events", "rowid", 1), ("journal", "journal_index", 0)):
        yield from _hole(connection, table, key, first)
    for statement, reason in _STRAYS.items():
        if connection.execute(statement).fetchone()[0]:
            yield reason


def _hole(connection: sqlite3.Connection, table: str, key: str, first: int) -> Iterator[str]:
    count, lowest, highest = connection.execute(
        f"SELECT count(*), min({key}), max({key}) FROM {table}"
    ).fetchone()
    if count and (lowest, highest) != (first, first + count - 1):
        yield f"{table}: {count} rows run from {lowest} to {highest}: there are holes"


def _layout(connection: sqlite3.Connection) -> Iterator[tuple[tuple[str, str], str | None]]:
    for kind, name, sql in connection.execute(_LAYOUT):
        yield (str(kind), str(name)), sql


def _made_layout() -> dict[tuple[str, str], str | None]:
    with closing(sqlite3.connect(":memory:")) as fresh:
        for statement in SCHEMA_STATEMENTS:
            fresh.execute(statement)
        return dict(_layout(fresh))
