"""Files that a user names: read only as far as they can be meant, refused with one clear error."""

from __future__ import annotations

from pathlib import Path

from domain.errors import BadInput

__all__ = ["read_bytes", "read_text", "text_of"]


def read_bytes(path: Path, most: int) -> bytes:
    """The content of a file. BadInput for one that cannot be read or holds more than `most` bytes.

    No more than that is read, so that a device without an end is refused as well.
    """
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise BadInput(str(path), error.strerror or str(error)) from error
    if len(data) > most:
        raise BadInput(str(path), f"the file is larger than {_size(most)}")
    return data


def read_text(path: Path, most: int) -> str:
    """The text of a file, as `read_bytes` reads it and `text_of` decodes it."""
    return text_of(read_bytes(path, most), str(path))


def text_of(data: bytes, where: str) -> str:
    """Bytes as UTF-8 text, with or without a byte order mark. BadInput with the line otherwise."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadInput(where, "the file is not UTF-8 text", line=line) from error


def _size(count: int) -> str:
    return f"{count >> 20} MiB" if count >= 1 << 20 else f"{count:,} bytes"
