"""Reading one strand of files: from paths to appends, game by game, and a report of the files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Final, NamedTuple

from domain.ports import Append, Origin
from whodecided.importers.arena.appending import Digests, origin_of
from whodecided.importers.arena.files import size_of
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
from whodecided.importers.arena.report import BadLine, FileReport, StreamReport
from whodecided.importers.arena.sessions import SealerOf, Sessions
from whodecided.importers.arena.streams import FileCounts, Stream

__all__ = ["Batch", "StrandReport", "read_strand"]

_BAD_LISTED: Final = 1000
_BATCH_EVERY: Final = 1024


class Batch(NamedTuple):
    """What reading hands over from time to time.

    `appends` belong into one transaction each; `names` are pairs (pseudonym, name) to be kept;
    `read` counts the bytes of the strand so far.
    """

    appends: list[list[Append]]
    names: list[tuple[str, str]]
    read: int


@dataclass(slots=True)
class StrandReport:
    """What became of a strand: its files and its streams in order, and the states held at its end.

    Every stream of every transaction has an entry in `streams`.
    """

    files: list[FileReport]
    streams: list[StreamReport] = field(default_factory=list)
    held_states: int = 0


def read_strand(
    paths: Sequence[Path], sealer_of: SealerOf, keep_names: bool
) -> Iterator[Batch | StrandReport]:
    """Read the files, which are one log in that order; the last item is the report.

    Nothing is raised for bad input. Raises what `sealer_of` raises.
    """
    with closing(Digests(paths)) as digests:
        strand = _Strand(paths, sealer_of, keep_names, digests)
        yield from strand.batches()
        yield strand.report()
        strand.forget()


class _Strand:
    def __init__(
        self, paths: Sequence[Path], sealer_of: SealerOf, keep_names: bool, digests: Digests
    ) -> None:
        self._digests = digests
        self._reading = Reading(paths)
        self._files = [FileReport(path.name, None, size_of(path)) for path in paths]
        self._before = list(accumulate((file.size for file in self._files), initial=0))
        self._counts = {index: FileCounts() for index in range(len(paths))}
        self._unmapped: dict[int, Counter[str]] = {i: Counter() for i in self._counts}
        self._appends: list[list[Append]] = []
        self._names: list[tuple[str, str]] = []
        self._sessions = Sessions(
            sealer_of,
            self._counts,
            self._unmapped,
            self._refuse,
            self._append,
            self._names.extend if keep_names else None,
        )

    def batches(self) -> Iterator[Batch]:
        """Read everything once."""
        for taken, item in enumerate(self._reading):
            self._take(item)
            if self._appends or taken % _BATCH_EVERY == 0:
                place = _place(item)
                yield self._batch(self._before[place.file] + place.offset)
        self._sessions.finish()
        yield self._batch(self._before[-1])

    def report(self) -> StrandReport:
        """What became of the files, once all has been read."""
        for index, report in enumerate(self._files):
            file, counts = self._reading.files[index], self._counts[index]
            report.digest, report.size = self._digests.of(index), file.size
            report.figures = self._reading.figures(index)
            report.events, report.decisions = counts.events, counts.decisions
            report.stamps = dict(sorted(counts.stamps.items()))
            report.unmapped = dict(sorted(self._unmapped[index].items()))
            report.streams = sorted(self._sessions.by_file[index])
            report.detailed_logs, report.problem = file.detailed_logs, file.problem
        held = sum(len(item.state_ids) for item in self._reading.pending)
        return StrandReport(self._files, self._sessions.reports, held)

    def forget(self) -> None:
        """Let go of the sessions, which refer back; nobody looks for cycles during an import."""
        del self._sessions

    def _take(self, item: Item) -> None:
        if isinstance(item, StateItem | RoomItem | ClientItem | MessageItem):
            self._sessions.take(item)
        elif isinstance(item, BadRecord):
            self._refuse(item.place, item.reason, item.kind.value)
        elif isinstance(item, Unfinished):
            self._files[item.place.file].unfinished_bytes = item.size
        elif isinstance(item, SessionStarted):
            self._sessions.finish()

    def _refuse(self, place: Place, reason: str, kind: str = "content") -> None:
        report = self._files[place.file]
        if len(report.bad) < _BAD_LISTED:
            report.bad.append(BadLine(place.line, kind, reason))
        else:
            report.bad_left_out += 1

    def _append(self, streams: Sequence[Stream]) -> None:
        self._appends.append(
            [part for stream in streams for part in stream.flush(self._digests, self._origin)]
        )

    def _batch(self, read: int) -> Batch:
        batch = Batch(self._appends.copy(), self._names.copy(), read)
        self._appends.clear()
        self._names.clear()
        return batch

    def _origin(self, file: int) -> Origin:
        return origin_of(self._files[file].name, self._digests.of(file))


def _place(item: Item) -> Place:
    if isinstance(item, GapItem):
        return item.marker.place
    if isinstance(item, BadRecord | Unfinished | SessionStarted):
        return item.place
    return item.origin.place
