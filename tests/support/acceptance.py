"""What the acceptance checks share: the full run, logs with one secret, what a log holds."""

from __future__ import annotations

import gzip
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from whodecided.api import open_log

__all__ = [
    "FULL",
    "Figure",
    "Stored",
    "empty_log",
    "full_only",
    "import_into",
    "plain",
    "stored",
]

FULL: Final = os.environ.get("WHODECIDED_ACCEPTANCE") == "full"
"""Whether everything is to be measured, which takes hours, and not only a sample of it."""

full_only = pytest.mark.skipif(not FULL, reason="part of the full run: WHODECIDED_ACCEPTANCE=full")
"""Mark for a check that is only made in the full run."""

Figure = Callable[[str, object], None]
"""Notes a figure by name; all of them are printed at the end of the run."""

_SECRET: Final = bytes(range(32))


class Stored(NamedTuple):
    """Of one stream: the bytes of its events and what was disclosed, both in order."""

    events: tuple[tuple[str, bytes], ...]
    disclosures: tuple[tuple[int, str, bytes, bytes], ...]


def empty_log(path: Path) -> Path:
    """A place for a new log that will have the secret that all these logs share."""
    keys = path / "keys"
    keys.mkdir(parents=True, mode=0o700)
    (keys / "log.secret").write_bytes(_SECRET)
    (keys / "log.secret").chmod(0o600)
    return path


def import_into(path: Path, *calls: list[Path]) -> dict[str, Stored]:
    """Import in one or several calls, without tables, into a new log; what it holds then."""
    from whodecided.importers.arena.importer import import_arena

    for call in calls:
        with open_log(path if path.exists() else empty_log(path), create=True) as log:
            import_arena(call, log.directory)
    return stored(path)


def stored(path: Path) -> dict[str, Stored]:
    """Stream -> what the file of a log holds of it, read past the product."""
    with closing(sqlite3.connect(path / "events.sqlite")) as connection:
        events = _grouped(
            connection,
            "SELECT originator_id, topic, state FROM events"
            " ORDER BY originator_id, originator_version",
        )
        disclosures = _grouped(
            connection,
            "SELECT originator_id, originator_version, field, value, salt FROM events"
            " JOIN disclosures ON position = rowid"
            " ORDER BY originator_id, originator_version, field",
        )
    return {stream: Stored(rows, disclosures.get(stream, ())) for stream, rows in events.items()}


def plain(sample: Path) -> bytes:
    """A recorded log without its compression."""
    return gzip.decompress(sample.read_bytes())


def _grouped(connection: sqlite3.Connection, statement: str) -> dict[str, tuple[Any, ...]]:
    found: dict[str, list[Any]] = {}
    for stream, *row in connection.execute(statement):
        found.setdefault(stream, []).append(tuple(row))
    return {stream: tuple(rows) for stream, rows in found.items()}
