"""What reading a client log yields: entries, marker lines, bad records and places in files."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from domain.errors import BadInput
from whodecided.importers.arena.envelope import Envelope

__all__ = [
    "BadKind",
    "BadRecord",
    "Entry",
    "Place",
    "Record",
    "SessionStarted",
    "SourceFile",
    "Summarised",
    "Unfinished",
]


class Place(NamedTuple):
    """Where a record begins: index of the file among those given, byte offset, line from 1.

    In a compressed file the offset counts the bytes after decompression; the line is 0 where the
    place is the file as a whole.
    """

    file: int
    offset: int
    line: int


@dataclass(slots=True)
class SourceFile:
    """One file that is read; filled in as reading goes on.

    `size` is the number of bytes on disk when it was opened (nothing beyond is read),
    `encoding` the text encoding found; `binary` means that its beginning does not look like text.
    `problem` says why the file, or the rest of it, could not be read. `detailed_logs` is what the
    last `DETAILED LOGS` line of the file said, None without one.
    """

    index: int
    path: Path
    size: int = 0
    encoding: str = "utf-8"
    compressed: bool = False
    binary: bool = False
    problem: BadInput | None = None
    detailed_logs: bool | None = None

    @property
    def name(self) -> str:
        """Base name, the only part of the path that may reach the log."""
        return self.path.name


class BadKind(enum.StrEnum):
    """Why something could not be used."""

    ENCODING = "encoding"
    """Invalid UTF-8 inside an entry; the entry is used with replacement characters."""
    MALFORMED = "malformed"
    """An entry that is complete but is no JSON."""
    MESSAGE = "message"
    """One message or field of a readable entry has the wrong shape; the rest is used."""
    TOO_DEEP = "too_deep"
    TOO_LARGE = "too_large"
    """An entry or line above the size limit, skipped unread; `size` is its length in bytes."""
    TORN = "torn"
    """An entry that stops part-way and something else follows."""
    UNREADABLE = "unreadable"
    """The file, or the rest of it: missing, no permission, a directory, empty, no text, damaged."""


class BadRecord(NamedTuple):
    """A record that could not be used (or, for ENCODING, only with replacements); reading goes on.

    `size` is its length in bytes as far as known. `relevant` is True when game data is or may be
    missing because of it.
    """

    place: Place
    kind: BadKind
    reason: str
    size: int = 0
    relevant: bool = True


class Entry(NamedTuple):
    """One server or client entry.

    `raw` holds the JSON object as UTF-8 (as in the file; converted only from UTF-16), `envelope`
    its decoded form, `header` the local date and time of the header line before it, as written.
    """

    place: Place
    raw: bytes
    envelope: Envelope
    header: str | None


class Summarised(NamedTuple):
    """A marker line: the client left a message out of its log because it was too big.

    `listed` holds the message types that the marker lists, in order, without prefix
    (`GameStateMessage`, `SearchReq`).
    """

    place: Place
    listed: tuple[str, ...]
    header: str | None


class SessionStarted(NamedTuple):
    """The line with which the client begins a log: detailed logs are enabled, or are not."""

    place: Place
    detailed: bool


class Unfinished(NamedTuple):
    """The last entry of the input stops part-way: it is not used, a later reading may complete it.

    `size` is the number of bytes present.
    """

    place: Place
    size: int


Record = Entry | Summarised | SessionStarted | BadRecord | Unfinished
