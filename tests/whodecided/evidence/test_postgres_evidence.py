"""What the evidence says of a log on a PostgreSQL server, after upkeep there and after changes."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from domain.errors import LogUnreachable
from tests.support.postgres import connect, server_programs, with_database
from tests.whodecided.evidence.builders import append_game, game_id, make_log
from whodecided.copying import copy_log
from whodecided.evidence.bundle import make_bundle
from whodecided.evidence.checkpoint import origin_of
from whodecided.evidence.erasure import erase_person
from whodecided.evidence.keys import create_key
from whodecided.evidence.verify import verify_log
from whodecided.store.directory import LogDirectory
from whodecided.store.opening import open_store
from whodecided.store.postgres.faults import postgres_fault
from whodecided.store.postgres.settings import read_settings

Raw = psycopg.Connection[tuple[object, ...]]
PLAYER = "player:a11ce00000000000"


@pytest.fixture
def log(postgres_address: str, tmp_path: Path) -> Iterator[LogDirectory]:
    """A signed log on the server, copied from a directory; its last game came in two parts."""
    with closing(make_log(tmp_path / "original")) as original:
        create_key(original.keys, origin_of(original.events.log_id))
        copy_log(original, postgres_address)
    with closing(open_store(postgres_address, create=False)) as opened:
        yield opened


@pytest.fixture
def raw(log: LogDirectory, postgres_address: str) -> Iterator[Raw]:
    """A connection of whoever owns the tables, with the guards off."""
    with connect(postgres_address) as connection:
        connection.execute("SET session_replication_role = replica")
        yield connection


def bundle_of(log: LogDirectory) -> bytes:
    made = make_bundle(log, game_id(1), viewer="judge", may_show=lambda event: ["card"])
    return made.content


def test_several_processes_verify_as_one_does(log: LogDirectory) -> None:
    alone = verify_log(log, jobs=1)

    assert alone.ok
    assert verify_log(log, jobs=2) == alone


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_server_that_stops_answering_is_not_taken_for_damage(
    log: LogDirectory, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    def lost(*_: object, **__: object) -> None:
        said = "server closed the connection unexpectedly"
        raise postgres_fault(log.place, psycopg.OperationalError(said))

    for method in ("inspect", "journal"):
        with monkeypatch.context() as patch:
            patch.setattr(type(log.events), method, lost)
            with pytest.raises(LogUnreachable, match="closed the connection"):
                verify_log(log, jobs=jobs)
    assert verify_log(log, jobs=jobs).ok


def test_an_export_is_the_same_from_sqlite_and_from_postgres(
    log: LogDirectory, tmp_path: Path
) -> None:
    with closing(open_store(tmp_path / "original", create=False)) as original:
        assert bundle_of(log) == bundle_of(original)


def test_verification_and_bundles_are_the_same_after_vacuum(
    log: LogDirectory, postgres_address: str
) -> None:
    bundle = bundle_of(log)
    with connect(postgres_address) as owner:
        owner.execute("VACUUM (FULL, ANALYZE)")
        owner.execute("REINDEX TABLE events")

    assert verify_log(log, from_scratch=True).ok
    assert bundle_of(log) == bundle


def test_verification_and_bundles_are_the_same_after_dump_and_restore(
    log: LogDirectory, postgres_address: str
) -> None:
    bundle = bundle_of(log)
    name = f"restored_{os.getpid()}"
    with connect(postgres_address) as owner:
        owner.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'".encode())
    try:
        restored = with_database(postgres_address, name)
        restore(dump(postgres_address), restored)
        with closing(open_store(restored, create=False)) as again:
            assert verify_log(again, from_scratch=True).ok
            assert bundle_of(again) == bundle
            append_game(again, 3, 4)
            assert verify_log(again).ok
    finally:
        with connect(postgres_address) as owner:
            owner.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def dump(address: str) -> bytes:
    schema = read_settings(address, os.environ).schema
    return client("pg_dump", address, "--schema", schema, "--no-owner")


def restore(dumped: bytes, address: str) -> None:
    client("psql", address, "-q", "-v", "ON_ERROR_STOP=1", standard_input=dumped)


def client(
    program: str, address: str, *arguments: str, standard_input: bytes | None = None
) -> bytes:
    """Run one of PostgreSQL's own programs on the database of an address; what it prints."""
    programs = server_programs()
    if programs is None:
        pytest.skip(f"{program} is not installed")
    env = read_settings(address, os.environ).environment
    names = {"HOST": "HOST", "PORT": "PORT", "USER": "USER", "PASSWORD": "PASSWORD"}
    said = {f"PG{k}": env[f"POSTGRES_{v}"] for k, v in names.items() if env[f"POSTGRES_{v}"]}
    run = subprocess.run(
        [programs / program, *arguments, env["POSTGRES_DBNAME"]],
        check=False,
        capture_output=True,
        input=standard_input,
        env=os.environ | said,
    )
    if b"server version mismatch" in run.stderr:
        pytest.skip(f"{program} is older than the server")
    assert run.returncode == 0, run.stderr.decode()
    return run.stdout


def test_verification_passes_after_an_erasure(log: LogDirectory, raw: Raw) -> None:
    log.people.keep([(PLAYER.partition(":")[2], "Alice")])
    now = "2026-05-01T00:00:00.000000Z"
    done = erase_person(log, PLAYER, reason="asked", by="person:owner", recorded_at=now)

    assert (done.names, done.values > 0) == (1, True)
    assert verify_log(log).ok
    left = raw.execute("SELECT count(*) FROM disclosures").fetchone()
    assert left == (len(log.events.disclosures_between(0, log.events.head())),)
    assert log.people.everyone() == []


CHANGES = {
    "an event's bytes": (
        "UPDATE events SET state = set_byte(state, 20, 0) WHERE notification_id = 5",
        "leaves",
        "event-changed",
    ),
    "an event dropped": (
        "DELETE FROM events WHERE notification_id = 5",
        "storage",
        "file-damaged",
    ),
    "the last event dropped": (
        "DELETE FROM events WHERE notification_id = 27",
        "storage",
        "file-damaged",
    ),
    "two events swapped": (
        "UPDATE events SET state = (SELECT state FROM events AS other WHERE"
        " other.notification_id = 11 - events.notification_id) WHERE notification_id IN (5, 6)",
        "leaves",
        "event-changed",
    ),
    "an event of another number": (
        "UPDATE events SET originator_version = 99 WHERE notification_id = 27",
        "events",
        "event-out-of-order",
    ),
    "a journal entry": (
        "UPDATE journal SET entry = set_byte(entry, 20, CASE get_byte(entry, 20) WHEN 102 THEN 101"
        " ELSE 102 END) WHERE journal_index = 1",
        "journal",
        None,
    ),
    "a journal entry dropped": (
        "DELETE FROM journal WHERE journal_index = 3",
        "storage",
        "file-damaged",
    ),
    "a leaf": (
        "UPDATE leaves SET leaves = set_byte(leaves, 0, get_byte(leaves, 0) # 1)",
        "leaves",
        "leaves-differ",
    ),
    "a disclosure": (
        "UPDATE disclosures SET value = '\"1\"'",
        "disclosures",
        "disclosure-differs",
    ),
    "a disclosure of no event": (
        "INSERT INTO disclosures VALUES (999, 'card', '1', '1')",
        "storage",
        "file-damaged",
    ),
    "the secret a stream names": (
        "UPDATE streams SET secret = 2",
        "disclosures",
        "secret-unknown",
    ),
    "the fingerprint of a secret": (
        "UPDATE secrets SET fingerprint = set_byte(fingerprint, 0, get_byte(fingerprint, 0) # 1)",
        "disclosures",
        "fingerprint-differs",
    ),
    "a fingerprint of no secret": (
        "INSERT INTO secrets VALUES (3, '1')",
        "storage",
        "file-damaged",
    ),
    "the schema version": ("UPDATE log SET schema_version = 0", "storage", "file-damaged"),
    "a stream's name": ("UPDATE streams SET kind = 'match'", "streams", "stream-misplaced"),
    "a trigger off": (
        "ALTER TABLE events DISABLE TRIGGER events_kept",
        "storage",
        "file-damaged",
    ),
    "a trigger dropped": ("DROP TRIGGER events_next ON events", "storage", "file-damaged"),
    "a trigger of a stranger": (
        "CREATE TRIGGER extra AFTER INSERT ON events FOR EACH STATEMENT"
        " EXECUTE FUNCTION require_next_log()",
        "storage",
        "file-damaged",
    ),
    "a guard that does nothing": (
        "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql"
        " AS 'BEGIN RETURN NULL; END'",
        "storage",
        "file-damaged",
    ),
    "a guard with settings of its own": (
        "ALTER FUNCTION refuse() SET search_path = pg_temp",
        "storage",
        "file-damaged",
    ),
    "a guard that another one hides": (
        "CREATE FUNCTION append_events(text, integer, text[], bytea[]) RETURNS void LANGUAGE sql"
        " AS ''",
        "storage",
        "file-damaged",
    ),
    "a guard with other rights": (
        "ALTER FUNCTION append_events SECURITY DEFINER",
        "storage",
        "file-damaged",
    ),
    "a trigger of some columns only": (
        "CREATE OR REPLACE TRIGGER log_kept BEFORE UPDATE OF log_id OR DELETE OR TRUNCATE ON log"
        " FOR EACH STATEMENT EXECUTE FUNCTION refuse()",
        "storage",
        "file-damaged",
    ),
    "a check": (
        "ALTER TABLE events ADD CHECK (originator_version < 1000)",
        "storage",
        "file-damaged",
    ),
    "a reference": (
        "ALTER TABLE disclosures ADD FOREIGN KEY (position) REFERENCES events",
        "storage",
        "file-damaged",
    ),
    "an exclusion": (
        "ALTER TABLE events ADD EXCLUDE USING btree (notification_id WITH =)",
        "storage",
        "file-damaged",
    ),
    "a unique index": (
        "CREATE UNIQUE INDEX ON journal (md5(entry))",
        "storage",
        "file-damaged",
    ),
    "a table that adds rows": (
        "CREATE TEMP TABLE child () INHERITS (events)",
        "storage",
        "file-damaged",
    ),
    "a column that numbers itself": (
        "ALTER TABLE files ALTER file_key ADD GENERATED ALWAYS AS IDENTITY",
        "storage",
        "file-damaged",
    ),
    "a column more": ("ALTER TABLE events ADD note text", "storage", "file-damaged"),
    "a table that a crash empties": ("ALTER TABLE leaves SET UNLOGGED", "storage", "file-damaged"),
    "a table more": ("CREATE TABLE more ()", "storage", "file-damaged"),
    "a rule": (
        "CREATE RULE quiet AS ON INSERT TO events DO INSTEAD NOTHING",
        "storage",
        "file-damaged",
    ),
    "rows hidden by a policy": (
        "ALTER TABLE events ENABLE ROW LEVEL SECURITY",
        "storage",
        "file-damaged",
    ),
    "a key dropped": (
        "ALTER TABLE events DROP CONSTRAINT events_originator_id_originator_version_key",
        "storage",
        "file-damaged",
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_the_owner_of_the_database_changes_is_found(
    log: LogDirectory, raw: Raw, change: str
) -> None:
    statement, step, code = CHANGES[change]
    raw.execute(statement.encode())

    found = verify_log(log, jobs=1)

    assert found.failure is not None
    failed = [one.name for one in found.steps if one.status == "failed"]
    assert failed == [step]
    assert code in (None, found.failure.code)


def test_a_machine_without_the_secrets_verifies_what_it_can(log: LogDirectory, raw: Raw) -> None:
    (log.keys / "log.secret").unlink()
    found = verify_log(log)
    assert found.ok
    [said] = [step.detail for step in found.steps if step.name == "disclosures"]
    assert said.endswith("; not at hand, so known by number only: log secret 1")

    raw.execute("UPDATE streams SET secret = 2 WHERE creation = 1")

    failure = verify_log(log).failure
    assert failure is not None
    assert failure.code == "secret-unknown"


def test_an_older_state_of_the_whole_log_is_found_by_the_checkpoint(
    log: LogDirectory, raw: Raw
) -> None:
    for statement in (
        "DELETE FROM events WHERE notification_id > 23",
        "DELETE FROM journal WHERE journal_index > 2",
        "DELETE FROM leaves WHERE journal_index > 2",
        "DELETE FROM provenance WHERE position > 23",
        "DELETE FROM disclosures WHERE position > 23",
    ):
        raw.execute(statement.encode())

    found = verify_log(log, jobs=1)

    assert found.failure is not None
    assert found.failure.code == "rolled-back"
