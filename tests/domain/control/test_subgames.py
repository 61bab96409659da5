"""Borders of games: what a subgame finds, what is there after it, what a new game starts with."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from domain.control import ControlState
from tests.support.control_games import Game


def _as_if_fresh(state: ControlState, **fields: Any) -> ControlState:
    """The state without what is only remembered of what is over."""
    return replace(state, number=1, past_effects=(), past_choices=(), **fields)


def _eventful() -> Game:
    """A game in mid combat and in mid search, with effects of both kinds, open and over."""
    game = Game()
    game.control("old", 3, 2, "this_turn")
    game.choice("heard", 3, (2,), "attackers", lasts="this_turn")
    game.turn(2)
    game.control("e1", 1, 2, "next_turn", extra_turn_after=True)
    game.choice("c1", 1, (2,), "attackers", lasts="this_turn")
    game.step("beginning_of_combat", 2)
    game.step("declare_attackers", 2)
    game.searches(2)
    return game


def _labels(game: Game) -> tuple[list[str], list[str]]:
    now = game.now
    return [effect.label for effect in now.effects], [choice.label for choice in now.choices]


class TestSubgames:
    def test_cr_729_1b_a_subgame_starts_like_any_other_game(self) -> None:
        game = _eventful()
        game.tell("subgame_started")

        assert _as_if_fresh(game.now, outer=None) == Game().now
        assert game.now.extra_turns_due(2) == 0

    def test_effects_of_the_game_around_are_known_once(self) -> None:
        game = _eventful()
        known = _labels(game)
        game.tell("subgame_started")

        assert known == (["old", "e1"], ["heard", "c1"])
        assert _labels(game) == known

    def test_afterwards_the_game_around_goes_on_where_it_was(self) -> None:
        game = _eventful()
        before = game.now
        game.tell("subgame_started")
        game.turn(2)
        game.turn(1)
        game.step("beginning_of_combat", 1)
        game.searches(3)
        game.leaves(3)
        game.tell("subgame_ended")

        assert replace(game.now, number=before.number) == before
        assert game.now.extra_turns_due(2) == 1

    def test_what_was_over_in_either_game_stays_known(self) -> None:
        game = _eventful()
        game.tell("subgame_started")
        game.control("in-1", 1, 3, "this_turn")
        game.choice("in-c1", 1, (3,), "votes", lasts="this_turn")
        over = game.turn(1)
        game.control("in-2", 1, 3, "next_turn")
        game.choice("in-c2", 1, (3,), "votes", lasts="this_turn")
        ended = game.tell("subgame_ended")

        assert _labels(game) == (
            ["old", "e1", "in-1", "in-2"],
            ["heard", "c1", "in-c1", "in-c2"],
        )
        assert [effect.ended for effect in game.now.effects][1:] == [None, over, ended]
        assert [choice.ended for choice in game.now.choices][1:] == [None, over, ended]
        assert game.now.choices[3].reason == game.effect("in-2").reason == "game_ended"
        assert {c.label for c in game.now.open_choices} == {"c1"}
        assert game.decider(2, "attackers") == 1

    def test_cr_729_an_end_of_no_subgame_changes_nothing(self) -> None:
        game = _eventful()
        before = game.now
        game.tell("subgame_ended")

        assert game.now is before


class TestEnds:
    def test_cr_727_1_promises_are_void_when_the_game_is_over(self) -> None:
        game = Game()
        game.control("promised", 1, 3, "next_turn", extra_turn_after=True)
        game.control("due", 1, 2, "next_turn", extra_turn_after=True)
        game.control("taken", 3, 1, "next_turn", extra_turn_after=True)
        game.control("none", 1, 2, "next_turn")
        game.turn(1)
        game.turn(1, extra=True)
        game.turn(2)
        game.turn(1)
        assert [e.promise for e in game.now.effects] == ["promised", "due", "taken", "none"]
        over = game.ends()

        assert [e.promise for e in game.now.effects] == ["void", "void", "taken", "none"]
        assert {e.window for e in game.now.effects} == {"closed"}
        assert {e.status for e in game.now.effects} == {"ended"}
        assert game.span("promised") == (None, over, "game_ended")
        assert game.now.open_effects == ()

    def test_nothing_is_due_after_the_game(self) -> None:
        game = Game()
        game.ends()
        game.control("e1", 1, 2, "next_turn", extra_turn_after=True)

        assert game.now.extra_turns_due(2) == 0

    def test_cr_727_1_a_restart_leaves_no_control(self) -> None:
        game = _eventful()
        back = game.tell("game_restarted")

        assert _as_if_fresh(game.now) == Game().now
        assert game.effect("e1").ended == back


class TestNextGames:
    def test_a_new_game_knows_nothing_of_the_last_but_its_effects(self) -> None:
        game = _eventful()
        game.gap()
        game.observe("seen", 3, None)
        game.leaves(1)
        game.taken_over(2, "server:s")
        game.ends()
        game.start(3)

        assert _as_if_fresh(game.now) == Game().now
        assert _labels(game) == (["old", "e1"], ["heard", "c1"])

    def test_a_new_game_after_an_unfinished_subgame_knows_the_effects_of_both(self) -> None:
        game = _eventful()
        game.tell("subgame_started")
        game.control("in-1", 1, 3, "this_turn")
        game.choice("in-c1", 1, (3,), "votes", lasts="this_turn")
        game.turn(1)
        game.control("in-2", 1, 3, "next_turn")
        game.choice("in-c2", 1, (3,), "votes", lasts="this_turn")
        game.start(3)

        assert _as_if_fresh(game.now) == Game().now
        assert _labels(game) == (
            ["old", "e1", "in-1", "in-2"],
            ["heard", "c1", "in-c1", "in-c2"],
        )

    def test_cr_104_3a_a_concession_in_the_new_game_counts(self) -> None:
        game = Game()
        game.ends()
        game.start(3)
        game.concedes(2)

        assert game.decider(2) == "nobody"

    def test_a_team_of_one_is_no_team(self) -> None:
        alone = Game(3, teams=[(1, 2), (3,)])

        assert alone.now.teams == {1: (1, 2), 2: (1, 2)}
        assert alone.now.team_of(3) == (3,)
