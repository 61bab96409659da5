"""How fast whole client logs are imported, next to a bare parse-and-fold pass over the same files.

The bare pass reads lines, parses every batch with orjson and folds zones, objects, players and
turn into dictionaries; nothing is stamped, sealed, hashed or stored. The import does all of that,
durably, in so many processes as the command `import` takes. Both read the same files: as they are,
then, if some are compressed, unpacked as a client writes them. Rounds alternate; medians are
compared.

    python -m benchmarks.import_speed [--rounds 3] [--jobs 1] [FILES...]
"""

from __future__ import annotations

import argparse
import gzip
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import orjson

from benchmarks.samples import sample_files
from whodecided.importers.arena.importer import import_arena, useful_jobs
from whodecided.store.directory import open_directory

__all__ = ["main", "measure"]

WANTED: Final = 0.3


def bare_pass(paths: Sequence[Path]) -> int:
    """Parse and fold every batch; the number of annotations seen."""
    seen = 0
    for path in paths:
        board = Board()
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as lines:
            for line in lines:
                if b'"greToClientEvent"' not in line:
                    continue
                try:
                    batch = orjson.loads(line[line.index(b"{") :])
                except orjson.JSONDecodeError:
                    continue
                for message in batch["greToClientEvent"].get("greToClientMessages", ()):
                    state = message.get("gameStateMessage") or (
                        message.get("queuedGameStateMessage") or {}
                    ).get("gameStateMessage")
                    if state:
                        seen += board.fold(state)
    return seen


class Board:
    """The folded state of one game, as plain dictionaries."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget the game."""
        self.zones: dict[int, Any] = {}
        self.objects: dict[int, Any] = {}
        self.players: dict[int, Any] = {}
        self.persistent: dict[int, Any] = {}
        self.turn: Any = None
        self.told: list[tuple[Any, ...]] = []

    def fold(self, state: dict[str, Any]) -> int:
        """Apply one message; the number of its annotations."""
        if state.get("type") == "GameStateType_Full":
            self.clear()
        for zone in state.get("zones", ()):
            self.zones[zone["zoneId"]] = zone
        for item in state.get("gameObjects", ()):
            self.objects[item["instanceId"]] = item
        for player in state.get("players", ()):
            self.players[player["systemSeatNumber"]] = player
        for note in state.get("persistentAnnotations", ()):
            self.persistent[note["id"]] = note
        self.turn = state.get("turnInfo", self.turn)
        for gone in state.get("diffDeletedInstanceIds", ()):
            self.objects.pop(gone, None)
        for gone in state.get("diffDeletedPersistentAnnotationIds", ()):
            self.persistent.pop(gone, None)
        notes = state.get("annotations", ())
        self.told += [(note.get("affectorId"), note["type"], note.get("id")) for note in notes]
        return len(notes)


def timed_import(paths: Sequence[Path], jobs: int) -> tuple[float, int]:
    """Seconds and events of a complete import into a fresh log."""
    with tempfile.TemporaryDirectory() as folder:
        log = open_directory(Path(folder) / "log", create=True)
        started = time.perf_counter()
        import_arena(paths, log, jobs=jobs)
        taken = time.perf_counter() - started
        events = log.events.head()
        log.close()
    return taken, events


def uncompressed(paths: Sequence[Path], folder: Path) -> list[Path]:
    """The files themselves, unpacked where they are gzip."""
    plain = []
    for path in paths:
        if path.suffix == ".gz":
            target = folder / path.name.removesuffix(".gz")
            target.write_bytes(gzip.decompress(path.read_bytes()))
            plain.append(target)
        else:
            plain.append(path)
    return plain


def measure(paths: Sequence[Path], rounds: int, jobs: int | None = None) -> None:
    """Print speeds and ratios over the files as they are, and unpacked."""
    compare(paths, rounds, "as they are", jobs)
    with tempfile.TemporaryDirectory() as folder:
        plain = uncompressed(paths, Path(folder))
        if plain != list(paths):
            compare(plain, rounds, "unpacked", jobs)


def compare(paths: Sequence[Path], rounds: int, how: str, asked: int | None) -> None:
    """Print both speeds and the ratio of the medians."""
    jobs = useful_jobs(paths) if asked is None else asked
    size = sum(path.stat().st_size for path in paths) / 1e6
    bare, whole, events = [], [], 0
    for _ in range(rounds):
        started = time.perf_counter()
        bare_pass(paths)
        bare.append(time.perf_counter() - started)
        taken, events = timed_import(paths, jobs)
        whole.append(taken)
    one, other = statistics.median(bare), statistics.median(whole)
    print(f"{len(paths)} files {how}, {size:.0f} MB, {events:,} events")
    print(f"bare parse and fold {one:6.2f} s {size / one:7.0f} MB/s")
    speeds = f"{size / other:7.0f} MB/s {events / other:9,.0f} events/s"
    print(f"import              {other:6.2f} s {speeds} (processes that read: {jobs})")
    print(f"import / bare: {one / other:.2f} (wanted: at least {WANTED})")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Speed of imports next to a bare pass.")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--jobs", type=int, help="by default as many as the command takes")
    parser.add_argument("files", nargs="*", type=Path)
    chosen = parser.parse_args()
    measure(chosen.files or sample_files(), chosen.rounds, chosen.jobs)


if __name__ == "__main__":
    main()
