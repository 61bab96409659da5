"""Importing Arena logs: from files to appended streams, with a report."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from domain.errors import LogUnavailable
from whodecided.importers.arena.appending import Appender
from whodecided.importers.arena.files import size_of
from whodecided.importers.arena.lanes import read_beside
from whodecided.importers.arena.report import FileReport, ImportReport
from whodecided.importers.arena.strand import Batch, StrandReport, read_strand
from whodecided.importers.arena.strands import divide
from whodecided.store.directory import LogDirectory
from whodecided.store.opening import reopener

__all__ = ["Progress", "import_arena", "useful_jobs"]

_MUCH: Final = 48 << 20
_PACKED: Final = 10  # times as much text as gzip stores, or more
_MOST_JOBS: Final = 2  # each takes some 65 MB

Progress = Callable[[int, int], None]
"""(bytes read so far, bytes in all files)."""


def import_arena(
    paths: Sequence[Path],
    log: LogDirectory,
    *,
    keep_names: bool = False,
    progress: Progress | None = None,
    on_file: Callable[[FileReport], None] | None = None,
    jobs: int = 1,
) -> ImportReport:
    """Import client logs, which are one log in the order given, into an open log directory.

    Every game is appended in one transaction when it is over, with the events of its match; games
    that the input leaves open are appended as far as it goes. Bad records and unreadable files are
    reported and stop nothing, nor do games of which the log holds another version: they stay as
    they are and are listed as conflicts. `on_file` gets each file's report at the end. With several
    `jobs`, files that begin with a run of the client are read in so many processes beside this one;
    what is appended, and in which order, stays the same.

    Raises LogUnavailable (a full disk, a lock, no permission, a process that died); what was
    appended before stays, nothing is half-written, and importing again completes it.
    """
    strands = divide([Path(path) for path in paths])
    with (
        _no_cycle_search(),
        _whole_work(log),
        Appender(log.events) as appender,
        closing(_read(strands, log, keep_names, jobs)) as parts,
    ):
        report = _take(parts, log, appender, _Gauge(strands, progress))
    for file in report.files:
        if on_file is not None:
            on_file(file)
    return report


def useful_jobs(paths: Sequence[Path]) -> int:
    """How many processes are worth their start: it takes as long as reading some 30 MB."""
    text = sum(size_of(path) * (_PACKED if path.suffix == ".gz" else 1) for path in paths)
    return min(os.cpu_count() or 1, _MOST_JOBS) if text >= _MUCH else 1


def _read(
    strands: Sequence[Sequence[Path]], log: LogDirectory, keep_names: bool, jobs: int
) -> Generator[Batch | StrandReport]:
    if min(jobs, len(strands)) > 1:
        yield from read_beside(strands, reopener(log), keep_names, jobs)
        return
    for strand in strands:
        yield from read_strand(strand, log.sealer, keep_names)


def _take(
    parts: Iterator[Batch | StrandReport], log: LogDirectory, appender: Appender, gauge: _Gauge
) -> ImportReport:
    """Append all that is read; what came of it."""
    report = ImportReport()
    for part in parts:
        if isinstance(part, Batch):
            if part.names:
                log.people.keep(part.names)
            for appends in part.appends:
                appender.append(appends)
            gauge.show(part.read)
        else:
            report.files += part.files
            report.streams += part.streams
            report.held_states += part.held_states
            gauge.next_strand()
    done = appender.finish()
    report.conflicts = appender.conflicts
    report.streams = [one.stored(item) for one, item in zip(report.streams, done, strict=True)]
    return report


class _Gauge:
    """How far the reading is, for a progress bar."""

    def __init__(self, strands: Sequence[Sequence[Path]], progress: Progress | None) -> None:
        self._sizes = [sum(size_of(path) for path in strand) for strand in strands]
        self._total = sum(self._sizes)
        self._progress = progress
        self._strand = 0
        self._before = 0

    def show(self, read: int) -> None:
        """So many bytes of the strand have been read; those of a compressed file count unpacked."""
        if self._progress is not None:
            size = self._sizes[self._strand]
            self._progress(self._before + min(read, size), self._total)

    def next_strand(self) -> None:
        """A strand is over."""
        self.show(self._sizes[self._strand])
        self._before += self._sizes[self._strand]
        self._strand += 1


@contextmanager
def _whole_work(log: LogDirectory) -> Iterator[None]:
    try:
        yield
    except BrokenProcessPool as error:
        raise LogUnavailable(
            log.place,
            "a process that was to read for it ended unexpectedly or could not be started;"
            " what was appended before stays",
            advice="Check the free memory, or use one process: `whodecided import --jobs 1`,"
            " `import_files(..., jobs=1)`.",
        ) from error


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
