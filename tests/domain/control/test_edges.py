"""Edges of player control: what ends and why it is cited, demands, combats, subgames, states."""

from __future__ import annotations

import pytest

from domain.control import cite_effect, cite_pending, decide
from tests.support.control_games import RULES, Game, player


def _cited(game: Game, label: str) -> list[str]:
    return [rule.number for rule in cite_effect(game.now, game.effect(label), RULES)]


class TestCitations:
    def test_cr_800_4a_a_controlled_player_who_leaves(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_turn")
        game.leaves(2)

        assert game.effect("e1").reason == "affected_left"
        assert _cited(game, "e1") == ["723.1", "800.4a"]

    def test_cr_800_4a_a_controller_who_leaves(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_turn")
        game.turn(2)
        game.leaves(1)

        assert game.effect("e1").reason == "controller_left"
        assert _cited(game, "e1") == ["723.1", "800.4a"]

    def test_cr_800_4b_a_controller_who_was_gone_already(self) -> None:
        game = Game()
        game.leaves(1)
        game.control("e1", 1, 2, "next_turn")

        assert game.effect("e1").reason == "controller_already_gone"
        assert "800.4b" in _cited(game, "e1")

    def test_cr_723_1a_an_effect_that_was_overwritten(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_turn")
        game.control("e2", 3, 2, "next_turn")

        assert game.effect("e1").reason == "overwritten"
        assert _cited(game, "e1") == ["723.1", "723.1a"]
        assert _cited(game, "e2") == ["723.1", "723.1a"]

    def test_an_effect_that_is_not_over_cites_its_window_only(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "this_turn")

        assert _cited(game, "e1") == ["101.1"]

    @pytest.mark.parametrize(
        ("phase", "waits"), [("combat", True), ("beginning", False), ("ending", False)]
    )
    def test_cr_723_1b_only_a_combat_phase_that_is_skipped_makes_control_of_one_wait(
        self, phase: str, waits: bool
    ) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_combat_phase")
        game.turn(2)
        game.tell("phase_skipped", phase=phase, seat=2)
        effect = game.now.pending(2)

        assert effect is not None
        cited = [rule.number for rule in cite_pending(game.now, effect, RULES)]
        assert ("723.1b" in cited) is waits


class TestDemands:
    def _controlled(self) -> Game:
        game = Game()
        must = ("attackers_declared", "spell_cast")
        game.control("e1", 1, 2, "next_turn", must=must)
        game.turn(2)
        return game

    def test_cr_723_7_several_demands_are_all_fulfilled_one_after_the_other(self) -> None:
        game = self._controlled()
        game.acts(2, "attackers_declared")
        game.acts(2, "attackers_declared")
        game.acts(2, "spell_cast")

        assert game.effect("e1").done == ("attackers_declared", "spell_cast")
        assert game.codes(game.turn(3)) == []

    def test_cr_723_7_one_of_several_demands_is_not_enough(self) -> None:
        game = self._controlled()
        game.acts(2, "spell_cast")

        assert game.codes(game.turn(3)) == ["restriction-broken"]

    def test_what_is_refused_or_done_by_another_seat_fulfils_nothing(self) -> None:
        game = self._controlled()
        game.acts(2, "attackers_declared", refused=True)
        game.acts(3, "attackers_declared")
        game.acts(2, "priority_passed")

        assert game.effect("e1").done == ()


class TestCombats:
    def _in_combat(self, index: int | None) -> Game:
        game = Game()
        game.control("e1", 1, 2, "next_combat_phase")
        game.turn(2)
        game.step("beginning_of_combat", 2, combat=index)
        assert game.decider(2) == 1
        return game

    @pytest.mark.parametrize(
        ("index", "next_index", "over"),
        [(1, 1, False), (1, None, False), (None, 1, False), (None, None, False), (1, 2, True)],
    )
    def test_another_combat_is_one_that_the_source_numbers_otherwise(
        self, index: int | None, next_index: int | None, over: bool
    ) -> None:
        game = self._in_combat(index)
        number = game.step("declare_attackers", 2, combat=next_index)

        assert game.effect("e1").ended == (number if over else None)

    def test_a_second_beginning_is_a_second_combat(self) -> None:
        game = self._in_combat(None)
        game.step("declare_attackers", 2)
        number = game.step("beginning_of_combat", 2)

        assert game.span("e1")[1:] == (number, "combat_ended")

    def test_after_combat_nothing_is_left_of_it(self) -> None:
        game = self._in_combat(1)
        game.step("postcombat_main", 2)
        assert game.now.combat is None

        game.choice("c1", 1, (2,), "attackers", lasts="this_combat")
        game.step("end", 2)
        assert game.decider(2, "attackers") == 1


class TestSubgames:
    @pytest.mark.parametrize("reason", ["disqualified", "disconnected"])
    def test_who_leaves_the_tournament_leaves_the_game_around_too(self, reason: str) -> None:
        game = Game()
        game.tell("subgame_started")
        game.leaves(2, reason)
        game.tell("subgame_ended")

        assert game.now.has_left(2)

    def test_a_search_of_the_game_around_is_none_inside(self) -> None:
        game = Game()
        game.searches(2)
        game.tell("subgame_started")
        game.control("agent", 1, 2, "while_searching")
        assert game.decider(2) == 2

        game.searches(2)
        assert game.decider(2) == 1

    def test_a_search_goes_on_after_the_subgame(self) -> None:
        game = Game()
        game.control("agent", 1, 2, "while_searching")
        game.searches(2)
        game.tell("subgame_started")
        game.tell("subgame_ended")

        assert game.decider(2) == 1

    def test_choices_of_the_game_around_stay_known(self) -> None:
        game = Game()
        game.turn(1)
        game.choice("c1", 1, (2,), "attackers", lasts="this_turn")
        over = game.turn(2)
        game.tell("subgame_started")
        game.choice("c2", 1, (2,), "attackers", lasts="this_turn")
        ended = game.start(3)

        assert [(c.label, c.ended) for c in game.now.choices] == [("c1", over), ("c2", ended)]


class TestDepartures:
    def test_who_has_left_does_not_leave_again(self) -> None:
        game = Game()
        first = game.leaves(2, "lost")
        game.leaves(2, "disconnected")

        assert game.now.departed[2].number == first
        assert game.now.departed[2].reason == "lost"

    def test_cr_810_8b_a_concession_takes_along_only_who_is_still_there(self) -> None:
        game = Game(4, teams=[(1, 2), (3, 4)])
        first = game.leaves(2, "lost")
        second = game.concedes(1)
        gone = game.now.departed

        assert (gone[2].number, gone[2].with_team) == (first, False)
        assert (gone[1].number, gone[1].with_team) == (second, False)
        assert 3 not in gone


class TestStates:
    def _game(self) -> Game:
        game = Game()
        game.control("e1", 1, 2, "next_turn")
        game.turn(2)
        return game

    def test_states_are_equal_when_they_say_the_same(self) -> None:
        one, other = self._game(), self._game()
        decide(one.now, 2, "game", RULES)

        assert one.now == other.now
        assert hash(one.now) == hash(other.now)
        assert one.now != "a state"

    def test_states_that_say_something_else_are_not_equal(self) -> None:
        told = self._game()
        before = told.now
        told.leaves(3)

        assert told.now != before
        assert before != Game().now

    def test_a_state_is_shown_without_what_is_kept_beside_it(self) -> None:
        shown = repr(self._game().now)

        assert shown.startswith("ControlState(laws=")
        assert "active_seats=(2,)" in shown
        for hidden in ("previous", "memo", "attentive"):
            assert f"{hidden}=" not in shown

    def test_a_seat_nobody_is_known_to_sit_in_has_no_authority(self) -> None:
        verdict = self._game().verdict(9)

        assert (verdict.decider, verdict.authority, verdict.rules) == ("unknown", "unknown", ())

    def test_in_a_circle_the_reading_names_the_circle(self) -> None:
        game = Game(2)
        game.control("e1", 1, 2, "this_turn")
        game.control("e2", 2, 1, "this_turn")

        assert "circle" in (game.verdict(1).reading or "")
        assert set(game.verdict(1).candidates) == {player(1), player(2)}
