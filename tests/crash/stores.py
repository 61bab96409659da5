"""Where the logs of the runs lie."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["STORES", "Directories"]


@dataclass(frozen=True, slots=True)
class Directories:
    """Every log is a directory."""

    folder: Path

    def place(self, name: str) -> str:
        """Where a log of this name is."""
        return str(self.folder / name)

    def remove(self, name: str) -> None:
        """Remove the log."""
        shutil.rmtree(self.folder / name)


@contextmanager
def _directories(folder: Path) -> Iterator[Directories]:
    yield Directories(folder)


STORES: Final = {"sqlite": _directories}
