"""What the database itself refuses, on a connection that knows nothing of this product."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import psycopg
import pytest

from domain.ports import Provenance
from tests.support.postgres import connect
from tests.whodecided.store.builders import (
    GAME,
    OTHER_GAME,
    append,
    disclosure,
    new_postgres_log,
)

Raw = psycopg.Connection[tuple[object, ...]]
EVENTS = "INSERT INTO events VALUES (%s, %s, 't', '\\x00', %s)"
KEPT = ("events", "files", "journal", "leaves", "log", "provenance", "streams")


@pytest.fixture
def raw(postgres_address: str) -> Iterator[Raw]:
    """A raw connection to a log of GAME with 3 events and one journal entry."""
    with closing(new_postgres_log(postgres_address)) as log:
        details = append(
            1, 3, disclosures=[disclosure(2)], provenance=[Provenance(1, "aa" * 32, 0, 1)]
        )
        log.append([details])
    with connect(postgres_address) as connection:
        before = dump(connection)
        yield connection
        assert dump(connection)[: len(before)] == before


def dump(connection: Raw) -> list[tuple[object, ...]]:
    return connection.execute("SELECT * FROM events ORDER BY notification_id").fetchall()


def refuse(connection: Raw, statement: str, *values: object) -> str:
    with pytest.raises(psycopg.IntegrityError) as caught:
        connection.execute(statement.encode(), values)
    return str(caught.value)


@pytest.mark.parametrize("clause", ["", "ON CONFLICT DO NOTHING"])
@pytest.mark.parametrize("number", [-1, 0, 5, None])
def test_any_number_but_the_next_is_refused(raw: Raw, clause: str, number: int | None) -> None:
    refuse(raw, f"{EVENTS} {clause}", GAME, number, 4)


@pytest.mark.parametrize("position", [0, -2, 5, 9, None])
def test_any_position_but_the_next_is_refused(raw: Raw, position: int | None) -> None:
    refuse(raw, EVENTS, GAME, 4, position)


@pytest.mark.parametrize(("number", "position"), [(1, 4), (3, 4), (4, 1), (4, 3), (1, 1)])
def test_a_taken_number_or_position_is_not_used_again(raw: Raw, number: int, position: int) -> None:
    refuse(raw, EVENTS, GAME, number, position)
    raw.execute(f"{EVENTS} ON CONFLICT DO NOTHING".encode(), (GAME, number, position))

    assert len(dump(raw)) == 3


@pytest.mark.parametrize("number", [0, 2])
def test_a_new_stream_starts_at_one(raw: Raw, number: int) -> None:
    refuse(raw, EVENTS, OTHER_GAME, number, 4)


def test_an_upsert_is_an_update_and_refused(raw: Raw) -> None:
    said = refuse(
        raw, f"{EVENTS} ON CONFLICT (notification_id) DO UPDATE SET state = '\\x01'", GAME, 3, 3
    )

    assert "UPDATE is not allowed" in said


@pytest.mark.parametrize(
    "rows",
    [
        [(4, 4), (6, 5)],
        [(4, 4), (5, 6)],
        [(4, 5), (5, 4)],
        [(5, 4), (4, 5)],
    ],
    ids=["number skipped", "position skipped", "positions crossed", "numbers crossed"],
)
def test_several_rows_at_once_must_follow_each_other(raw: Raw, rows: list[tuple[int, int]]) -> None:
    values = ", ".join(f"('{GAME}', {number}, 't', '\\x00', {at})" for number, at in rows)

    refuse(raw, f"INSERT INTO events VALUES {values}")


def test_copying_in_is_held_to_the_same_rules(raw: Raw) -> None:
    with pytest.raises(psycopg.IntegrityError), raw.cursor().copy("COPY events FROM STDIN") as copy:
        copy.write_row((GAME, 5, "t", b"x", 4))


@pytest.mark.parametrize("table", KEPT)
@pytest.mark.parametrize("statement", ["DELETE FROM {}", "TRUNCATE {} CASCADE"])
def test_nothing_is_deleted(raw: Raw, table: str, statement: str) -> None:
    refuse(raw, statement.format(table))


@pytest.mark.parametrize("table", [*KEPT, "disclosures"])
def test_nothing_is_updated(raw: Raw, table: str) -> None:
    [column] = raw.execute(
        "SELECT attname FROM pg_attribute WHERE attrelid = to_regclass(%s) AND attnum = 1",
        (table,),
    ).fetchall()

    refuse(raw, f"UPDATE {table} SET {column[0]} = {column[0]}")


def test_disclosures_are_deleted_but_never_all_at_once_by_truncating(raw: Raw) -> None:
    refuse(raw, "TRUNCATE disclosures")
    assert raw.execute("DELETE FROM disclosures").rowcount == 1


@pytest.mark.parametrize("index", [-1, 0, 2])
def test_any_journal_index_but_the_next_is_refused(raw: Raw, index: int) -> None:
    refuse(raw, "INSERT INTO journal VALUES (%s, '\\x00')", index)


def test_leaves_are_written_for_the_last_entry_alone(raw: Raw) -> None:
    leaves = "INSERT INTO leaves VALUES (%s, %s, %s, '\\x00', '\\x00', '\\x00')"
    refuse(raw, leaves, 0, OTHER_GAME, 1)
    refuse(raw, leaves, 1, OTHER_GAME, 1)
    raw.execute("INSERT INTO journal VALUES (1, '\\x00')")
    refuse(raw, leaves, 1, GAME, 2)
    refuse(raw, leaves, 1, GAME, 3)


@pytest.mark.parametrize(
    "values",
    [(3, OTHER_GAME, 1), (1, OTHER_GAME, 1), (2, GAME, 1), (2, OTHER_GAME, 0)],
    ids=["skipped", "taken", "known stream", "no such secret"],
)
def test_streams_are_numbered_as_they_come(raw: Raw, values: tuple[int, str, int]) -> None:
    refuse(raw, "INSERT INTO streams VALUES (%s, %s, 'game', %s)", *values)


def test_a_log_keeps_its_one_id(raw: Raw) -> None:
    refuse(raw, "INSERT INTO log VALUES ('other', 1)")


def test_a_rolled_back_append_leaves_no_hole(raw: Raw, postgres_address: str) -> None:
    with raw.transaction(force_rollback=True):
        raw.execute(EVENTS.encode(), (GAME, 4, 4))
    raw.execute(EVENTS.encode(), (GAME, 4, 4))

    assert [row[-1] for row in dump(raw)] == [1, 2, 3, 4]
