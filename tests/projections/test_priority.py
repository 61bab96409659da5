"""Who has priority (CR 117): what the record asks, else what follows from acts and passes."""

from __future__ import annotations

import pytest

from domain.observation import Observation
from projections.priority import Priority, priority_at
from tests.support.games import ALICE, BOB, Told, act, asks, fact, tell, turn

CAT = "player:ca7"
MAIN = fact("step_started", step="precombat_main")
CAST = act("spell_cast", 1, object="o1", card="81101")


def passes(seat: int) -> Observation:
    return act("priority_passed", seat)


def asked(seat: int) -> Observation:
    return asks(seat, "priority_passed")


def at(told: Told, number: int | None = None) -> Priority:
    number = len(told.events) if number is None else number
    return priority_at(told.events, number, told.record().folded.control_at(number))


def after(*seen: Observation, players: tuple[str, ...] = (ALICE, BOB, CAT)) -> Priority:
    """Priority at the end of a game in which this happens in seat 2's turn (event 2)."""
    return at(tell(turn(2), *seen, players=players))


def test_cr_117_3a_the_active_player_has_priority_when_a_step_begins() -> None:
    assert after(MAIN) == Priority((2,), "step_began", 3)


@pytest.mark.parametrize("step", ["untap", "cleanup"])
def test_cr_502_4_and_514_3_nobody_has_it_in_these_steps_unless_the_record_asks(step: str) -> None:
    begun = fact("step_started", step=step)

    assert after(begun) == Priority((), "no_priority", 3)
    assert after(begun, asked(2)) == Priority((2,), "asked", 4)


def test_cr_117_3b_the_active_player_has_it_after_a_resolution() -> None:
    seen = (MAIN, CAST, passes(1), passes(2), passes(3), fact("resolved", object="o1"))

    assert after(*seen) == Priority((2,), "resolved", 8)


def test_cr_117_3c_whoever_acted_has_it_again() -> None:
    assert after(MAIN, passes(2), CAST) == Priority((1,), "acted", 5)


def test_an_act_that_the_game_refused_changes_nothing() -> None:
    refused = act("spell_cast", 1, object="o1", card="81101", refused=True)

    assert after(MAIN, refused) == Priority((2,), "step_began", 3)
    assert after(MAIN, act("priority_passed", 2, refused=True)) == Priority((2,), "step_began", 3)


def test_cr_117_3d_the_next_in_turn_order_has_it_after_a_pass() -> None:
    assert after(MAIN, passes(2)) == Priority((3,), "passed", 4)
    assert after(MAIN, passes(2), passes(3)) == Priority((1,), "passed", 5)


def test_cr_117_4_nobody_has_it_when_all_have_passed_in_succession() -> None:
    assert after(MAIN, passes(2), passes(3), passes(1)) == Priority((), "all_passed", 6)
    assert after(CAST, passes(1), passes(2), CAST, passes(1)) == Priority((2,), "passed", 7)


def test_a_player_who_has_left_is_passed_over() -> None:
    left = fact("player_left", seat=3, reason="lost")

    assert after(MAIN, left, passes(2)) == Priority((1,), "passed", 5)
    assert after(MAIN, left, passes(2), passes(1)) == Priority((), "all_passed", 6)


def test_what_the_record_asks_counts_more_than_what_the_rules_lead_to() -> None:
    assert after(MAIN, asked(3)) == Priority((3,), "asked", 4)
    assert after(MAIN, asked(3), passes(3)) == Priority((1,), "passed", 5)
    assert after(MAIN, passes(2), asked(2)) == Priority((2,), "asked", 5)


def test_other_questions_say_nothing_about_priority() -> None:
    assert after(MAIN, asks(3, "attackers_declared")) == Priority((2,), "step_began", 3)


def test_control_of_a_player_does_not_change_who_has_priority() -> None:
    control = fact(
        "control_created", label="e1", controller=ALICE, affected=(2,), scope="this_turn"
    )

    assert after(control, MAIN) == Priority((2,), "step_began", 4)


def test_a_gap_hides_it_until_something_shows_it() -> None:
    lost = fact("gap_found", cause="missing")

    assert after(MAIN, lost) == Priority((), "unknown", 4)
    assert after(MAIN, lost, passes(2)) == Priority((3,), "passed", 5)
    assert after(MAIN, lost, asked(1)) == Priority((1,), "asked", 5)


def test_a_turn_whose_steps_are_not_recorded_says_nothing_about_it() -> None:
    assert after(fact("life_changed", seat=1, change=-1, total=19)) == Priority((), "unknown", 2)


def test_a_rewind_leads_back_to_who_had_it_then() -> None:
    told = tell(turn(2), MAIN, CAST, fact("rewound", to=3))

    assert at(told) == Priority((2,), "step_began", 3)
    assert at(told, 4) == Priority((1,), "acted", 4)


def test_nobody_has_it_before_the_game_and_after_it() -> None:
    told = tell(turn(1), MAIN, fact("game_ended", result="unknown", winners=(), reason=None))

    assert at(told) == Priority((), "no_priority", None)
    assert at(told, 0) == Priority((), "no_priority", None)
    assert at(told, 1) == Priority((), "no_priority", 1)
