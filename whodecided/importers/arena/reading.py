"""Reading logs: from paths to items, with figures per file, in one pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from domain.errors import BadInput
from whodecided.importers.arena.figures import Figure, FileFigures
from whodecided.importers.arena.files import source_files
from whodecided.importers.arena.fold import Fold
from whodecided.importers.arena.frames import ENTRY_LIMIT, Framer
from whodecided.importers.arena.items import Item, Pending, StateItem
from whodecided.importers.arena.records import (
    BadKind,
    BadRecord,
    Place,
    Record,
    SessionStarted,
    SourceFile,
)
from whodecided.importers.arena.text import read_blocks

__all__ = ["Reading", "check_file"]


class Reading:
    """One pass over one or several files, which are one log in that order.

    Iterate over it once; then `files`, `figures` and `pending` are complete:

    * `files`: size, encoding and problem of each file;
    * `figures(index)`: the self-check of one file;
    * `pending`: games with states held back at the end, which are not delivered.

    Nothing is raised for bad input; what cannot be read comes as BadRecord items, a file that
    cannot be read with line 0. Memory is bounded by the largest entry and one game.
    """

    def __init__(self, paths: Sequence[Path], *, limit: int = ENTRY_LIMIT) -> None:
        self.files: list[SourceFile] = source_files(list(paths))
        self._figures = [FileFigures() for _ in self.files]
        self._fold = Fold()
        self._framer = Framer(limit)
        self._useful: set[int] = set()

    def __iter__(self) -> Iterator[Item]:
        for record in self._records():
            self._useful.add(record.place.file)
            self._figures[record.place.file].record(record)
            if isinstance(record, SessionStarted):
                self.files[record.place.file].detailed_logs = record.detailed
            for item in self._fold.take(record):
                if isinstance(item, StateItem) and item.equals_fold:
                    self._figures[item.origin.place.file].state(item)
                yield item
        self._fold.finish()
        for file in self.files:
            if file.binary and file.index not in self._useful:
                file.problem = file.problem or BadInput(file.name, "binary data, no text log")
            if file.problem is not None:
                place = Place(file.index, 0, 0)
                yield BadRecord(place, BadKind.UNREADABLE, file.problem.reason, file.size)

    @property
    def pending(self) -> list[Pending]:
        """States that were held back when the input, or one run of the client, ended."""
        return self._fold.pending

    def figures(self, index: int) -> dict[str, Figure]:
        """The self-check of one file, once all has been read."""
        return self._figures[index].result()

    def _records(self) -> Iterator[Record]:
        for block in read_blocks(self.files):
            yield from _given_up(self._framer.feed(block))
        yield from self._framer.finish()


def _given_up(records: list[Record]) -> Iterator[Record]:
    """The records in order, each forgotten when it is taken: many at once are a lot of memory."""
    records.reverse()
    while records:
        yield records.pop()


def check_file(path: Path) -> dict[str, Figure]:
    """The figures of one file read by itself. Raises BadInput when it cannot be read."""
    reading = Reading([path])
    for _ in reading:
        pass
    problem: BadInput | None = reading.files[0].problem
    if problem is not None:
        raise problem
    return reading.figures(0)
