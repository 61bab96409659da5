"""Where the logs of the runs lie."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from tests.support.postgres import drop_schema, fresh_address, running_server

__all__ = ["STORES", "Store", "directories", "schemas"]


class Store(Protocol):
    """Where logs can be made."""

    def place(self, name: str) -> str:
        """Where a log of this name is."""
        ...

    def remove(self, name: str) -> None:
        """Remove the log, if there is one."""
        ...


@dataclass(frozen=True, slots=True)
class _Directories:
    folder: Path

    def place(self, name: str) -> str:
        return str(self.folder / name)

    def remove(self, name: str) -> None:
        shutil.rmtree(self.folder / name, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class _Schemas:
    """Every log is a schema on a server, with a folder for its keys and tables."""

    server: str
    folder: Path
    addresses: dict[str, str] = field(default_factory=dict)

    def place(self, name: str) -> str:
        if name not in self.addresses:
            self.addresses[name] = fresh_address(self.server, self.folder / name)
        return self.addresses[name]

    def remove(self, name: str) -> None:
        drop_schema(self.addresses.pop(name))
        shutil.rmtree(self.folder / name, ignore_errors=True)


@contextmanager
def directories(folder: Path) -> Iterator[Store]:
    """Logs in directories of a folder."""
    yield _Directories(folder)


@contextmanager
def schemas(server: str, folder: Path) -> Iterator[Store]:
    """Logs on a server that runs already; all of them are removed at the end."""
    made = _Schemas(server, folder)
    try:
        yield made
    finally:
        for name in list(made.addresses):
            made.remove(name)


@contextmanager
def _on_own_server(folder: Path) -> Iterator[Store]:
    with running_server() as server, schemas(server, folder) as store:
        yield store


STORES: Final[dict[str, Callable[[Path], AbstractContextManager[Store]]]] = {
    "sqlite": directories,
    "postgres": _on_own_server,
}
"""Name -> a store for logs, gone with everything in it at the end where it is a server."""
