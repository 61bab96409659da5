"""Start the work, kill it at a random moment, check what is left, and let it go on."""

from __future__ import annotations

import os
import signal
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

from tests.crash.checks import require_copy, require_everything, require_prefix, stream_bytes
from tests.crash.said import Said
from tests.crash.victims import KINDS, Job, new_log
from tests.support.processes import forking
from whodecided.api import open_log

__all__ = ["Outcome", "crash", "usual_seconds"]

_READY = "ready"
_DONE = "done"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one run showed: killed at work, acknowledgements before it, and what went wrong."""

    at_work: bool
    acknowledged: int
    fault: str | None


def usual_seconds(kind: str, place: str, job: Job) -> float:
    """How long the work takes when nobody kills it."""
    if (seconds := KINDS[kind].seconds) is not None:
        return seconds
    _in_process(_prepare, kind, place, job)
    return _watched(kind, place, job, float("inf")).seconds


def crash(kind: str, place: str, job: Job, seconds: float) -> Outcome:
    """Do the work in a process, kill it within so many seconds, and check."""
    try:
        _in_process(_prepare, kind, place, job)
        seen = _watched(kind, place, job, Random(job.seed).uniform(0.0, seconds))
        _in_process(_check, kind, place, job, seen.said)
        _in_process(_finish, kind, place, job, seen.said)
    except _Fault as fault:
        return Outcome(True, 0, str(fault))
    return Outcome(not seen.ended, len(seen.said), None)


class _Fault(Exception):
    """Something that must hold does not."""


@dataclass(slots=True)
class _Seen:
    """What was seen of the work: what it said, whether it came to its end, how long it took."""

    said: list[Said] = field(default_factory=list)
    ended: bool = False
    seconds: float = 0.0


def _watched(kind: str, place: str, job: Job, after: float) -> _Seen:
    """Let the work begin, and kill it so many seconds later."""
    ours, theirs = forking().Pipe(duplex=False)
    process = forking().Process(target=_victim, args=(theirs, kind, place, job))
    process.start()
    theirs.close()
    try:
        seen = _listen(ours, after)
    finally:
        process.kill()
        process.join()
    seen.said += _rest(ours)
    _require_alone(process.pid or 0)
    return seen


def _listen(pipe: Connection, after: float) -> _Seen:
    seen = _Seen()
    began: float | None = None
    while began is None or pipe.poll(_left(began + after)):
        message = pipe.recv()
        if message == _READY:
            began = time.monotonic()
        elif message == _DONE:
            seen.ended = True
            break
        elif isinstance(message, str):
            raise _Fault(message)
        else:
            seen.said.append(message)
        if began is not None and _left(began + after) == 0.0:
            break
    seen.seconds = time.monotonic() - (began or 0.0)
    return seen


def _left(deadline: float) -> float | None:
    """Seconds until then, None for never."""
    return None if deadline == float("inf") else max(0.0, deadline - time.monotonic())


def _rest(pipe: Connection) -> list[Said]:
    """What was said between the last look and the end; half a message was never said."""
    said: list[Said] = []
    try:
        while pipe.poll():
            message = pipe.recv()
            if not isinstance(message, str):
                said.append(message)
    except (EOFError, OSError):
        pass
    pipe.close()
    return said


def _victim(pipe: Connection, kind: str, place: str, job: Job) -> None:
    os.setsid()
    # What its own processes say when they find it gone belongs to nobody.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    try:
        with open_log(place) as log:
            pipe.send(_READY)
            KINDS[kind].work(log, job, pipe.send)
            pipe.send(_DONE)
    except Exception:  # whatever it is, the process that watches tells it
        pipe.send(traceback.format_exc())


def _require_alone(session: int) -> None:
    """Processes that a killed one had started end too; where there is no /proc nobody looks."""
    deadline = time.monotonic() + 20
    while (left := _of_session(session)) and time.monotonic() < deadline:
        time.sleep(0.01)
    if left:
        for one in left:
            os.kill(one, signal.SIGKILL)
        raise _Fault(f"{len(left)} processes of the killed one go on")


def _of_session(session: int) -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(int(folder.name))
    return found


def _in_process(step: Callable[..., None], kind: str, place: str, job: Job, *rest: object) -> None:
    """Take a step in a process of its own, which leaves nothing open in this one."""
    ours, theirs = forking().Pipe(duplex=False)
    process = forking().Process(target=_step, args=(theirs, step, kind, place, job, *rest))
    process.start()
    theirs.close()
    try:
        fault = ours.recv()
    except EOFError:
        fault = f"{step.__name__} ended without a word"
    process.join()
    if fault is not None:
        raise _Fault(fault)


def _step(pipe: Connection, step: Callable[..., None], *arguments: object) -> None:
    try:
        step(*arguments)
    except Exception:  # whatever it is, the process that watches tells it
        pipe.send(traceback.format_exc())
    else:
        pipe.send(None)


def _prepare(kind: str, place: str, job: Job) -> None:
    new_log(place)
    with open_log(place) as log:
        KINDS[kind].prepare(log, job)


def _check(kind: str, place: str, job: Job, said: Sequence[Said]) -> None:
    with open_log(place) as log:
        require_everything(log, said)
        require_copy(log, job.target, said)


def _finish(kind: str, place: str, job: Job, said: Sequence[Said]) -> None:
    """The work goes on where it stopped, and everything still holds."""
    with open_log(place) as log:
        before = stream_bytes(log)
        more = list(said)
        KINDS[kind].finish(log, job, more.append)
        require_prefix(before, stream_bytes(log))
        require_everything(log, more)
        require_copy(log, job.target, more)
