"""What evidence costs: its share of an import, and verifying next to reading and hashing alone.

The share is the time of everything that exists only as evidence (leaf hashes, trees, digests, the
rows that keep them, the checkpoint), done again over the imported log, as part of the import.
The bare pass reads every row of the event file with sqlite3 and hashes its bytes with SHA-256.
It is compared with verification on a larger log: the imported games again under other ids.

    python -m benchmarks.evidence [--rounds 3] [--copies 10] [FILES...]
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from benchmarks.samples import sample_files
from domain.ids import uuid5_text
from domain.ports import Append, Provenance, StoredEvent
from domain.sealed import sealed_digest
from whodecided.evidence.checkpoint import origin_of
from whodecided.evidence.checkpoints import make_checkpoint
from whodecided.evidence.keys import create_key
from whodecided.evidence.merkle import Peaks, leaf_hashes
from whodecided.evidence.verify import verify_log
from whodecided.importers.arena.importer import import_arena
from whodecided.store.directory import LogDirectory, open_directory
from whodecided.store.journal import provenance_digest

__all__ = ["main"]

SHARE_WANTED: Final = 0.15
SPEED_WANTED: Final = 0.4
_TABLES: Final = ("events", "journal", "leaves", "provenance", "disclosures")


def seconds(work: Callable[[], object]) -> float:
    """How long something takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def evidence_seconds(log: LogDirectory, scratch: Path) -> float:
    """How long everything takes that an import does for the evidence."""
    taken = seconds(lambda: make_checkpoint(log))
    with closing(sqlite3.connect(scratch, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE leaves (i INTEGER PRIMARY KEY, peaks BLOB, leaves BLOB)")
        connection.execute("BEGIN")
        for entry in log.events.journal(limit=1_000_000):
            stored = log.events.read(entry.stream_id, after=entry.first - 1, upto=entry.last)
            places = log.events.provenance(entry.stream_id)[entry.first - 1 : entry.last]
            started = time.perf_counter()
            _keep_leaves(connection, stored, places)
            taken += time.perf_counter() - started
        connection.execute("COMMIT")
    return taken


def _keep_leaves(
    connection: sqlite3.Connection, stored: Sequence[StoredEvent], places: Sequence[Provenance]
) -> None:
    leaves = leaf_hashes(event.state for event in stored)
    peaks = Peaks()
    peaks.extend(leaves)
    peaks.root()
    provenance_digest(places)
    row = (bytes(peaks), b"".join(leaves))
    connection.execute("INSERT INTO leaves (peaks, leaves) VALUES (?, ?)", row)


def multiply(log: LogDirectory, copies: int) -> None:
    """Append every game so many times again, as other games with seals of their own."""
    streams = list(log.events.streams())
    origin = log.events.journal(limit=1)[0].origin
    for number in range(copies):
        for stream, kind, _ in streams:
            other = uuid5_text(bytes(16), f"{stream} {number}")
            sealer = log.sealer(other)
            states = {
                event.number: event.state.replace(stream.encode(), other.encode())
                for event in log.events.read(stream)
            }
            for one in log.events.disclosures(stream):
                new = sealer(other, one.number, one.field, msgspec.json.decode(one.value))
                old = sealed_digest(one.salt, one.field, one.value)
                states[one.number] = states[one.number].replace(old.encode(), new.encode())
            stored = [
                event._replace(stream_id=other, state=states[event.number], facts=None)
                for event in log.events.read(stream)
            ]
            places = log.events.provenance(stream)
            log.events.append(
                [Append(other, kind, stored, sealer.take(other), places, origin, sealer.number)]
            )


def bare_pass(path: Path) -> None:
    """Read every row and hash its bytes."""
    with closing(sqlite3.connect(path)) as connection:
        for table in _TABLES:
            for row in connection.execute(f"SELECT * FROM {table}"):
                for value in row:
                    if isinstance(value, bytes):
                        sha256(value).digest()


def measure(paths: Sequence[Path], rounds: int, copies: int) -> None:
    """Print both ratios."""
    with tempfile.TemporaryDirectory() as folder:
        log = open_directory(Path(folder) / "log", create=True)
        create_key(log.keys, origin_of(log.events.log_id))
        whole = seconds(lambda: import_arena(paths, log))
        events = log.events.head()
        evidence = evidence_seconds(log, Path(folder) / "scratch.sqlite")
        share = evidence / whole
        print(f"import {events:,} events {whole:.2f} s, of which evidence {evidence:.2f} s")
        print(f"evidence / import: {share:.3f} (wanted: at most {SHARE_WANTED})")
        multiply(log, copies)
        events = log.events.head()
        taken: dict[str, list[float]] = {}
        for _ in range(rounds):
            taken.setdefault("bare", []).append(
                seconds(lambda: bare_pass(log.path / "events.sqlite"))
            )
            for jobs in sorted({1, os.cpu_count() or 1}):
                name = f"verify, {jobs} jobs"
                one = seconds(lambda jobs=jobs: verify_log(log, jobs=jobs).require())  # type: ignore[misc]  # bound now
                taken.setdefault(name, []).append(one)
        log.close()
    bare = statistics.median(taken["bare"])
    for name, rounds_taken in taken.items():
        median = statistics.median(rounds_taken)
        print(f"{name:15} {median:6.2f} s {events / median:10,.0f} events/s {bare / median:.2f}")
    print(f"bare / verify with every processor is wanted to be at least {SPEED_WANTED}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Cost of evidence.")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--copies", type=int, default=10)
    parser.add_argument("files", nargs="*", type=Path)
    chosen = parser.parse_args()
    measure(chosen.files or sample_files(), chosen.rounds, chosen.copies)


if __name__ == "__main__":
    main()
