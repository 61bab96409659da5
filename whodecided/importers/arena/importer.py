"""Importing Arena logs: from files to appended streams, with a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from hashlib import file_digest
from pathlib import Path
from typing import Final

from domain.canonical import format_time
from domain.ports import Appended, Origin
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

__all__ = ["TOOL", "Progress", "import_arena"]

TOOL: Final = "whodecided-arena/1"
_BAD_LISTED: Final = 1000
_UNUSABLE: Final = (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError)
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
    reported and stop nothing. `on_file` gets each file's report at the end.

    Raises LogUnavailable (a full disk, a lock, no permission) and AppendConflict; what was appended
    before stays, nothing is half-written, and importing again completes it.
    """
    return _Import(paths, log, keep_names, progress, on_file).run()


class _Import:
    def __init__(
        self,
        paths: Sequence[Path],
        log: LogDirectory,
        keep_names: bool,
        progress: Progress | None,
        on_file: Callable[[FileReport], None] | None,
    ) -> None:
        self._log = log
        self._progress = progress
        self._on_file = on_file
        self._reading = Reading([Path(path) for path in paths])
        self._report = ImportReport([_describe(Path(path)) for path in paths])
        self._counts = {index: FileCounts() for index in range(len(paths))}
        self._unmapped: dict[int, Counter[str]] = {i: Counter() for i in self._counts}
        self._digests = {
            index: file.digest for index, file in enumerate(self._report.files) if file.digest
        }
        self._sealer = log.sealer()
        self._sessions = Sessions(
            self._sealer,
            self._counts,
            self._unmapped,
            self._refuse,
            self._append,
            log.people.keep if keep_names else None,
        )

    def run(self) -> ImportReport:
        """Read everything once."""
        total = sum(file.size for file in self._report.files)
        for taken, item in enumerate(self._reading):
            self._take(item)
            if self._progress is not None and taken % _PROGRESS_EVERY == 0:
                self._progress(self._bytes_before(item), total)
        self._sessions.finish()
        self._complete()
        if self._progress is not None:
            self._progress(total, total)
        return self._report

    def _take(self, item: Item) -> None:
        if isinstance(item, BadRecord):
            self._refuse(item.place, item.reason, item.kind.value)
        elif isinstance(item, Unfinished):
            self._report.files[item.place.file].unfinished_bytes = item.size
        elif isinstance(item, SessionStarted):
            self._sessions.finish()
        elif isinstance(item, StateItem | MessageItem | ClientItem | RoomItem | GapItem):
            try:
                self._sessions.take(item)
            except _UNUSABLE as error:
                self._refuse(_place(item), f"{type(error).__name__}: {error}")

    def _refuse(self, place: Place, reason: str, kind: str = "content") -> None:
        report = self._report.files[place.file]
        if len(report.bad) < _BAD_LISTED:
            report.bad.append(BadLine(place.line, kind, reason))
        else:
            report.bad_left_out += 1

    def _append(self, streams: Sequence[Stream], file: int) -> list[Appended]:
        origin = Origin(_now(), TOOL, self._report.files[file].name, self._digests.get(file))
        flushed = [stream.flush(self._sealer, self._digests, origin) for stream in streams]
        appends = [append for append in flushed if append is not None]
        return self._log.events.append(appends) if appends else []

    def _bytes_before(self, item: Item) -> int:
        place = _place(item)
        files = self._report.files
        return sum(file.size for file in files[: place.file]) + place.offset

    def _complete(self) -> None:
        self._report.streams = self._sessions.reports
        for index, report in enumerate(self._report.files):
            file, counts = self._reading.files[index], self._counts[index]
            report.figures = self._reading.figures(index)
            report.events, report.decisions = counts.events, counts.decisions
            report.stamps = dict(sorted(counts.stamps.items()))
            report.unmapped = dict(sorted(self._unmapped[index].items()))
            report.streams = sorted(self._sessions.by_file[index])
            report.detailed_logs, report.problem = file.detailed_logs, file.problem
            if self._on_file is not None:
                self._on_file(report)


def _place(item: Item) -> Place:
    if isinstance(item, GapItem):
        return item.marker.place
    if isinstance(item, BadRecord | Unfinished | SessionStarted):
        return item.place
    return item.origin.place


def _describe(path: Path) -> FileReport:
    """Name, size and SHA-256 of a file as it is when the import begins."""
    try:
        if not path.is_file():
            return FileReport(path.name, None, 0)
        with path.open("rb", buffering=0) as handle:
            digest = file_digest(handle, "sha256").hexdigest()
            return FileReport(path.name, digest, handle.tell())
    except OSError:
        return FileReport(path.name, None, 0)


def _now() -> str:
    since = datetime.now(UTC) - datetime(1970, 1, 1, tzinfo=UTC)
    return format_time(since.days * 86_400_000_000 + since.seconds * 1_000_000 + since.microseconds)
