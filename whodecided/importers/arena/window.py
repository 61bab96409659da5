"""The stretch of text being looked at, and the places in files that its bytes come from."""

from __future__ import annotations

from dataclasses import dataclass

from whodecided.importers.arena.records import Place
from whodecided.importers.arena.text import Block

__all__ = ["Window"]


@dataclass(slots=True)
class _Segment:
    """Text of one file from index `start` on.

    `offset` and `line` are those of index `known`, the last one that was asked for.
    """

    start: int
    file: int
    offset: int
    line: int
    wide: bool
    known: int

    def move(self, text: bytes, index: int) -> None:
        """Make `index` the known one, counting only what lies between."""
        if index == self.known:
            return
        first, last = sorted((self.known, index))
        sign = 1 if index > self.known else -1
        self.line += sign * text.count(b"\n", first, last)
        self.offset += sign * (_width(text[first:last]) if self.wide else last - first)
        self.known = index


class Window:
    """Text that may span files; indexes are positions in `text`.

    Bytes can only be added at the end and dropped at the beginning. Asking for places from left to
    right is cheap: line ends are counted once.
    """

    def __init__(self) -> None:
        self._joined = b""
        self._added: list[bytes] = []
        self._size = 0
        self._segments: list[_Segment] = []

    @property
    def text(self) -> bytes:
        """All bytes held."""
        if self._added:
            self._joined = b"".join([self._joined, *self._added])
            self._added.clear()
        return self._joined

    @property
    def size(self) -> int:
        """Number of bytes held, without joining them."""
        return self._size

    def append(self, block: Block, line: int | None = None) -> None:
        """Add a block; `line` is given when bytes of the file before it were left out."""
        if line is not None or not self._segments or self._segments[-1].file != block.file:
            first = 1 if line is None else line
            start = self._size
            self._segments.append(
                _Segment(start, block.file, block.offset, first, block.wide, known=start)
            )
        self._added.append(block.data)
        self._size += len(block.data)

    def place(self, index: int) -> Place:
        """Where the byte at `index` stands in its file."""
        segment = next(s for s in reversed(self._segments) if s.start <= index)
        # What was added since is not joined for a place that lies before it.
        text = self._joined if max(index, segment.known) <= len(self._joined) else self.text
        segment.move(text, index)
        return Place(segment.file, segment.offset, segment.line)

    def seam(self, after: int, upto: int) -> int | None:
        """Index of the first beginning of a file in `after` < index <= `upto`."""
        starts = (s.start for s in self._segments[1:] if after < s.start <= upto)
        return next(starts, None)

    def drop(self, count: int) -> None:
        """Forget the first `count` bytes."""
        if not count:
            return
        while len(self._segments) > 1 and self._segments[1].start <= count:
            del self._segments[0]
        self._segments[0].move(self.text, max(count, self._segments[0].start))
        for segment in self._segments:
            segment.known -= count
            segment.start = max(0, segment.start - count)
        self._joined = self.text[count:]
        self._size = len(self._joined)

    def clear(self) -> None:
        """Forget everything."""
        self._joined, self._size = b"", 0
        self._added.clear()
        self._segments.clear()


def _width(text: bytes) -> int:
    return len(text.decode("utf-8", "replace").encode("utf-16-le"))
