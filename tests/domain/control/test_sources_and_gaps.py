"""What a source shows and what a gap hides, seat by seat."""

from __future__ import annotations

import pytest

from tests.support.control_games import Game, player
from whodecided.rulebook import load_rulebook


class TestObservations:
    def test_they_last_beyond_the_turn(self) -> None:
        game = Game()
        game.turn(2)
        game.observe("seen", 2, 1)
        game.turn(3)

        assert game.decider(2) == 1
        assert game.effect("seen").ended is None

    def test_one_that_a_record_creates_works_at_once(self) -> None:
        game = Game()
        game.control("seen", 1, 2, "observed")

        assert game.decider(2) == 1
        assert game.verdict(2).authority == "observed"

    def test_one_about_another_seat_ends_none(self) -> None:
        game = Game()
        game.observe("two", 2, 1)
        game.observe("three", 3, 1)
        over = game.observe("free", 2, None)

        assert game.span("two") == (2, over, "observed_over")
        assert game.decider(3) == 1

    def test_it_ends_no_effect_that_does_not_govern_the_seat(self) -> None:
        game = Game()
        game.control("waits", 1, 2, "next_turn")
        game.control("e1", 3, 2, "this_turn")
        game.observe("free", 2, None)

        assert game.effect("waits").ended is None
        assert game.effect("e1").reason == "observed_over"

    def test_after_a_gap_they_settle_searches_of_that_seat_too(self) -> None:
        game = Game()
        game.gap()
        shown = game.observe("free", 2, None)

        assert game.decider(2, "searching") == 2
        assert game.verdict(3, "searching").uncertain
        assert game.now.shown == {2: shown}
        assert set(game.now.doubts) == set(game.now.search_doubts) == {1, 3}

    def test_where_they_contradict_an_effect_no_reading_is_in_doubt(self) -> None:
        game = Game()
        game.turn(2)
        game.control("e1", 1, 2, "this_turn")
        game.observe("seen", 2, 3)
        verdict = game.verdict(2)

        assert (verdict.decider, verdict.rule_gap) == (player(3), False)
        assert verdict.candidates == (player(3),)
        assert verdict.reading is None

    def test_a_window_that_opened_later_leaves_no_doubt_about_what_was_seen_before(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_turn")
        game.observe("seen", 2, 3)
        assert game.decider(2) == 3
        game.turn(2)
        verdict = game.verdict(2)

        assert (verdict.decider, verdict.rule_gap) == (player(1), False)
        assert verdict.candidates == (player(1),)

    @pytest.mark.parametrize("day", ["1996-06-01", "2004-12-15"])
    def test_they_need_no_rule_of_the_day(self, day: str) -> None:
        game = Game(rules=load_rulebook(day))
        game.observe("seen", 2, 1)
        verdict = game.verdict(2)

        assert (verdict.decider, verdict.rule_gap) == (player(1), False)

    def test_what_an_effect_explains_points_to_it(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "this_turn")
        game.observe("first", 2, 3)
        game.observe("second", 2, 1)

        assert game.effect("first").reason == "observed_over"
        assert game.effect("second").confirms == "e1"


class TestSnapshots:
    def test_an_effect_that_comes_back_by_one_alone_leaves_no_doubt(self) -> None:
        game = Game()
        game.turn(2)
        game.control("e1", 1, 2, "this_turn")
        game.observe("seen", 2, 3)
        game.anchor(2, (2, 1))
        verdict = game.verdict(2)

        assert (verdict.decider, verdict.rule_gap) == (player(1), False)
        assert not game.effect("e1").resumed

    @pytest.mark.parametrize("by", [1, 2])
    def test_a_chain_is_confirmed_by_its_first_and_by_its_last_step(self, by: int) -> None:
        game = Game()
        game.turn(3)
        game.control("e1", 1, 2, "this_turn")
        game.control("e2", 2, 3, "this_turn")
        game.gap()
        game.anchor(3, (2, 1), (3, by))

        assert game.decider(3) == 1
        assert [effect.label for effect in game.now.effects] == ["e1", "e2"]
        assert game.effect("e2").ended is None

    def test_the_own_seat_of_a_member_who_controls_the_team_is_not_shown(self) -> None:
        game = Game(4, teams=[(1, 2), (3, 4)])
        game.turn(3, 4)
        game.control("e1", 3, 4, "this_turn")
        game.anchor(3, (4, 3))

        assert game.effect("e1").ended is None
        assert game.decider(4) == 3

    def test_an_effect_on_one_seat_explains_nothing_about_another(self) -> None:
        game = Game()
        game.turn(3)
        game.control("e1", 1, 3, "this_turn")
        game.control("e2", 1, 2, "next_turn")
        shown = game.anchor(3, (3, 1), (2, 1))

        assert game.decider(2) == 1
        assert game.effect(f"anchored-{shown}-2").scope == "observed"
        assert game.now.effects[-1].label == f"anchored-{shown}-2"


class TestGaps:
    def test_they_hide_nothing_about_who_has_left(self) -> None:
        game = Game()
        game.leaves(1)
        gap = game.gap()
        game.leaves(3)

        assert {seat: doubt.gap for seat, doubt in game.now.doubts.items()} == {2: gap}
        assert game.now.search_doubts == {2: gap}

    def test_one_who_is_known_to_answer_settles_nothing_about_others(self) -> None:
        game = Game()
        game.observe("two", 2, 1)
        game.observe("three", 3, 1)
        gap = game.gap()
        game.acts(2, stated=1)

        assert game.effect("two").doubted_since is None
        assert game.effect("three").doubted_since == gap

    def test_an_effect_in_doubt_makes_its_seat_uncertain_until_it_is_stated(self) -> None:
        game = Game()
        game.observe("seen", 2, 1)
        gap = game.gap()
        for seat in (1, 2, 3, 1):
            game.turn(seat)
        assert 2 not in game.now.doubts
        assert game.now.uncertain(2)
        assert game.verdict(2).gap == gap
        game.acts(2, stated=1)

        assert not game.now.uncertain(2)
        assert game.decider(2) == 1

    def test_a_search_is_uncertain_longer_than_anything_else(self) -> None:
        game = Game()
        game.gap()
        for seat in (1, 2, 3, 1):
            game.turn(seat)
        assert not game.now.uncertain(2)
        game.searches(2)

        assert game.now.uncertain(2)
        assert not game.now.uncertain(3)

    def test_the_word_of_a_stand_in_settles_nothing(self) -> None:
        game = Game()
        game.observe("seen", 2, "server:s")
        game.gap()
        game.acts(2, stated="server:s")

        assert game.now.uncertain(2)

    def test_which_turn_an_old_effect_controls_is_as_uncertain_as_the_turn(self) -> None:
        game = Game(rules=load_rulebook("2004-12-15"))
        gap = game.gap()
        game.observe("free", 2, None)
        game.control("e1", 1, 2, "this_turn")

        assert game.effect("e1").doubted_since == gap
        assert (game.verdict(2).decider, game.verdict(2).gap) == ("unknown", gap)

    def test_a_later_statement_about_the_first_player_covers_the_way(self) -> None:
        game = Game()
        game.turn(3)
        game.control("e1", 1, 2, "this_turn")
        game.control("e2", 2, 3, "this_turn")
        gap = game.gap()
        assert game.verdict(3).gap == gap
        game.acts(3, stated=1)

        assert game.decider(3) == 1
        later = game.gap()
        assert game.verdict(3).gap == later


class TestDecisionsThatChangeNothing:
    def test_what_fulfils_no_demand_leaves_the_state_as_it_is(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_turn", must=("attackers_declared",))
        game.turn(2)
        before = game.now
        game.acts(2, "priority_passed")
        game.acts(3, "attackers_declared")

        assert game.now is before

    def test_a_seat_that_nobody_took_over_is_not_given_back(self) -> None:
        game = Game()
        before = game.now
        game.returned(2)

        assert game.now is before
