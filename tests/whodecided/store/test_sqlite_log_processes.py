"""Several processes and threads append to one file at the same time."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing, suppress
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import TypeVar

import pytest

from domain.errors import AppendConflict, LogUnavailable
from domain.ports import Appended
from tests.whodecided.store.builders import append, event, facts_of, new_sqlite_log
from whodecided.store.directory import open_directory
from whodecided.store.sqlite_log import SqliteEventLog

WRITERS = 4
ROUNDS = 25
T = TypeVar("T")
_start: Barrier


def in_writers(work: Callable[[str, int], T], path: Path) -> list[T]:
    """Run work(path, writer number) in four processes that start together."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(
        WRITERS, mp_context=context, initializer=_wait_with, initargs=(context.Barrier(WRITERS),)
    ) as pool:
        return list(pool.map(work, [str(path)] * WRITERS, range(WRITERS)))


def _wait_with(barrier: Barrier) -> None:
    global _start
    _start = barrier


def write_own_and_shared_streams(path: str, writer: int) -> list[Appended]:
    _start.wait()
    done: list[Appended] = []
    with closing(SqliteEventLog(Path(path), facts_of)) as log:
        for round_ in range(ROUNDS):
            own = append(round_ * 10 + 1, round_ * 10 + 10, f"own {writer}")
            done += log.append([own, append(1, round_ * 4 + 4, "shared")])
    return done


def write_own_version(path: str, writer: int) -> int:
    _start.wait()
    won = 0
    with closing(SqliteEventLog(Path(path), facts_of)) as log:
        for number in range(ROUNDS):
            with suppress(AppendConflict):
                log.append([append(1, 5, f"game {number}", said=f"writer {writer}")])
                won += 1
    return won


def make_log(path: str, writer: int) -> bytes:
    _start.wait()
    with closing(open_directory(Path(path), create=True, facts_of=facts_of)) as directory:
        directory.events.append([append(1, 1, f"own {writer}")])
        return directory.secrets[1]


def test_four_processes_append_to_their_own_and_to_one_shared_stream(tmp_path: Path) -> None:
    with closing(new_sqlite_log(tmp_path)) as log:
        done = [
            item for part in in_writers(write_own_and_shared_streams, log.path) for item in part
        ]

        own = ROUNDS * 10
        assert {(name, last) for name, _, last in log.streams()} == {
            ("shared", ROUNDS * 4),
            *((f"own {writer}", own) for writer in range(WRITERS)),
        }
        assert sum(item.added for item in done) == log.head() == WRITERS * own + ROUNDS * 4
        positions = [item.position for item in log.read_all()]
        assert positions == list(range(1, log.head() + 1))
        assert [item.state for item in log.read("shared")] == [
            event(number, "shared").state for number in range(1, ROUNDS * 4 + 1)
        ]
        entries = log.journal()
        assert [item.journal_index for item in entries] == list(range(len(entries)))
        assert sum(item.last - item.first + 1 for item in entries) == log.head()


def test_of_four_versions_of_one_game_exactly_one_is_kept_whole(tmp_path: Path) -> None:
    with closing(new_sqlite_log(tmp_path)) as log:
        assert sum(in_writers(write_own_version, log.path)) == ROUNDS

        for number in range(ROUNDS):
            states = [item.state for item in log.read(f"game {number}")]
            assert len(states) == 5
            assert len({state.split(b"writer ")[1] for state in states}) == 1


def test_processes_that_make_the_same_log_at_once_share_its_secret(tmp_path: Path) -> None:
    secrets = in_writers(make_log, tmp_path / "log")

    assert len(set(secrets)) == 1
    with closing(open_directory(tmp_path / "log", create=False, facts_of=facts_of)) as directory:
        assert directory.secrets[1] == secrets[0]
        assert directory.events.head() == WRITERS


def test_threads_of_one_process_append_without_conflict(tmp_path: Path) -> None:
    with closing(new_sqlite_log(tmp_path)) as log, ThreadPoolExecutor(WRITERS) as pool:

        def write(writer: int) -> None:
            for number in range(1, ROUNDS + 1):
                log.append([append(number, number, f"own {writer}")])
                assert log.stream_head(f"own {writer}") == number

        list(pool.map(write, range(WRITERS)))
        assert log.head() == WRITERS * ROUNDS


def test_a_writer_that_does_not_finish_is_reported_and_not_waited_for_forever(
    tmp_path: Path,
) -> None:
    with closing(new_sqlite_log(tmp_path)) as log:
        log.append([append(1, 2)])
        with closing(SqliteEventLog(log.path, facts_of, lock_timeout=0.01)) as other:
            with log.recorder.datastore.transaction(commit=True):
                with pytest.raises(LogUnavailable, match="another process is writing") as caught:
                    other.append([append(3, 3)])
                assert caught.value.advice is not None
                assert other.head() == 2
            other.append([append(3, 3)])
            assert log.head() == 3


def test_a_thread_that_does_not_finish_is_reported_too(tmp_path: Path) -> None:
    with closing(new_sqlite_log(tmp_path, lock_timeout=0.01)) as log, ThreadPoolExecutor(1) as pool:
        with (
            log.recorder.datastore.transaction(commit=True),
            pytest.raises(LogUnavailable, match="is writing"),
        ):
            pool.submit(log.append, [append(1, 1)]).result()
        log.append([append(1, 1)])
