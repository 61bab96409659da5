"""How fast ready events get into a log, next to the library's way and to SQLite alone.

Every contender writes the same games (500 events of about 650 bytes, one game per transaction) to a
fresh file with write-ahead log and full sync. `raw` is `executemany` into tables with the same
columns and indexes, without triggers, streams or journal. Rounds alternate; medians are compared.

    python benchmarks/store_append.py [--games 100] [--rounds 5] [--directory DIR]
"""

from __future__ import annotations

import argparse
import hashlib
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple

from eventsourcing.application import Application
from eventsourcing.persistence import Mapper

from domain.canonical import canonical_json, sha256
from domain.ports import Append, Disclosure, Origin, Provenance, StoredEvent
from whodecided.store.application import LogApplication
from whodecided.store.mapper import EventMapper
from whodecided.store.sqlite_log import SqliteEventLog, create_events_file

EVENTS: Final = 500
TOPIC: Final = "game.spell_cast/v1"
FILE_DIGEST: Final = "ab" * 32
ORIGIN: Final = Origin("2026-03-01T10:00:00.000000Z", "benchmark", "Player.log", FILE_DIGEST)


class ReadyEvent(NamedTuple):
    """An event whose bytes are made already, with the names the library asks for."""

    originator_id: str
    originator_version: int
    topic: str
    state: bytes


def encode(event: ReadyEvent) -> StoredEvent:
    """Hand over the ready bytes."""
    return StoredEvent(*event)


def decode(stored: StoredEvent) -> ReadyEvent:
    """The ready event again."""
    return ReadyEvent(*stored[:4])


def make_game(number: int) -> list[StoredEvent]:
    """The events of one game with their facts digests."""
    stream = f"{number:08x}-1111-5111-8111-111111111111"
    made = []
    for at in range(1, EVENTS + 1):
        filler = hashlib.sha512(f"{number} {at}".encode()).hexdigest()
        state = canonical_json({"game_id": stream, "number": at, "payload": filler * 4, "seat": 1})
        made.append(StoredEvent(stream, at, TOPIC, state, sha256(state)))
    return made


def with_details(game: Sequence[StoredEvent]) -> Append:
    """A game as an importer gives it: provenance for every event, a disclosure for every fifth."""
    disclosures = [Disclosure(e.number, "card", b'"70123"', e.facts or b"") for e in game[::5]]
    provenance = [Provenance(e.number, FILE_DIGEST, e.number * 700, e.number) for e in game]
    return Append(game[0].stream_id, "game", game, disclosures, provenance, ORIGIN)


def open_log(directory: Path) -> SqliteEventLog:
    """An empty log."""
    create_events_file(directory / "events.sqlite")
    return SqliteEventLog(directory / "events.sqlite", sha256)


def append(directory: Path, games: Sequence[list[StoredEvent]]) -> float:
    """Our bulk path; seconds."""
    appends = [Append(game[0].stream_id, "game", game, (), (), ORIGIN) for game in games]
    with closing(open_log(directory)) as log:
        return _timed(lambda item: log.append([item]), appends)


def append_details(directory: Path, games: Sequence[list[StoredEvent]]) -> float:
    """Our bulk path with provenance and disclosures; seconds."""
    with closing(open_log(directory)) as log:
        return _timed(lambda item: log.append([item]), list(map(with_details, games)))


def save_stock(directory: Path, games: Sequence[list[StoredEvent]]) -> float:
    """`Application.save` over the library's own SQLite recorder; seconds."""
    env = {
        "PERSISTENCE_MODULE": "eventsourcing.sqlite",
        "SQLITE_DBNAME": str(directory / "library.sqlite"),
        "ORIGINATOR_ID_TYPE": "text",
    }

    class StockApplication(Application[str]):
        def construct_mapper(self) -> Mapper[str]:
            return EventMapper(encode, decode)

    batches = [[ReadyEvent(*event[:4]) for event in game] for game in games]
    with StockApplication(env) as application:
        return _timed(lambda batch: application.save(*batch), batches)


def save_ours(directory: Path, games: Sequence[list[StoredEvent]]) -> float:
    """`Application.save` over our recorder, triggers and journal; seconds."""
    batches = [[ReadyEvent(*event[:4]) for event in game] for game in games]
    mapper = EventMapper(encode, decode)
    with closing(open_log(directory)) as log:
        application = LogApplication(log.recorder, mapper, kind="game", origin=lambda: ORIGIN)
        return _timed(lambda batch: application.save(*batch), batches)


def raw(directory: Path, games: Sequence[list[StoredEvent]]) -> float:
    """sqlite3 `executemany` of the event rows; seconds."""
    batches = [[event[:4] for event in game] for game in games]
    with closing(_raw_connection(directory)) as connection:

        def write(rows: Sequence[tuple[Any, ...]]) -> None:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(_INSERT_EVENTS, rows)
            connection.execute("COMMIT")

        return _timed(write, batches)


def raw_details(directory: Path, games: Sequence[list[StoredEvent]]) -> float:
    """sqlite3 `executemany` of the rows of events, disclosures and provenance; seconds."""
    batches = []
    for index, game in enumerate(games):
        shift = index * EVENTS
        item = with_details(game)
        hidden = [(d.number + shift, d.field, d.value, d.salt) for d in item.disclosures]
        places = [(p.number + shift, 1, p.offset, p.line) for p in item.provenance]
        batches.append(([event[:4] for event in game], hidden, places))
    with closing(_raw_connection(directory)) as connection:

        def write(batch: tuple[Sequence[tuple[Any, ...]], ...]) -> None:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(_INSERT_EVENTS, batch[0])
            connection.executemany("INSERT INTO disclosures VALUES (?, ?, ?, ?)", batch[1])
            connection.executemany("INSERT INTO provenance VALUES (?, ?, ?, ?)", batch[2])
            connection.execute("COMMIT")

        return _timed(write, batches)


_INSERT_EVENTS: Final = (
    "INSERT INTO events (originator_id, originator_version, topic, state) VALUES (?, ?, ?, ?)"
)
_RAW_TABLES: Final = """
    CREATE TABLE events (
        rowid INTEGER PRIMARY KEY AUTOINCREMENT, originator_id TEXT NOT NULL,
        originator_version INTEGER NOT NULL, topic TEXT NOT NULL, state BLOB NOT NULL,
        UNIQUE (originator_id, originator_version)
    ) STRICT;
    CREATE TABLE disclosures (
        position INTEGER NOT NULL, field TEXT NOT NULL, value BLOB NOT NULL, salt BLOB NOT NULL,
        PRIMARY KEY (position, field)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE provenance (
        position INTEGER PRIMARY KEY, file_key INTEGER NOT NULL, byte_offset INTEGER NOT NULL,
        line INTEGER NOT NULL
    ) STRICT;
"""


def _raw_connection(directory: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(directory / "raw.sqlite", isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.executescript(_RAW_TABLES)
    return connection


def _timed(write: Callable[[Any], object], batches: Sequence[Any]) -> float:
    started = time.perf_counter()
    for batch in batches:
        write(batch)
    return time.perf_counter() - started


CONTENDERS: Final = {
    "append": append,
    "raw": raw,
    "Application.save, library's recorder": save_stock,
    "Application.save, our recorder": save_ours,
    "append with details": append_details,
    "raw with details": raw_details,
}
RATIOS: Final = (
    ("append", "Application.save, library's recorder", 2.0),
    ("append", "Application.save, our recorder", 2.0),
    ("append", "raw", 0.5),
    ("append with details", "raw with details", 0.5),
)


def measure(games: int, rounds: int, directory: Path | None) -> dict[str, float]:
    """Median events per second of every contender."""
    made = [make_game(number) for number in range(games)]
    seconds: dict[str, list[float]] = {name: [] for name in CONTENDERS}
    for _ in range(rounds):
        for name, contender in CONTENDERS.items():
            with tempfile.TemporaryDirectory(dir=directory) as fresh:
                seconds[name].append(contender(Path(fresh), made))
    return {name: games * EVENTS / statistics.median(taken) for name, taken in seconds.items()}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--directory", type=Path, help="where the files are written")
    chosen = parser.parse_args()
    speeds = measure(chosen.games, chosen.rounds, chosen.directory)
    for name, speed in speeds.items():
        print(f"{name:40} {speed:10,.0f} events/s")
    for ours, other, wanted in RATIOS:
        ratio = speeds[ours] / speeds[other]
        print(f"{ours} / {other}: {ratio:.2f} (wanted: at least {wanted})")


if __name__ == "__main__":
    main()
