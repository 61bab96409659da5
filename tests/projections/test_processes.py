"""Work in other processes comes back, or says that its process died; nobody waits for ever."""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import resource_tracker, spawn
from typing import Any, Final

import pytest

from domain.errors import NotFound
from projections.processes import WorkerPool
from tests.support import dying

_HANGS: Final = 120
"""Seconds after which a pool is said to wait for ever; one that works needs none of them."""


@pytest.fixture(autouse=True)
def ends() -> Iterator[None]:
    """Every test comes to its end, also where it does not get to ask, and leaves nobody behind."""
    faulthandler.dump_traceback_later(2 * _HANGS, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()
    assert multiprocessing.active_children() == []


def _pool(jobs: int) -> WorkerPool:
    return WorkerPool(jobs, dying.begin, "begun")


def _require_broken(*futures: Future[Any]) -> None:
    for future in futures:
        with pytest.raises(BrokenProcessPool):
            future.result(_HANGS)


def _kill_all() -> None:
    for process in multiprocessing.active_children():
        process.kill()
        process.join()


def test_every_result_comes_back_from_processes_that_began_once() -> None:
    with _pool(2) as pool:
        futures = [pool.submit(divmod, number, 7) for number in range(50)]
        assert [future.result(_HANGS) for future in futures] == [
            divmod(number, 7) for number in range(50)
        ]
        assert len(multiprocessing.active_children()) == 2
        assert pool.submit(dying.begun_with).result(_HANGS) == ["begun"]


def test_large_work_and_large_results_pass() -> None:
    large = bytes(range(256)) * 40_000
    with _pool(2) as pool:
        futures = [pool.submit(bytes.upper, large) for _ in range(6)]
        assert all(future.result(_HANGS) == large.upper() for future in futures)


def test_no_more_processes_start_than_there_is_work() -> None:
    with _pool(4) as pool:
        assert multiprocessing.active_children() == []
        pool.submit(abs, -1).result(_HANGS)
        assert len(multiprocessing.active_children()) == 1


def test_an_error_comes_back_with_its_facts_and_the_process_goes_on() -> None:
    with _pool(1) as pool:
        with pytest.raises(NotFound, match="no game 'g'") as caught:
            pool.submit(dying.fail, NotFound("game", "g")).result(_HANGS)
        assert (caught.value.kind, caught.value.name) == ("game", "g")
        assert "in fail" in caught.value.__notes__[0]
        assert pool.submit(abs, -1).result(_HANGS) == 1


def test_an_error_or_a_result_that_cannot_be_sent_is_told() -> None:
    with _pool(1) as pool:
        with pytest.raises(RuntimeError, match="Unpicklable: reason"):
            pool.submit(dying.fail_oddly).result(_HANGS)
        with pytest.raises(TypeError, match="cannot be sent"):
            pool.submit(dying.give_oddly).result(_HANGS)
        assert pool.submit(abs, -1).result(_HANGS) == 1


def test_what_the_beginning_raises_is_raised_by_the_work() -> None:
    with WorkerPool(1, dying.fail, NotFound("game", "g")) as pool:
        for _ in range(2):
            with pytest.raises(NotFound):
                pool.submit(abs, -1).result(_HANGS)


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals cannot be blocked")
def test_ctrl_c_is_held_back_from_the_first_process_from_its_start() -> None:
    program = """
import signal
from projections.processes import WorkerPool
with WorkerPool(1, abs, 0) as pool:
    print(signal.SIGINT in pool.submit(signal.pthread_sigmask, signal.SIG_BLOCK, ()).result())
"""
    run = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True
    )
    assert (run.stdout, run.stderr) == ("True\n", "")


@pytest.mark.parametrize("at_least", [1, 1_000], ids=["head", "body"])
def test_an_answer_torn_by_death_ends_the_others_and_is_told(at_least: int) -> None:
    with _pool(3) as pool:
        others = [pool.submit(dying.wait), pool.submit(dying.wait)]
        _require_broken(pool.submit(dying.tear, at_least), *others)


def test_a_process_that_dies_at_work_ends_the_others_and_is_told() -> None:
    with _pool(3) as pool:
        others = [pool.submit(dying.wait), pool.submit(dying.wait)]
        _require_broken(pool.submit(dying.die), *others)


def test_a_process_that_dies_while_it_begins_is_told() -> None:
    with WorkerPool(2, dying.die, bytes(1_000_000)) as pool:
        _require_broken(*(pool.submit(abs, -1) for _ in range(6)))


def test_a_process_that_dies_before_it_reads_anything_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    resource_tracker.ensure_running()  # a process too, which is none of the pool's
    if (program := shutil.which("false")) is None:
        pytest.skip("there is no program that ends at once")
    monkeypatch.setattr(spawn, "_python_exe", os.fsencode(program))
    with WorkerPool(2, dying.begin, bytes(1_000_000)) as pool:
        _require_broken(*(pool.submit(abs, -1) for _ in range(6)))


@pytest.mark.parametrize("jobs", [1, 3])
def test_processes_that_all_die_between_work_are_told_by_the_next(jobs: int) -> None:
    with _pool(jobs) as pool:
        for future in [pool.submit(abs, -1) for _ in range(jobs)]:
            assert future.result(_HANGS) == 1
        _kill_all()
        _require_broken(*(pool.submit(abs, -1) for _ in range(6)))


def test_processes_that_all_die_at_work_are_told() -> None:
    with _pool(2) as pool:
        futures = [pool.submit(dying.wait) for _ in range(6)]
        _kill_all()
        _require_broken(*futures)


def test_processes_that_die_after_their_work_trouble_nobody() -> None:
    with _pool(2) as pool:
        futures = [pool.submit(abs, -1) for _ in range(2)]
        assert [future.result(_HANGS) for future in futures] == [1, 1]
        _kill_all()


@pytest.mark.parametrize("error", [KeyboardInterrupt, GeneratorExit, ValueError])
def test_an_error_kills_what_has_begun_and_drops_the_rest(error: type[BaseException]) -> None:
    futures: list[Future[Any]] = []

    def interrupted(submit: Callable[..., Future[Any]]) -> None:
        futures.extend(submit(dying.wait) for _ in range(20))
        raise error

    with pytest.raises(error), _pool(2) as pool:
        interrupted(pool.submit)
    assert all(future.done() for future in futures)
