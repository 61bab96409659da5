"""Processes that share the work of this one."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from types import FrameType, TracebackType
from typing import Any, ParamSpec, TypeVar

__all__ = ["WorkerPool"]

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


class WorkerPool(ProcessPoolExecutor):
    """A pool whose processes leave ctrl-C to this one, and end when it ends, however it ends.

    `initializer` is called with `arguments` in each of them. Leaving the `with` block waits for
    what has begun and drops the rest.
    """

    def __init__(self, jobs: int, initializer: Callable[..., None], *arguments: Any) -> None:
        # Not forked: this process may have threads of DuckDB or Arrow.
        super().__init__(jobs, get_context("spawn"), _begin, (initializer, arguments))

    def submit(
        self, fn: Callable[_Given, _Result], /, *args: _Given.args, **kwargs: _Given.kwargs
    ) -> Future[_Result]:
        """Run a function in one of the processes, which starts when there are too few."""
        with _interrupts_held():
            return super().submit(fn, *args, **kwargs)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.shutdown(cancel_futures=True)


def _begin(initializer: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    initializer(*arguments)


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
