"""What is particular to a log on a server: many writers, large appends, and what can go wrong."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing, suppress
from multiprocessing.synchronize import Barrier
from typing import TypeVar

import psycopg
import pytest

from domain.errors import AppendConflict, BadInput, IntegrityFailure, LogUnavailable
from domain.ports import Appended, Provenance
from tests.support.postgres import connect, with_database
from tests.whodecided.store.builders import (
    LOG_ID,
    append,
    disclosure,
    event,
    facts_of,
    new_postgres_log,
)
from whodecided.store.opening import open_store
from whodecided.store.postgres.log import PostgresEventLog, create_tables, stored_log_id
from whodecided.store.postgres.people import PostgresPeople
from whodecided.store.postgres.settings import PostgresSettings, read_settings

WRITERS = 4
ROUNDS = 12
T = TypeVar("T")
_start: Barrier


def settings_of(address: str) -> PostgresSettings:
    return read_settings(address, os.environ)


def opened(address: str) -> PostgresEventLog:
    return PostgresEventLog(settings_of(address), facts_of)


def in_writers(work: Callable[[str, int], T], address: str) -> list[T]:
    """Run work(address, writer number) in four processes that start together."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(
        WRITERS, mp_context=context, initializer=_wait_with, initargs=(context.Barrier(WRITERS),)
    ) as pool:
        return list(pool.map(work, [address] * WRITERS, range(WRITERS)))


def _wait_with(barrier: Barrier) -> None:
    global _start
    _start = barrier


def write_own_and_shared_streams(address: str, writer: int) -> list[Appended]:
    _start.wait()
    done: list[Appended] = []
    with closing(opened(address)) as log:
        for round_ in range(ROUNDS):
            own = append(round_ * 10 + 1, round_ * 10 + 10, f"own {writer}")
            done += log.append([own, append(1, round_ * 4 + 4, "shared")])
    return done


def write_own_version(address: str, writer: int) -> int:
    _start.wait()
    won = 0
    with closing(opened(address)) as log:
        for number in range(ROUNDS):
            with suppress(AppendConflict):
                log.append([append(1, 5, f"game {number}", said=f"writer {writer}")])
                won += 1
    return won


def make_tables(address: str, writer: int) -> str:
    _start.wait()
    return create_tables(settings_of(address), f"{writer:032x}")


def test_four_processes_append_without_a_hole_in_positions_or_journal(
    postgres_address: str,
) -> None:
    with closing(new_postgres_log(postgres_address)) as log:
        parts = in_writers(write_own_and_shared_streams, postgres_address)

        own = ROUNDS * 10
        assert {(name, last) for name, _, last in log.streams()} == {
            ("shared", ROUNDS * 4),
            *((f"own {writer}", own) for writer in range(WRITERS)),
        }
        assert sum(one.added for part in parts for one in part) == log.head()
        assert log.head() == WRITERS * own + ROUNDS * 4
        assert [one.position for one in log.read_all()] == list(range(1, log.head() + 1))
        assert [one.state for one in log.read("shared")] == [
            event(number, "shared").state for number in range(1, ROUNDS * 4 + 1)
        ]
        entries = log.journal()
        assert [one.journal_index for one in entries] == list(range(len(entries)))
        assert sum(one.last - one.first + 1 for one in entries) == log.head()
        assert log.inspect() is None


def test_of_four_versions_of_one_game_exactly_one_is_kept_whole(postgres_address: str) -> None:
    with closing(new_postgres_log(postgres_address)) as log:
        assert sum(in_writers(write_own_version, postgres_address)) == ROUNDS

        for number in range(ROUNDS):
            states = [one.state for one in log.read(f"game {number}")]
            assert len({state.split(b"writer ")[1] for state in states}) == 1
            assert len(states) == 5


def test_processes_that_make_the_same_log_at_once_make_one(postgres_address: str) -> None:
    assert len(set(in_writers(make_tables, postgres_address))) == 1


def test_threads_of_one_process_append_without_conflict(postgres_address: str) -> None:
    with closing(new_postgres_log(postgres_address)) as log, ThreadPoolExecutor(WRITERS) as pool:

        def write(writer: int) -> None:
            for number in range(1, ROUNDS + 1):
                log.append([append(number, number, f"own {writer}")])
                assert log.stream_head(f"own {writer}") == number

        list(pool.map(write, range(WRITERS)))
        assert log.head() == WRITERS * ROUNDS


def test_a_stream_of_twenty_thousand_events_is_one_append(postgres_address: str) -> None:
    size = 20_000
    large = append(
        1,
        size,
        said="x" * 600,
        disclosures=[disclosure(number) for number in range(1, size, 3)],
        provenance=[Provenance(number, "ab" * 32, number, 1) for number in range(1, size + 1)],
    )
    with closing(new_postgres_log(postgres_address)) as log:
        assert log.append([large])[0].added == size
        assert log.read(large.stream_id)[-1].position == size
        assert log.provenance(large.stream_id) == large.provenance
        assert len(log.disclosures(large.stream_id)) == len(large.disclosures)


def test_readers_see_nothing_of_an_append_that_has_not_ended(postgres_address: str) -> None:
    with closing(new_postgres_log(postgres_address)) as log:
        log.append([append(1, 2)])
        with connect(postgres_address) as raw, raw.transaction():
            raw.execute("SELECT append_events('other', 1, '{t}', '{x}')")
            assert log.head() == 2
        assert log.head() == 3


def test_a_writer_that_does_not_finish_is_reported_and_not_waited_for_forever(
    postgres_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POSTGRES_LOCK_TIMEOUT", "1")
    with closing(new_postgres_log(postgres_address)) as log:
        with connect(postgres_address) as raw, raw.transaction():
            raw.execute("LOCK TABLE events IN EXCLUSIVE MODE")
            with pytest.raises(LogUnavailable, match="another process is writing") as caught:
                log.append([append(1, 1)])
            assert caught.value.advice is not None
            assert log.head() == 0
        log.append([append(1, 1)])


def end_connections(address: str) -> None:
    """What a restart of the server does to those who are connected."""
    with connect(address) as raw:
        raw.execute(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
            " WHERE application_name = 'whodecided' AND datname = current_database()"
        )


def test_a_connection_lost_in_between_is_made_anew(postgres_address: str) -> None:
    with closing(new_postgres_log(postgres_address)) as log:
        log.append([append(1, 2)])
        end_connections(postgres_address)

        log.append([append(3, 3)])
        assert log.head() == 3


def test_a_connection_lost_in_an_append_is_reported_and_nothing_of_it_is_written(
    postgres_address: str,
) -> None:
    with closing(new_postgres_log(postgres_address)) as log:
        log.append([append(1, 2)])

        def append_and_lose() -> None:
            with log._writing() as transaction:
                transaction.insert_events([("other", 1, "t", b"x")])
                end_connections(postgres_address)
                transaction.rows("SELECT 1")

        with pytest.raises(LogUnavailable) as caught:
            append_and_lose()
        assert caught.value.advice is not None

        assert log.head() == 2


def test_a_crash_of_the_server_loses_no_acknowledged_append_and_keeps_no_half_one(
    postgres_address: str,
) -> None:
    if os.environ.get("POSTGRES_DBNAME"):
        pytest.skip("this server is not the tests' own to crash")
    with closing(new_postgres_log(postgres_address)) as log:
        log.append([append(1, 5)])

        def append_and_crash() -> None:
            with log._writing() as transaction:
                transaction.insert_events([("other", 1, "t", b"x")])
                [(process,)] = transaction.rows("SELECT pg_backend_pid()")
                # One process killed this way makes the server throw out all and recover.
                os.kill(process, signal.SIGKILL)
                transaction.rows("SELECT 1")

        with pytest.raises(LogUnavailable):
            append_and_crash()
        wait_for_server(postgres_address)

        assert log.head() == 5
        log.append([append(6, 7)])
        assert [one.position for one in log.read_all()] == list(range(1, 8))
        assert log.inspect() is None


def wait_for_server(address: str) -> None:
    for _ in range(20_000):
        with suppress(psycopg.OperationalError), connect(address):
            return
    pytest.fail("the server did not come back")


def test_an_append_is_durable_whatever_the_server_does_by_default(postgres_address: str) -> None:
    with closing(new_postgres_log(postgres_address)) as log:
        with log.recorder.datastore.get_connection() as connection:
            connection.execute("SET synchronous_commit = off")
        with log._writing() as transaction:
            assert transaction.rows("SHOW synchronous_commit") == [("on",)]
            assert transaction.rows("SHOW transaction_isolation") == [("read committed",)]


def test_a_schema_without_a_log_is_said_to_have_none(postgres_address: str) -> None:
    assert stored_log_id(settings_of(postgres_address)) is None
    with pytest.raises(LogUnavailable, match="there is no log here") as caught:
        opened(postgres_address)
    assert caught.value.advice is not None


def test_a_schema_of_something_else_is_not_made_a_log(postgres_address: str) -> None:
    schema = settings_of(postgres_address).schema
    with connect(postgres_address) as raw:
        raw.execute(f"CREATE SCHEMA {schema}".encode())
        raw.execute("CREATE TABLE diary (entry text)")

    with pytest.raises(LogUnavailable, match="it holds 'diary'"):
        create_tables(settings_of(postgres_address), LOG_ID)


@pytest.mark.parametrize("ids", [0, 2])
@pytest.mark.parametrize("create", [False, True])
def test_a_log_that_does_not_have_one_id_is_damaged(
    postgres_address: str, ids: int, create: bool
) -> None:
    open_store(postgres_address, create=True).close()
    with connect(postgres_address) as raw:
        raw.execute("SET session_replication_role = replica")
        raw.execute("DELETE FROM log")
        for log_id in range(ids):
            raw.execute("INSERT INTO log VALUES (%s, 1)", (f"{log_id:032x}",))

    with pytest.raises(IntegrityFailure, match=f"the log has {ids} ids instead of one"):
        open_store(postgres_address, create=create)


def test_a_log_of_a_newer_version_is_not_opened(postgres_address: str) -> None:
    with closing(new_postgres_log(postgres_address)), connect(postgres_address) as raw:
        raw.execute("SET session_replication_role = replica")
        raw.execute("UPDATE log SET schema_version = 99")

        with pytest.raises(LogUnavailable, match="newer version"):
            opened(postgres_address)


def test_a_database_that_is_not_there_is_named_as_missing(postgres_address: str) -> None:
    with pytest.raises(LogUnavailable, match="nowhere"):
        opened(with_database(postgres_address, "nowhere"))


def test_a_database_of_another_encoding_is_refused(postgres_address: str) -> None:
    name = f"latin_{os.getpid()}"
    with connect(postgres_address) as raw:
        raw.execute(
            f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'LATIN1'"
            " LC_COLLATE 'C' LC_CTYPE 'C'".encode()
        )
        try:
            with pytest.raises(LogUnavailable, match="keeps texts as LATIN1"):
                create_tables(settings_of(with_database(postgres_address, name)), LOG_ID)
        finally:
            raw.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def test_a_server_that_is_not_there_is_reported_at_once_without_the_password() -> None:
    with pytest.raises(LogUnavailable) as caught:
        opened("postgres://u:hidden@%2Fnowhere/d")

    assert caught.value.advice is not None
    assert "hidden" not in f"{caught.value} {caught.value.path}"


def test_a_setting_the_library_cannot_use_is_named(
    postgres_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POSTGRES_POOL_SIZE", "many")
    with pytest.raises(BadInput, match="POSTGRES_POOL_SIZE"):
        opened(postgres_address)


def test_a_user_who_may_only_read_reads(postgres_address: str) -> None:
    role = f"reader_{os.getpid()}"
    schema = settings_of(postgres_address).schema
    with closing(new_postgres_log(postgres_address)) as log, connect(postgres_address) as raw:
        log.append([append(1, 2)])
        for statement in (
            f"CREATE ROLE {role} LOGIN PASSWORD 'p'",
            f"GRANT USAGE ON SCHEMA {schema} TO {role}",
            f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {role}",
        ):
            raw.execute(statement.encode())
        try:
            read_only(postgres_address, role)
        finally:
            raw.execute(f"DROP OWNED BY {role}".encode())
            raw.execute(f"DROP ROLE {role}".encode())


def read_only(address: str, role: str) -> None:
    host = address.partition("@")[2] or address.partition("//")[2]
    with closing(opened(f"postgres://{role}:p@{host}")) as log:
        assert log.head() == 2
        assert log.inspect() is None
        with pytest.raises(LogUnavailable, match="the user may not do this"):
            log.append([append(3, 3)])


def test_a_damaged_tree_is_not_built_upon(postgres_address: str) -> None:
    with closing(new_postgres_log(postgres_address)) as log, connect(postgres_address) as raw:
        log.append([append(1, 3)])
        raw.execute("SET session_replication_role = replica")
        raw.execute("UPDATE leaves SET peaks = set_byte(peaks, 0, 0) || '\\x00'")

        with pytest.raises(IntegrityFailure):
            log.append([append(1, 4)])
        assert log.head() == 3


def test_names_are_kept_found_both_ways_and_erased(postgres_address: str) -> None:
    with closing(new_postgres_log(postgres_address)) as log:
        people = PostgresPeople(log.recorder.datastore, log.name)
        people.keep([("p1", "Ada#12345"), ("p2", "Grace\0#1"), ("p1", "Äda#9")])
        people.keep([("p1", "Äda#9")])

        assert people.names("p1") == ["Ada#12345", "Äda#9"]
        assert people.pseudonyms("Grace\0#1") == ["p2"]
        assert people.pseudonyms("Grace") == []
        assert people.erase("p1") == 2
        assert people.erase("p1") == 0
        assert people.everyone() == [("p2", "Grace\0#1")]


def test_what_was_erased_is_in_no_page_of_its_tables(postgres_address: str) -> None:
    with closing(new_postgres_log(postgres_address)) as log, connect(postgres_address) as raw:
        people = PostgresPeople(log.recorder.datastore, log.name)
        people.keep([("p1", "Ada#12345"), ("p2", "Grace#1")])
        hidden = [disclosure(1, value=b'"card 4712"'), disclosure(2, value=b'"card 4711"')]
        log.append([append(1, 2, disclosures=hidden)])

        log.erase_disclosures(hidden_stream := append(1, 1).stream_id, 1)
        log.purge()
        people.erase("p1")

        assert log.disclosures(hidden_stream) == hidden[1:]
        pages = pages_of(raw, "disclosures")
        assert (b"card 4712" in pages, b"card 4711" in pages) == (False, True)
        pages = pages_of(raw, "names")
        assert (b"Ada#12345" in pages, b"Grace#1" in pages) == (False, True)


def pages_of(raw: psycopg.Connection[tuple[object, ...]], table: str) -> bytes:
    raw.execute("CHECKPOINT")
    found = raw.execute(
        "SELECT pg_read_binary_file(pg_relation_filepath(to_regclass(%s)))", (table,)
    ).fetchone()
    assert found is not None
    assert isinstance(found[0], bytes)
    return found[0]
