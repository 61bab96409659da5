"""A question in SQL over the tables of all games."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import duckdb

from domain.errors import BadInput, NotEntitled
from projections.reader import Limits, is_damage
from projections.views import ViewSet

__all__ = ["SqlAnswer", "SqlLimits", "run_sql"]

_READS: Final = frozenset({duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN})
_ADVICE: Final = "One SELECT (also WITH, FROM, DESCRIBE, SHOW, SUMMARIZE or EXPLAIN) can be run."
_SMALLER: Final = "Ask about fewer games or rows (WHERE, LIMIT), or join fewer tables."


@dataclass(frozen=True, slots=True)
class SqlLimits:
    """What a question may use: `seconds` of time, `rows` of the answer, memory, threads."""

    seconds: float = 30.0
    rows: int = 10_000
    resources: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class SqlAnswer:
    """The answer: names and DuckDB types of the columns, and rows; `truncated` when more exist."""

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    truncated: bool


def run_sql(views: ViewSet, text: str, viewer: str, limits: SqlLimits | None = None) -> SqlAnswer:
    """Run one reading statement on the current tables.

    Tables cannot be redacted, so anyone but `judge` is refused with NotEntitled. A statement that
    is wrong, not a reading one, or beyond the limits raises BadInput with the database's own words.
    """
    if viewer != "judge":
        raise NotEntitled(viewer, "the tables: they hold the hidden information of all games")
    limits = limits or SqlLimits()
    statement = _only_statement(text)
    with views.reader(limits.resources) as connection:
        try:
            with _time_limit(connection, limits.seconds):
                return _answer(connection, statement, limits.rows)
        except duckdb.InterruptException as error:
            reason = f"it took longer than {limits.seconds:g} seconds"
            raise BadInput("sql", reason, advice=_SMALLER) from error
        except duckdb.Error as error:
            if is_damage(error):
                raise
            raise _refused(str(error)) from error


def _only_statement(text: str) -> duckdb.Statement:
    try:
        statements = duckdb.extract_statements(text)
    except duckdb.Error as error:
        raise _refused(str(error)) from error
    if len(statements) != 1:
        raise _refused(f"there are {len(statements)} statements")
    kind = _kind(statements[0])
    if kind not in _READS:
        name = "this kind" if kind is None else f"kind {kind.name}"
        raise _refused(f"a statement of {name} does not only read")
    return statements[0]


def _kind(statement: duckdb.Statement) -> duckdb.StatementType | None:
    """The kind of a statement; None for one that this version of the driver has no name for."""
    try:
        return statement.type
    except ValueError:
        return None


def _answer(
    connection: duckdb.DuckDBPyConnection, statement: duckdb.Statement, rows: int
) -> SqlAnswer:
    result = connection.execute(statement)
    described = result.description or []
    found = result.fetchmany(rows + 1)
    return SqlAnswer(
        columns=tuple(column[0] for column in described),
        types=tuple(str(column[1]) for column in described),
        rows=tuple(found[:rows]),
        truncated=len(found) > rows,
    )


@contextmanager
def _time_limit(connection: duckdb.DuckDBPyConnection, seconds: float) -> Iterator[None]:
    timer = threading.Timer(seconds, connection.interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


def _refused(reason: str) -> BadInput:
    return BadInput("sql", reason, advice=_ADVICE)
