"""The derived tables against the log: have they read what it holds, and nothing else?"""

from __future__ import annotations

import tempfile
from pathlib import Path

import duckdb

from domain.errors import LogUnavailable
from domain.ports import EventLog
from domain.rules import RuleLibrary
from projections.database import EVENTS
from projections.runner import anchor_of
from projections.schema import TABLES
from projections.views import ViewSet
from whodecided.evidence.report import Failure

__all__ = ["check_tables"]

_ROWS = 'SELECT count(*), bit_xor(hash(row)), sum(hash(row)) FROM "{}" AS row'


def check_tables(
    views: Path, log: EventLog, rules: RuleLibrary | None
) -> tuple[Failure | None, str]:
    """What is wrong with the tables, and in words how far they have read.

    With `rules` they are also made anew elsewhere, and every table compared. Tables that cannot be
    used are no failure: they are disposable.
    """
    try:
        with ViewSet(views).reader() as connection:
            failure, position = _check_position(connection, log)
            if failure is not None:
                return failure, ""
            found = _contents(connection)
    except (LogUnavailable, duckdb.Error) as error:
        return None, f"not usable ({str(error).partition(': ')[2] or error})"
    behind = log.head() - position
    detail = f"read up to position {position}" + (f", {behind} behind" if behind else "")
    if rules is None or behind:
        return None, detail
    return _check_contents(found, log, rules), f"{detail}; equal to tables made anew"


def _check_position(
    connection: duckdb.DuckDBPyConnection, log: EventLog
) -> tuple[Failure | None, int]:
    """The event last read must be in the log, at its position."""
    row = connection.execute(
        "SELECT position FROM tracking WHERE projection = ?", [EVENTS]
    ).fetchone()
    position = 0 if row is None else int(row[0])
    if position == 0:
        return None, 0
    anchor = connection.execute("SELECT digest FROM anchor").fetchone()
    there = [e for e in log.read_all(after=position - 1, limit=1) if e.position == position]
    stored = str(anchor[0]) if anchor else "none"
    computed = anchor_of(there[0]) if there else "none"
    if stored == computed:
        return None, position
    reason = (
        "the event they read last is another one now"
        if there
        else f"they have read {position} positions, the log has {log.head()}: it was rolled back"
    )
    return Failure("tables-of-another-log", "tables", reason, stored, computed), position


def _contents(connection: duckdb.DuckDBPyConnection) -> dict[str, tuple[int, ...]]:
    """Table name -> number of rows, and two sums over them that ignore their order."""
    found = {}
    for name in TABLES:
        row = connection.execute(_ROWS.format(name)).fetchone()
        found[name] = tuple(int(value or 0) for value in row or ())
    return found


def _check_contents(
    found: dict[str, tuple[int, ...]], log: EventLog, rules: RuleLibrary
) -> Failure | None:
    with tempfile.TemporaryDirectory(prefix="whodecided-") as fresh:
        views = ViewSet(Path(fresh))
        views.rebuild(log, rules)
        with views.reader() as connection:
            anew = _contents(connection)
    for name, contents in anew.items():
        if contents != found[name]:
            return Failure(
                "table-differs",
                f"table {name}",
                "its rows are not those that the log gives",
                f"{found[name][0]} rows",
                f"{contents[0]} rows",
            )
    return None
