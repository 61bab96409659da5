"""Work for other processes: to give, to fail, to wait, and to die at a given moment."""

from __future__ import annotations

import os
import signal
import threading
from multiprocessing.connection import Connection
from typing import Any, NoReturn

__all__ = ["begin", "begun_with", "die", "fail", "fail_oddly", "give_oddly", "tear", "wait"]

_begun: list[Any] = []


class _Unpicklable(Exception):
    """An error that cannot be sent."""

    def __reduce__(self) -> NoReturn:
        raise TypeError("cannot be sent")


def begin(what: Any) -> None:
    """Keep something for later work."""
    _begun.append(what)


def begun_with() -> list[Any]:
    """What this process has kept."""
    return _begun


def die(*_: Any) -> NoReturn:
    """End without another word, as when killed by the system."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise RuntimeError("survived")


def tear(at_least: int) -> bytes:
    """A large result; half of its first piece of so many bytes is sent, then the process dies."""
    send = Connection._send  # type: ignore[attr-defined]

    def half(pipe: Connection, piece: Any) -> None:
        if len(piece) < at_least:
            send(pipe, piece)
            return
        os.write(pipe.fileno(), bytes(piece)[: len(piece) // 2])
        die()

    Connection._send = half  # type: ignore[attr-defined]
    return bytes(1_000_000)


def wait() -> NoReturn:
    """Never end by oneself."""
    threading.Event().wait()
    raise RuntimeError("woken")


def fail(error: Exception) -> NoReturn:
    """Raise it."""
    raise error


def fail_oddly() -> NoReturn:
    """Raise an error that cannot be sent."""
    raise _Unpicklable("reason")


def give_oddly() -> Exception:
    """A result that cannot be sent."""
    return _Unpicklable("reason")
