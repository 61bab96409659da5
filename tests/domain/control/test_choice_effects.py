"""How long choice effects last, border by border; the one play that a card dictates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest

from domain.control import ChoiceEffect
from tests.support.control_games import Game
from whodecided.rulebook import load_rulebook

_OLD: Final = load_rulebook("2009-12-01")
"""Rules that know no control for a limited time."""


def _made(lasts: str) -> Game:
    """A game in a combat of seat 2's turn with a choice effect."""
    game = Game(3)
    game.turn(2)
    game.step("beginning_of_combat", 2)
    game.choice("c1", 1, (2, 3), "attackers", "votes", lasts=lasts, object="o")
    return game


def _choice(game: Game) -> ChoiceEffect:
    (found,) = game.now.choices
    return found


def _vote(game: Game) -> int:
    game.acts(2, "vote_cast")
    return game.acts(2, "priority_passed")


_BORDERS: Final[dict[str, tuple[Callable[[Game], int], str]]] = {
    "turn": (lambda game: game.turn(3), "next_turn_started"),
    "combat": (lambda game: game.step("postcombat_main", 2), "combat_ended"),
    "vote": (_vote, "vote_ended"),
    "resolution": (lambda game: game.resolves("o"), "resolved"),
    "end": (lambda game: game.ends(), "game_ended"),
    "restart": (lambda game: game.tell("game_restarted"), "game_ended"),
    "next game": (lambda game: game.start(3), "game_ended"),
}
_ENDED: Final = {
    "this_turn": {"turn", "end", "restart", "next game"},
    "this_combat": {"turn", "combat", "end", "restart", "next game"},
    "this_vote": {"turn", "vote", "resolution", "end", "restart", "next game"},
    "while_resolving": {"turn", "resolution", "end", "restart", "next game"},
}


@pytest.mark.parametrize("border", _BORDERS)
@pytest.mark.parametrize("lasts", _ENDED)
def test_a_choice_effect_ends_at_these_borders_and_no_others(lasts: str, border: str) -> None:
    game = _made(lasts)
    cross, reason = _BORDERS[border]
    number = cross(game)
    found = _choice(game)

    if border in _ENDED[lasts]:
        assert (found.ended, found.reason) == (number, reason)
        assert game.decider(2, "attackers") == 2
    else:
        assert (found.ended, found.reason) == (None, None)
        assert game.decider(2, "attackers") == 1


def test_what_has_ended_stays_as_it_ended() -> None:
    game = _made("this_turn")
    over = game.turn(3)
    game.turn(1)
    game.ends()

    assert (_choice(game).ended, _choice(game).reason) == (over, "next_turn_started")


def test_a_vote_is_over_with_the_first_decision_that_no_vote_contains() -> None:
    game = _made("this_vote")
    game.acts(3, "priority_passed")
    game.acts(2, "vote_cast")
    game.acts(3, "choice_made", kind="other")
    game.acts(3, "vote_cast")
    assert _choice(game).ended is None

    over = game.acts(1, "spell_cast")
    assert (_choice(game).ended, _choice(game).reason) == (over, "vote_ended")


def test_several_votes_change_an_effect_once() -> None:
    game = _made("this_vote")
    game.acts(2, "vote_cast")
    voted = game.now
    game.acts(3, "vote_cast")

    assert _choice(game).voted
    assert game.now.open_choices == voted.open_choices


def test_only_those_named_and_only_these_choices_pass_on() -> None:
    game = _made("this_turn")

    assert [game.decider(seat, "attackers") for seat in (1, 2, 3)] == [1, 1, 1]
    assert [game.decider(seat, "votes") for seat in (1, 2, 3)] == [1, 1, 1]
    assert [game.decider(seat, "blockers") for seat in (1, 2, 3)] == [1, 2, 3]
    assert game.decider(2) == 2


def _dictated(**more: Any) -> Game:
    game = Game(3, rules=_OLD)
    game.turn(2)
    game.control("woc", 1, 2, "while_resolving", object="woc", **more)
    return game


@pytest.mark.parametrize(
    ("decision", "decider"),
    [
        ("land_played", 1),
        ("spell_cast", 1),
        ("modes", 1),
        ("targets", 1),
        ("mana_produced", 1),
        ("cost_paid", 1),
        ("choice_made", 1),
        ("attackers", 2),
        ("priority_passed", 2),
        ("game", 2),
        ("conceded", 2),
    ],
)
def test_an_old_word_of_command_chooses_one_play_and_what_it_calls_for(
    decision: str, decider: int
) -> None:
    game = _dictated()

    assert game.decider(2, decision) == decider
    assert game.decider(3, decision) == 3
    assert game.now.in_force(2) is None


def test_the_choice_is_a_reading_of_the_card() -> None:
    verdict = _dictated().verdict(2, "spell_cast")

    assert verdict.authority == "choice_effect"
    assert verdict.rule_gap
    assert "one play" in (verdict.reading or "")
    assert set(verdict.candidates) == {"player:p1", "player:p2"}
    assert [step.player for step in verdict.path] == ["player:p2", "player:p1"]


@pytest.mark.parametrize("play", ["land_played", "spell_cast"])
def test_after_the_one_play_the_rest_of_it_is_still_chosen(play: str) -> None:
    game = _dictated()
    game.acts(2, play)

    assert game.decider(2, "land_played") == game.decider(2, "spell_cast") == 2
    assert game.decider(2, "targets") == game.decider(2, "cost_paid") == 1


def test_a_play_that_is_refused_or_another_players_is_not_the_one() -> None:
    game = _dictated()
    game.acts(2, "spell_cast", refused=True)
    game.acts(3, "spell_cast")
    game.acts(2, "mana_produced")

    assert game.decider(2, "spell_cast") == 1


def test_the_play_is_chosen_until_the_card_has_resolved() -> None:
    game = _dictated()
    game.resolves("other")
    assert game.decider(2, "spell_cast") == 1

    over = game.resolves("woc")
    assert game.decider(2, "spell_cast") == 2
    assert [(c.ended, c.reason) for c in game.now.choices] == [(over, "resolved")]


def test_several_dictated_plays_are_kept_apart() -> None:
    game = _dictated()
    game.control("again", 3, 2, "while_resolving", object="again")
    assert game.decider(2, "spell_cast") == 3

    game.acts(2, "spell_cast")
    assert [choice.played for choice in game.now.choices] == [True, True]
