"""Canonical ZIP archives: the same files give the same bytes, and every byte is accounted for.

Members are stored without compression, sorted by name, dated 1980-01-01, without comments or extra
fields. An archive in any other form is refused, so nothing can hide in one and nothing can unpack
to more than it holds.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Mapping
from typing import Final

from domain.errors import IntegrityFailure

__all__ = ["MAX_ARCHIVE", "MAX_MEMBERS", "ArchiveFault", "read_archive", "write_archive"]

MAX_ARCHIVE: Final = 512 * 1024 * 1024
"""Largest archive that is read, in bytes."""
MAX_MEMBERS: Final = 4096
"""Most files in an archive."""

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_.-]*(?:/[a-z0-9][a-z0-9_.-]*)*")
_LONGEST_NAME: Final = 200
_LOCAL: Final = struct.Struct("<4s5H3I2H")
_CENTRAL: Final = struct.Struct("<4s6H3I5H2I")
_END: Final = struct.Struct("<4s4H2IH")
_VERSION: Final = 20
_MADE_BY: Final = 3 << 8 | _VERSION
_DATE: Final = 0x21
_ATTRIBUTES: Final = 0o100644 << 16


class ArchiveFault(IntegrityFailure):
    """An archive is not canonical; `code` is `archive-damaged` or `archive-unsafe`."""

    def __init__(self, code: str, reason: str) -> None:
        self.code = code
        super().__init__("archive", reason)


def write_archive(files: Mapping[str, bytes]) -> bytes:
    """The canonical archive of files by name."""
    body: list[bytes] = []
    for name, content in sorted(files.items()):
        body += [_local(name, content), content]
    return b"".join([*body, _directory(files)])


def read_archive(data: bytes) -> dict[str, bytes]:
    """The files of a canonical archive. ArchiveFault for anything else."""
    if len(data) > MAX_ARCHIVE:
        raise ArchiveFault("archive-unsafe", f"larger than {MAX_ARCHIVE:,} bytes")
    files: dict[str, bytes] = {}
    at = 0
    while data[at : at + 4] == b"PK\x03\x04":
        name, content, at = _member(data, at)
        if name in files:
            raise ArchiveFault("archive-unsafe", f"two files are called {name}")
        if files and name < max(files):
            raise ArchiveFault("archive-damaged", f"{name} is out of order")
        files[name] = content
        if len(files) > MAX_MEMBERS:
            raise ArchiveFault("archive-unsafe", f"more than {MAX_MEMBERS} files")
    if data[at:] != _directory(files):
        raise ArchiveFault("archive-damaged", f"not a canonical archive from byte {at} on")
    return files


def _member(data: bytes, at: int) -> tuple[str, bytes, int]:
    """Name and content of the member at a place, and where the next one begins."""
    header = data[at : at + _LOCAL.size]
    if len(header) < _LOCAL.size:
        raise ArchiveFault("archive-damaged", "cut short in a header")
    _, _, flags, method, _, _, _, packed, size, name_size, _ = _LOCAL.unpack(header)
    if method or flags or packed != size:
        raise ArchiveFault("archive-unsafe", "a file is compressed or encrypted")
    start = at + _LOCAL.size
    name = data[start : start + name_size].decode("latin-1")
    if len(name) > _LONGEST_NAME or not _NAME.fullmatch(name):
        raise ArchiveFault("archive-unsafe", f"unsafe name {name[:80]!r}")
    start += name_size
    content = data[start : start + size]
    if len(content) < size:
        raise ArchiveFault("archive-damaged", f"cut short in {name}")
    if header + name.encode() != _local(name, content):
        raise ArchiveFault("archive-damaged", f"{name}: header or checksum is wrong")
    return name, content, start + size


def _local(name: str, content: bytes) -> bytes:
    sizes = (zlib.crc32(content), len(content), len(content))
    header = _LOCAL.pack(b"PK\x03\x04", _VERSION, 0, 0, 0, _DATE, *sizes, len(name), 0)
    return header + name.encode()


def _directory(files: Mapping[str, bytes]) -> bytes:
    entries = []
    at = 0
    for name, content in sorted(files.items()):
        sizes = (zlib.crc32(content), len(content), len(content))
        entries.append(
            _CENTRAL.pack(
                b"PK\x01\x02",
                _MADE_BY,
                _VERSION,
                *(0, 0, 0, _DATE),
                *sizes,
                *(len(name), 0, 0, 0, 0),
                _ATTRIBUTES,
                at,
            )
            + name.encode()
        )
        at += _LOCAL.size + len(name) + len(content)
    found = b"".join(entries)
    count = len(files)
    return found + _END.pack(b"PK\x05\x06", 0, 0, count, count, len(found), at, 0)
