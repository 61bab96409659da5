"""Whose turn it is, and the turns of the surviving history."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from domain.observation import Observation
from projections.game import FoldedGame, fold_game
from tests.support.games import RULES, act, tell, turn
from tests.support.said import said

ANN, BEN = "player:ann", "player:ben"


def _game(*seen: Observation) -> FoldedGame:
    """A game of two; the first of `seen` is event 2."""
    return fold_game(tell(*seen, players=(ANN, BEN)).events, RULES)


def _active(game: FoldedGame) -> list[tuple[int, ...]]:
    return [game.active_at(number).seats for number in range(1, game.last + 1)]


def test_cr_723_3_the_controlled_player_stays_the_active_player() -> None:
    effect: dict[str, Any] = {
        "label": "e1",
        "controller": ANN,
        "affected": (2,),
        "scope": "next_turn",
    }
    game = _game(act("control_created", 1, **effect), turn(2), turn(1))

    assert _active(game) == [(), (), (2,), (1,)]


def test_cr_805_a_team_takes_its_turn_together() -> None:
    game = _game(said("turn_started", seat=1, team_seats=(1, 2)))

    assert _active(game) == [(), (1, 2)]
    assert game.turns.turns(2)[0].seats == (1, 2)


def test_a_gap_hides_whose_turn_it_is_until_the_next_turn() -> None:
    game = _game(turn(1), said("gap_found", cause="missing"), turn(2))

    assert [tuple(game.active_at(number)) for number in (2, 3, 4)] == [
        ((1,), True),
        ((), False),
        ((2,), True),
    ]


def _anchor(seat: int, number: int | None) -> Observation:
    return said("state_anchored", active_seat=seat, turn=number, step=None, controlled=())


def _gap() -> Observation:
    return said("gap_found", cause="missing")


def _turns(game: FoldedGame) -> list[tuple[int, int, int | None, bool]]:
    return [(t.ordinal, t.number, t.stated, t.counted) for t in game.turns.turns(game.last)]


def test_after_a_gap_the_turn_is_the_one_the_snapshot_states() -> None:
    game = _game(turn(1, 1), turn(2, 2), _gap(), _anchor(2, 4), turn(1, 5))

    assert _turns(game) == [(1, 2, 1, True), (2, 3, 2, True), (4, 5, 4, False), (5, 6, 5, False)]


def test_a_turn_that_begins_after_a_gap_is_counted_by_the_sources_numbers() -> None:
    assert _turns(_game(turn(1, 1), _gap(), turn(2, 6)))[1:] == [(6, 4, 6, False)]
    assert _turns(_game(turn(1), _gap(), turn(2)))[1:] == [(2, 4, None, False)]


def test_a_gap_within_one_turn_hides_no_turn() -> None:
    game = _game(turn(1, 1), _gap(), _anchor(1, 1), turn(2, 2))

    assert _turns(game) == [(1, 2, 1, True), (2, 5, 2, True)]


def test_a_rewind_to_before_a_gap_takes_back_the_doubt_about_turns() -> None:
    game = _game(turn(1, 1), _gap(), _anchor(1, 5), said("rewound", to=2), turn(2, 2))

    assert _turns(game) == [(1, 2, 1, True), (2, 6, 2, True)]


def test_turns_are_counted_on_the_surviving_history() -> None:
    game = _game(turn(1, 7), turn(2, 8), said("rewound", to=2), turn(2, 8), turn(1))
    last = game.turns.turns(game.last)

    assert [(t.ordinal, t.number, t.seats, t.stated) for t in last] == [
        (1, 2, (1,), 7),
        (2, 5, (2,), 8),
        (3, 6, (1,), None),
    ]
    assert [t.number for t in game.turns.turns(3)] == [2, 3]
    assert _active(game) == [(), (1,), (2,), (1,), (2,), (1,)]


def test_the_turn_that_is_going_on_is_the_last_one_begun() -> None:
    game = _game(turn(1), act("priority_passed", 1), turn(2))

    assert game.turns.turn(1) is None
    assert [getattr(game.turns.turn(number), "number", None) for number in (2, 3, 4)] == [2, 2, 4]


def test_cr_500_7_a_promised_extra_turn_is_one_even_if_the_source_does_not_say_so() -> None:
    effect: dict[str, Any] = {
        "label": "e1",
        "controller": ANN,
        "affected": (2,),
        "scope": "next_turn",
    }
    game = _game(
        turn(1), act("control_created", 1, **effect, extra_turn_after=True), turn(2), turn(2)
    )

    assert [t.extra for t in game.turns.turns(game.last)] == [False, False, True]


def test_a_rewind_to_an_event_that_is_not_before_it_changes_no_turn() -> None:
    """None is recorded any more; a record that has one is folded all the same."""
    seen = tell(turn(1), said("rewound", to=1), said("rewound", to=1), players=(ANN, BEN)).events
    later, before = (replace(event, to=to) for event, to in zip(seen[2:], (99, -1), strict=True))
    game = fold_game((*seen[:2], later, before), RULES)

    assert [len(game.turns.turns(number)) for number in (2, 3, 4)] == [1, 1, 0]
