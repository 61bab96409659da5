"""What the file itself refuses, on a connection that knows nothing of this product."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from domain.ports import Provenance
from tests.whodecided.store.builders import GAME, OTHER_GAME, append, disclosure, new_sqlite_log

INSERT = "INTO events (originator_id, originator_version, topic, state) VALUES (?, ?, 't', x'00')"
INSERT_AT = (
    "INTO events (rowid, originator_id, originator_version, topic, state)"
    " VALUES (?, ?, ?, 't', x'00')"
)
CONFLICT_CLAUSES = ["", "OR ABORT", "OR FAIL", "OR IGNORE", "OR REPLACE", "OR ROLLBACK"]


@pytest.fixture
def raw(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A raw connection to a log of GAME with 3 events and one journal entry."""
    with closing(new_sqlite_log(tmp_path)) as log:
        details = append(
            1, 3, disclosures=[disclosure(2)], provenance=[Provenance(1, "aa" * 32, 0, 1)]
        )
        log.append([details])
    with closing(sqlite3.connect(tmp_path / "events.sqlite", isolation_level=None)) as connection:
        before = dump(connection)
        yield connection
        assert dump(connection)[: len(before)] == before


def dump(connection: sqlite3.Connection) -> list[object]:
    return connection.execute("SELECT * FROM events ORDER BY rowid").fetchall()


def refuse(connection: sqlite3.Connection, statement: str, *values: object) -> None:
    count = connection.total_changes
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute(statement, values)
    assert connection.total_changes == count


@pytest.mark.parametrize("clause", CONFLICT_CLAUSES)
@pytest.mark.parametrize("number", [-1, 0, 1, 3, 5, None])
def test_any_number_but_the_next_is_refused(
    raw: sqlite3.Connection, clause: str, number: int | None
) -> None:
    refuse(raw, f"INSERT {clause} {INSERT}", GAME, number)


@pytest.mark.parametrize("clause", CONFLICT_CLAUSES)
@pytest.mark.parametrize("number", [0, 2])
def test_a_new_stream_starts_at_one(raw: sqlite3.Connection, clause: str, number: int) -> None:
    refuse(raw, f"INSERT {clause} {INSERT}", OTHER_GAME, number)


@pytest.mark.parametrize("clause", CONFLICT_CLAUSES)
@pytest.mark.parametrize("position", [1, 3, 5, 0, -2])
def test_any_position_but_the_next_is_refused(
    raw: sqlite3.Connection, clause: str, position: int
) -> None:
    refuse(raw, f"INSERT {clause} {INSERT_AT}", position, GAME, 4)


@pytest.mark.parametrize("clause", CONFLICT_CLAUSES)
def test_a_written_position_of_minus_one_never_gets_in(
    raw: sqlite3.Connection, clause: str
) -> None:
    if clause == "OR IGNORE":
        raw.execute(f"INSERT {clause} {INSERT_AT}", (-1, GAME, 4))
    else:
        refuse(raw, f"INSERT {clause} {INSERT_AT}", -1, GAME, 4)

    assert raw.execute("SELECT count(*) FROM events").fetchone() == (3,)


def test_replace_and_upsert_are_refused(raw: sqlite3.Connection) -> None:
    refuse(raw, f"REPLACE {INSERT}", GAME, 2)
    refuse(raw, f"INSERT {INSERT} ON CONFLICT DO NOTHING", GAME, 2)
    refuse(
        raw,
        f"INSERT {INSERT} ON CONFLICT (originator_id, originator_version)"
        " DO UPDATE SET state = excluded.state",
        GAME,
        2,
    )


def test_the_next_number_is_accepted_with_and_without_its_position(raw: sqlite3.Connection) -> None:
    raw.execute(f"INSERT {INSERT}", (GAME, 4))
    raw.execute(f"INSERT {INSERT_AT}", (5, GAME, 5))
    raw.execute(f"INSERT {INSERT}", (OTHER_GAME, 1))

    found = raw.execute("SELECT rowid, originator_version FROM events WHERE rowid > 3")
    assert found.fetchall() == [(4, 4), (5, 5), (6, 1)]


def test_a_position_is_not_reused_after_the_sequence_was_tampered_with(
    raw: sqlite3.Connection,
) -> None:
    raw.execute("UPDATE sqlite_sequence SET seq = 1 WHERE name = 'events'")
    raw.execute(f"INSERT {INSERT}", (GAME, 4))

    assert raw.execute("SELECT max(rowid) FROM events").fetchone() == (4,)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET state = x'01' WHERE rowid = 2",
        "UPDATE OR REPLACE events SET originator_version = 2 WHERE rowid = 3",
        "UPDATE events SET rowid = 9 WHERE rowid = 3",
        "UPDATE journal SET entry = x'7b7d'",
        "UPDATE streams SET kind = 'match'",
        "UPDATE files SET digest = 'x'",
        "UPDATE leaves SET size = 9",
        "UPDATE log SET log_id = 'x'",
        "UPDATE provenance SET line = 9",
        "UPDATE disclosures SET value = x'31'",
        "DELETE FROM events",
        "DELETE FROM events WHERE rowid = 3",
        "DELETE FROM journal",
        "DELETE FROM streams",
        "DELETE FROM files",
        "DELETE FROM leaves",
        "DELETE FROM log",
        "DELETE FROM provenance",
    ],
)
def test_nothing_stored_can_be_updated_or_deleted(raw: sqlite3.Connection, statement: str) -> None:
    refuse(raw, statement)


@pytest.mark.parametrize("clause", CONFLICT_CLAUSES)
def test_the_journal_takes_only_the_next_index(raw: sqlite3.Connection, clause: str) -> None:
    statement = f"INSERT {clause} INTO journal (journal_index, entry) VALUES (?, x'7b7d')"
    for index in (0, 2, -1, None):
        refuse(raw, statement, index)

    raw.execute(statement, (1,))


@pytest.mark.parametrize("clause", CONFLICT_CLAUSES)
def test_a_stream_cannot_be_registered_again(raw: sqlite3.Connection, clause: str) -> None:
    statement = f"INSERT {clause} INTO streams VALUES (?, ?, 'case', 1)"
    refuse(raw, statement, None, GAME)
    refuse(raw, statement, 1, OTHER_GAME)


@pytest.mark.parametrize("clause", CONFLICT_CLAUSES)
def test_only_the_leaves_of_the_last_journal_entry_can_be_written_and_only_once(
    raw: sqlite3.Connection, clause: str
) -> None:
    statement = (
        f"INSERT {clause} INTO leaves (journal_index, stream_id, size, peaks, leaves, entry_hash)"
        " VALUES (?, ?, ?, x'00', x'00', x'00')"
    )
    refuse(raw, statement, 0, GAME, 4)
    refuse(raw, statement, 1, GAME, 4)
    raw.execute("INSERT INTO journal (journal_index, entry) VALUES (1, x'7b7d')")
    refuse(raw, statement, 0, OTHER_GAME, 1)
    refuse(raw, statement, 1, GAME, 3)

    raw.execute(statement, (1, GAME, 4))


@pytest.mark.parametrize("clause", CONFLICT_CLAUSES)
def test_a_log_gets_no_second_id(raw: sqlite3.Connection, clause: str) -> None:
    refuse(raw, f"INSERT {clause} INTO log (log_id) VALUES ('x')")


def test_disclosures_can_be_deleted(raw: sqlite3.Connection) -> None:
    assert raw.execute("DELETE FROM disclosures").rowcount == 1


def test_every_column_keeps_its_type(raw: sqlite3.Connection) -> None:
    statement = (
        "INSERT INTO events (originator_id, originator_version, topic, state) VALUES (?, 4, 't', ?)"
    )
    refuse(raw, statement, GAME, "text instead of bytes")
    refuse(raw, statement, GAME, None)
