"""Edges of findings: who is entitled beside stand-ins, what is only asked, which rule is named."""

from __future__ import annotations

from typing import Any

import msgspec

from domain.findings import findings_of, verdict_on
from domain.findings.entitlement import entitlement
from tests.support.control_games import RULES, Game, player


def _restamped(game: Game, number: int, **changes: Any) -> list[str]:
    """Codes of the event when its stamp says something else."""
    event = game.events[number - 1]
    stamp = msgspec.structs.replace(event.stamp, **changes)
    other = msgspec.structs.replace(event, stamp=stamp)
    before, after = game.states[number - 1], game.states[number]
    return [found.code for found in findings_of(before, other, after, RULES)]


def test_what_was_derived_or_presumed_by_another_reading_is_superseded() -> None:
    game = Game()
    game.turn(2)
    number = game.acts(2)

    for basis in ("derived", "presumed"):
        assert _restamped(game, number, basis=basis, deciding_player=player(3)) == [
            "stamp-superseded"
        ]
        assert _restamped(game, number, basis=basis) == []
    assert _restamped(game, number, basis="stated", deciding_player=player(3)) == [
        "decider-not-entitled"
    ]


def test_a_stand_in_may_carry_out_what_the_person_decides() -> None:
    game = Game()
    game.turn(2)
    game.taken_over(2, "server:s")

    assert game.codes(game.acts(2, stated=2, performer="server:s")) == []
    assert game.codes(game.acts(2, stated=2, performer=2)) == ["stated-derived-differ"]
    assert game.codes(game.acts(2, stated=2)) == ["stated-derived-differ"]


def test_entitlement_is_yes_no_or_open() -> None:
    game = Game()
    game.control("e1", 1, 2, "next_turn")
    game.turn(2)
    said = []
    for stated in (1, 2, "unknown"):
        number = game.acts(2, stated=stated)
        event, before = game.events[number - 1], game.states[number - 1]
        verdict = verdict_on(before, event, RULES)
        assert verdict is not None
        said.append(entitlement(before, event, verdict))

    assert said == ["yes", "no", "open"]


def test_a_question_and_a_refusal_are_about_a_decider_too() -> None:
    game = Game()
    game.control("e1", 1, 2, "next_turn")
    game.turn(2)
    asked = {"request_kind": "x", "asked": (2,), "answers_wanted": True}
    numbers = (
        game.tell("decision_requested", 2, decision="game", **asked),
        game.tell("request_refused", 2, request=None, reason="x"),
    )

    for number in numbers:
        verdict = verdict_on(game.states[number - 1], game.events[number - 1], RULES)
        assert verdict is not None
        assert verdict.decider == player(1)
        assert game.codes(number) == []


def test_nothing_is_said_of_the_parts_of_an_action_of_nobody_known() -> None:
    game = Game()

    assert game.codes(game.acts(9, "spell_cast", whole_action=True)) == []
    assert game.codes(game.acts(9, "spell_cast")) == []


def test_cr_723_3_is_the_rule_that_objects_keep_their_controllers_by() -> None:
    game = Game()
    game.control("e1", 1, 2, "next_turn")
    game.turn(2)
    number = game.tell("object_control_changed", object="o", controller=1, by_player_control=True)
    (found,) = game.findings(number)

    assert found.rule is not None
    assert (found.code, found.rule.number) == ("object-controller-changed", "723.3")


def test_cr_723_7_is_the_rule_of_restrictions_and_demands() -> None:
    game = Game()
    game.control("e1", 1, 2, "next_turn", may_not=("spell_cast",), must=("attackers_declared",))
    game.turn(2)
    forbidden, over = game.acts(2, "spell_cast"), game.turn(3)

    for number in (forbidden, over):
        (found,) = game.findings(number)
        assert found.rule is not None
        assert (found.code, found.rule.number, found.root) == ("restriction-broken", "723.7", 2)
