"""The files of the views: numbered generations, and the small file that names the current one."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

__all__ = ["Current", "Generations"]

_OWNER: Final = 0o600
_OURS: Final = re.compile(r"(\d+)\.(?:duckdb|duckdb\.wal|copy)")


class Current(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the file `current` says: the generation's number and the size of its file in bytes."""

    generation: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Generations:
    """The directory of the views. Generations are written, published once, and never changed."""

    path: Path

    def current(self) -> Current | None:
        """What `current` names, None when nothing was ever published.

        Raises ValueError when the file does not say it properly.
        """
        try:
            text = (self.path / "current").read_bytes()
        except FileNotFoundError:
            return None
        try:
            return msgspec.json.decode(text, type=Current)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise ValueError(f"the file `current` is damaged: {error}") from error

    def file(self, generation: int) -> Path:
        """The file of a generation."""
        return self.path / f"{generation}.duckdb"

    def newest(self) -> int:
        """The highest number that any file in the directory has, 0 when there is none."""
        found = (_OURS.fullmatch(name) for name in os.listdir(self.path))
        return max((int(match[1]) for match in found if match), default=0)

    def damage(self, current: Current) -> str | None:
        """What is wrong with the file of a published generation, as far as the directory shows."""
        file = self.file(current.generation)
        try:
            size = file.stat().st_size
        except FileNotFoundError:
            return f"{file.name} is missing"
        if size != current.bytes:
            return f"{file.name} has {size} bytes instead of {current.bytes}"
        if self.log_of(current.generation).exists():
            return f"beside {file.name} lies a write-ahead log that does not belong to it"
        return None

    def log_of(self, generation: int) -> Path:
        """Where DuckDB keeps what is not in the generation's file yet; a complete one has none."""
        return self.path / f"{generation}.duckdb.wal"

    def copy(self, generation: int, target: int) -> None:
        """Copy a published generation; the target appears whole or not at all."""
        partial = self.path / f"{target}.copy"
        partial.touch(_OWNER)
        shutil.copyfile(self.file(generation), partial)
        os.replace(partial, self.file(target))

    def publish(self, generation: int) -> None:
        """Name a complete generation as the current one, durably and in one step."""
        file = self.file(generation)
        _sync(file)
        fresh = self.path / "current.new"
        fresh.touch(_OWNER)
        fresh.write_bytes(msgspec.json.encode(Current(generation, file.stat().st_size)))
        _sync(fresh)
        os.replace(fresh, self.path / "current")

    def sweep(self, keep: int | None) -> None:
        """Delete every generation but one.

        Where the system refuses because a reader still has a file open, it stays for a later sweep.
        """
        for name in os.listdir(self.path):
            match = _OURS.fullmatch(name)
            if match and int(match[1]) != keep:
                with contextlib.suppress(FileNotFoundError, PermissionError):
                    (self.path / name).unlink()


def _sync(file: Path) -> None:
    descriptor = os.open(file, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
