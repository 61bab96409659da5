"""The control line: states by number, effects at the end, stretches in order."""

from __future__ import annotations

from typing import Any

from domain.observation import Observation
from projections.control_status import ControlLine, fold_control
from tests.support.games import RULES, act, tell, turn
from tests.support.said import said

ANN, BEN, CAT = "player:ann", "player:ben", "player:cat"


def _line(*seen: Observation) -> ControlLine:
    """A game of three; the first of `seen` is event 2."""
    return fold_control(tell(*seen, players=(ANN, BEN, CAT)).events, RULES)


def _effect(label: str, controller: str, scope: str = "next_turn") -> Observation:
    fields: dict[str, Any] = {
        "label": label,
        "controller": controller,
        "affected": (2,),
        "scope": scope,
    }
    return act("control_created", 1, **fields)


def _stretches(line: ControlLine) -> list[tuple[int, int, int | None, str, bool]]:
    return [(i.seat, i.first, i.until, i.effect.label, i.certain) for i in line.intervals]


def test_nobody_is_controlled_in_a_plain_game() -> None:
    line = _line(turn(1), turn(2))

    assert line.effects == ()
    assert line.intervals == ()
    assert line.at(0).players == {}
    assert line.at(1).players == {1: ANN, 2: BEN, 3: CAT}


def test_a_stretch_lasts_from_the_event_that_begins_it_to_the_one_that_ends_it() -> None:
    line = _line(_effect("e1", ANN), turn(2), turn(1))

    assert _stretches(line) == [(2, 3, 4, "e1", True)]
    assert [effect.label for effect in line.effects] == ["e1"]


def test_a_stretch_that_goes_on_at_the_end_of_the_record_has_no_end() -> None:
    line = _line(_effect("e1", ANN), turn(2))

    assert _stretches(line) == [(2, 3, None, "e1", True)]


def test_another_effect_begins_another_stretch() -> None:
    line = _line(_effect("e1", ANN, "this_turn"), turn(1), _effect("e2", CAT, "this_turn"))

    assert _stretches(line) == [(2, 2, 3, "e1", True), (2, 4, None, "e2", True)]


def test_a_rewind_ends_a_stretch_and_what_was_told_of_it_stays() -> None:
    line = _line(_effect("e1", ANN), turn(2), said("rewound", to=2), turn(2))

    assert _stretches(line) == [(2, 3, 4, "e1", True), (2, 5, None, "e1", True)]


def test_a_gap_makes_the_stretch_that_goes_on_uncertain() -> None:
    line = _line(_effect("e1", ANN), turn(2), said("gap_found", cause="missing"))

    assert _stretches(line) == [(2, 3, 4, "e1", True), (2, 4, None, "e1", False)]
