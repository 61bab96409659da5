"""Effects as values: which are over for good, which wait for decisions, how they are kept."""

from __future__ import annotations

from typing import Any

import pytest

from domain.codec import to_model
from domain.control import evolve_control, initial_control
from domain.control.effects import ChoiceEffect, Effect, end, is_over
from tests.support.control_games import RULES, Game, player


def _effect(**fields: Any) -> Effect:
    given: dict[str, Any] = {"scope": "next_turn", **fields}
    return Effect(label="e1", created=2, controller=player(1), affected=(2,), **given)


def _choice(**fields: Any) -> ChoiceEffect:
    given: dict[str, Any] = {"lasts": "this_turn", **fields}
    return ChoiceEffect(
        label="c1", created=2, chooser=player(1), affected=(2,), decisions=("votes",), **given
    )


@pytest.mark.parametrize(
    ("fields", "over"),
    [
        ({"window": "closed"}, False),
        ({"ended": 5, "window": "closed"}, True),
        ({"ended": 5, "window": "open"}, False),
        ({"ended": 5, "window": "waiting"}, False),
        ({"ended": 5, "window": "closed", "promise": "promised"}, False),
        ({"ended": 5, "window": "closed", "promise": "due"}, False),
        ({"ended": 5, "window": "closed", "promise": "taken"}, True),
        ({"ended": 5, "window": "closed", "promise": "void"}, True),
        ({"ended": 5, "window": "open", "scope": "observed"}, True),
        ({"window": "open", "scope": "observed"}, False),
        ({"ended": 5, "window": "open", "scope": "while_searching"}, False),
        ({"ended": 5, "window": "waiting", "scope": "while_searching"}, True),
        ({"ended": 5, "window": "closed", "scope": "while_searching"}, True),
        ({"window": "waiting", "scope": "while_searching"}, False),
    ],
)
def test_an_effect_is_over_when_nothing_about_it_can_change(
    fields: dict[str, Any], over: bool
) -> None:
    assert is_over(_effect(**fields)) is over


@pytest.mark.parametrize(
    ("fields", "heeds"),
    [
        ({}, False),
        ({"lasts": "this_vote"}, True),
        ({"one_play": True}, True),
        ({"one_play": True, "played": True}, False),
        ({"played": True}, False),
    ],
)
def test_decisions_matter_to_votes_and_to_the_one_play(fields: dict[str, Any], heeds: bool) -> None:
    assert _choice(**fields).heeds is heeds


def test_an_effect_ends_once() -> None:
    effect = end(_effect(status="in_force", window="open"), 5, "ended_by_effect")

    assert (effect.status, effect.ended, effect.reason) == ("ended", 5, "ended_by_effect")
    assert end(effect, 7, "game_ended") == effect


def test_what_is_over_is_kept_apart_from_what_can_change() -> None:
    game = Game()
    game.control("e1", 1, 2, "this_turn")
    game.control("e2", 1, 3, "next_turn")
    game.choice("c1", 1, (2,), "votes", lasts="this_turn")
    game.turn(1)
    game.choice("c2", 1, (2,), "votes", lasts="this_turn")

    assert [e.label for e in game.now.past_effects] == ["e1"]
    assert [e.label for e in game.now.open_effects] == ["e2"]
    assert [c.label for c in game.now.past_choices] == ["c1"]
    assert [c.label for c in game.now.open_choices] == ["c2"]


def test_an_effect_that_has_ended_is_called_so_whatever_ended_it() -> None:
    game = Game()
    game.control("e1", 1, 2, "next_turn")
    game.control("e2", 3, 2, "next_turn")
    game.turn(2)
    game.control("e3", 1, 2, "this_turn")
    game.over("e3")

    assert [e.status for e in game.now.effects] == ["ended", "ended", "ended"]
    assert [e.reason for e in game.now.effects] == ["overwritten", "overwritten", "ended_by_effect"]


def test_the_shares_of_one_effect_stay_in_order() -> None:
    game = Game(4)
    game.control("e1", 1, [3, 2], "next_turn")
    game.turn(2)
    game.leaves(2)

    assert [(e.share, e.affected) for e in game.now.effects] == [(0, (3,)), (1, (2,))]
    assert [e.stated_for for e in game.now.effects] == [(3,), (2,)]
    assert [e.ended is None for e in game.now.effects] == [True, False]

    other = Game(4)
    other.control("e1", 1, [3, 2], "next_turn")
    other.leaves(2)
    other.leaves(3)
    assert [e.affected for e in other.now.effects] == [(3,), (2,)]


def test_an_effect_promises_an_extra_turn_only_where_it_says_so() -> None:
    game = Game()
    game.control("e1", 1, 2, "next_turn")
    game.control("e2", 1, 3, "next_turn", extra_turn_after=True)

    assert [e.promise for e in game.now.effects] == ["none", "promised"]


def test_extra_turns_are_due_to_the_members_of_a_team_who_are_still_there() -> None:
    game = Game(4, teams=[(1, 2), (3, 4)])
    game.control("e1", 1, 3, "next_turn", extra_turn_after=True)
    game.leaves(4)

    assert (game.now.extra_turns_due(3), game.now.extra_turns_due(4)) == (1, 0)


def test_a_promise_that_is_taken_says_by_which_turn() -> None:
    game = Game()
    game.control("e1", 1, 2, "next_turn", extra_turn_after=True)
    game.turn(2)
    turn = game.turn(2, extra=True)

    assert (game.effect("e1").promise, game.effect("e1").extra_turn) == ("taken", turn)


class TestStates:
    def test_decisions_matter_to_them_where_one_could_change_something(self) -> None:
        game = Game()
        for matters in (
            game.gap,
            lambda: game.control("e1", 1, 2, "this_turn", must=("spell_cast",)),
            lambda: game.choice("c1", 1, (2,), "votes", lasts="this_vote"),
        ):
            game.start(3)
            game.control("e0", 1, 2, "this_turn")
            game.choice("c0", 1, (2,), "votes", lasts="this_turn")
            assert not game.now.attentive
            matters()
            assert game.now.attentive

    def test_a_departure_from_a_seat_that_nobody_is_known_to_sit_in_is_one(self) -> None:
        game = Game()
        game.leaves(9)

        assert game.now.has_left(9)

    def test_events_as_models_and_as_structs_lead_to_the_same(self) -> None:
        game = Game()
        game.control("e1", 1, 2, "next_turn")
        game.turn(2)
        state = initial_control(RULES)
        for event in game.events:
            state = evolve_control(state, to_model(event))

        assert state == game.now

    def test_two_that_say_the_same_are_equal_and_not_unequal(self) -> None:
        one, other = Game().now, Game().now
        older = Game()
        older.turn(2)

        assert one == other
        assert not one != other  # noqa: SIM202  # a method of its own
        assert one != older.now
        assert not one == older.now  # noqa: SIM201  # a method of its own

    def test_a_state_is_no_text(self) -> None:
        assert Game().now.__eq__("a state") is NotImplemented
        assert (Game().now == "a state") is False
        assert Game().now != "a state"

    def test_equal_states_are_one_member_of_a_set(self) -> None:
        assert len({Game().now, Game().now}) == 1
