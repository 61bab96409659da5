"""Reading strands side by side in processes, handed over in the order of the strands.

What is handed over, and in which order, does not depend on the number of processes.
"""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import ExitStack
from pathlib import Path
from typing import ClassVar, Final

from projections.processes import WorkerPool
from whodecided.importers.arena.strand import Batch, StrandReport, read_strand
from whodecided.store.directory import LogDirectory

__all__ = ["read_beside"]

_AHEAD: Final = 32 << 20
"""Bytes of events that may wait for strands before theirs; a lane that is ahead pauses then."""

_ASKED: Final = 16
"""Parts that a process is asked for in advance, so that it need not wait for this one."""

_STRANDS: Final = 2
"""Strands that a process has at a time, for the same reason."""

_Part = Batch | StrandReport


def read_beside(
    strands: Sequence[Sequence[Path]],
    opener: Callable[[], LogDirectory],
    keep_names: bool,
    jobs: int,
) -> Iterator[_Part]:
    """Read every strand in so many processes; what they hand over, one strand after the other.

    `opener` opens the log in a process, to read. Raises BrokenProcessPool when one of them dies or
    cannot be started. Close the iterator: it ends the processes.
    """
    with ExitStack() as stack:
        pools = [
            stack.enter_context(WorkerPool(1, _Reader.begin, opener, keep_names))
            for _ in range(min(jobs, len(strands)))
        ]
        yield from _Lanes(strands, [_Lane(pool) for pool in pools]).parts()


class _Lanes:
    """Which lane reads which strand, and what has come too early to be handed over."""

    def __init__(self, strands: Sequence[Sequence[Path]], lanes: Sequence[_Lane]) -> None:
        self._strands = strands
        self._lanes = lanes
        self._unread = deque(range(len(strands)))
        self._early: dict[int, deque[_Part]] = {index: deque() for index in self._unread}
        self._size = 0  # of what is early, in bytes of events
        self._current = 0

    def parts(self) -> Iterator[_Part]:
        """What the strands hand over, in their order."""
        while self._current < len(self._strands):
            for lane in self._lanes:
                while len(lane.strands) < _STRANDS and self._unread:
                    strand = self._unread.popleft()
                    lane.add(strand, self._strands[strand])
                if lane.strands and self._may_read(lane.strands[0]):
                    lane.go_on()
            wait([lane.asked[0] for lane in self._lanes if lane.asked], None, FIRST_COMPLETED)
            for lane in self._lanes:
                for strand, part in lane.take():
                    self._early[strand].append(part)
                    self._size += _size(part)
            yield from self._due()

    def _may_read(self, strand: int) -> bool:
        return strand == self._current or self._size < _AHEAD

    def _due(self) -> Iterator[_Part]:
        """What need not wait any more."""
        while parts := self._early.get(self._current):
            part = parts.popleft()
            self._size -= _size(part)
            self._current += isinstance(part, StrandReport)
            yield part


class _Lane:
    """One process: `strands` are those it has not finished, in order, `asked` what it will say."""

    def __init__(self, pool: WorkerPool) -> None:
        self.strands: deque[int] = deque()
        self.asked: deque[Future[_Part | None]] = deque()
        self._pool = pool

    def add(self, strand: int, paths: Sequence[Path]) -> None:
        """Have it read this strand after those before it."""
        self.strands.append(strand)
        self.asked.append(self._pool.submit(_Reader.go_on, paths))

    def go_on(self) -> None:
        """Have it read on."""
        while len(self.asked) < _ASKED:
            self.asked.append(self._pool.submit(_Reader.go_on))

    def take(self) -> Iterator[tuple[int, _Part]]:
        """What has been read, with its strand."""
        while self.asked and self.asked[0].done():
            part = self.asked.popleft().result()
            if part is not None:
                yield self.strands[0], part
            if isinstance(part, StrandReport):
                self.strands.popleft()


class _Reader:
    """What another process keeps between parts."""

    log: LogDirectory
    keep_names: bool
    parts: ClassVar[deque[Iterator[_Part]]] = deque()

    @classmethod
    def begin(cls, opener: Callable[[], LogDirectory], keep_names: bool) -> None:
        gc.disable()  # reading makes no cycles, and this process does nothing else
        cls.log, cls.keep_names = opener(), keep_names

    @classmethod
    def go_on(cls, paths: Sequence[Path] = ()) -> _Part | None:
        """The next part, None if there is none; with a strand that is to be read after others."""
        if paths:
            cls.parts.append(read_strand(paths, cls.log.sealer, cls.keep_names))
        while cls.parts:
            if (part := next(cls.parts[0], None)) is not None:
                return part
            cls.parts.popleft()
        return None


def _size(part: _Part) -> int:
    if isinstance(part, StrandReport):
        return 0
    return sum(
        len(event.state) for appends in part.appends for one in appends for event in one.events
    )
