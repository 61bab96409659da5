"""Imports Arena logs into throw-away logs that share one secret, so that their bytes compare."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from domain.codec import decode
from tests.support.acceptance import empty_log
from whodecided.importers.arena.importer import import_arena
from whodecided.importers.arena.report import ImportReport
from whodecided.store.directory import LogDirectory, open_directory

__all__ = ["Streams", "events_of", "game_events", "import_into", "opened", "write_log"]

Streams = dict[str, tuple[bytes, ...]]
"""Stream id -> the stored bytes of its events, in order."""


def opened(folder: Path) -> LogDirectory:
    """A log in a folder, with the secret that all tests share."""
    return open_directory(folder if folder.exists() else empty_log(folder), create=True)


def import_into(folder: Path, *calls: Sequence[Path]) -> tuple[Streams, list[ImportReport]]:
    """Import in one or several calls into one log; what it holds then, and the reports."""
    log = opened(folder)
    try:
        reports = [import_arena(paths, log) for paths in calls]
        streams = {
            stream: tuple(event.state for event in log.events.read(stream))
            for stream, _, _ in log.events.streams()
        }
    finally:
        log.close()
    return streams, reports


def events_of(folder: Path, *calls: Sequence[Path]) -> dict[str, list[Any]]:
    """Stream id -> its decoded events, after importing."""
    import_into(folder, *calls)
    log = opened(folder)
    try:
        return {
            stream: [decode(event) for event in log.events.read(stream)]
            for stream, _, _ in log.events.streams()
        }
    finally:
        log.close()


def game_events(folder: Path, text: str, *, name: str = "Player.log") -> list[Any]:
    """The events of the only game of a log that is given as text."""
    path = write_log(folder, text, name=name)
    found = events_of(folder / "log", [path])
    games = [events for events in found.values() if events[0].TOPIC.startswith("game.")]
    assert len(games) == 1
    return games[0]


def write_log(folder: Path, text: str, *, name: str = "Player.log") -> Path:
    """Write a client log into a folder."""
    path = folder / name
    path.write_bytes(text.encode())
    return path
