"""Storing finished streams while reading goes on, and hashing the files they come from."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Final

from domain.canonical import format_time
from domain.errors import AppendConflict
from domain.ports import Append, Appended, EventLog, Origin
from whodecided.importers.arena.report import Conflict

__all__ = ["TOOL", "Appender", "Digests", "origin_of"]

TOOL: Final = "whodecided-arena/1"
_WAITING: Final = 2  # games that are held in memory until the disk has taken those before them
_HASHED: Final = 1 << 22  # a file in small pieces would stop the reading at every one of them


class Digests:
    """SHA-256 of every file as it is when its reading begins, computed beside the reading.

    A file that grows meanwhile is read further than it was hashed: the digest then identifies the
    bytes that were there at the beginning. None for a file that cannot be read. Close it at last.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="digest")
        self._closed = False
        self._futures = [self._pool.submit(self._digest, path) for path in paths]

    def of(self, index: int) -> str | None:
        """Hex digest of one file; waits until it is known."""
        return self._futures[index].result()

    def close(self) -> None:
        """Compute no more."""
        self._closed = True
        self._pool.shutdown(cancel_futures=True)

    def _digest(self, path: Path) -> str | None:
        try:
            if not path.is_file():
                return None
            found = sha256()
            with path.open("rb", buffering=0) as handle:
                while not self._closed and (block := handle.read(_HASHED)):
                    found.update(block)
            return None if self._closed else found.hexdigest()
        except OSError:
            return None


class Appender:
    """Appends one game after the other in a thread of its own; only a few games wait for it.

    A stream of which the log holds other facts is left as it is, and `conflicts` says so. What else
    an append raises is raised by a later call, and nothing is appended after it. Use as a context
    manager: leaving it waits for the appends that are under way.
    """

    def __init__(self, log: EventLog) -> None:
        self.conflicts: list[Conflict] = []
        self._refused: set[str] = set()
        self._log = log
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="append")
        self._running: deque[Future[list[Appended]]] = deque()
        self._broken = False
        self._done: list[Appended] = []

    def __enter__(self) -> Appender:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._pool.shutdown(wait=True)

    def append(self, appends: Sequence[Append]) -> None:
        """Append these in one transaction. Raises what an append before raised."""
        self._wait(_WAITING)
        self._running.append(self._pool.submit(self._store_next, appends))

    def finish(self) -> list[Appended]:
        """Wait for everything; what was done to the streams, in the order of the appends."""
        self._wait(0)
        return self._done

    def _store_next(self, appends: Sequence[Append]) -> list[Appended]:
        if self._broken:
            return []
        try:
            return self._store(appends)
        except BaseException:
            self._broken = True
            raise

    def _store(self, appends: Sequence[Append]) -> list[Appended]:
        """Append the streams that contradict nothing; what became of every stream."""
        streams = {one.stream_id: Appended(one.stream_id, 0, 0, 0) for one in appends}
        while kept := [one for one in appends if one.stream_id not in self._refused]:
            try:
                stored = self._log.append(kept)
            except AppendConflict as error:
                self._refuse(kept, error)
                continue
            for one in stored:
                before = streams[one.stream_id]
                present, added = before.present + one.present, before.added + one.added
                streams[one.stream_id] = one._replace(present=present, added=added)
            break
        return list(streams.values())

    def _refuse(self, appends: Sequence[Append], error: AppendConflict) -> None:
        """Append nothing more to a stream of which the log holds another version."""
        self._refused.add(error.stream_id)
        source = next(
            (
                one.origin.file_name
                for one in appends
                if one.stream_id == error.stream_id and error.number <= one.events[-1].number
            ),
            None,
        )
        self.conflicts.append(
            Conflict(source, error.stream_id, error.number, error.stored, error.offered)
        )

    def _wait(self, left: int) -> None:
        """Wait until no more than so many appends are under way."""
        while len(self._running) > left:
            self._done += self._running.popleft().result()


def origin_of(name: str, digest: str | None, tool: str = TOOL) -> Origin:
    """Where an append made now comes from."""
    since = datetime.now(UTC) - datetime(1970, 1, 1, tzinfo=UTC)
    micros = since.days * 86_400_000_000 + since.seconds * 1_000_000 + since.microseconds
    return Origin(format_time(micros), tool, name, digest)
