"""Rewinds: what goes back, and what does not."""

from __future__ import annotations

import pytest

from tests.support.control_games import Game


def test_control_goes_back_with_the_game() -> None:
    game = Game()
    made = game.control("e1", 1, 2, "next_turn")
    game.turn(2)
    game.rewinds(made)

    assert game.decider(2) == 2
    assert game.now.pending(2) is not None

    began = game.turn(2)

    assert game.decider(2) == 1
    assert game.effect("e1").began == began


def test_an_effect_whose_creation_is_undone_ended_by_the_rewind() -> None:
    game = Game()
    start = game.turn(1)
    game.control("e1", 1, 2, "next_turn")
    game.turn(2)
    back = game.rewinds(start)

    assert game.now.pending(2) is None
    assert game.span("e1") == (None, back, "rewound")


def test_a_branch_that_was_undone_can_come_back() -> None:
    game = Game()
    start = game.turn(1)
    game.control("e1", 1, 2, "next_turn")
    began = game.turn(2)
    game.rewinds(start)
    game.rewinds(began)

    assert game.decider(2) == 1
    assert [effect.label for effect in game.now.effects] == ["e1"]
    assert game.effect("e1").began == began


def test_a_rewind_to_a_rewind_gives_what_it_gave() -> None:
    game = Game()
    game.turn(1)
    first = game.control("e1", 1, 3, "next_turn")
    game.turn(2)
    back = game.rewinds(first)
    game.control("e2", 2, 3, "next_turn")
    game.rewinds(back)
    game.turn(3)

    assert game.decider(3) == 1


def test_a_promise_is_due_again() -> None:
    game = Game()
    game.control("e1", 1, 2, "next_turn", extra_turn_after=True)
    controlled = game.turn(2)
    game.turn(2, extra=True)
    game.rewinds(controlled)

    assert game.now.extra_turns_due(2) == 1


def test_an_undone_promise_is_void() -> None:
    game = Game()
    start = game.turn(1)
    game.control("e1", 1, 2, "next_turn", extra_turn_after=True)
    game.rewinds(start)

    assert game.now.extra_turns_due(2) == 0


def test_choices_turns_combat_and_searches_go_back() -> None:
    game = Game()
    start = game.turn(1)
    game.choice("war", 1, [2], "attackers", lasts="this_turn")
    game.turn(2)
    game.step("declare_attackers", 2)
    game.searches(2)
    game.rewinds(start)

    assert game.decider(2, "attackers") == 2
    assert game.now.active_seats == (1,)
    assert game.now.turn == 1
    assert game.now.combat is None
    assert game.now.searching == ()


@pytest.mark.parametrize("reason", ["lost", "drew", "unknown"])
def test_a_departure_by_a_state_of_the_game_is_undone(reason: str) -> None:
    game = Game()
    game.control("e1", 1, 2, "next_turn")
    began = game.turn(2)
    game.leaves(1, reason)
    game.rewinds(began)

    assert game.decider(2) == 1
    assert not game.now.has_left(1)


@pytest.mark.parametrize("reason", ["conceded", "disqualified", "disconnected"])
def test_a_departure_by_an_act_is_not_undone(reason: str) -> None:
    game = Game()
    game.control("e1", 1, 2, "next_turn")
    began = game.turn(2)
    left = game.leaves(1, reason)
    game.rewinds(began)

    assert game.decider(1) == "nobody"
    assert game.decider(2) == 2
    assert game.span("e1") == (began, left, "controller_left")


def test_a_rewind_may_name_the_player_as_restored() -> None:
    game = Game()
    game.control("e1", 1, 2, "next_turn")
    began = game.turn(2)
    game.leaves(1, "disqualified")
    game.rewinds(began, restores=(1,))

    assert game.decider(2) == 1


def test_a_team_stays_away_after_a_concession() -> None:
    game = Game(4, teams=[(1, 2), (3, 4)])
    start = game.turn(1, 2)
    game.concedes(3)
    game.rewinds(start)

    assert game.decider(3) == "nobody"
    assert game.decider(4) == "nobody"


def test_stand_ins_stay() -> None:
    game = Game()
    start = game.turn(1)
    game.taken_over(2, "server:arena")
    game.rewinds(start)

    assert game.now.stand_in(2) == "server:arena"


def test_gaps_stay() -> None:
    game = Game()
    start = game.turn(1)
    game.gap()
    game.rewinds(start)

    assert game.decider(2) == "unknown"


def test_back_to_the_empty_game_the_players_are_still_known() -> None:
    game = Game()
    game.turn(1)
    game.control("e1", 1, 2, "this_turn")
    game.rewinds(0)

    assert game.decider(2) == 2
    assert game.now.active_seats is None


def test_an_ended_game_goes_on() -> None:
    game = Game()
    game.control("e1", 1, 2, "next_turn")
    began = game.turn(2)
    game.ends()

    assert game.decider(2) == 2

    game.rewinds(began)

    assert game.decider(2) == 1
    assert not game.now.over
