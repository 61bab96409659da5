"""Opening files and reading their bytes: size at opening, gzip, unreadable files."""

from __future__ import annotations

import itertools
import os
import stat
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from domain.errors import BadInput
from whodecided.importers.arena.records import SourceFile

__all__ = ["BLOCK_SIZE", "read_bytes", "size_of", "source_files"]

BLOCK_SIZE = 1 << 18
"""Bytes taken at a time; a decompressed block is not larger either."""

_BINARY: int = getattr(os, "O_BINARY", 0)  # only on Windows
_NONBLOCK: int = getattr(os, "O_NONBLOCK", 0)  # not on Windows
_GZIP_MAGIC = b"\x1f\x8b"
_ADVICE = "Give the client's log file, on Windows Player.log."


def source_files(paths: list[Path]) -> list[SourceFile]:
    """The files to read, in order; nothing is opened yet."""
    return [SourceFile(index, Path(path)) for index, path in enumerate(paths)]


def size_of(path: Path) -> int:
    """Bytes that a file has now; 0 for one that cannot be looked at."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def read_bytes(source: SourceFile) -> Iterator[bytes]:
    """The bytes of one file in blocks, decompressed if it is gzip (told by its first bytes).

    Reads to the size the file had when it was opened, so a file that grows meanwhile ends there.
    Sets `size`, `compressed` and, when the file or its rest cannot be read, `problem`;
    nothing is raised.
    """
    try:
        with _open(source) as handle:
            stored = _stored(handle, source.size)
            first = next(stored, b"")
            if not first:
                source.problem = BadInput(source.name, "the file is empty", advice=_ADVICE)
            source.compressed = first.startswith(_GZIP_MAGIC)
            if source.compressed:
                yield from _decompressed(first, stored, source)
            else:
                yield from itertools.chain([first] if first else [], stored)
            if handle.tell() < source.size:
                source.problem = BadInput(source.name, "it became shorter while it was read")
    except OSError as error:
        source.problem = BadInput(source.name, error.strerror or str(error))
    except BadInput as error:
        source.problem = error.with_traceback(None)  # it would keep all readers in memory


def _open(source: SourceFile) -> BinaryIO:
    # Not blocking: opening a pipe that nobody writes to would wait for ever.
    descriptor = os.open(source.path, os.O_RDONLY | _BINARY | _NONBLOCK)
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        os.close(descriptor)
        kind = "a directory" if stat.S_ISDIR(status.st_mode) else "not a regular file"
        raise BadInput(source.name, f"this is {kind}", advice=_ADVICE)
    source.size = status.st_size
    return os.fdopen(descriptor, "rb", buffering=0)


def _stored(handle: BinaryIO, size: int) -> Iterator[bytes]:
    left = size
    while left > 0 and (block := handle.read(min(BLOCK_SIZE, left))):
        left -= len(block)
        yield block


def _decompressed(first: bytes, rest: Iterator[bytes], source: SourceFile) -> Iterator[bytes]:
    stream = zlib.decompressobj(wbits=31)
    data: bytes | None = first
    while data is not None:
        try:
            block = stream.decompress(data, BLOCK_SIZE)
        except zlib.error as error:
            source.problem = BadInput(source.name, f"damaged gzip data: {error}")
            break
        if block:
            yield block
        if stream.eof:
            data = stream.unused_data or next(rest, None)
            if data is not None:
                stream = zlib.decompressobj(wbits=31)
        elif stream.unconsumed_tail or len(block) == BLOCK_SIZE:
            data = stream.unconsumed_tail  # output may wait inside even when all input is taken
        else:
            data = next(rest, None)
    if source.problem is None and not stream.eof:
        source.problem = BadInput(source.name, "the gzip data ends early")
    for _ in rest:  # to its end, where it shows whether the file became shorter
        pass
