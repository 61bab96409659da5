"""When control begins and when it ends (CR 723.1, 723.1b, 723.2)."""

from __future__ import annotations

import pytest

from tests.support.control_games import Game


def test_cr_723_1_control_lasts_for_the_next_turn_taken_cleanup_included() -> None:
    game = Game()
    made = game.control("e1", 1, 2, "next_turn")
    began = game.turn(2)
    game.step("cleanup", 2)

    assert game.decider(2, at=made) == 2
    assert game.decider(2) == 1

    over = game.turn(3)

    assert game.decider(2) == 2
    assert game.span("e1") == (began, over, "next_turn_started")


def test_cr_723_1_turns_of_others_do_not_use_the_control_up() -> None:
    game = Game()
    game.control("e1", 1, 2, "next_turn")
    game.turn(1, extra=True)
    game.turn(3)

    assert game.now.pending(2) is not None

    game.turn(2)

    assert game.decider(2) == 1


def test_cr_723_1_an_effect_made_in_the_players_own_turn_claims_the_next_one() -> None:
    game = Game()
    game.turn(2)
    game.control("e1", 1, 2, "next_turn")

    assert game.decider(2) == 2

    game.turn(3)
    game.turn(2)

    assert game.decider(2) == 1


def test_cr_723_1_an_extra_turn_of_the_player_counts_as_the_next() -> None:
    game = Game()
    game.turn(2)
    game.control("e1", 1, 2, "next_turn")
    game.turn(2, extra=True)

    assert game.decider(2) == 1

    game.turn(2, extra=True)

    assert game.decider(2) == 2


def test_cr_723_1b_control_waits_through_a_skipped_turn_and_cites_the_rule() -> None:
    game = Game()
    game.control("e1", 1, 2, "next_turn")
    game.skip(2)
    game.turn(3)

    assert game.now.pending(2) == game.effect("e1")

    game.turn(2)
    verdict = game.verdict(2)

    assert verdict.decider == "player:p1"
    assert [rule.number for rule in verdict.rules] == ["723.1", "723.1b", "723.5"]


def test_cr_723_1_a_skipped_turn_after_the_controlled_one_does_not_end_it() -> None:
    game = Game()
    game.control("e1", 1, 2, "next_turn")
    game.turn(2)
    game.skip(3)

    assert game.decider(2) == 1


def test_control_of_this_turn_begins_at_once_and_ends_with_the_turn() -> None:
    game = Game()
    game.turn(3)
    made = game.control("e1", 1, 2, "this_turn")

    assert game.decider(2) == 1

    over = game.turn(1)

    assert game.span("e1") == (made, over, "next_turn_started")


class TestOneCombatPhase:
    def test_it_begins_with_the_combat_phase_and_ends_with_it(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_combat_phase")
        game.turn(2)
        game.step("precombat_main", 2)

        assert game.decider(2) == 2

        began = game.step("beginning_of_combat", 2)
        for step in ("declare_attackers", "combat_damage", "combat_damage", "end_of_combat"):
            game.step(step, 2)

        assert game.decider(2) == 1

        over = game.step("postcombat_main", 2)

        assert game.span("e1") == (began, over, "combat_ended")

    def test_no_clause_opens_its_window_so_the_card_is_cited(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_combat_phase")
        game.turn(2)
        game.step("declare_attackers", 2)

        assert [rule.number for rule in game.verdict(2).rules] == ["101.1", "723.5"]

    @pytest.mark.parametrize("cut_short_by", ["cleanup", "end"])
    def test_it_ends_with_a_combat_that_is_cut_short(self, cut_short_by: str) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_combat_phase")
        game.turn(2)
        game.step("declare_attackers", 2)
        game.step(cut_short_by, 2)

        assert game.effect("e1").reason == "combat_ended"

    def test_it_ends_when_the_next_turn_begins_in_mid_combat(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_combat_phase")
        game.turn(2)
        game.step("declare_attackers", 2)
        game.turn(3)

        assert game.effect("e1").reason == "combat_ended"

    @pytest.mark.parametrize("index", [None, 2])
    def test_a_second_combat_phase_of_the_turn_is_not_covered(self, index: int | None) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_combat_phase")
        game.turn(2)
        game.step("beginning_of_combat", 2, combat=None if index is None else 1)
        game.step("declare_attackers", 2, combat=None if index is None else 1)
        game.step("beginning_of_combat", 2, combat=index)

        assert game.decider(2) == 2

    def test_a_skipped_phase_and_combats_of_others_do_not_count(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_combat_phase")
        game.turn(3)
        game.step("beginning_of_combat", 3)

        assert game.decider(2) == 2

        game.turn(2)
        game.tell("phase_skipped", phase="combat", seat=2)
        game.step("postcombat_main", 2)

        assert game.now.pending(2) is not None

        game.step("beginning_of_combat", 2)

        assert game.decider(2) == 1

    def test_an_effect_made_in_combat_claims_the_next_combat(self) -> None:
        game = Game()
        game.turn(2)
        game.step("declare_attackers", 2)
        game.control("e1", 1, 2, "next_combat_phase")
        game.step("declare_blockers", 2)

        assert game.decider(2) == 2

    def test_a_step_given_to_the_wrong_player_is_the_active_players_combat(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_combat_phase")
        game.turn(2)
        game.step("beginning_of_combat", 3)

        assert game.decider(2) == 1


class TestWhileSomethingResolves:
    def test_cr_723_2_it_ends_when_that_object_has_resolved(self) -> None:
        game = Game()
        game.turn(2)
        made = game.control("e1", 1, 2, "while_resolving", object="word")
        game.resolves("something else")

        assert game.decider(2) == 1
        assert [rule.number for rule in game.verdict(2).rules] == ["723.2", "723.5"]

        over = game.resolves("word")

        assert game.span("e1") == (made, over, "resolved")
        assert game.decider(2) == 2

    def test_nothing_is_left_resolving_when_a_turn_begins(self) -> None:
        game = Game()
        game.turn(2)
        game.control("e1", 1, 2, "while_resolving", object="word")
        game.turn(3)

        assert game.decider(2) == 2


class TestWhileALibraryIsSearched:
    def test_cr_723_2_it_works_in_every_search_of_the_own_library(self) -> None:
        game = Game()
        game.control("opp", 1, [2, 3], "while_searching")

        assert game.decider(2) == 2
        assert game.now.pending(2) is None

        for _ in range(2):
            game.searches(2)
            assert game.decider(2) == 1
            assert game.decider(3) == 3
            game.found(2)
            assert game.decider(2) == 2

        assert game.effect("opp").ended is None

    def test_a_search_of_another_library_is_not_covered(self) -> None:
        game = Game()
        game.control("opp", 1, [2, 3], "while_searching")
        game.searches(2, owner=3)

        assert game.decider(2) == 2
        assert game.decider(3) == 3

    def test_who_would_decide_a_search_can_be_asked_before_it_begins(self) -> None:
        game = Game()
        game.control("opp", 1, [2], "while_searching")

        assert game.decider(2, "searching") == 1

        game.over("opp")

        assert game.decider(2, "searching") == 2

    def test_a_permission_that_arrives_during_the_search_works_at_once(self) -> None:
        game = Game()
        game.searches(2)
        game.control("opp", 1, [2], "while_searching")

        assert game.decider(2) == 1

    def test_its_end_in_mid_search_ends_the_control(self) -> None:
        game = Game()
        game.control("opp", 1, [2], "while_searching")
        game.searches(2)
        game.over("opp")

        assert game.decider(2) == 2

    def test_the_newest_of_two_permissions_works_and_leaves_no_doubt(self) -> None:
        game = Game()
        game.control("old", 1, [2], "while_searching")
        game.control("new", 3, [2], "while_searching")
        game.searches(2)
        verdict = game.verdict(2)

        assert verdict.decider == "player:p3"
        assert not verdict.rule_gap

    def test_a_search_that_a_new_turn_cuts_off_is_over(self) -> None:
        game = Game()
        game.control("opp", 1, [2], "while_searching")
        game.searches(2)
        game.turn(3)

        assert game.decider(2) == 2
        assert game.now.searching == ()


def test_an_event_may_end_any_effect() -> None:
    game = Game()
    game.control("e1", 1, 2, "next_turn")
    began = game.turn(2)
    over = game.over("e1")

    assert game.decider(2) == 2
    assert game.span("e1") == (began, over, "ended_by_effect")


def test_an_unknown_label_ends_nothing() -> None:
    game = Game()
    game.control("e1", 1, 2, "next_turn")
    before = game.now
    game.over("e2")

    assert game.now is before


def test_an_event_without_meaning_for_control_leaves_the_state_as_it_is() -> None:
    game = Game()
    game.turn(1)
    before = game.now
    game.acts(1)
    game.tell("life_changed", seat=1, change=-1)
    game.resolves("anything")
    game.step("upkeep", 1)
    game.skip(2)

    assert game.now is before
