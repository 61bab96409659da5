"""Large logs of invented matches: the same few matches again and again under other ids."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

from whodecided.importers.arena.importer import import_arena
from whodecided.importers.arena.synthetic.random_games import Wishes, random_match
from whodecided.store.directory import LogDirectory, open_directory

__all__ = ["imported_log", "write_matches"]

_MATCHES: Final = 20
_ID: Final = "00000000-0000-4000-8000-{:012x}"


def write_matches(target: Path, events: int) -> None:
    """Write a client log from which about so many events are imported, at least one round."""
    texts = [random_match(seed, Wishes(turns=20, best_of=3)) for seed in range(_MATCHES)]
    rounds = max(1, round(events / _events_of(texts)))
    with target.open("w", encoding="utf-8") as out:
        for turn in range(rounds):
            for seed, text in enumerate(texts):
                fresh = _ID.format(1 + turn * _MATCHES + seed)
                out.write(text.replace(_ID.format(seed), fresh))


def imported_log(folder: Path, events: int) -> LogDirectory:
    """A log of about so many events in a new directory, without tables."""
    source = folder.with_suffix(".log")
    write_matches(source, events)
    log = open_directory(folder, create=True)
    import_arena([source], log)
    source.unlink()
    return log


def _events_of(texts: list[str]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "matches.log"
        source.write_text("".join(texts), encoding="utf-8")
        log = open_directory(Path(folder) / "log", create=True)
        import_arena([source], log)
        events = log.events.head()
        log.close()
    return events
