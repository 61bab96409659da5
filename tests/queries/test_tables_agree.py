"""A question about one game and the tables give the same answers: both rest on the same folds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.observation import Observation
from projections.runner import run
from queries.computed import ComputedStamp
from queries.findings import findings
from queries.who import who
from tests.support.games import LIBRARY, Told, act, asks, tell
from tests.support.random_games import PLAYERS, Move, moves, observed
from tests.support.stories import controlled_turn, gap, hidden_cards, rewound, stand_in
from tests.support.tables import fresh_tables, memory_log

_COMPUTED = (
    "computed_decider, should_decide, computed_authority, computed_ref, certain, rule_gap, agrees"
)


@contextmanager
def _tables(told: Told) -> Iterator[duckdb.DuckDBPyConnection]:
    with fresh_tables() as connection:
        run(connection, memory_log(told), LIBRARY)
        yield connection


def _computed(computed: ComputedStamp, agrees: bool | None) -> tuple[Any, ...]:
    return (
        computed.deciding_player,
        computed.should_decide,
        computed.authority,
        computed.authority_ref,
        computed.certain,
        computed.rule_gap is not None,
        agrees,
    )


def _same_answers(told: Told) -> None:
    record = told.record()
    with _tables(told) as tables:
        for table in ("events", "decisions"):
            rows = tables.execute(
                f"SELECT number, acting_seat, acting_player, {_COMPUTED}"
                f" FROM {table} WHERE computed_decider IS NOT NULL ORDER BY number"
            ).fetchall()
            for number, *row in rows:
                answer = who(record, number, "judge")
                assert answer.computed is not None
                wanted = _computed(answer.computed, answer.agrees)
                assert tuple(row) == (answer.acting_seat, answer.acting_player, *wanted)
        rows = tables.execute("SELECT number, code FROM findings ORDER BY ALL").fetchall()
        told_findings = findings(record, "judge").findings
        assert rows == sorted((one.number, one.code) for one in told_findings)


@pytest.mark.parametrize("story", [controlled_turn, gap, hidden_cards, rewound, stand_in])
def test_the_stories_are_told_alike(story: Any) -> None:
    _same_answers(story())


def _choices(numbers: Sequence[int]) -> list[Observation]:
    events = ("priority_passed", "conceded", "attackers_declared", "mulligan_decided")
    chosen: list[Observation] = []
    for number in numbers:
        seat, event = 1 + number % 3, events[number % 4]
        fields: dict[str, Any] = {"keep": True} if event == "mulligan_decided" else {}
        stated = PLAYERS[number % 2] if number > 8 else None
        chosen += [asks(seat, event), act(event, seat, stated=stated, **fields)]
    return chosen


@settings(max_examples=40)
@given(told=moves(15), numbers=st.lists(st.integers(0, 11), max_size=6))
def test_any_game_is_told_alike(told: list[Move], numbers: list[int]) -> None:
    _same_answers(tell(*observed(told), *_choices(numbers), players=PLAYERS))
