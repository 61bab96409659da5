"""How fast the macro `who` answers on a table of one million events, or of any number.

The table has the columns of the schema and invented rows: by default 2,000 games of 500 events,
games in no order. Opening a reader is measured apart.

    python -m benchmarks.macro_who [--games 2000] [--questions 200] [--directory DIR]
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
import uuid
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import duckdb

from projections.columns import Column
from projections.database import create_tables, open_writer, wanted_stamp
from projections.reader import Limits, open_reader
from projections.schema import TABLES

EVENTS: Final = 500
PART: Final = 20
WANTED: Final = 10.0

_VALUES: Final = {
    "VARCHAR": "'some text ' || (n.number % 50)",
    "INTEGER": "n.number % 20",
    "BIGINT": "n.number * 7",
    "BOOLEAN": "n.number % 3 = 0",
    "TIMESTAMP": "TIMESTAMP '2026-10-01' + INTERVAL 1 SECOND * n.number",
    "INTEGER[]": "[1]",
    "VARCHAR[]": "['card']",
}
_NAMED: Final = {
    "game_id": "g.id",
    "stream_id": "g.id",
    "stream_kind": "'game'",
    "stream_position": f"(g.place - 1) * {EVENTS} + 1",
    "number": "n.number",
    "event_id": "uuid()::VARCHAR",
    "record": "g.id || '/' || n.number",
    "acting_seat": "1 + n.number % 2",
    "details": """'{"object":"' || n.number || '"}'""",
}


def fill(connection: duckdb.DuckDBPyConnection, games: int) -> list[str]:
    """Fill `games` and `events`; the ids of the games."""
    chance = random.Random(7)
    ids = [str(uuid.UUID(int=chance.getrandbits(128))) for _ in range(games)]
    for part in range(0, games, PART):
        some = list(enumerate(ids[part : part + PART], part + 1))
        _insert(connection, "games", some, 1)
        _insert(connection, "events", some, EVENTS)
    connection.execute("CHECKPOINT")
    return ids


def _insert(
    connection: duckdb.DuckDBPyConnection, table: str, games: Sequence[tuple[int, str]], rows: int
) -> None:
    values = ", ".join(_value(column) for column in TABLES[table].columns)
    places, ids = zip(*games, strict=True)
    connection.execute(
        f'INSERT INTO "{table}" SELECT {values}'
        " FROM (SELECT unnest($places) AS place, unnest($ids) AS id) g,"
        f" range(1, {rows + 1}) n(number) ORDER BY g.place, n.number",
        {"places": places, "ids": ids},
    )


def _value(column: Column) -> str:
    return f"({_NAMED.get(column.name, _VALUES[column.type])})::{column.type}"


def ask(connection: duckdb.DuckDBPyConnection, game: str, number: int) -> None:
    """One question."""
    answer = connection.execute("FROM who(?, ?)", [game, number]).fetchall()
    if len(answer) != 1:
        raise RuntimeError(f"{len(answer)} answers for {game} {number}")


def milliseconds(work: Callable[[Any], object], items: Sequence[Any]) -> list[float]:
    """How long each took, sorted."""
    taken = []
    for item in items:
        started = time.perf_counter()
        work(item)
        taken.append((time.perf_counter() - started) * 1000)
    return sorted(taken)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--directory", type=Path, help="where the file is written")
    chosen = parser.parse_args()
    chance = random.Random(11)
    with tempfile.TemporaryDirectory(dir=chosen.directory) as fresh:
        file = Path(fresh) / "1.duckdb"
        with closing(open_writer(file)) as connection:
            create_tables(connection, wanted_stamp("2026-09-25/kernel-1"))
            ids = fill(connection, chosen.games)
        questions = [
            (chance.choice(ids), chance.randint(1, EVENTS)) for _ in range(chosen.questions)
        ]
        opened = milliseconds(lambda _: open_reader(file, Limits()).close(), range(10))
        with closing(open_reader(file, Limits())) as reader:
            full = milliseconds(lambda q: ask(reader, *q), questions)
            short = milliseconds(lambda q: ask(reader, q[0][:8], q[1]), questions)
    print(f"{chosen.games * EVENTS} events; opening a reader {statistics.median(opened):.1f} ms")
    for name, taken in (("full id", full), ("eight digits", short)):
        p95 = taken[int(len(taken) * 0.95)]
        print(f"who, {name:13} median {statistics.median(taken):.2f} ms, 95 % {p95:.2f} ms")
    worst = max(full[int(len(full) * 0.95)], short[int(len(short) * 0.95)])
    print(f"{'holds' if worst < WANTED else 'FAILS'}: 95 % under {WANTED:g} ms")


if __name__ == "__main__":
    main()
