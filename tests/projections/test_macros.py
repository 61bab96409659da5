"""The macros answer what the folds answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pytest

from projections.attach import attach
from projections.database import create_tables, wanted_stamp
from projections.game import fold_game
from projections.macros import MACROS, MEANINGS
from projections.runner import run
from tests.support.games import ALICE, BOB, LIBRARY, RULES, act, enters, fact, tell, turn
from tests.support.tables import fresh_tables, memory_log

TOLD = tell(
    enters("1", 2, "hand", "7"),
    enters("2", 1, "battlefield", "8", controller=1),
    turn(1),
    fact(
        "control_created",
        acting=1,
        label="slaver",
        controller=ALICE,
        affected=(2,),
        scope="next_turn",
    ),
    turn(2),
    act("spell_cast", 2),
    turn(1),
)
OTHER = tell(turn(1), match="other")


@pytest.fixture(scope="module")
def tables() -> Iterator[duckdb.DuckDBPyConnection]:
    with fresh_tables() as connection:
        run(connection, memory_log(TOLD, OTHER), LIBRARY)
        yield connection


def _ask(tables: duckdb.DuckDBPyConnection, text: str, *given: Any) -> list[dict[str, Any]]:
    result = tables.execute(text, list(given))
    names = [column[0] for column in result.description or ()]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


@pytest.mark.parametrize("game", [TOLD.game_id, TOLD.game_id[:8]])
def test_who_gives_seat_and_decider_recorded_and_computed(
    tables: duckdb.DuckDBPyConnection, game: str
) -> None:
    (answer,) = _ask(tables, "FROM who(?, ?)", game, 7)
    assert (answer["acting_seat"], answer["acting_player"]) == (2, BOB)
    assert (answer["deciding_player"], answer["computed_decider"]) == (ALICE, ALICE)
    assert (answer["authority"], answer["authority_ref"], answer["agrees"]) == (
        "control_effect",
        5,
        True,
    )


def test_who_gives_no_decider_for_an_event_that_nobody_decides(
    tables: duckdb.DuckDBPyConnection,
) -> None:
    (answer,) = _ask(tables, "FROM who(?, 4)", TOLD.game_id)
    assert (answer["event"], answer["deciding_player"]) == ("turn_started", None)


def test_who_gives_nothing_for_what_is_not_there(tables: duckdb.DuckDBPyConnection) -> None:
    assert not _ask(tables, "FROM who(?, 99)", TOLD.game_id)
    assert not _ask(tables, "FROM who('ffffffff-none', 1)")


def test_a_shortened_id_that_fits_several_games_gives_each(
    tables: duckdb.DuckDBPyConnection,
) -> None:
    answers = _ask(tables, "FROM who('', 1)")
    assert [a["game_id"] for a in answers] == sorted((TOLD.game_id, OTHER.game_id))


@pytest.mark.parametrize("name", ["e", "t", "c", "g", "events", "games", "decisions"])
def test_macros_take_columns_of_a_table_by_any_name(
    tables: duckdb.DuckDBPyConnection, name: str
) -> None:
    asked = f"(SELECT '{TOLD.game_id}' AS game_id, 2 AS seat, '1' AS object, 7 AS number) {name}"
    (who,) = _ask(tables, f"SELECT w.* FROM {asked}, who({name}.game_id, {name}.number) w")
    assert (who["number"], who["deciding_player"]) == (7, ALICE)
    given = f"{name}.game_id, {name}.seat, {name}.number"
    (at,) = _ask(tables, f"SELECT w.* FROM {asked}, controller_at({given}) w")
    assert (at["seat"], at["controller"]) == (2, ALICE)
    given = f"{name}.game_id, 'seat:' || {name}.seat, {name}.object, {name}.number"
    assert _ask(tables, f"SELECT can_see({given}) AS seen FROM {asked}") == [{"seen": True}]


def test_who_reads_only_events_that_lie_near_those_of_the_game(tmp_path: Path) -> None:
    games = [
        tell(*[turn(1 + number % 2) for number in range(500)], match=f"m{place}")
        for place in range(16)
    ]
    with closing(attach(tmp_path / "t.duckdb", "ROW_GROUP_SIZE 2048", {})) as connection:
        create_tables(connection, wanted_stamp(LIBRARY.version))
        run(connection, memory_log(*games), LIBRARY)
        for game in games:
            (row,) = connection.execute(
                "EXPLAIN (ANALYZE, FORMAT json) FROM who(?, 300)", [game.game_id[:8]]
            ).fetchall()
            assert 0 < sum(_scanned(json.loads(row[1])["operator"], "events")) <= 2 * 2048


def _scanned(operators: list[dict[str, Any]], table: str) -> Iterator[int]:
    """The rows of the table that each operator of a plan has read."""
    for operator in operators:
        if str(operator["extra_info"].get("Table")).endswith(f".{table}"):
            yield operator["rows_scanned"]
        yield from _scanned(operator.get("children", []), table)


def test_controller_at_equals_the_fold_at_every_event(tables: duckdb.DuckDBPyConnection) -> None:
    game = fold_game(TOLD.events, RULES)
    for number in range(1, game.last + 1):
        for seat, player in ((1, ALICE), (2, BOB)):
            effect = game.control_at(number).in_force(seat)
            (answer,) = _ask(tables, "FROM controller_at(?, ?, ?)", TOLD.game_id[:8], seat, number)
            assert answer["controller"] == (effect.controller if effect else player)
            assert answer["effect"] == (effect.label if effect else None)


def test_can_see_equals_the_fold_at_every_event(tables: duckdb.DuckDBPyConnection) -> None:
    game = fold_game(TOLD.events, RULES)
    for number in range(1, game.last + 1):
        for viewer in ("seat:1", "seat:2", "spectator"):
            for name in ("1", "2", "nothing"):
                text = "SELECT can_see(?, ?, ?, ?) AS answer"
                (answer,) = _ask(tables, text, TOLD.game_id, viewer, name, number)
                assert answer["answer"] == game.visibility.entitled(viewer, number, name)


def test_every_macro_is_told_in_the_data_dictionary() -> None:
    assert len(MEANINGS) == len(MACROS)
    assert all(any(f"{name}(" in call for call in MEANINGS) for name in MACROS)
