"""Players who leave, in every part they can play (CR 104.3a, 800.4a, 800.4b, 800.4j)."""

from __future__ import annotations

import pytest

from tests.support.control_games import Game, player


def test_cr_800_4a_control_ends_at_once_when_the_controller_leaves() -> None:
    game = Game()
    game.control("e1", 1, 2, "next_turn")
    began = game.turn(2)
    left = game.leaves(1)

    assert game.decider(2) == 2
    assert not game.verdict(2).rule_gap
    assert [rule.number for rule in game.verdict(2).rules] == ["800.4a"]
    assert game.now.active_seats == (2,)
    assert game.span("e1") == (began, left, "controller_left")


def test_cr_800_4a_control_that_waits_ends_too() -> None:
    game = Game()
    game.control("e1", 1, 2, "next_turn")
    left = game.leaves(1)
    game.turn(2)

    assert game.decider(2) == 2
    assert game.span("e1") == (None, left, "controller_left")


def test_cr_800_4b_an_effect_of_a_departed_player_does_nothing() -> None:
    game = Game()
    game.control("e1", 3, 2, "next_turn")
    game.leaves(1)
    made = game.control("e2", 1, 2, "next_turn")
    game.turn(2)

    assert game.decider(2) == 3
    assert game.effect("e1").overwritten_by is None
    assert game.span("e2") == (None, made, "controller_already_gone")


def test_somebody_who_holds_no_seat_cannot_have_left() -> None:
    game = Game()
    game.leaves(1)
    game.control("e1", "person:p1", 2, "next_turn")
    game.turn(2)

    assert game.decider(2) == "person:p1"


def test_cr_800_4j_the_turn_goes_on_without_an_active_player() -> None:
    game = Game()
    game.control("e1", 1, 2, "next_turn")
    began = game.turn(2)
    left = game.leaves(2)

    assert game.now.active_seats is None
    assert game.now.active_certain
    assert game.decider(2) == "nobody"
    assert game.span("e1") == (began, left, "affected_left")


def test_an_effect_on_a_departed_player_is_over_before_it_begins() -> None:
    game = Game()
    game.leaves(2)
    made = game.control("e1", 1, 2, "next_turn")

    assert game.span("e1") == (None, made, "affected_left")


def test_the_departure_of_others_changes_nothing() -> None:
    game = Game()
    game.control("e1", 1, 2, "next_turn")
    game.turn(2)
    game.leaves(3)

    assert game.decider(2) == 1


def test_the_middle_of_a_chain_leaves() -> None:
    game = Game(4)
    game.turn(4)
    game.control("e1", 1, 2, "this_turn")
    game.control("e2", 2, 3, "this_turn")
    game.leaves(2)

    assert game.decider(3) == 3
    assert game.effect("e1").reason == "affected_left"
    assert game.effect("e2").reason == "controller_left"


def test_the_head_of_a_chain_leaves() -> None:
    game = Game(4)
    game.turn(4)
    game.control("e1", 1, 2, "this_turn")
    game.control("e2", 2, 3, "this_turn")
    game.leaves(1)

    assert game.decider(3) == 2


def test_a_search_ends_with_the_searching_player() -> None:
    game = Game()
    game.control("opp", 1, [2], "while_searching")
    game.searches(2)
    game.leaves(2)

    assert game.now.searching == ()
    assert game.now.in_force(2) is None


class TestConceding:
    def test_cr_104_3a_the_persons_concession_leaves_the_game_at_once(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_turn")
        game.turn(2)
        gone = game.concedes(2)

        assert game.recorded(gone) == 2
        assert game.decider(2) == "nobody"
        assert game.effect("e1").ended == gone

    def test_the_departure_that_follows_says_nothing_new(self) -> None:
        game = Game()
        game.concedes(2)
        before = game.now
        game.leaves(2, "conceded")

        assert game.now is before

    @pytest.mark.parametrize("by", [1, "server:arena", "unknown"])
    def test_cr_723_6_nobody_elses_concession_changes_anything(self, by: int | str) -> None:
        game = Game()
        before = game.now
        game.concedes(2, stated=by)

        assert game.now is before

    def test_a_refused_one_changes_nothing(self) -> None:
        game = Game()
        before = game.now
        game.concedes(2, refused=True)

        assert game.now is before

    def test_one_after_the_game_concedes_the_match_and_no_game(self) -> None:
        game = Game()
        game.ends()
        before = game.now
        game.concedes(2)

        assert game.now is before

    def test_the_controllers_own_concession_ends_the_control(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_turn")
        game.turn(2)
        game.concedes(1)

        assert game.decider(2) == 2
        assert game.effect("e1").reason == "controller_left"


class TestPromises:
    def test_a_promise_outlives_the_controller_and_says_that_no_rule_settles_it(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_turn", extra_turn_after=True)
        game.leaves(1)
        game.turn(2)

        assert game.now.extra_turns_due(2) == 1

        taken = game.turn(2, extra=True)

        assert game.effect("e1").extra_turn == taken
        assert game.now.extra_turns_due(2) == 0


def test_departed_players_keep_the_decisions_of_the_person() -> None:
    game = Game()
    game.leaves(2)

    assert game.verdict(2, "sideboarded").decider == player(2)


def test_cr_800_4b_a_promise_of_a_departed_player_falls_due_when_the_turn_is_over() -> None:
    for scope in ("this_turn", "next_turn"):
        game = Game()
        game.leaves(1)
        if scope == "this_turn":
            game.turn(2)
        game.control("e1", 1, 2, scope, extra_turn_after=True)
        if scope == "next_turn":
            game.turn(2)
        assert game.decider(2) == 2
        game.turn(3)

        assert game.now.extra_turns_due(2) == 1
        assert game.effect("e1").promise == "due"
        game.turn(2, extra=True)
        assert game.now.extra_turns_due(2) == 0


def test_nothing_is_promised_to_players_who_have_left() -> None:
    game = Game()
    game.control("e1", 1, 2, "next_turn", extra_turn_after=True)
    game.leaves(2)
    game.control("e2", 1, 2, "next_turn", extra_turn_after=True)

    assert [effect.promise for effect in game.now.effects] == ["void", "void"]


def test_effects_that_are_over_no_longer_take_part_in_what_happens() -> None:
    game = Game()
    for _ in range(20):
        game.control("e", 1, 2, "next_turn")
        game.observe("seen", 3, 1)
        game.control("s", 1, 3, "while_searching")
        game.turn(2)
        game.observe("seen", 3, None)
        game.over("s")
        game.turn(1)

    assert game.now.open_effects == ()
    assert len(game.now.effects) == 60
