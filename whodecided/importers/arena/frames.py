"""From text to records: finds the entries and marker lines that matter, wherever files are cut."""

from __future__ import annotations

import re

from whodecided.importers.arena.entries import read_entry
from whodecided.importers.arena.records import (
    BadKind,
    BadRecord,
    Place,
    Record,
    SessionStarted,
    Summarised,
    Unfinished,
)
from whodecided.importers.arena.shapes import (
    CLOSE_OR_OTHER,
    COUNTER,
    DETAILED,
    FRESH,
    HEADER_TIME,
    KEY,
    LINE,
    LINE_END,
    LISTED,
    LISTED_TYPE,
    NEXT_LINE,
    PEER,
    balanced_end,
)
from whodecided.importers.arena.text import Block
from whodecided.importers.arena.window import Window

__all__ = ["ENTRY_LIMIT", "Framer"]

ENTRY_LIMIT = 64 << 20
"""Longest entry or line in bytes of UTF-8; longer ones are skipped without being held in memory."""

_HEAD = 2048  # the key that tells what an envelope is stands near its beginning
_LONGEST_HEADER = 4096
_LONGEST_LISTING = 1 << 16
_LONGEST_FLAT = 1 << 20  # an object with braces in the first column is looked at again and again
_BORDER = 32  # no awaited pattern is longer
_MORE = -1


class _Skip:
    """A line or entry too long to hold: everything up to what `until` finds is passed over."""

    def __init__(self, place: Place, size: int, until: re.Pattern[bytes], relevant: bool) -> None:
        self.place = place
        self.line = place.line
        self.size = size
        self.until = until
        self.relevant = relevant


class Framer:
    """Turns blocks of text into records, in order, holding at most one entry of `limit` bytes.

    Feed it all blocks of all files in order, then `finish`. Consecutive files are one text: an
    entry cut in two by the end of a file is joined, if the join makes an entry; if not, the torn
    part is reported and the next file is read from its own beginning.
    """

    def __init__(self, limit: int = ENTRY_LIMIT) -> None:
        self._limit = limit
        self._window = Window()
        self._at = 0  # nothing before it matters any more
        self._open = _MORE  # the brace or bracket of what began at `_at` and is not complete
        self._awaited: re.Pattern[bytes] | None = None  # looking again before it comes is useless
        self._border = b""
        self._skip: _Skip | None = None
        self._file = -1
        self._found: list[Record] = []

    def feed(self, block: Block) -> list[Record]:
        """The records that are complete with this block."""
        if block.file != self._file:
            self._file = block.file
            self._cross(block)
        self._window.append(block, None if self._skip is None else self._skip.line)
        if self._skip is None:
            self._look(block.data)
        else:
            self._skip_through(block.data)
        self._border = block.data[-_BORDER:]
        return self._take_found()

    def finish(self) -> list[Record]:
        """What the end of the input decides; an entry that is still open is `Unfinished`."""
        if self._skip is not None:
            self._report_skipped()
        elif self._open != _MORE and not self._close_at_end():
            self._leave_open()
        return self._take_found()

    def _take_found(self) -> list[Record]:
        found, self._found = self._found, []
        return found

    # Looking through the window.

    def _look(self, added: bytes) -> None:
        if self._awaited is not None and not self._awaited.search(self._border + added):
            if self._window.size - self._open > self._limit:
                self._pass_over(self._open, self._awaited, relevant=True)
            return
        self._awaited, self._open = None, _MORE
        text = self._window.text
        at = self._at
        while match := LINE.match(text, at) or NEXT_LINE.search(text, at):
            line = match.start() + (text[match.start()] == 0x0A)
            if match.group(1):
                at = self._object(line, match.start(1))
            elif match.group(2):
                at = self._marker(line, match.start(2))
            else:
                at = self._session(line, match.start(3))
            if at == _MORE:
                return
        self._hold_last_line(at)

    def _hold_last_line(self, at: int) -> None:
        text = self._window.text
        line = text.rfind(b"\n", at) + 1 or at
        if len(text) - line > _LONGEST_HEADER:
            self._pass_over(line, LINE_END, relevant=False)
        else:
            self._hold(line)

    def _hold(self, line: int) -> None:
        """Keep the text from `line` on, and the line before it: it may be the header."""
        before = self._line_before(line)
        kept = before if line - before < _LONGEST_HEADER else line
        self._window.drop(kept)
        self._at = line - kept

    def _wait(self, line: int, begin: int, awaited: re.Pattern[bytes] | None) -> int:
        self._hold(line)
        self._open = self._at + begin - line
        self._awaited = awaited
        return _MORE

    def _header(self, line: int) -> bytes:
        """The line before `line`, as far as it is held; empty when it is no header."""
        begin = self._line_before(line)
        return self._window.text[begin:line] if line - begin < _LONGEST_HEADER else b""

    def _line_before(self, line: int) -> int:
        first = max(0, line - _LONGEST_HEADER)
        return self._window.text.rfind(b"\n", first, max(0, line - 1)) + 1

    # Entries. Each returns where to go on, or _MORE.

    def _is_wanted(self, brace: int, header: bytes) -> bool:
        found = KEY.search(self._window.text, brace, brace + _HEAD)
        return found is not None or PEER.search(header) is not None

    def _object(self, line: int, brace: int) -> int:
        text = self._window.text
        end = text.find(b"\n", brace)
        header = self._header(line)
        wanted = self._is_wanted(brace, header)
        if 0 <= end < brace + 8 and not text[brace + 1 : end].strip():
            return self._pretty(line, brace, wanted, header)
        if end < 0:
            if wanted or len(text) - brace < _HEAD:
                return self._wait(line, brace, LINE_END if wanted else None)
            return self._pass_over(brace, LINE_END, relevant=False)
        if not wanted:
            return self._window.seam(brace, end) or end
        stop = end
        while text[stop - 1] in b"\r\t ":
            stop -= 1
        found = self._read(brace, text[brace:stop], header)
        return self._accept(found, brace, end)

    def _pretty(self, line: int, brace: int, wanted: bool, header: bytes) -> int:
        text = self._window.text
        end = brace
        while match := CLOSE_OR_OTHER.search(text, end):
            if not wanted:
                return self._window.seam(brace, match.start()) or match.start()
            if not match.group(1):
                return self._torn(brace, match.start())
            end = match.end()
            raw = text[brace:end] if line == brace else COUNTER.sub(b"", text[brace:end])
            found = self._read(brace, raw, header)
            if not _torn(found) or end - brace > _LONGEST_FLAT:
                return self._accept(found, brace, end)
        if wanted or len(text) - brace < _HEAD:
            return self._wait(line, brace, CLOSE_OR_OTHER if wanted else None)
        return text.index(b"\n", brace)

    def _read(self, brace: int, raw: bytes, header: bytes) -> list[Record]:
        place = self._window.place(brace)
        if len(raw) > self._limit:
            return [_too_large(place, len(raw), self._limit)]
        return read_entry(raw, place, _time(header))

    def _accept(self, found: list[Record], brace: int, end: int) -> int:
        if _torn(found) and self._window.seam(brace, end):
            return self._torn(brace, end)
        self._found += found
        return end

    def _torn(self, brace: int, end: int) -> int:
        """Report what is cut off; go on where the next file begins if one begins inside it."""
        end = self._window.seam(brace, end) or end
        place = self._window.place(brace)
        self._found.append(BadRecord(place, BadKind.TORN, "stops part-way", end - brace))
        return end

    # Marker lines.

    def _marker(self, line: int, bracket: int, at_end: bool = False) -> int:
        text = self._window.text
        listed: list[str] = []
        end = text.find(b"\n", bracket)
        while end >= 0 and end - line < _LONGEST_LISTING:
            begin = end + 1
            if begin < len(text) and text[begin] not in b":<":
                break
            after = text.find(b"\n", begin)
            if after >= 0 and not LISTED.match(text, begin, after):
                break
            if after >= 0 and (named := LISTED_TYPE.match(text[begin:after])):
                listed.append(named.group(1).decode())
            end = after
        if end < 0 and not at_end:
            return self._wait(line, bracket, None)
        header = _time(self._header(line))
        self._found.append(Summarised(self._window.place(bracket), tuple(listed), header))
        return end

    def _session(self, line: int, word: int) -> int:
        text = self._window.text
        said = DETAILED.match(text, word)
        if said:
            detailed = said.group(1) == b"ENABLED"
            self._found.append(SessionStarted(self._window.place(word), detailed))
            return said.end()
        end = text.find(b"\n", word)
        return end if end >= 0 else self._wait(line, word, LINE_END)

    # Ends of files and of the input.

    def _cross(self, block: Block) -> None:
        """Another file begins: decide whether what is left of the one before goes on in it."""
        text = self._window.text
        if self._skip is not None:
            self._report_skipped()
        elif self._opened_object():
            if not self._close_at_end() and block.fresh:
                self._torn(self._open, len(text))
                self._start_over()
        elif block.fresh or self._is_left_behind(text[self._at :], block.data):
            if self._open != _MORE and text.startswith(b"[Message", self._open):
                self._marker(self._at, self._open, at_end=True)
            self._start_over()

    @staticmethod
    def _is_left_behind(tail: bytes, data: bytes) -> bool:
        """True for the torn beginning of a line when the next file begins a line of its own."""
        return bool(tail) and not COUNTER.fullmatch(tail) and FRESH.match(data) is not None

    def _opened_object(self) -> bool:
        return self._open != _MORE and self._window.text.startswith(b"{", self._open)

    def _close_at_end(self) -> bool:
        """Take an open object that lacks only the line end; False if it is not complete."""
        if not self._opened_object():
            return False
        raw = self._window.text[self._open :].rstrip()
        if balanced_end(raw) != len(raw):
            return False
        header = self._header(self._at)
        if self._is_wanted(self._open, header):
            self._found += self._read(self._open, raw, header)
        self._at = self._window.size
        self._awaited, self._open = None, _MORE
        return True

    def _leave_open(self) -> None:
        text, begin = self._window.text, self._open
        seam = self._window.seam(begin, len(text))
        if self._opened_object() and seam is not None and FRESH.match(text, seam):
            self._at = self._torn(begin, seam)
            self._awaited = None
            self._look(b"")
            self._found += self.finish()
        elif self._opened_object() or text.startswith(b"[Message", begin):
            self._found.append(Unfinished(self._window.place(begin), len(text) - begin))

    # Entries and lines that are too long.

    def _pass_over(self, begin: int, until: re.Pattern[bytes], relevant: bool) -> int:
        window = self._window
        skip = _Skip(window.place(begin), window.size - begin, until, relevant)
        if until is not LINE_END:
            skip.line = window.place(window.size).line
        self._start_over()
        self._skip = skip
        return _MORE

    def _skip_through(self, data: bytes) -> None:
        skip = self._skip
        assert skip is not None
        if skip.until is LINE_END:  # one byte, which no border cuts, and no line until it comes
            end = data.find(b"\n")
        else:
            match = skip.until.search(self._border + data)
            end = -1 if match is None else max(0, match.start() - len(self._border))
        skip.size += len(data) if end < 0 else end
        if end < 0:
            if skip.until is not LINE_END:
                skip.line = self._window.place(len(data)).line
            self._start_over()
            return
        self._report_skipped()
        self._window.drop(end)
        self._look(data)

    def _report_skipped(self) -> None:
        skip, self._skip = self._skip, None
        if skip is not None and skip.size > self._limit:
            bad = _too_large(skip.place, skip.size, self._limit)
            self._found.append(bad._replace(relevant=skip.relevant))

    def _start_over(self) -> None:
        self._window.clear()
        self._at = 0
        self._awaited, self._open = None, _MORE


def _torn(found: list[Record]) -> bool:
    first = found[0] if found else None
    return isinstance(first, BadRecord) and first.kind in (BadKind.TORN, BadKind.MALFORMED)


def _too_large(place: Place, size: int, limit: int) -> BadRecord:
    return BadRecord(place, BadKind.TOO_LARGE, f"longer than {limit} bytes", size)


def _time(header: bytes) -> str | None:
    """Local date and time in a header line, as written."""
    match = HEADER_TIME.match(header)
    return match.group(1).decode("ascii", "replace") if match else None
