"""A generation is written with little memory, however large it is."""

from __future__ import annotations

import random
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.macro_who import EVENTS, fill
from projections import database
from projections.database import create_tables, open_writer, transaction, wanted_stamp

_GAMES = 1000


def test_rows_all_over_a_large_table_are_replaced_in_half_the_memory_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "1.duckdb"
    with closing(open_writer(file)) as connection:
        create_tables(connection, wanted_stamp("any"))
        games = fill(connection, _GAMES)
    random.Random(5).shuffle(games)
    few = {**database._WRITER, "memory_limit": "64MB", "threads": 2}
    monkeypatch.setattr(database, "_WRITER", few)
    with closing(open_writer(file)) as connection:
        for first in range(0, len(games) // 2, 20):
            some = [games[first : first + 20]]
            rows = connection.sql(
                "SELECT * FROM events WHERE game_id IN (SELECT unnest(?))", params=some
            ).to_arrow_table()
            with transaction(connection):
                connection.execute("DELETE FROM events WHERE game_id IN (SELECT unnest(?))", some)
                connection.register("rows", rows)
                connection.execute("INSERT INTO events SELECT * FROM rows")
        connection.execute("CHECKPOINT")
        found = connection.execute("SELECT count(*), count(DISTINCT event_id) FROM events")
        assert found.fetchall() == [(_GAMES * EVENTS, _GAMES * EVENTS)]
