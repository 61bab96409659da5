"""Teams, stand-ins, subgames, restarts and the next game."""

from __future__ import annotations

import pytest

from domain.control import decide
from tests.support.control_games import Game, player


class TestTeams:
    def _game(self) -> Game:
        return Game(4, teams=[(1, 2), (3, 4)])

    def test_cr_805_8_control_of_a_player_is_control_of_the_team(self) -> None:
        game = self._game()
        game.control("e1", 1, 3, "next_turn")
        game.turn(3, 4)

        assert game.decider(3) == 1
        assert game.decider(4) == 1
        assert game.decider(2) == 2
        assert "805.8" in [rule.number for rule in game.verdict(4).rules]
        assert game.effect("e1").stated_for == (3,)

    def test_effects_on_both_members_compete(self) -> None:
        game = self._game()
        game.control("e1", 1, 3, "next_turn")
        game.control("e2", 2, 4, "next_turn")
        game.turn(3, 4)

        assert game.decider(3) == 2
        assert game.effect("e1").overwritten_by == "e2"

    def test_an_effect_on_both_members_is_one(self) -> None:
        game = self._game()
        game.control("opp", 1, [3, 4], "while_searching")

        assert len(game.now.effects) == 1

    def test_a_member_who_controls_the_other_decides_for_both(self) -> None:
        game = self._game()
        game.control("e1", 3, 4, "next_turn")
        game.turn(3, 4)

        assert game.decider(3) == 3
        assert game.decider(4) == 3

    def test_the_team_stays_controlled_while_one_member_searches(self) -> None:
        game = self._game()
        game.control("opp", 1, [3, 4], "while_searching")
        game.searches(3)
        game.searches(4)
        game.found(3)

        assert game.decider(3) == 1

        game.found(4)

        assert game.decider(3) == 3

    def test_extra_turns_are_the_teams(self) -> None:
        game = self._game()
        game.control("e1", 1, 3, "next_turn", extra_turn_after=True)
        game.turn(3, 4)

        assert game.now.extra_turns_due(3) == game.now.extra_turns_due(4) == 1

        game.turn(3, 4, extra=True)

        assert game.now.extra_turns_due(4) == 0

    def test_a_turn_of_one_member_is_the_teams_turn(self) -> None:
        game = self._game()
        game.turn(3)

        assert game.now.active_seats == (3, 4)

    def test_cr_810_8b_one_concession_removes_the_team(self) -> None:
        game = self._game()
        game.turn(3, 4)
        game.concedes(4)
        verdict = game.verdict(3)

        assert verdict.decider == "nobody"
        assert [rule.number for rule in verdict.rules] == ["810.8b"]
        assert game.now.active_seats is None

    def test_any_other_departure_removes_one_member(self) -> None:
        game = self._game()
        game.control("e1", 1, 3, "next_turn")
        game.turn(3, 4)
        game.leaves(4)

        assert game.now.active_seats == (3,)
        assert game.decider(3) == 1

    def test_the_controllers_concession_frees_the_other_team(self) -> None:
        game = self._game()
        game.control("e1", 3, 1, "next_turn")
        game.turn(1, 2)
        game.concedes(4)

        assert game.decider(1) == 1
        assert game.effect("e1").reason == "controller_left"


class TestStandIns:
    def test_they_answer_and_the_person_should_decide(self) -> None:
        game = Game()
        game.taken_over(2, "server:arena")

        assert game.now.stand_in(2) == "server:arena"
        assert game.decider(2) == 2
        assert game.recorded(game.acts(2)) == "server:arena"

    def test_a_silent_decision_of_the_tournament_is_the_persons_own(self) -> None:
        game = Game()
        game.taken_over(2, "server:arena")

        assert game.recorded(game.acts(2, "judge_called")) == 2

    def test_the_player_answers_again_when_the_seat_is_returned(self) -> None:
        game = Game()
        game.taken_over(2, "program:bot")
        game.returned(2)

        assert game.now.stand_in(2) is None
        assert game.recorded(game.acts(2)) == 2

    def test_saying_it_twice_changes_nothing(self) -> None:
        game = Game()
        game.returned(2)
        game.taken_over(2, "program:bot")
        before = game.now
        game.taken_over(2, "program:bot")

        assert game.now is before


class TestSubgames:
    def test_cr_729_1b_control_does_not_reach_into_a_subgame_and_resumes_after_it(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_turn")
        began = game.turn(2)
        game.tell("subgame_started")

        assert game.decider(2) == 2
        assert game.now.in_force(2) is None

        game.turn(2)
        game.turn(1)
        game.tell("subgame_ended")

        assert game.decider(2) == 1
        assert not game.verdict(2).rule_gap
        assert game.now.active_seats == (2,)
        assert game.effect("e1").began == began

    def test_control_made_inside_does_not_come_out(self) -> None:
        game = Game()
        game.turn(1)
        game.tell("subgame_started")
        game.control("inner", 2, 1, "next_turn")
        over = game.tell("subgame_ended")
        game.turn(1)

        assert game.decider(1) == 1
        assert game.span("inner") == (None, over, "game_ended")

    @pytest.mark.parametrize(("reason", "stays"), [("lost", False), ("disqualified", True)])
    def test_who_loses_the_subgame_is_still_in_the_game(self, reason: str, stays: bool) -> None:
        game = Game()
        game.turn(1)
        game.tell("subgame_started")
        game.leaves(2, reason)

        assert game.decider(2) == "nobody"

        game.tell("subgame_ended")

        assert game.now.has_left(2) is stays

    def test_a_gap_inside_leaves_doubt_outside(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_turn")
        game.turn(2)
        game.tell("subgame_started")
        game.gap()
        game.tell("subgame_ended")

        assert game.decider(2) == "unknown"
        assert not game.now.active_certain

    def test_the_next_game_ends_the_game_around_a_subgame_too(self) -> None:
        game = Game()
        game.control("outer", 1, 2, "next_turn")
        began = game.turn(2)
        game.tell("subgame_started")
        game.control("inner", 2, 1, "next_turn")
        over = game.start(3)

        assert game.span("outer") == (began, over, "game_ended")
        assert game.span("inner") == (None, over, "game_ended")
        assert game.now.outer is None

    def test_an_end_without_a_beginning_changes_nothing(self) -> None:
        game = Game()
        before = game.now
        game.tell("subgame_ended")

        assert game.now is before


class TestGames:
    def test_control_ends_with_the_game(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_turn")
        began = game.turn(2)
        over = game.ends()

        assert game.decider(2) == 2
        assert game.now.active_seats is None
        assert game.span("e1") == (began, over, "game_ended")

    @pytest.mark.parametrize("again", ["game_restarted", "game_started"])
    def test_nothing_waits_for_the_next_game(self, again: str) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_turn")
        if again == "game_started":
            game.start(3)
        else:
            game.tell("game_restarted")
        game.turn(2)

        assert game.decider(2) == 2
        assert game.effect("e1").reason == "game_ended"

    def test_a_new_game_has_everybody_back(self) -> None:
        game = Game()
        game.leaves(2)
        game.taken_over(3, "server:arena")
        game.gap()
        game.start(3)

        assert [game.decider(seat) for seat in (1, 2, 3)] == [1, 2, 3]
        assert game.now.stand_in(3) is None

    def test_history_is_kept_of_every_change(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_turn")
        game.turn(2)
        game.turn(3)

        assert game.now.history_at(3) == game.states[3]
        assert decide(game.now.history_at(3), 2, "game", game.rules).decider == player(1)
        assert game.now.history_at(0) == game.states[0]
