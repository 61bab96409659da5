"""Cut the journal into parts, and scan them here or in processes of their own."""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Final

from domain.errors import IntegrityFailure
from domain.ports import EventLog, JournalEntry
from projections.processes import WorkerPool
from whodecided.evidence.report import Failure
from whodecided.evidence.scan import Part, Scan, scan
from whodecided.store.sql_log import SqlEventLog

__all__ = ["Parts", "scan_parts"]

_EVENTS_PER_PART: Final = 5000
_ENTRIES_PER_PART: Final = 1000


class Parts:
    """Iterates over the journal in parts, up to its end or the first entry that cannot be used.

    `failure` is then what is wrong with that entry.
    """

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self.failure: Failure | None = None

    def __iter__(self) -> Iterator[Part]:
        part: list[JournalEntry] = []
        events = 0
        for entry in self._entries():
            part.append(entry)
            events += entry.last - entry.first + 1
            if events >= _EVENTS_PER_PART or len(part) == _ENTRIES_PER_PART:
                yield Part(tuple(part))
                part, events = [], 0
        if part:
            yield Part(tuple(part))

    def _entries(self) -> Iterator[JournalEntry]:
        index, limit = -1, _ENTRIES_PER_PART
        while True:
            try:
                page = self._log.journal(after=index, limit=limit)
            except IntegrityFailure as error:
                if limit == 1:
                    self.failure = Failure("entry-unreadable", error.what, error.reason)
                    return
                limit = 1  # everything before the spoiled entry can still be checked
                continue
            for entry in page:
                index += 1
                self.failure = _fault(entry, index)
                if self.failure is not None:
                    return
                yield entry
            if not page:
                return


def _fault(entry: JournalEntry, index: int) -> Failure | None:
    name = f"journal entry {index}"
    if entry.journal_index != index:
        return Failure("entry-missing", name, "is not there")
    if not 1 <= entry.first <= entry.last:
        return Failure("entry-misplaced", name, f"adds events {entry.first} to {entry.last}")
    return None


def scan_parts(
    log: EventLog, parts: Parts, *, thorough: bool, jobs: int
) -> Iterator[tuple[Part, Scan]]:
    """Scan every part, in order; with several jobs in processes where they can open the log."""
    if jobs > 1 and isinstance(log, SqlEventLog):
        yield from _in_processes(log.opener(), parts, thorough, jobs)
        return
    position = 0
    for part in parts:
        with _without_collection():
            result = scan(log, part, position, thorough=thorough)
        position = result.position
        yield part, result


@contextmanager
def _without_collection() -> Iterator[None]:
    """Rows and hashes make no cycles, and looking for them costs a tenth."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _in_processes(
    opener: Callable[[], SqlEventLog], parts: Parts, thorough: bool, jobs: int
) -> Iterator[tuple[Part, Scan]]:
    pending: deque[tuple[Part, Future[Scan]]] = deque()
    position = 0
    with WorkerPool(jobs, _Worker.open, opener) as pool:
        for part in parts:
            pending.append((part, pool.submit(_Worker.scan, part, position, thorough)))
            position += part.events  # positions have no holes
            if len(pending) > 2 * jobs:
                done, future = pending.popleft()
                yield done, future.result()
        for done, future in pending:
            yield done, future.result()


class _Worker:
    """What a process of the pool keeps between parts."""

    log: SqlEventLog

    @classmethod
    def open(cls, opener: Callable[[], SqlEventLog]) -> None:
        cls.log = opener()

    @classmethod
    def scan(cls, part: Part, position: int, thorough: bool) -> Scan:
        with _without_collection():
            return scan(cls.log, part, position, thorough=thorough)
