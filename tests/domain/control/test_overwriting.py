"""Which of several effects decides (CR 723.1a), and what the rules leave open."""

from __future__ import annotations

import pytest

from tests.support.control_games import Game


def test_cr_723_1a_the_last_created_of_two_effects_works() -> None:
    game = Game()
    game.control("e1", 1, 2, "next_turn")
    second = game.control("e2", 3, 2, "next_turn")
    game.turn(2)
    verdict = game.verdict(2)

    assert verdict.decider == "player:p3"
    assert "723.1a" in [rule.number for rule in verdict.rules]
    assert not verdict.rule_gap
    assert game.span("e1") == (None, second, "overwritten")
    assert game.effect("e1").overwritten_by == "e2"


def test_cr_723_1a_two_effects_on_one_turn_do_not_become_two_turns() -> None:
    game = Game()
    game.control("e1", 1, 2, "next_turn")
    game.control("e2", 1, 2, "next_turn")
    game.turn(2)
    game.turn(3)
    game.turn(2)

    assert game.decider(2) == 2


def test_cr_723_9_self_control_overwrites_like_any_other_effect() -> None:
    game = Game()
    game.control("e1", 1, 2, "next_turn")
    game.control("e2", 2, 2, "next_turn")
    game.turn(2)
    verdict = game.verdict(2)

    assert verdict.decider == "player:p2"
    assert verdict.authority == "self"
    assert verdict.ref is None
    assert verdict.rules[0].number == "723.9"


def test_cr_723_1a_self_control_is_itself_overwritten() -> None:
    game = Game()
    game.control("e1", 2, 2, "next_turn")
    game.control("e2", 1, 2, "next_turn")
    game.turn(2)

    assert game.decider(2) == 1


def test_an_effect_made_in_the_controlled_turn_does_not_disturb_it() -> None:
    game = Game()
    game.control("e1", 1, 2, "next_turn")
    game.turn(2)
    game.control("e2", 3, 2, "next_turn")

    assert game.decider(2) == 1
    assert game.effect("e1").overwritten_by is None

    game.turn(3)
    game.turn(2)

    assert game.decider(2) == 3


def test_cr_723_1a_this_turn_claims_the_same_window_as_the_control_in_force() -> None:
    game = Game()
    game.control("e1", 1, 2, "next_turn")
    game.turn(2)
    game.control("e2", 3, 2, "this_turn")

    assert game.decider(2) == 3
    assert not game.verdict(2).rule_gap
    assert game.effect("e1").overwritten_by == "e2"


def test_this_turn_leaves_an_effect_alone_that_waits_for_the_next() -> None:
    game = Game()
    game.turn(1)
    game.control("e1", 1, 2, "next_turn")
    game.control("e2", 3, 2, "this_turn")

    assert game.decider(2) == 3

    game.turn(2)

    assert game.decider(2) == 1


def test_effects_on_different_players_do_not_meet() -> None:
    game = Game()
    game.turn(1)
    game.control("e1", 1, [2, 3], "this_turn")
    game.control("e2", 3, 2, "this_turn")

    assert game.decider(2) == 1
    assert [step.player for step in game.verdict(2).path] == [
        "player:p2",
        "player:p3",
        "player:p1",
    ]
    assert game.now.in_force(3) == game.now.effects[1]


class TestWindowsOfDifferentLength:
    """The rules are thin here: the reading is that a longer effect is set aside and resumes."""

    def _word_in_a_controlled_turn(self) -> Game:
        game = Game()
        game.control("e1", 1, 2, "next_turn")
        game.turn(2)
        game.control("e2", 3, 2, "while_resolving", object="word")
        return game

    def test_the_later_shorter_effect_governs_and_the_longer_is_set_aside(self) -> None:
        game = self._word_in_a_controlled_turn()

        assert game.decider(2) == 3
        assert game.effect("e1").status == "suspended"
        assert game.verdict(2).rule_gap

    def test_the_longer_effect_resumes_and_says_that_no_rule_settles_it(self) -> None:
        game = self._word_in_a_controlled_turn()
        game.resolves("word")
        verdict = game.verdict(2)

        assert verdict.decider == "player:p1"
        assert verdict.rule_gap
        assert verdict.reading is not None
        assert verdict.alternatives == ("player:p2",)

    def test_an_earlier_shorter_window_under_a_later_longer_one_does_not_govern(self) -> None:
        game = Game()
        game.control("e1", 3, 2, "next_combat_phase")
        game.control("e2", 1, 2, "next_turn")
        game.turn(2)

        assert not game.verdict(2).rule_gap

        began = game.step("beginning_of_combat", 2)
        verdict = game.verdict(2)

        assert verdict.decider == "player:p1"
        assert verdict.alternatives == ("player:p3",)
        assert game.effect("e1").status == "suspended"
        assert game.effect("e1").began == began

    def test_nothing_is_in_doubt_where_every_reading_gives_the_same_decider(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_turn")
        game.turn(2)
        game.control("e2", 1, 2, "while_resolving", object="word")

        assert game.decider(2) == 1
        assert not game.verdict(2).rule_gap


class TestTheOverwriterIsGone:
    """An overwritten effect does not come back; that is a reading, and the answer says so."""

    @pytest.mark.parametrize("before_the_turn", [True, False])
    def test_the_overwriter_leaves(self, before_the_turn: bool) -> None:
        game = Game(4)
        game.control("e1", 1, 2, "next_turn")
        game.control("e2", 3, 2, "next_turn")
        if before_the_turn:
            game.leaves(3)
        game.turn(2)
        if not before_the_turn:
            assert not game.verdict(2).rule_gap
            game.leaves(3)
        verdict = game.verdict(2)

        assert verdict.decider == "player:p2"
        assert verdict.rule_gap
        assert verdict.alternatives == ("player:p1",)

        game.turn(4)

        assert not game.verdict(2).rule_gap

    def test_nothing_is_in_doubt_when_both_controllers_are_gone(self) -> None:
        game = Game(4)
        game.control("e1", 1, 2, "next_turn")
        game.control("e2", 3, 2, "next_turn")
        game.turn(2)
        game.leaves(3)
        game.leaves(1)

        assert not game.verdict(2).rule_gap

    def test_an_overwriter_that_was_overwritten_itself_leads_to_the_last(self) -> None:
        game = Game(5)
        game.control("e1", 1, 2, "next_turn")
        game.control("e2", 3, 2, "next_turn")
        game.control("e3", 4, 2, "next_turn")
        game.turn(2)

        assert not game.verdict(2).rule_gap

        game.leaves(4)

        assert set(game.verdict(2).alternatives) == {"player:p1", "player:p3"}


class TestPromisedExtraTurns:
    def test_cr_500_7_a_promise_falls_due_when_the_controlled_turn_is_over(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_turn", extra_turn_after=True)
        game.turn(2, extra=True)

        assert game.now.extra_turns_due(2) == 1

        taken = game.turn(2, extra=True)

        assert game.now.extra_turns_due(2) == 0
        assert game.effect("e1").extra_turn == taken
        assert game.decider(2) == 2

    def test_overwriting_ends_control_and_no_promise(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_turn", extra_turn_after=True)
        game.control("e2", 1, 2, "next_turn", extra_turn_after=True)
        game.turn(2)

        assert game.now.extra_turns_due(2) == 2

        game.turn(2, extra=True)
        game.turn(2, extra=True)

        assert game.now.extra_turns_due(2) == 0

    def test_a_second_turn_in_a_row_of_a_silent_source_is_the_promised_one(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_turn", extra_turn_after=True)
        game.turn(2, extra=None)
        game.turn(2, extra=None)

        assert game.now.extra_turns_due(2) == 0

    def test_a_turn_of_somebody_else_takes_no_promise(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_turn", extra_turn_after=True)
        game.turn(2)
        game.turn(3, extra=True)

        assert game.now.extra_turns_due(2) == 1

    def test_none_is_due_to_a_player_who_has_left_or_in_a_game_that_is_over(self) -> None:
        gone, over = Game(), Game()
        for game in (gone, over):
            game.control("e1", 1, 2, "next_turn", extra_turn_after=True)
            game.turn(2)
        gone.leaves(2)
        over.ends()

        assert gone.now.extra_turns_due(2) == 0
        assert over.now.extra_turns_due(2) == 0
