"""Processes that share the work of this one.

The standard pool is not enough. Its processes answer through one pipe, which all of them hold open:
when one is killed half-way through an answer, the rest of it never comes, nor does the pipe's end,
and the pool waits for ever. Here every process has a pipe of its own, which ends with it.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection
from queue import SimpleQueue
from traceback import format_exception
from types import FrameType, TracebackType
from typing import Any, Final, Self, TypeVar, TypeVarTuple

__all__ = ["WorkerPool"]

_Given = TypeVarTuple("_Given")
_Result = TypeVar("_Result")

# Not forked: this process may have threads of DuckDB or Arrow.
_CONTEXT: Final = get_context("spawn")


class WorkerPool:
    """Processes that leave ctrl-C to this one, and end when it ends, however it ends.

    `initializer` is called with `arguments` in each of them; what it raises is raised by the work.
    When one of them dies the others are killed, and their work raises BrokenProcessPool. Leaving
    the `with` block waits for what has begun and drops the rest; an error that leaves it kills all.
    """

    def __init__(
        self, jobs: int, initializer: Callable[[*_Given], None], *arguments: *_Given
    ) -> None:
        self._jobs = jobs
        self._beginning = partial(initializer, *arguments)
        self._threads = ThreadPoolExecutor(jobs)  # each waits for one process at a time
        self._workers: list[_Worker] = []
        self._idle: SimpleQueue[_Worker] = SimpleQueue()

    def submit(
        self, function: Callable[[*_Given], _Result], *arguments: *_Given
    ) -> Future[_Result]:
        """Run a function in one of the processes, which starts when there are too few.

        Raises BrokenProcessPool when it cannot be started.
        """
        with _interrupts_held():
            if len(self._workers) < self._jobs:
                self._workers.append(_started(self._beginning))
                self._idle.put(self._workers[-1])
            return self._threads.submit(self._run, function, arguments)

    def _run(self, function: Callable[..., _Result], arguments: tuple[Any, ...]) -> _Result:
        worker = self._idle.get()
        try:
            return worker.run(function, arguments)
        except BrokenProcessPool:
            self._kill()
            raise
        finally:
            self._idle.put(worker)  # also a dead one, which says so again

    def _kill(self) -> None:
        for worker in tuple(self._workers):
            worker.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is not None:
            self._kill()
        self._threads.shutdown(cancel_futures=True)
        for worker in self._workers:
            worker.end()


class _Worker:
    """One process, as seen from here; one thread at a time uses it."""

    def __init__(self, beginning: Callable[[], None]) -> None:
        self._pipe, theirs = _CONTEXT.Pipe()
        self._process = _CONTEXT.Process(target=_serve, args=(theirs,), daemon=True)
        with theirs:  # only the process itself holds its end, so that it goes with the process
            self._process.start()
        # Sent later: a start waits until it is read, also by a process that dies before it reads.
        self._beginning: Callable[[], None] | None = beginning

    def run(self, function: Callable[..., _Result], arguments: tuple[Any, ...]) -> _Result:
        """What the function gives or raises there; BrokenProcessPool when the process dies."""
        if self._beginning is not None:
            self._ask(self._beginning, ())
            self._beginning = None
        return self._ask(function, arguments)

    def _ask(self, function: Callable[..., _Result], arguments: tuple[Any, ...]) -> _Result:
        call = pickle.dumps((function, arguments), pickle.HIGHEST_PROTOCOL)
        try:
            self._pipe.send_bytes(call)
            answer = self._pipe.recv_bytes()
        except (EOFError, OSError) as error:
            raise BrokenProcessPool("a process ended without an answer") from error
        result, failure = pickle.loads(answer)
        if failure is not None:
            raise failure
        return result  # type: ignore[no-any-return]  # what its function gives

    def kill(self) -> None:
        """End it now; may be called by any thread, and again."""
        self._process.kill()

    def end(self) -> None:
        """Wait until it has ended; nobody may be using it."""
        with suppress(OSError):  # it is dead
            self._pipe.send_bytes(b"")
        self._process.join()
        self._pipe.close()


def _started(beginning: Callable[[], None]) -> _Worker:
    try:
        return _Worker(beginning)
    except OSError as error:
        raise BrokenProcessPool("a process could not be started") from error


def _serve(pipe: Connection) -> None:
    """Answer calls until an empty one; `pipe` is the other end of the one that the pool holds."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):  # nobody is there to be answered
        while call := pipe.recv_bytes():
            pipe.send_bytes(_answer(call))


def _answer(call: bytes) -> bytes:
    """The result and None, or None and the error, pickled."""
    try:
        function, arguments = pickle.loads(call)
        return pickle.dumps((function(*arguments), None), pickle.HIGHEST_PROTOCOL)
    except Exception as error:  # whatever the work raises is raised where it was asked for
        error.add_note("In another process:\n" + "".join(format_exception(error)))
        try:
            return pickle.dumps((None, error))
        except Exception:  # whatever the error's own code raises
            return pickle.dumps((None, RuntimeError("".join(format_exception(error)))))


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold ctrl-C back until a process has been started, for this one and for the new one.

    The new one inherits what is blocked. Here blocking is not enough: any thread may get the
    signal, and Python then raises KeyboardInterrupt in the main one.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # else it starts with the process and unblocks what is held
    held: list[tuple[int, FrameType | None]] = []
    handler = signal.getsignal(signal.SIGINT)
    ours = callable(handler) and threading.current_thread() is threading.main_thread()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    if ours:
        signal.signal(signal.SIGINT, lambda *caught: held.append(caught))
    try:
        yield
    finally:
        if ours:
            signal.signal(signal.SIGINT, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if held and callable(handler):
            handler(*held[0])
