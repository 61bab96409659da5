"""From the bytes of files to UTF-8 text: byte order marks, UTF-16, cuts inside a character."""

from __future__ import annotations

import codecs
import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from whodecided.importers.arena.files import read_bytes
from whodecided.importers.arena.records import SourceFile

__all__ = ["Block", "read_blocks"]


class Block(NamedTuple):
    """A stretch of text of one file.

    `offset` is where it begins in the file (after decompression), `data` UTF-8 text (not checked).
    `fresh` marks the beginning of a file that cannot continue another one: it has a byte order
    mark. `wide` means the file has two bytes per UTF-16 unit, and offsets inside the block do too.
    """

    file: int
    offset: int
    data: bytes
    fresh: bool = False
    wide: bool = False


_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_DECODERS = {"utf-16-le": codecs.utf_16_le_decode, "utf-16-be": codecs.utf_16_be_decode}
_SNIFFED = 4096
_TOO_SHORT_TO_TELL = 64


def read_blocks(sources: Sequence[SourceFile]) -> Iterator[Block]:
    """The text of all files in order.

    A file without a byte order mark after a UTF-16 file is read as its continuation if it looks
    like UTF-16, wherever the cut lies (also inside a character). Sets what `read_bytes` sets on
    each source, and `encoding`.
    """
    reader = _TextReader()
    for source in sources:
        yield from reader.read(source)


class _TextReader:
    """Decodes one file after the other; `_rest` holds the bytes of a character not whole yet.

    In UTF-8 nothing is decoded; there `_rest` is a file that is no more than part of a mark.
    """

    def __init__(self) -> None:
        self._encoding = "utf-8"
        self._rest = b""
        self._rest_place = (0, 0)

    def read(self, source: SourceFile) -> Iterator[Block]:
        stored = read_bytes(source)
        head = next(stored, b"")
        if not head:
            return
        stub = self._rest if self._encoding == "utf-8" else b""
        mark = next((m for m in _MARKS if (stub + head).startswith(m)), b"")
        if not mark and any(m.startswith(stub + head) for m in _MARKS):
            self._rest, self._rest_place = (
                stub + head,
                self._rest_place if stub else (source.index, 0),
            )
            return
        if stub and not mark:
            yield Block(*self._rest_place, stub)
        before, self._encoding = self._encoding, _MARKS.get(mark) or _sniff(head, self._encoding)
        if stub or mark or self._encoding != before:
            self._rest = b""
        source.encoding = self._encoding
        source.binary = self._encoding == "utf-8" and b"\0" in head[:_SNIFFED]
        skipped = len(mark) - len(stub) if mark else 0
        blocks = itertools.chain([head[skipped:]], stored)
        if self._encoding == "utf-8":
            yield from _plain(source.index, skipped, blocks, bool(mark))
        else:
            yield from self._wide(source.index, skipped, blocks, bool(mark))

    def _wide(
        self, file: int, offset: int, blocks: Iterator[bytes], fresh: bool
    ) -> Iterator[Block]:
        decode = _DECODERS[self._encoding]
        for data in blocks:
            while self._rest and data:  # finish the character that began before, at its own place
                self._rest += data[:1]
                data = data[1:]
                offset += 1
                text, used = decode(self._rest, "replace", False)
                if used:
                    yield Block(*self._rest_place, text.encode(), fresh, True)
                    self._rest = self._rest[used:]
            text, used = decode(data, "replace", False)
            if used:
                yield Block(file, offset, text.encode(), fresh, True)
                fresh = False
            offset += used
            if used < len(data):
                self._rest, self._rest_place = data[used:], (file, offset)
                offset += len(self._rest)


def _plain(file: int, offset: int, blocks: Iterator[bytes], fresh: bool) -> Iterator[Block]:
    for data in blocks:
        if data:
            yield Block(file, offset, data, fresh)
            offset += len(data)
            fresh = False


def _sniff(head: bytes, before: str) -> str:
    """The encoding of a file without a mark, `before` being that of the file before."""
    sample = head[:_SNIFFED]
    half = len(sample) // 2
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if before != "utf-8" and (len(sample) < _TOO_SHORT_TO_TELL or even + odd > half // 2):
        return before
    if odd > half * 0.6 and even < half * 0.1:
        return "utf-16-le"
    if even > half * 0.6 and odd < half * 0.1:
        return "utf-16-be"
    return "utf-8"
