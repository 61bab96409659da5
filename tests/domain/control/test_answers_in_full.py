"""Answers in full: authority, path, numbers of rules, sentences, and what a rule book changes."""

from __future__ import annotations

import pytest

from domain.control import cite_effect, decide, reachable_seats
from domain.principals import UNDETERMINED, UNKNOWN
from tests.support.control_games import RULES, Game, player
from whodecided.rulebook import load_rulebook


def _on(day: str, seats: int = 3) -> Game:
    return Game(seats, rules=load_rulebook(day))


def _numbers(game: Game, seat: int, decision: str = "game") -> list[str]:
    return [rule.number for rule in game.verdict(seat, decision).rules]


def _cited(game: Game, place: int) -> list[str]:
    return [rule.number for rule in cite_effect(game.now, game.now.effects[place], RULES)]


class TestRules:
    def test_cr_723_6_a_concession_rests_on_both_rules_about_it(self) -> None:
        assert _numbers(Game(), 2, "conceded") == ["723.6", "104.3a"]

    def test_cr_723_9_self_control_rests_on_the_rules_of_control_too(self) -> None:
        game = Game()
        game.control("e1", 2, 2, "next_turn")
        game.turn(2)

        assert _numbers(game, 2) == ["723.9", "723.1", "723.5"]

    def test_cr_800_4a_nobody_decides_for_a_seat_by_that_rule(self) -> None:
        game = Game()
        game.leaves(2)
        verdict = game.verdict(2)

        assert (verdict.decider, verdict.authority) == ("nobody", "rules")
        assert _numbers(game, 2) == ["800.4a"]

    def test_cr_800_4g_a_substitute_rests_on_both_rules_and_on_control(self) -> None:
        game = Game(4)
        assert _numbers(game, 2, "substitute") == ["800.4g", "800.4h"]

        game.control("e1", 1, 2, "next_turn")
        game.turn(2)

        assert _numbers(game, 2, "substitute") == ["800.4g", "800.4h", "723.1", "723.5"]
        assert game.verdict(2, "substitute").authority == "control_effect"

    def test_cr_101_1_a_choice_effect_rests_on_its_card_and_on_control_of_the_chooser(self) -> None:
        game = Game()
        game.turn(1)
        game.control("e1", 3, 1, "this_turn")
        made = game.choice("c1", 1, (2,), "attackers", lasts="this_turn")
        verdict = game.verdict(2, "attackers")

        assert verdict.decider == player(3)
        assert _numbers(game, 2, "attackers") == ["101.1", "723.5"]
        assert [(step.player, step.effect, step.ref) for step in verdict.path] == [
            (player(2), None, None),
            (player(1), "c1", made),
            (player(3), "e1", 3),
        ]

    def test_cr_723_1a_a_label_used_again_in_the_next_game_has_overwritten_nothing(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_turn")
        game.control("e2", 3, 2, "next_turn")
        game.start(3)
        game.control("e2", 3, 2, "next_turn")

        assert _cited(game, 1) == ["723.1", "723.1a"]
        assert _cited(game, 2) == ["723.1"]

    @pytest.mark.parametrize(("other", "meets"), [(2, True), (3, False)])
    def test_cr_723_1a_of_effects_at_one_time_on_one_player_each_cites_it(
        self, other: int, meets: bool
    ) -> None:
        game = Game()
        game.turn(2)
        game.control("e1", 1, 2, "this_turn")
        game.control("e2", 1, other, "while_resolving")

        assert ("723.1a" in _cited(game, 0)) is meets
        assert ("723.1a" in _cited(game, 1)) is meets

    def test_the_same_state_is_judged_by_the_book_it_is_asked_with(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_turn")
        game.turn(2)
        older = load_rulebook("2012-06-01")

        assert [r.number for r in decide(game.now, 2, "game", RULES).rules] == ["723.1", "723.5"]
        assert [r.number for r in decide(game.now, 2, "game", older).rules] == ["712.1", "712.5"]


class TestSentences:
    def test_of_control_they_name_the_effects_in_order(self) -> None:
        game = Game()
        game.turn(1)
        game.control("e1", 1, 2, "this_turn")
        game.control("e2", 2, 3, "this_turn")

        assert game.verdict(3).because == "Control of the player is in force: e2, then e1."

    def test_of_a_free_player(self) -> None:
        game = Game()
        free = "Nobody controls the player, who decides for themselves."
        assert game.verdict(2).because == free

        game.control("e1", 1, 2, "next_turn")
        assert game.verdict(2).because == free

    def test_of_self_control(self) -> None:
        game = Game()
        game.control("e1", 2, 2, "this_turn")

        assert game.verdict(2).because == "The player controls themselves by e1."

    def test_of_the_last_one_of_a_chain_who_controls_themselves(self) -> None:
        game = Game()
        game.control("e1", 1, 1, "this_turn")
        game.control("e2", 1, 2, "this_turn")

        assert game.verdict(2).because == "Control of the player is in force: e2."


class TestWholeActions:
    def test_the_answer_is_that_about_the_act_itself(self) -> None:
        game = Game()
        game.turn(2)
        game.control("e1", 1, 2, "this_turn")
        game.choice("c1", 1, (2,), "modes", lasts="this_turn")

        assert game.verdict(2, "whole spell_cast").ref_label == "e1"
        assert game.verdict(2, "modes").ref_label == "c1"

    def test_nobody_has_authority_over_parts_with_several_deciders(self) -> None:
        game = Game()
        game.choice("c1", 1, (2,), "modes", lasts="this_turn")
        verdict = game.verdict(2, "whole spell_cast")

        assert (verdict.decider, verdict.authority) == (UNKNOWN, "unknown")
        assert verdict.candidates == (player(2), player(1))
        assert [rule.number for rule in verdict.rules] == ["101.1"]


class TestSearches:
    def test_cr_723_2_only_permissions_matter_to_a_search_that_is_imagined(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_turn")
        game.control("opp", 1, 3, "while_searching")

        assert game.decider(2, "searching") == 2
        assert game.decider(3, "searching") == 1

    def test_a_permission_that_is_over_opens_in_no_search(self) -> None:
        game = Game()
        game.control("opp", 1, 3, "while_searching")
        game.searches(3)
        game.over("opp")
        game.found(3)

        assert game.decider(3, "searching") == 3

    def test_what_is_supposed_is_asked_anew(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "this_turn")

        assert game.decider(2) == 1
        assert decide(game.now.supposing(()), 2, "game", RULES).decider == player(2)


class TestChoosers:
    def test_a_gap_that_hides_who_decides_for_the_chooser_hides_the_choice(self) -> None:
        game = Game()
        gap = game.gap()
        game.observe("seen", 2, None)
        game.choice("c1", 1, (2,), "attackers", lasts="this_turn")
        verdict = game.verdict(2, "attackers")

        assert (verdict.decider, verdict.gap) == (UNKNOWN, gap)
        assert game.decider(2) == 2

    def test_a_chooser_without_a_seat_is_hidden_by_no_gap(self) -> None:
        game = Game()
        game.gap()
        game.observe("seen", 2, None)
        game.tell(
            "choice_granted",
            label="c1",
            chooser="person:zoe",
            affected=(2,),
            decisions=("attackers",),
            lasts="this_turn",
        )

        assert game.decider(2, "attackers") == "person:zoe"

    def test_a_doubt_about_the_choosers_searches_does_not_matter(self) -> None:
        game = Game()
        game.gap()
        for seat in (1, 2, 3, 1):
            game.turn(seat)
        game.choice("c1", 1, (2,), "attackers", lasts="this_turn")

        assert game.verdict(1, "searching").uncertain
        assert game.decider(2, "attackers") == 1

    def test_cr_800_4g_without_the_chooser_the_rules_leave_it_open(self) -> None:
        game = Game()
        game.choice("c1", 1, (2,), "attackers", lasts="this_turn")
        game.leaves(1)
        verdict = game.verdict(2, "attackers")

        assert (verdict.decider, verdict.authority) == (UNDETERMINED, "unknown")
        assert [rule.number for rule in verdict.rules] == ["800.4g", "800.4h"]

    @pytest.mark.parametrize(("day", "disputed"), [("2010-09-21", False), ("2010-09-25", True)])
    def test_every_reading_that_a_dictated_play_rests_on_is_told(
        self, day: str, disputed: bool
    ) -> None:
        game = _on(day)
        game.turn(1)
        game.control("e1", 3, 1, "this_turn")
        game.control("e2", 2, 1, "next_combat_phase")
        game.step("beginning_of_combat", 1)
        game.control("woc", 1, 2, "while_resolving", object="o")
        reading = game.verdict(2, "spell_cast").reading or ""

        assert "one play" in reading
        assert "of effects whose windows are open together" in reading
        assert ("stricter" in reading) is disputed


class TestCircles:
    def test_its_members_are_the_candidates_and_other_readings_are_told(self) -> None:
        game = Game()
        game.control("e0", 3, 2, "while_resolving")
        game.control("e1", 1, 2, "this_turn")
        game.control("e2", 2, 1, "this_turn")
        verdict = game.verdict(2)

        assert verdict.decider == UNDETERMINED
        assert set(verdict.candidates) == {player(1), player(2), player(3)}
        assert "circle" in str(verdict.reading)
        assert "latest created" in str(verdict.reading)

    def test_a_circle_beside_the_way_reaches_nobody_else(self) -> None:
        game = Game(4)
        game.control("e1", 2, 3, "this_turn")
        game.control("e2", 3, 2, "this_turn")
        game.control("e3", 2, 1, "this_turn")

        assert reachable_seats(game.now, player(2)) == {1, 2, 3}
        assert reachable_seats(game.now, player(1)) == {1}
        assert reachable_seats(game.now, player(4)) == {4}


class TestDepartedControllers:
    def test_who_has_left_reaches_nothing_where_no_rule_ends_their_control(self) -> None:
        game = _on("2004-12-15")
        game.control("e1", 1, 2, "next_turn")
        game.turn(2)
        assert reachable_seats(game.now, player(1)) == {1, 2}
        game.control("e2", 2, 3, "this_turn")
        game.leaves(1)

        assert reachable_seats(game.now, player(1)) == {1}
        assert game.verdict(2).decider == UNDETERMINED

    def test_what_a_source_shows_of_one_is_what_happened(self) -> None:
        for day in ("2004-12-15", "2026-09-25"):
            game = _on(day)
            game.leaves(1)
            game.observe("seen", 2, 1)

            assert game.decider(2) == 1
            assert not game.verdict(2).rule_gap
