"""Work in a process of its own, a copy of this one: whatever a fault spoils is gone with it."""

from __future__ import annotations

import gc
import os
import pickle
import signal
from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["DiedError", "apart"]

T = TypeVar("T")


class DiedError(Exception):
    """The copy ended before it could answer."""


def apart(work: Callable[[], T]) -> T:
    """What the work gives back in a copy of this process.

    Raises what the work raises, where it can be passed on, and DiedError when the copy dies.
    """
    reading, writing = os.pipe()
    gc.freeze()  # else the first collection in the copy writes to, and so copies, every page
    child = os.fork()
    if child == 0:
        os.close(reading)
        _answer(work, writing)
    os.close(writing)
    try:
        with os.fdopen(reading, "rb") as told:
            answer = told.read()
    except BaseException:
        os.kill(child, signal.SIGKILL)
        raise
    finally:
        os.waitpid(child, 0)
    if not answer:
        raise DiedError
    worked, value = pickle.loads(answer)  # our own copy wrote it
    if not worked:
        raise value
    found: T = value
    return found


def _answer(work: Callable[[], Any], writing: int) -> None:
    """Run the work and end this copy without any of the clean-up that is the original's."""
    try:
        answer: tuple[bool, Any] = (True, work())
    except BaseException as error:
        answer = (False, error)
    try:
        with os.fdopen(writing, "wb") as told:
            told.write(pickle.dumps(answer))
    finally:
        os._exit(0)
