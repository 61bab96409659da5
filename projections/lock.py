"""One writer of the views at a time, on one machine, across threads and processes."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from domain.errors import LogUnavailable

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

__all__ = ["WRITER_TIMEOUT", "writer_lock"]

WRITER_TIMEOUT: Final = 600.0
"""Seconds to wait for another writer: it may be making all tables anew."""
_PAUSE: Final = 0.05


def _try_lock(descriptor: int) -> bool:
    try:
        if sys.platform == "win32":
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


@contextmanager
def writer_lock(path: Path, timeout: float = WRITER_TIMEOUT) -> Iterator[None]:
    """Hold the lock file for the block; the system frees it when the process ends, however it ends.

    Raises LogUnavailable when another writer still holds it after `timeout` seconds.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        deadline = time.monotonic() + timeout
        while not _try_lock(descriptor):
            if time.monotonic() >= deadline:
                raise LogUnavailable(
                    str(path.parent),
                    "another process is writing the tables and has not finished",
                    advice="Wait for it to end, then run the command again.",
                )
            time.sleep(_PAUSE)
        yield
    finally:
        os.close(descriptor)
