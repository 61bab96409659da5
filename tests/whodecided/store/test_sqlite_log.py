"""What the SQLite log does beyond the contract: faults of the file, and bytes really gone."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from domain.errors import IntegrityFailure, LogUnavailable
from domain.ports import EventLog
from tests.shared import PROJECT_ROOT
from tests.whodecided.store.builders import append, disclosure, facts_of, new_sqlite_log
from whodecided.store.schema import SCHEMA_VERSION
from whodecided.store.sqlite_log import SqliteEventLog, create_events_file

NOBODY = 65534


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The closed file of a log with one game of three events."""
    with closing(new_sqlite_log(tmp_path)) as log:
        log.append([append(1, 3, disclosures=[disclosure(1, value=b'"card 4711"')])])
    return tmp_path / "events.sqlite"


def test_it_is_an_event_log(path: Path) -> None:
    with closing(SqliteEventLog(path, facts_of)) as log:
        port: EventLog = log
        assert port.head() == 3


def test_a_log_is_durable_write_ahead_and_versioned(path: Path) -> None:
    with (
        closing(SqliteEventLog(path, facts_of)) as log,
        log.recorder.datastore.transaction(commit=False) as cursor,
    ):
        settings = {}
        for name in ("journal_mode", "synchronous", "secure_delete", "user_version"):
            cursor.execute(f"PRAGMA {name}")
            settings[name] = cursor.fetchone()[0]

    assert settings == {
        "journal_mode": "wal",
        "synchronous": 2,
        "secure_delete": 1,
        "user_version": SCHEMA_VERSION,
    }


def test_making_a_file_again_is_refused(path: Path) -> None:
    with pytest.raises(LogUnavailable):
        create_events_file(path)


def test_a_missing_file_is_not_made_by_opening(tmp_path: Path) -> None:
    with pytest.raises(LogUnavailable, match="cannot be opened"):
        SqliteEventLog(tmp_path / "events.sqlite", facts_of)

    assert list(tmp_path.iterdir()) == []


def write_text(path: Path) -> None:
    path.write_text("not a database, but long enough to be mistaken for one " * 20)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def make_other_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE cards (name TEXT)")


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (write_text, "it is not a log: events.sqlite is not a database"),
        (empty, "this is a database, but not a log"),
        (make_other_database, "this is a database, but not a log"),
    ],
)
def test_a_file_that_is_no_log_is_refused_with_advice(
    tmp_path: Path, spoil: Callable[[Path], None], reason: str
) -> None:
    path = tmp_path / "events.sqlite"
    spoil(path)
    before = path.read_bytes()

    with pytest.raises(LogUnavailable, match=reason) as caught:
        SqliteEventLog(path, facts_of)

    assert caught.value.advice is not None
    assert path.read_bytes() == before


def test_a_log_of_a_newer_version_is_refused_with_advice(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")

    with pytest.raises(LogUnavailable, match="newer version") as caught:
        SqliteEventLog(path, facts_of)
    assert caught.value.advice == "Install the newer version of whodecided to open it."


def test_a_log_from_before_the_first_release_is_refused_with_advice(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 1")

    with pytest.raises(LogUnavailable, match="before the first release") as caught:
        SqliteEventLog(path, facts_of)
    assert caught.value.advice == "Import the game logs again into a new log."


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        ("UPDATE leaves SET peaks = zeroblob(64)", "does not fit the journal"),
        ("UPDATE leaves SET peaks = zeroblob(33)", "a peak is not 32 bytes long"),
        ("UPDATE leaves SET peaks = zeroblob(32)", "1 peaks do not make a tree of 3 leaves"),
        ("DELETE FROM leaves", "does not fit the journal"),
        ("UPDATE journal SET entry = '{}'", "journal entry 0"),
    ],
)
def test_nothing_is_appended_to_a_stream_whose_tree_was_spoiled(
    path: Path, spoil: str, reason: str
) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        for name in ("journal_no_update", "leaves_no_delete", "leaves_no_update"):
            raw.execute(f"DROP TRIGGER {name}")
        raw.execute(spoil.replace("'{}'", "x'7b7d'"))

    with closing(SqliteEventLog(path, facts_of)) as log:
        with pytest.raises(IntegrityFailure, match=reason):
            log.append([append(4, 4)])
        assert log.head() == 3


def test_a_log_without_its_id_takes_no_events(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute("DROP TRIGGER log_no_delete")
        raw.execute("DELETE FROM log")

    with (
        closing(SqliteEventLog(path, facts_of)) as log,
        pytest.raises(IntegrityFailure, match="has 0 ids instead of one"),
    ):
        log.append([append(4, 4)])


def test_a_damaged_page_is_an_integrity_failure(path: Path) -> None:
    with closing(SqliteEventLog(path, facts_of)) as log:
        log.append([append(1, 2000, "long")])
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 2)
        file.write(b"\xff" * 4096 * 4)

    with closing(SqliteEventLog(path, facts_of)) as log, pytest.raises(IntegrityFailure):
        log.read_all()


def test_a_stream_that_a_trigger_protects_fails_as_integrity_failure(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute(
            "CREATE TRIGGER strict BEFORE INSERT ON journal BEGIN SELECT RAISE(ABORT,'no'); END"
        )

    with closing(SqliteEventLog(path, facts_of)) as log:
        with pytest.raises(IntegrityFailure, match="no"):
            log.append([append(4, 4)])
        assert log.head() == 3


APPEND_AS_NOBODY = f"""
import os, sys
from pathlib import Path
from domain.errors import LogUnavailable
from tests.whodecided.store.builders import append, facts_of
from whodecided.store.sqlite_log import SqliteEventLog
if os.geteuid() == 0:
    os.setgid({NOBODY})
    os.setuid({NOBODY})
try:
    log = SqliteEventLog(Path(sys.argv[1]), facts_of)
    print(log.head(), "events")
    log.append([append(4, 4)])
except LogUnavailable as error:
    print(error.reason)
"""


def append_as_nobody(path: Path) -> str:
    """What a process without privileges says when it opens the log and appends to it."""
    command = [sys.executable, "-c", APPEND_AS_NOBODY, str(path)]
    done = subprocess.run(command, cwd=PROJECT_ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
@pytest.mark.parametrize(
    ("file_mode", "directory_mode", "reason"),
    [
        (0o444, 0o777, "3 events\nit cannot be written"),
        (0o444, 0o555, "3 events\nit cannot be written"),
        (0o000, 0o777, "it cannot be opened"),
        (0o000, 0o555, "it cannot be opened"),
        (0o666, 0o000, "it cannot be opened"),
    ],
    ids=[
        "read-only file",
        "read-only file and directory",
        "unreadable file",
        "unreadable file, read-only directory",
        "closed directory",
    ],
)
def test_missing_permissions_are_reported(
    tmp_path_factory: pytest.TempPathFactory, file_mode: int, directory_mode: int, reason: str
) -> None:
    directory = tmp_path_factory.mktemp("log")
    path = directory / "events.sqlite"
    with closing(new_sqlite_log(directory)) as log:
        log.append([append(1, 3)])
    parents = [parent for parent in directory.parents if not parent.stat().st_mode & stat.S_IXOTH]
    modes = {parent: parent.stat().st_mode & 0o7777 for parent in parents}
    try:
        for parent in parents:
            parent.chmod(0o755)
        path.chmod(file_mode)
        directory.chmod(directory_mode)
        assert append_as_nobody(path) == reason
    finally:
        directory.chmod(0o700)
        path.chmod(0o600)
        for parent, mode in modes.items():
            parent.chmod(mode)
    with closing(SqliteEventLog(path, facts_of)) as log:
        assert log.head() == 3


def test_the_bytes_of_erased_disclosures_are_gone_from_the_files(path: Path) -> None:
    with closing(SqliteEventLog(path, facts_of)) as log:
        log.append([append(1, 1, "g", disclosures=[disclosure(1, value=b'"card 4712"')])])
        assert b"card 4712" in all_bytes(path)

        log.erase_disclosures("g")
        log.purge()

        assert b"card 4712" not in all_bytes(path)
        assert b"card 4711" in all_bytes(path)


def all_bytes(path: Path) -> bytes:
    return b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))


def test_a_read_sees_one_state_while_another_connection_appends(path: Path) -> None:
    with (
        closing(SqliteEventLog(path, facts_of)) as log,
        closing(SqliteEventLog(path, facts_of)) as other,
    ):
        streams = log.streams()
        first = next(streams)
        other.append([append(4, 5), append(1, 1, "later")])

        assert first[2] == 3
        assert log.head() == 6
