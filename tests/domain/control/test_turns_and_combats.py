"""Turns, combat phases and searches in detail: what waits, what goes on, what is over."""

from __future__ import annotations

import pytest

from tests.support.control_games import Game, player


class TestTurns:
    def test_cr_800_4j_who_has_left_is_not_active_in_the_teams_turn(self) -> None:
        game = Game(4, teams=[(1, 2), (3, 4)])
        game.leaves(4)
        game.turn(3, 4)

        assert game.now.active_seats == (3,)

    def test_cr_723_1b_a_skipped_turn_skips_its_combat_phase(self) -> None:
        game = Game()
        game.control("combat", 1, 2, "next_combat_phase")
        game.control("turn", 1, 2, "next_turn")
        game.control("other", 1, 3, "next_turn")
        game.control("opp", 1, 2, "while_searching")
        game.skip(2)

        assert {e.label: e.waited for e in game.now.effects} == {
            "combat": True,
            "turn": True,
            "other": False,
            "opp": False,
        }
        before = game.now
        game.skip(2)
        assert game.now is before

    def test_cr_723_1b_control_in_force_does_not_wait(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_turn")
        game.turn(2)
        before = game.now
        game.skip(2)

        assert game.now is before

    def test_cr_500_7_a_turn_that_is_not_the_second_in_a_row_takes_no_promise(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_turn", extra_turn_after=True)
        game.turn(2)
        game.turn(3)
        game.turn(2, extra=None)
        assert game.now.extra_turns_due(2) == 1
        game.turn(2, extra=None)

        assert game.now.extra_turns_due(2) == 0

    def test_cr_500_7_nobodys_second_turn_takes_no_promise(self) -> None:
        game = Game(2)
        game.control("e1", 1, 2, "next_turn", extra_turn_after=True)
        game.leaves(1)
        game.turn(1, extra=None)
        game.turn(1, extra=None)

        assert game.effect("e1").promise == "promised"


class TestCombats:
    def test_without_an_active_player_the_step_says_whose_combat_it_is(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_combat_phase")
        game.step("beginning_of_combat")
        assert game.decider(2) == 2
        game.step("postcombat_main")
        game.step("beginning_of_combat", 2)

        assert game.decider(2) == 1

    def test_a_combat_that_is_under_way_does_not_begin_again(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_combat_phase")
        game.turn(2)
        began = game.step("beginning_of_combat", 2)
        game.step("beginning_of_combat", 2)
        assert game.now.number == began
        assert game.now.combat is not None
        assert not game.now.combat.under_way

        number = game.step("declare_attackers", 2)
        game.step("combat_damage", 2)
        assert game.now.number == number
        assert game.now.combat.under_way
        assert (game.now.combat.began, game.decider(2)) == (began, 1)

    @pytest.mark.parametrize(
        "step", ["declare_attackers", "declare_blockers", "combat_damage", "end_of_combat"]
    )
    def test_after_any_later_step_a_beginning_is_another_combat(self, step: str) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_combat_phase")
        game.turn(2)
        game.step(step, 2)
        assert game.decider(2) == 1
        over = game.step("beginning_of_combat", 2)

        assert game.effect("e1").ended == over


class TestSearches:
    def test_a_permission_works_again_after_a_turn_cut_a_search_off(self) -> None:
        game = Game()
        game.control("opp", 1, 2, "while_searching")
        game.searches(2)
        game.turn(3)
        assert game.effect("opp").ended is None
        game.searches(2)

        assert game.decider(2) == 1

    def test_two_who_search_at_one_time_are_both_controlled(self) -> None:
        game = Game()
        game.control("opp", 1, [2, 3], "while_searching")
        game.searches(2)
        game.searches(3)
        assert game.now.searching == (2, 3)
        game.found(3)

        assert (game.decider(2), game.decider(3)) == (1, 3)
        before = game.now
        game.found(3)
        assert game.now is before


class TestOverwriting:
    def test_cr_723_1a_of_two_effects_of_one_resolution_the_later_overwrites(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "while_resolving", object="o")
        game.control("e2", 3, 2, "while_resolving", object="o")

        assert game.effect("e1").overwritten_by == "e2"
        assert game.decider(2) == 3

    def test_effects_of_two_resolutions_do_not_compete(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "while_resolving", object="o")
        game.control("e2", 3, 2, "while_resolving", object="p")
        assert game.effect("e1").status == "suspended"
        game.resolves("p")

        assert game.decider(2) == 1
        assert game.effect("e1").resumed

    @pytest.mark.parametrize("scope", ["this_turn", "while_searching", "observed"])
    def test_a_resolution_competes_with_nothing_else(self, scope: str) -> None:
        game = Game()
        game.searches(2)
        game.control("e1", 1, 2, scope)
        game.control("e2", 3, 2, "while_resolving")

        assert game.effect("e1").ended is None

    def test_a_permission_overwrites_no_effect_of_a_resolution(self) -> None:
        game = Game()
        game.searches(2)
        game.control("e1", 1, 2, "while_resolving")
        game.control("e2", 3, 2, "while_searching")

        assert game.effect("e1").ended is None


class TestThinRules:
    def test_an_overwriter_that_something_ends_leaves_it_open_who_decides(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_turn")
        game.control("e2", 3, 2, "next_turn")
        game.turn(2)
        game.over("e2")
        verdict = game.verdict(2)

        assert (verdict.decider, verdict.rule_gap) == (player(2), True)
        assert set(verdict.candidates) == {player(1), player(2)}

    def test_an_effect_that_was_ended_itself_is_no_candidate(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_turn")
        game.control("e2", 1, 3, "this_turn")
        game.turn(2)
        game.over("e1")

        for seat in (2, 3):
            assert game.verdict(seat).candidates == (player(seat),)
            assert not game.verdict(seat).rule_gap

    def test_what_was_overwritten_for_one_player_is_no_candidate_for_another(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_turn")
        game.control("e2", 3, 2, "next_turn")
        game.turn(2)
        game.over("e2")

        assert game.verdict(3).candidates == (player(3),)
        assert not game.verdict(3).rule_gap

    def test_an_overwriter_that_a_snapshot_shows_to_be_over_brings_nothing_back(self) -> None:
        game = Game()
        game.turn(2)
        game.control("e1", 1, 2, "this_turn")
        game.control("e2", 3, 2, "this_turn")
        game.anchor(2)
        verdict = game.verdict(2)

        assert game.effect("e2").reason == "not_shown"
        assert (verdict.candidates, verdict.rule_gap) == ((player(2),), False)

    def test_a_reading_that_changes_no_decider_is_not_told(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "this_turn")
        game.control("e2", 1, 2, "while_resolving")

        assert game.verdict(2).reading is None
        assert not game.verdict(2).rule_gap
