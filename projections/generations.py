"""The files of the views: numbered generations, and the small file that names the current one."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

__all__ = ["Current", "Generations"]

_GENERATION: Final = re.compile(r"(\d+)\.duckdb")
_REST: Final = re.compile(r"(?:\d+\.duckdb(?:\.wal|\.tmp)?|\d+\.copy|current\.new)")


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
        except msgspec.DecodeError as error:
            raise ValueError(f"the file `current` is damaged: {error}") from error

    def file(self, generation: int) -> Path:
        """The file of a generation."""
        return self.path / f"{generation}.duckdb"

    def newest(self) -> int:
        """The highest number in the directory, 0 when there is none."""
        found = (_GENERATION.fullmatch(name) for name in os.listdir(self.path))
        return max((int(match[1]) for match in found if match), default=0)

    def copy(self, generation: int, target: int) -> None:
        """Copy a published generation; the target appears whole or not at all."""
        partial = self.path / f"{target}.copy"
        shutil.copyfile(self.file(generation), partial)
        os.replace(partial, self.file(target))

    def publish(self, generation: int) -> None:
        """Name a complete generation as the current one, durably and in one step."""
        file = self.file(generation)
        _sync(file)
        fresh = self.path / "current.new"
        fresh.write_bytes(msgspec.json.encode(Current(generation, file.stat().st_size)))
        _sync(fresh)
        os.replace(fresh, self.path / "current")

    def sweep(self, keep: int | None) -> None:
        """Delete every generation but one; where the system refuses because somebody still has a
        file open, it stays for a later sweep."""
        kept = None if keep is None else self.file(keep).name
        for name in os.listdir(self.path):
            if name != kept and _REST.fullmatch(name):
                _delete(self.path / name)


def _delete(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
        return
    try:
        path.unlink(missing_ok=True)
    except PermissionError:
        return  # held open by a reader, on systems that do not delete open files


def _sync(file: Path) -> None:
    descriptor = os.open(file, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
