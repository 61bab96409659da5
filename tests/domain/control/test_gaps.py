"""Gaps: what is uncertain after one, and how it becomes certain again."""

from __future__ import annotations

from domain.control import reachable_seats
from tests.support.control_games import Game, player


def test_after_a_gap_nothing_is_certain_but_decisions_of_the_person() -> None:
    game = Game()
    game.turn(1)
    gap = game.gap()
    verdict = game.verdict(2)

    assert (verdict.decider, verdict.uncertain, verdict.gap) == ("unknown", True, gap)
    assert game.now.uncertain(2)
    assert game.now.active_seats is None
    assert not game.now.active_certain
    assert game.decider(2, "conceded") == 2


def test_a_seat_is_certain_when_a_turn_begun_after_the_gap_is_over() -> None:
    game = Game()
    game.turn(2)
    game.gap()
    game.turn(2)

    assert game.now.active_seats == (2,)
    assert game.decider(2) == "unknown"

    game.turn(3)

    assert game.decider(2) == 2
    assert game.decider(3) == "unknown"


def test_a_second_gap_starts_the_waiting_again() -> None:
    game = Game()
    game.gap()
    game.turn(2)
    game.gap()
    game.turn(3)

    assert game.decider(2) == "unknown"


def test_searches_stay_uncertain_longer_than_turns() -> None:
    game = Game()
    game.gap()
    game.turn(2)
    game.turn(3)

    assert game.decider(2) == 2
    assert game.decider(2, "searching") == "unknown"

    game.searches(2)

    assert game.decider(2) == "unknown"


def test_a_stated_decider_makes_that_seat_certain() -> None:
    game = Game()
    game.turn(2)
    game.gap()
    game.acts(2, stated=2)

    assert game.decider(2) == 2
    assert game.decider(2, "searching") == 2
    assert game.decider(3) == "unknown"


def test_a_stated_decider_whom_nothing_explains_leaves_the_seat_uncertain() -> None:
    game = Game()
    game.turn(2)
    game.gap()
    game.acts(2, stated=1)

    assert game.decider(2) == "unknown"


def test_a_stated_decider_confirms_an_effect_that_may_have_gone() -> None:
    game = Game()
    game.control("e1", 1, 2, "next_turn")
    game.turn(2)
    game.gap()
    game.acts(2, stated=1)

    assert game.decider(2) == 1
    assert game.effect("e1").doubted_since is None


def test_what_stand_ins_and_choosers_do_makes_no_seat_certain() -> None:
    game = Game()
    game.turn(2)
    game.choice("war", 3, [2], "attackers", lasts="this_turn")
    game.gap()
    game.acts(2, stated="server:arena")
    game.acts(2, "attackers_declared", stated=3)
    game.acts(2, "choice_made", stated=2, for_seat=3)
    game.acts(2, stated=2, refused=True)
    game.acts(2, "judge_called", stated=2)

    assert game.decider(2) == "unknown"


def test_an_observation_makes_that_seat_certain() -> None:
    game = Game()
    game.turn(2)
    game.gap()
    game.observe("seen", 2, 1)
    verdict = game.verdict(2)

    assert (verdict.decider, verdict.authority) == (player(1), "observed")
    assert game.decider(1) == "unknown"


def test_a_newer_effect_by_a_doubtful_player_is_doubtful() -> None:
    game = Game()
    game.turn(2)
    game.gap()
    game.acts(2, stated=2)
    game.control("e1", 1, 2, "this_turn")

    assert game.decider(2) == "unknown"


def test_effects_pending_before_the_gap_stay_pending_and_doubtful() -> None:
    game = Game()
    game.control("e1", 1, 2, "next_turn")
    game.gap()
    game.anchor(1)

    assert game.now.pending(2) is not None
    assert game.decider(2) == 2

    game.turn(2)

    assert game.decider(2) == "unknown"

    game.turn(3)

    assert game.decider(2) == 2


class TestAnchors:
    def test_a_snapshot_makes_everything_certain(self) -> None:
        game = Game()
        game.gap()
        game.anchor(3)

        assert game.now.active_seats == (3,)
        assert game.now.active_certain
        assert [game.decider(seat) for seat in (1, 2, 3)] == [1, 2, 3]
        assert game.decider(2, "searching") == 2

    def test_it_confirms_an_effect_in_force(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_turn")
        game.turn(2)
        game.gap()
        game.anchor(2, (2, 1))
        verdict = game.verdict(2)

        assert (verdict.decider, verdict.ref_label) == (player(1), "e1")

    def test_it_ends_an_effect_that_it_does_not_show(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_turn")
        game.turn(2)
        game.gap()
        game.anchor(3)

        assert game.decider(2) == 2
        assert game.effect("e1").reason == "not_shown"

    def test_what_nothing_explains_counts_as_observed(self) -> None:
        game = Game()
        game.gap()
        game.anchor(2, (2, 3))
        verdict = game.verdict(2)

        assert (verdict.decider, verdict.authority) == (player(3), "observed")
        assert reachable_seats(game.now, player(3)) == {2, 3}


class TestObservations:
    def test_what_nothing_explains_decides_until_it_is_over(self) -> None:
        game = Game()
        game.turn(2)
        seen = game.observe("seen", 2, 1)
        verdict = game.verdict(2)

        assert (verdict.decider, verdict.authority, verdict.ref) == (player(1), "observed", seen)

        game.observe("over", 2, None)

        assert game.decider(2) == 2
        assert game.effect("seen").reason == "observed_over"

    def test_an_effect_in_force_explains_it_and_stays_the_authority(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_turn")
        game.turn(2)
        number = game.observe("seen", 2, 1)

        assert game.verdict(2).ref_label == "e1"
        assert game.codes(number) == []

    def test_the_last_of_a_chain_explains_it_too(self) -> None:
        game = Game()
        game.turn(2)
        game.control("e1", 1, 2, "this_turn")
        game.control("e2", 2, 3, "this_turn")
        number = game.observe("seen", 3, 1)

        assert game.codes(number) == []
        assert game.verdict(3).ref_label == "e1"

    def test_one_that_contradicts_the_effect_in_force_is_what_happened(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_turn")
        game.turn(2)
        number = game.observe("seen", 2, 3)

        assert game.decider(2) == 3
        assert game.effect("e1").ended is None
        assert game.codes(number) == ["stated-derived-differ"]

        game.observe("again", 2, 1)

        assert game.verdict(2).ref_label == "e1"
        assert not game.verdict(2).rule_gap

    def test_a_window_that_opens_later_governs_over_what_was_seen_before(self) -> None:
        game = Game()
        game.turn(1)
        game.observe("seen", 2, 3)
        game.control("e1", 1, 2, "next_turn")
        game.turn(2)

        assert game.decider(2) == 1

    def test_the_end_of_what_is_seen_ends_the_effect_that_explains_it(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_turn")
        game.turn(2)
        game.observe("seen", 2, 1)
        number = game.observe("over", 2, None)

        assert game.decider(2) == 2
        assert game.effect("e1").reason == "observed_over"
        assert game.codes(number) == ["stated-derived-differ"]

    def test_seeing_the_same_again_is_nothing_new(self) -> None:
        game = Game()
        game.turn(2)
        game.observe("seen", 2, 1)
        before = game.now
        number = game.observe("again", 2, 1)

        assert game.now is before
        assert game.codes(number) == []

    def test_it_ends_with_the_game_and_with_a_departure(self) -> None:
        ended, left = Game(), Game()
        for game in (ended, left):
            game.turn(2)
            game.observe("seen", 2, 1)
        ended.ends()
        left.leaves(1)

        assert ended.decider(2) == 2
        assert left.decider(2) == 2


def test_a_choice_given_to_a_player_whose_controller_is_in_doubt_is_not_guessed() -> None:
    game = Game()
    gap = game.gap()
    for seat in (1, 3, 1):
        game.turn(seat)
    game.control("e1", 2, 3, "this_turn")
    game.choice("mw", 3, [1], "attackers", lasts="this_turn")
    verdict = game.verdict(1, "attackers")

    assert (verdict.decider, verdict.uncertain, verdict.gap) == ("unknown", True, gap)
    assert game.recorded(game.acts(1, "attackers_declared")) == "unknown"
