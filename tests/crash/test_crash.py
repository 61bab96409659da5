"""A short run of the crash harness, and proof that it notices what it looks for."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from tests.crash.checks import require_copy, require_everything, require_prefix, stream_bytes
from tests.crash.running import crash
from tests.crash.said import Copied, Published, Recorded, Said, Signed, Streamed
from tests.crash.stores import Store, directories, schemas
from tests.crash.victims import KINDS, Job, new_log, whole_game, write_files
from tests.support.live import casts, starts
from whodecided.api import Log, open_log
from whodecided.copying import copy_log

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="SIGKILL is a POSIX signal")

_SECONDS = 0.7


@pytest.mark.parametrize("kind", KINDS)
def test_work_that_is_killed_loses_nothing_and_goes_on(tmp_path: Path, kind: str) -> None:
    with directories(tmp_path) as store:
        assert faults(tmp_path, store, kind) == [None, None]


@pytest.mark.parametrize("kind", ["import", "append", "copy"])
def test_a_server_loses_nothing_either(tmp_path: Path, postgres_server: str, kind: str) -> None:
    with schemas(postgres_server, tmp_path) as store:
        assert faults(tmp_path, store, kind) == [None, None]


def faults(folder: Path, store: Store, kind: str) -> list[str | None]:
    """What went wrong in two runs."""
    files = write_files(folder)
    jobs = [Job(seed, files, store.place(f"copy-{seed}")) for seed in (1, 2)]
    return [crash(kind, store.place(f"log-{job.seed}"), job, _SECONDS).fault for job in jobs]


@pytest.fixture
def log(tmp_path: Path) -> Log:
    """A log with a live game and an invented one, and with tables."""
    new_log(tmp_path / "log")
    with open_log(tmp_path / "log") as log:
        log.directory.events.append([whole_game(1)])
        log.record("table", [starts(), casts("a")])
        log.games()
    return open_log(tmp_path / "log")


_GAME = whole_game(1)


@pytest.mark.parametrize(
    "said",
    [
        Streamed(_GAME.stream_id, len(_GAME.events) + 1),
        Streamed("00000000-0000-5000-8000-000000000000", 1),
        Signed(1, "never signed"),
        Published(1000),
    ],
)
def test_what_was_acknowledged_and_is_not_there_is_noticed(log: Log, said: Said) -> None:
    with log:
        require_everything(log, [Streamed(_GAME.stream_id, len(_GAME.events))])
        with pytest.raises((AssertionError, KeyError)):
            require_everything(log, [said])


def test_an_acknowledged_record_with_another_number_is_noticed(log: Log) -> None:
    with log:
        [done] = log.record("table", casts("b"))
        require_everything(log, [Recorded(done.stream_id, 3, "b")])
        with pytest.raises(AssertionError):
            require_everything(log, [Recorded(done.stream_id, 2, "b")])
        with pytest.raises(IndexError):
            require_everything(log, [Recorded(done.stream_id, 4, "b")])


def _change(path: Path) -> None:
    """Give every event the same bytes."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'"):
            connection.execute(f'DROP TRIGGER "{name}"')
        connection.execute("UPDATE events SET state = (SELECT state FROM events WHERE rowid = 2)")


def test_a_log_that_was_changed_is_noticed(log: Log, tmp_path: Path) -> None:
    with log:
        before = stream_bytes(log)
    _change(tmp_path / "log" / "events.sqlite")
    with open_log(tmp_path / "log") as changed:
        with pytest.raises(AssertionError):
            require_everything(changed, [])
        with pytest.raises(AssertionError):
            require_prefix(before, stream_bytes(changed))


def test_a_wrong_row_of_the_tables_is_noticed(log: Log) -> None:
    with log:
        (file,) = log.views.path.glob("*.duckdb")
        with closing(duckdb.connect(str(file))) as connection:
            connection.execute("UPDATE turns SET turn = turn + 1 WHERE number = 2")
            connection.execute("CHECKPOINT")
        size = file.stat().st_size
        current = log.views.path / "current"
        current.write_text(f'{{"generation":{file.stem},"bytes":{size}}}')
        with pytest.raises(AssertionError, match="table turns"):
            require_everything(log, [])


def test_a_copy_that_is_gone_or_another_log_is_noticed(log: Log, tmp_path: Path) -> None:
    other = str(tmp_path / "other")
    with log:
        require_copy(log, other, [])
        with pytest.raises(AssertionError, match="the copy is gone"):
            require_copy(log, other, [Copied(1)])
        copy_log(log.directory, other)
        head = log.directory.events.head()
        require_copy(log, other, [Copied(head)])
        with pytest.raises(AssertionError, match="the copy lost events"):
            require_copy(log, other, [Copied(head + 1)])
        open_log(tmp_path / "stranger", create=True).close()
        with pytest.raises(AssertionError):
            require_copy(log, str(tmp_path / "stranger"), [])
