"""Tables for tests: a log that grows in steps, and everything that the views hold."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import duckdb

from domain.codec import encode, facts_digest
from domain.ports import Append, EventLog
from projections.bookkeeping import BOOKKEEPING
from projections.database import create_tables, wanted_stamp
from projections.runner import run
from projections.schema import TABLES
from tests.support.games import LIBRARY, ORIGIN, Told
from whodecided.store.memory_log import MemoryEventLog

__all__ = ["append_part", "contents", "fresh_tables", "memory_log", "tables_of"]


def memory_log(*told: Told) -> MemoryEventLog:
    """A log in memory that holds these games."""
    log = MemoryEventLog(facts_digest)
    log.append([game.append() for game in told])
    return log


def append_part(log: EventLog, told: Told, first: int, last: int) -> None:
    """Append the events `first` to `last` of a game."""
    part = [encode(event) for event in told.events[first - 1 : last]]
    log.append([Append(told.game_id, "game", part, (), (), ORIGIN)])


@contextmanager
def fresh_tables() -> Iterator[duckdb.DuckDBPyConnection]:
    """Empty tables in memory."""
    with closing(duckdb.connect(":memory:")) as connection:
        create_tables(connection, wanted_stamp(LIBRARY.version))
        yield connection


def contents(connection: duckdb.DuckDBPyConnection) -> dict[str, list[tuple[Any, ...]]]:
    """Table name -> all its rows in an order that depends only on them."""
    found = {}
    for name in (*TABLES, *BOOKKEEPING):
        found[name] = connection.execute(f'SELECT * FROM "{name}" ORDER BY ALL').fetchall()
    return found


def tables_of(*told: Told) -> dict[str, list[dict[str, Any]]]:
    """Table name -> rows as column -> value, of a log that holds these games."""
    with fresh_tables() as connection:
        run(connection, memory_log(*told), LIBRARY)
        rows = contents(connection)
    every = {**TABLES, **BOOKKEEPING}
    return {
        name: [dict(zip(every[name].names, row, strict=True)) for row in found]
        for name, found in rows.items()
    }
