"""Names of players, apart from the log and erasable. Nothing is kept unless the user asks."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from whodecided.store.connection import LOCK_TIMEOUT
from whodecided.store.faults import os_fault, reported

__all__ = ["People"]

_CREATE = """
    CREATE TABLE IF NOT EXISTS names (
        pseudonym TEXT NOT NULL,
        name TEXT NOT NULL,
        PRIMARY KEY (pseudonym, name)
    ) STRICT, WITHOUT ROWID
"""


class People:
    """Pseudonym -> names, in a file that does not exist before the first name is kept.

    Every method raises LogUnavailable when the file cannot be used.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def keep(self, names: Iterable[tuple[str, str]]) -> None:
        """Keep (pseudonym, name) pairs; a pair that is there already stays as it is."""
        self._create()
        with self._open() as connection:
            connection.executemany("INSERT OR IGNORE INTO names VALUES (?, ?)", names)

    def names(self, pseudonym: str) -> list[str]:
        """The names kept for one pseudonym, sorted."""
        return self._column("SELECT name FROM names WHERE pseudonym = ? ORDER BY 1", pseudonym)

    def pseudonyms(self, name: str) -> list[str]:
        """Who has been seen under exactly this name, sorted."""
        return self._column("SELECT pseudonym FROM names WHERE name = ? ORDER BY 1", name)

    def everyone(self) -> list[tuple[str, str]]:
        """Every (pseudonym, name) pair that is kept, sorted."""
        if not self.path.exists():
            return []
        with self._open() as connection:
            return connection.execute("SELECT pseudonym, name FROM names ORDER BY 1, 2").fetchall()

    def erase(self, pseudonym: str) -> int:
        """Delete every name of one pseudonym for good (the bytes are overwritten); how many."""
        if not self.path.exists():
            return 0
        with self._open() as connection:
            return connection.execute(
                "DELETE FROM names WHERE pseudonym = ?", (pseudonym,)
            ).rowcount

    def _column(self, statement: str, value: str) -> list[str]:
        if not self.path.exists():
            return []
        with self._open() as connection:
            return [row[0] for row in connection.execute(statement, (value,))]

    def _create(self) -> None:
        # Made here, not by SQLite, so that it never exists with wider permissions.
        try:
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
        except OSError as error:
            raise os_fault(self.path, error) from error
        with self._open() as connection:
            connection.execute(_CREATE)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        uri = f"{self.path.absolute().as_uri()}?mode=rw"
        with reported(self.path):
            connection = sqlite3.connect(uri, uri=True, timeout=LOCK_TIMEOUT)
            with closing(connection), connection:
                connection.execute("PRAGMA secure_delete=ON")
                yield connection
