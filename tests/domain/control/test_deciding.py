"""Who decides: class, chooser, control (CR 723.5, 723.5b, 723.6, 723.8, 800.4)."""

from __future__ import annotations

import pytest

from domain.control import reachable_seats
from domain.events.base import DecisionEvent
from domain.events.registry import GAME_EVENTS
from tests.support.control_games import Game, player

_PERSONAL = [
    name
    for name, model in GAME_EVENTS.items()
    if issubclass(model, DecisionEvent) and model.DECISION_CLASS != "game"
]


def _controlled() -> Game:
    game = Game()
    game.control("e1", 1, 2, "next_turn")
    game.turn(2)
    return game


def test_cr_723_5_the_controller_decides_and_the_answer_says_by_what_right() -> None:
    game = _controlled()
    verdict = game.verdict(2)

    assert verdict.authority == "control_effect"
    assert (verdict.ref, verdict.ref_label) == (2, "e1")
    assert [(step.seat, step.effect, step.ref) for step in verdict.path] == [
        (2, None, None),
        (1, "e1", 2),
    ]
    assert [rule.number for rule in verdict.rules] == ["723.1", "723.5"]
    assert verdict.candidates == (player(1),)


def test_cr_723_8_the_controller_keeps_their_own_decisions() -> None:
    game = _controlled()
    verdict = game.verdict(1)

    assert verdict.decider == player(1)
    assert verdict.authority == "self"
    assert [rule.number for rule in verdict.rules] == ["723.8"]


@pytest.mark.parametrize("decision", ["tournament", "remedy", *_PERSONAL])
def test_cr_723_5b_decisions_of_the_tournament_stay_with_the_person(decision: str) -> None:
    verdict = _controlled().verdict(2, decision)

    assert verdict.decider == player(2)
    assert verdict.authority == "tournament_rule"
    assert verdict.ref is None


def test_cr_723_6_a_concession_cites_its_own_rule() -> None:
    assert _controlled().verdict(2, "conceded").rules[0].number == "723.6"


def test_a_seat_that_the_record_does_not_name_is_unknown() -> None:
    verdict = Game(2).verdict(3)

    assert verdict.decider == "unknown"
    assert not verdict.uncertain


def test_somebody_without_a_seat_may_decide() -> None:
    game = Game()
    game.control("e1", "person:zoe", 2, "next_turn")
    game.turn(2)

    assert game.decider(2) == "person:zoe"
    assert reachable_seats(game.now, "person:zoe") == {2}


def test_asking_again_gives_the_same_object() -> None:
    game = _controlled()

    assert game.verdict(2) is game.verdict(2)


class TestChains:
    def test_cr_723_5_control_is_followed_to_the_end(self) -> None:
        game = Game(4)
        game.turn(4)
        for label, by, of in (("e1", 1, 2), ("e2", 2, 3), ("e3", 3, 4)):
            game.control(label, by, of, "this_turn")
        verdict = game.verdict(4)

        assert [step.seat for step in verdict.path] == [4, 3, 2, 1]
        assert (verdict.decider, verdict.ref_label) == (player(1), "e1")
        assert reachable_seats(game.now, player(1)) == {1, 2, 3, 4}
        assert reachable_seats(game.now, player(3)) == {3, 4}

    def test_self_control_ends_the_way(self) -> None:
        game = Game()
        game.turn(1)
        game.control("e1", 1, 2, "this_turn")
        game.control("e2", 2, 2, "this_turn")
        game.control("e3", 2, 3, "this_turn")

        assert game.decider(3) == 2

    def test_a_circle_is_undetermined_and_lists_its_members(self) -> None:
        game = Game(4)
        game.turn(4)
        game.control("e1", 1, 2, "this_turn")
        game.control("e2", 2, 1, "this_turn")
        game.control("e3", 2, 3, "this_turn")

        for seat in (1, 2, 3):
            verdict = game.verdict(seat)
            assert verdict.decider == "undetermined"
            assert verdict.rule_gap
            assert verdict.reading is not None
            assert set(verdict.candidates) == {player(1), player(2)}
        assert game.decider(4) == 4
        assert game.decider(1, "conceded") == 1

    def test_in_a_circle_everybody_reaches_everybody(self) -> None:
        game = Game()
        game.turn(3)
        game.control("e1", 1, 2, "this_turn")
        game.control("e2", 2, 1, "this_turn")

        assert reachable_seats(game.now, player(1)) == {1, 2}
        assert reachable_seats(game.now, player(2)) == {1, 2}
        assert reachable_seats(game.now, player(3)) == {3}

    def test_a_departure_breaks_the_circle(self) -> None:
        game = Game()
        game.turn(3)
        game.control("e1", 1, 2, "this_turn")
        game.control("e2", 2, 1, "this_turn")
        game.leaves(1)

        assert game.decider(2) == 2


class TestChoiceEffects:
    def test_the_chooser_comes_before_control(self) -> None:
        game = _controlled()
        made = game.choice("war", 3, [1, 2, 3], "attackers", "blockers", lasts="this_turn")
        verdict = game.verdict(2, "attackers_declared")

        assert (verdict.decider, verdict.authority) == (player(3), "choice_effect")
        assert (verdict.ref, verdict.ref_label) == (made, "war")
        assert not verdict.rule_gap
        assert game.decider(2) == 1
        assert game.decider(2, "damage_assigned") == 1

    def test_whoever_controls_the_chooser_chooses(self) -> None:
        game = _controlled()
        game.choice("war", 2, [3], "attackers", lasts="this_turn")
        verdict = game.verdict(3, "attackers")

        assert verdict.decider == player(1)
        assert (verdict.authority, verdict.ref_label) == ("control_effect", "e1")
        assert [step.effect for step in verdict.path] == [None, "war", "e1"]

    def test_of_two_choice_effects_the_one_created_last(self) -> None:
        game = Game()
        game.turn(2)
        game.choice("one", 1, [2], "attackers", lasts="this_turn")
        game.choice("two", 3, [2], "attackers", lasts="this_turn")

        assert game.decider(2, "attackers") == 3

    def test_a_departed_chooser_is_not_replaced_by_a_guess(self) -> None:
        game = Game()
        game.turn(2)
        game.choice("war", 1, [2], "attackers", lasts="this_turn")
        game.leaves(1)
        verdict = game.verdict(2, "attackers")

        assert verdict.decider == "undetermined"
        assert verdict.rule_gap
        assert verdict.candidates == (player(2), player(3))
        assert game.decider(2) == 2

        game.leaves(3)

        assert game.verdict(2, "attackers").authority == "rule_substitution"
        assert game.decider(2, "attackers") == 2

    def test_it_gives_no_sight(self) -> None:
        game = Game()
        game.turn(2)
        game.choice("war", 1, [2], "attackers", lasts="this_turn")

        assert reachable_seats(game.now, player(1)) == {1}

    def test_the_choice_to_take_an_extra_vote_is_no_vote(self) -> None:
        game = Game()
        game.turn(1)
        game.choice("ill", 1, [2], "votes", lasts="this_turn")

        assert game.recorded(game.acts(2, "vote_cast")) == 1
        assert game.recorded(game.acts(2, "vote_cast", optional_extra=True)) == 2

    def test_targets_pass_and_modes_stay(self) -> None:
        game = Game()
        game.turn(2)
        game.choice("aim", 3, [2], "targets", lasts="this_turn")

        assert game.recorded(game.acts(2, "choice_made", kind="target")) == 3
        assert game.recorded(game.acts(2, "targets_chosen")) == 3
        assert game.recorded(game.acts(2, "choice_made", kind="mode")) == 2

    def test_it_lasts_for_the_turn_the_combat_or_the_resolution(self) -> None:
        game = Game()
        game.turn(2)
        game.choice("turn", 1, [2], "votes", lasts="this_turn")
        game.choice("combat", 1, [2], "attackers", lasts="this_combat")
        game.choice("object", 1, [2], "targets", lasts="while_resolving", object="spell")
        game.step("declare_attackers", 2)
        game.resolves("spell")

        assert game.decider(2, "targets") == 2
        assert game.decider(2, "attackers") == 1

        game.step("postcombat_main", 2)

        assert game.decider(2, "attackers") == 2
        assert game.decider(2, "votes") == 1

        game.turn(3)

        assert game.decider(2, "votes") == 2

    def test_it_lasts_for_one_vote(self) -> None:
        game = Game()
        game.turn(2)
        game.choice("once", 1, [2], "votes", lasts="this_vote")
        game.acts(3)

        assert game.decider(2, "votes") == 1

        game.acts(2, "vote_cast")
        game.acts(3, "vote_cast")

        assert game.decider(2, "votes") == 1

        game.acts(2)

        assert game.decider(2, "votes") == 2

    def test_an_event_may_end_it(self) -> None:
        game = Game()
        game.turn(2)
        game.choice("war", 1, [2], "attackers", lasts="this_turn")
        game.over("war")

        assert game.decider(2, "attackers") == 2


class TestSubstitutes:
    def test_cr_800_4g_a_choice_for_a_departed_player_is_a_substitution(self) -> None:
        game = Game()
        game.turn(1)
        game.leaves(3)
        number = game.acts(2, "choice_made", kind="pile", for_seat=3)
        verdict = game.verdict(2, "substitute")

        assert game.events[number - 1].stamp.authority.kind == "rule_substitution"
        assert verdict.decider == player(2)
        assert verdict.rules[0].number == "800.4g"

    def test_whoever_controls_the_substitute_decides(self) -> None:
        assert _controlled().verdict(2, "substitute").authority == "control_effect"


class TestWholeActions:
    def test_parts_with_one_decider_are_decided_by_that_one(self) -> None:
        game = _controlled()

        assert game.recorded(game.acts(2, "attackers_declared", whole_action=True)) == 1

    def test_parts_with_several_deciders_are_unknown(self) -> None:
        game = _controlled()
        game.choice("war", 3, [2], "attackers", lasts="this_turn")
        number = game.acts(2, "attackers_declared", whole_action=True)

        assert game.recorded(number) == "unknown"
        assert game.codes(number) == ["parts-decided-apart"]
        assert set(game.verdict(2, "whole attackers_declared").candidates) == {
            player(1),
            player(3),
        }
