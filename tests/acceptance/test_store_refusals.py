"""A log that the command made refuses changes of its history on any SQLite connection."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.commands import run_command
from whodecided.importers.arena.synthetic.demo import DEMO_FILE

COLUMNS = "originator_id, originator_version, topic, state"
KEPT = ("events", "files", "journal", "leaves", "log", "provenance", "streams")


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log into which the command imported one file."""
    path = tmp_path_factory.mktemp("store") / "log"
    assert run_command("import", DEMO_FILE, "--log", path).code == 0
    return path


@pytest.fixture
def raw(log: Path) -> Iterator[sqlite3.Connection]:
    """A connection of its own to the file; afterwards the file holds what it held before."""
    with closing(sqlite3.connect(log / "events.sqlite", isolation_level=None)) as connection:
        before = digest(connection)
        yield connection
        assert digest(connection) == before


def digest(connection: sqlite3.Connection) -> str:
    """Over all rows of all tables that keep history."""
    held = hashlib.sha256()
    for table in (*KEPT, "disclosures"):
        for row in sorted(connection.execute(f"SELECT * FROM {table}")):
            held.update(repr(row).encode())
    return held.hexdigest()


def refused(connection: sqlite3.Connection, statement: str, *values: object) -> str:
    """What SQLite says when it refuses."""
    with pytest.raises(sqlite3.IntegrityError) as caught:
        connection.execute(statement, values)
    return str(caught.value)


def ends(connection: sqlite3.Connection) -> tuple[str, int, int]:
    """A stream, its last number, and the last position of the log."""
    stream, number = connection.execute(
        "SELECT originator_id, max(originator_version) FROM events GROUP BY 1 ORDER BY 2 DESC"
    ).fetchone()
    return stream, number, connection.execute("SELECT max(rowid) FROM events").fetchone()[0]


@pytest.mark.parametrize("verb", ["INSERT OR REPLACE", "REPLACE", "INSERT OR IGNORE", "INSERT"])
def test_no_event_is_written_over(raw: sqlite3.Connection, verb: str) -> None:
    stream, number, _ = ends(raw)
    said = refused(raw, f"{verb} INTO events ({COLUMNS}) VALUES (?, ?, 't', x'00')", stream, number)
    assert "next number" in said


@pytest.mark.parametrize("verb", ["INSERT OR REPLACE", "INSERT"])
@pytest.mark.parametrize("ahead", [2, 100])
def test_no_number_is_skipped(raw: sqlite3.Connection, verb: str, ahead: int) -> None:
    stream, number, _ = ends(raw)
    statement = f"{verb} INTO events ({COLUMNS}) VALUES (?, ?, 't', x'00')"
    assert "next number" in refused(raw, statement, stream, number + ahead)
    assert "next number" in refused(raw, statement, "another stream", 2)


@pytest.mark.parametrize("verb", ["INSERT OR REPLACE", "INSERT"])
def test_no_rowid_is_used_again_or_left_out(raw: sqlite3.Connection, verb: str) -> None:
    stream, number, last = ends(raw)
    statement = f"{verb} INTO events (rowid, {COLUMNS}) VALUES (?, ?, ?, 't', x'00')"
    for rowid in (1, last, last + 2):
        assert "next position" in refused(raw, statement, rowid, stream, number + 1)


@pytest.mark.parametrize("table", KEPT)
def test_nothing_of_the_history_is_changed_or_deleted(raw: sqlite3.Connection, table: str) -> None:
    [column] = raw.execute(f"SELECT name FROM pragma_table_info('{table}') LIMIT 1").fetchone()
    for statement in (
        f"UPDATE {table} SET {column} = {column}",
        f"UPDATE OR REPLACE {table} SET {column} = {column}",
        f"DELETE FROM {table}",
    ):
        assert "not allowed" in refused(raw, statement)


def test_what_was_disclosed_is_not_changed(raw: sqlite3.Connection) -> None:
    assert "not allowed" in refused(raw, "UPDATE disclosures SET value = x'00'")


def test_recursive_triggers_open_no_way_around(raw: sqlite3.Connection) -> None:
    stream, number, _ = ends(raw)
    for pragma in ("recursive_triggers=ON", "foreign_keys=ON", "ignore_check_constraints=ON"):
        raw.execute(f"PRAGMA {pragma}")
        refused(raw, f"INSERT OR REPLACE INTO events ({COLUMNS}) VALUES (?, 1, 't', x'00')", stream)
        refused(
            raw,
            f"INSERT INTO events (rowid, {COLUMNS}) VALUES (1, ?, ?, 't', x'00')",
            stream,
            number + 1,
        )


def test_the_log_works_afterwards(log: Path) -> None:
    shown = run_command("status", "--log", log, "--json").document
    again = run_command("import", DEMO_FILE, "--log", log, "--json").documents[-1]["summary"]

    assert shown["tables"]["problem"] is None
    assert (again["events_added"], again["events_present"]) == (0, shown["events"])
