"""Importing Arena logs: from files to appended streams, with a report."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from domain.ports import Origin
from whodecided.importers.arena.appending import Appender, Digests, origin_of
from whodecided.importers.arena.items import (
    ClientItem,
    GapItem,
    Item,
    MessageItem,
    RoomItem,
    StateItem,
)
from whodecided.importers.arena.reading import Reading
from whodecided.importers.arena.records import BadRecord, Place, SessionStarted, Unfinished
from whodecided.importers.arena.report import BadLine, FileReport, ImportReport
from whodecided.importers.arena.sessions import Sessions
from whodecided.importers.arena.streams import FileCounts, Stream
from whodecided.store.directory import LogDirectory

__all__ = ["Progress", "import_arena"]

_BAD_LISTED: Final = 1000
_PROGRESS_EVERY: Final = 256

Progress = Callable[[int, int], None]
"""(bytes read so far, bytes in all files)."""


def import_arena(
    paths: Sequence[Path],
    log: LogDirectory,
    *,
    keep_names: bool = False,
    progress: Progress | None = None,
    on_file: Callable[[FileReport], None] | None = None,
) -> ImportReport:
    """Import client logs, which are one log in the order given, into an open log directory.

    Every game is appended in one transaction when it is over, with the events of its match; games
    that the input leaves open are appended as far as it goes. Bad records and unreadable files are
    reported and stop nothing, nor do games of which the log holds another version: they stay as
    they are and are listed as conflicts. `on_file` gets each file's report at the end.

    Raises LogUnavailable (a full disk, a lock, no permission); what was appended before stays,
    nothing is half-written, and importing again completes it.
    """
    places = [Path(path) for path in paths]
    with (
        ThreadPoolExecutor(1, thread_name_prefix="digest") as hashing,
        Appender(log.events) as appender,
        _no_cycle_search(),
    ):
        made = _Import(places, log, keep_names, Digests(places, hashing), appender)
        return made.run(progress, on_file)


@contextmanager
def _no_cycle_search() -> Iterator[None]:
    """Importing makes many objects and no cycles: looking for them is a tenth of its time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class _Import:
    def __init__(
        self,
        paths: Sequence[Path],
        log: LogDirectory,
        keep_names: bool,
        digests: Digests,
        appender: Appender,
    ) -> None:
        self._digests = digests
        self._appender = appender
        self._reading = Reading(paths)
        self._report = ImportReport([_described(path) for path in paths])
        self._counts = {index: FileCounts() for index in range(len(paths))}
        self._unmapped: dict[int, Counter[str]] = {i: Counter() for i in self._counts}
        self._sessions = Sessions(
            log.sealer,
            self._counts,
            self._unmapped,
            self._refuse,
            self._append,
            log.people.keep if keep_names else None,
        )

    def run(
        self, progress: Progress | None, on_file: Callable[[FileReport], None] | None
    ) -> ImportReport:
        """Read everything once."""
        total = sum(file.size for file in self._report.files)
        for taken, item in enumerate(self._reading):
            self._take(item)
            if progress is not None and taken % _PROGRESS_EVERY == 0:
                progress(min(self._bytes_before(_place(item)), total), total)
        self._sessions.finish()
        self._complete()
        if progress is not None:
            progress(total, total)
        for report in self._report.files:
            if on_file is not None:
                on_file(report)
        return self._report

    def _take(self, item: Item) -> None:
        if isinstance(item, StateItem | RoomItem | ClientItem | MessageItem):
            self._sessions.take(item)
        elif isinstance(item, BadRecord):
            self._refuse(item.place, item.reason, item.kind.value)
        elif isinstance(item, Unfinished):
            self._report.files[item.place.file].unfinished_bytes = item.size
        elif isinstance(item, SessionStarted):
            self._sessions.finish()

    def _refuse(self, place: Place, reason: str, kind: str = "content") -> None:
        report = self._report.files[place.file]
        if len(report.bad) < _BAD_LISTED:
            report.bad.append(BadLine(place.line, kind, reason))
        else:
            report.bad_left_out += 1

    def _append(self, streams: Sequence[Stream]) -> None:
        self._appender.append(
            [part for stream in streams for part in stream.flush(self._digests, self._origin)]
        )

    def _origin(self, file: int) -> Origin:
        return origin_of(self._report.files[file].name, self._digests.of(file))

    def _bytes_before(self, place: Place) -> int:
        return sum(file.size for file in self._report.files[: place.file]) + place.offset

    def _complete(self) -> None:
        done = self._appender.finish()
        self._report.conflicts = self._appender.conflicts
        self._report.streams = [
            report.stored(item) for report, item in zip(self._sessions.reports, done, strict=True)
        ]
        for index, report in enumerate(self._report.files):
            file, counts = self._reading.files[index], self._counts[index]
            report.digest, report.size = self._digests.of(index), file.size
            report.figures = self._reading.figures(index)
            report.events, report.decisions = counts.events, counts.decisions
            report.stamps = dict(sorted(counts.stamps.items()))
            report.unmapped = dict(sorted(self._unmapped[index].items()))
            report.streams = sorted(self._sessions.by_file[index])
            report.detailed_logs, report.problem = file.detailed_logs, file.problem
        self._report.held_states = sum(len(item.state_ids) for item in self._reading.pending)


def _described(path: Path) -> FileReport:
    try:
        size = path.stat().st_size
    except OSError:
        size = 0
    return FileReport(path.name, None, size)


def _place(item: Item) -> Place:
    if isinstance(item, GapItem):
        return item.marker.place
    if isinstance(item, BadRecord | Unfinished | SessionStarted):
        return item.place
    return item.origin.place
