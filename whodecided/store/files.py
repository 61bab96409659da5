"""Files that come into being, or change, whole, also when several processes try at once."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Final

__all__ = ["create_once", "is_partial", "replace_file", "write_new"]

_PARTIAL: Final = ".partial"
_BESIDE: Final = tuple(f"{_PARTIAL}{ending}" for ending in ("", "-journal", "-shm", "-wal"))


def is_partial(name: str) -> bool:
    """Whether it is a file that is still being made, or one that SQLite keeps beside such a file.

    One that stays behind means nothing.
    """
    return name.endswith(_BESIDE)


def create_once(path: Path, build: Callable[[Path], None]) -> None:
    """Let `build` make the file under another name, then give it its own unless that is taken."""
    partial = path.with_name(f".{path.name}.{secrets.token_hex(8)}{_PARTIAL}")
    try:
        build(partial)
        _publish(partial, path)
    finally:
        partial.unlink(missing_ok=True)
    _sync_directory(path.parent)


def replace_file(path: Path, content: bytes, mode: int) -> None:
    """Give the path this content, durably and in one step; readers see the old one or the new."""
    partial = path.with_name(f".{path.name}.{secrets.token_hex(8)}{_PARTIAL}")
    try:
        write_new(partial, content, mode)
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)
    _sync_directory(path.parent)


def write_new(path: Path, content: bytes, mode: int) -> None:
    """Write a file that is not there yet, so that it never has wider permissions than `mode`."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _publish(partial: Path, path: Path) -> None:
    try:
        os.link(partial, path)
    except FileExistsError:
        return
    except OSError:
        # File systems without hard links: a rename is as whole, but one maker may overtake another.
        if not path.exists():
            partial.rename(path)


def _sync_directory(directory: Path) -> None:
    if os.name != "posix":
        return
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
