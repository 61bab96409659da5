"""How fast all tables are made, next to the library's own ProjectionRunner writing the same rows.

Ours reads the log, folds every game, and writes, checkpoints and publishes a whole generation. The
library's runner handles one event at a time: here it finds the rows of each event ready, and writes
them with the tracking row in one DuckDB transaction per event. So it is spared the folds and the
reading from disk; what is compared is the way of projecting. Both write to the same disk.

    python -m benchmarks.projection [--games 60] [--events 500] [--rounds 3] [--directory DIR]
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from eventsourcing.application import Application
from eventsourcing.persistence import IntegrityError, Mapper, Tracking
from eventsourcing.persistence import StoredEvent as LibraryStoredEvent
from eventsourcing.popo import POPOTrackingRecorder
from eventsourcing.projection import Projection, ProjectionRunner

from benchmarks.played import play
from domain.codec import decode, decode_all, encode, facts_digest
from domain.ports import Append
from domain.rules import RuleLibrary
from projections.database import create_tables, open_writer, wanted_stamp
from projections.rows.stream import Stream
from projections.schema import FOLDED
from projections.tables import fold_tables
from projections.views import ViewSet
from whodecided.rulebook import load_rulebook, load_rules
from whodecided.store.mapper import EventMapper
from whodecided.store.sqlite_log import SqliteEventLog, create_events_file

WANTED: Final = 60.0
WANTED_SPEED: Final = 17_000

Inserts = list[tuple[str, tuple[Any, ...]]]


def ours(games: Sequence[Append], directory: Path, rules: RuleLibrary) -> float:
    """Seconds to make all tables from the log."""
    create_events_file(directory / "events.sqlite")
    with closing(SqliteEventLog(directory / "events.sqlite", facts_digest)) as log:
        log.append(games)
        started = time.perf_counter()
        status = ViewSet(directory / "views").rebuild(log, rules)
        taken = time.perf_counter() - started
        if status.problem or status.behind or status.poison:
            raise RuntimeError(f"the tables are not whole: {status}")
    return taken


class LibraryApplication(Application[str]):
    """The library's application over memory, with our bytes."""

    def construct_mapper(self) -> Mapper[str]:
        return EventMapper(encode, decode)


class DuckView(POPOTrackingRecorder):
    """A materialised view in DuckDB: rows and tracking row in one transaction per event."""

    directory: Path
    inserts: dict[tuple[str, int], Inserts]
    last: int
    rules: str

    def __init__(self) -> None:
        super().__init__()
        self.connection = open_writer(self.directory / "library.duckdb")
        create_tables(self.connection, wanted_stamp(self.rules))
        self.done = threading.Event()

    def write(self, event: Any, tracking: Tracking) -> None:
        """Write what the event adds."""
        self.connection.begin()
        for statement, row in self.inserts.get((event.stream_id, event.number), ()):
            self.connection.execute(statement, row)
        moved = self.connection.execute(
            "UPDATE tracking SET position = $1 WHERE projection = 'events' AND position < $1"
            " RETURNING position",
            [tracking.notification_id],
        ).fetchone()
        if moved is None:
            self.connection.rollback()
            raise IntegrityError
        self.connection.commit()
        if tracking.notification_id == self.last:
            self.done.set()


class TablesProjection(Projection[DuckView]):
    """Every event goes to the view."""

    def process_event(self, domain_event: Any, tracking: Tracking) -> None:
        self.view.write(domain_event, tracking)


def library(games: Sequence[Append], events: int, directory: Path, rules: RuleLibrary) -> float:
    """Seconds in which the library's runner projects the first `events` events of the games."""
    stored = [event for game in games for event in game.events][:events]
    DuckView.directory, DuckView.last, DuckView.rules = directory, events, rules.version
    DuckView.inserts = _ready_inserts(games, rules)
    with ProjectionRunner(
        application_class=LibraryApplication, projection_class=TablesProjection, view_class=DuckView
    ) as runner:
        started = time.perf_counter()
        runner.app.recorder.insert_events(
            [LibraryStoredEvent(e.stream_id, e.number, e.topic, e.state) for e in stored]
        )
        while not runner.view.done.wait(1.0):
            if runner.is_interrupted.is_set():
                runner.run_forever(0)
        taken = time.perf_counter() - started
    runner.view.connection.close()
    return taken


def _ready_inserts(games: Sequence[Append], rules: RuleLibrary) -> dict[tuple[str, int], Inserts]:
    """(stream, number) -> the rows that begin with that event; a game's own row with its last."""
    found: dict[tuple[str, int], Inserts] = defaultdict(list)
    position = 1
    for game in games:
        stream = Stream(game.stream_id, "game", position)
        position += len(game.events)
        tables = fold_tables(stream, decode_all(game.events), rules)
        for name, table in tables.items():
            marks = ", ".join("?" * table.num_columns)
            statement = f'INSERT INTO "{name}" VALUES ({marks})'
            for row in table.to_pylist():
                number = row.get("number", game.events[-1].number)
                found[game.stream_id, number].append((statement, tuple(row.values())))
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--events", type=int, default=500, help="for the library's runner")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--directory", type=Path, help="where the files are written")
    chosen = parser.parse_args()
    rules, newest = load_rules(), load_rulebook()
    games = [play(seed, newest) for seed in range(chosen.games)]
    total = sum(len(game.events) for game in games)
    our_seconds, library_seconds = [], []
    for _ in range(chosen.rounds):
        with tempfile.TemporaryDirectory(dir=chosen.directory) as fresh:
            our_seconds.append(ours(games, Path(fresh), rules))
        with tempfile.TemporaryDirectory(dir=chosen.directory) as fresh:
            library_seconds.append(library(games[:2], chosen.events, Path(fresh), rules))
    our_speed = total / statistics.median(our_seconds)
    library_speed = chosen.events / statistics.median(library_seconds)
    print(f"{len(FOLDED) + 1} tables; {total} events of {chosen.games} games for ours")
    print(f"rebuild of all tables     {our_speed:10,.0f} events/s (wanted: {WANTED_SPEED:,})")
    print(f"library ProjectionRunner  {library_speed:10,.0f} events/s")
    print(f"ratio {our_speed / library_speed:.1f} (wanted: at least {WANTED:g})")


if __name__ == "__main__":
    main()
