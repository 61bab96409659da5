"""`control` and `active`: who controlled whom when, and whose turn it was meanwhile."""

from __future__ import annotations

import pytest

from domain.errors import NotFound
from queries.active import active
from queries.control import control
from queries.replay import replay
from tests.support.games import ALICE, BOB, act, asks, fact, tell, turn
from tests.support.stories import controlled_turn, gap, stand_in


def test_the_timeline_lists_the_effect_and_the_stretch_in_which_it_decided() -> None:
    answer = control(controlled_turn().record())

    assert [(e.label, e.created, e.began, e.ended) for e in answer.effects] == [
        ("mindslaver", 12, 13, 18)
    ]
    [stretch] = answer.intervals
    assert (stretch.seat, stretch.controller, stretch.first, stretch.last) == (2, ALICE, 13, 18)
    assert (stretch.turn, stretch.certain) == (2, True)
    assert answer.stand_ins == ()


def test_a_stand_in_is_told_apart_from_control() -> None:
    answer = control(stand_in().record())

    assert (answer.effects, answer.intervals) == ((), ())
    [stretch] = answer.stand_ins
    assert (stretch.seat, stretch.by, stretch.first, stretch.last) == (2, "server:arena", 3, 6)
    assert stretch.mode == "AI_Goldfish"


def test_a_take_over_that_nothing_ends_goes_on() -> None:
    told = tell(turn(2), fact("seat_taken_over", seat=2, by="server:arena"))

    assert [one.last for one in control(told.record()).stand_ins] == [None]


def test_an_observation_is_part_of_the_timeline() -> None:
    told = tell(
        turn(2),
        fact("control_observed", label="seen", seat=2, by=ALICE),
        fact("control_observed", label="seen", seat=2, by=None),
    )
    [effect] = control(told.record()).effects

    assert (effect.scope, effect.began, effect.ended) == ("observed", 3, 4)


def test_a_choice_effect_is_no_control_but_in_the_list() -> None:
    told = tell(
        turn(2),
        fact(
            "choice_granted",
            label="warcraft",
            chooser=ALICE,
            affected=(2,),
            decisions=("attackers",),
            lasts="this_turn",
        ),
    )
    answer = control(told.record())

    assert [(e.kind, e.controller, e.decisions) for e in answer.effects] == [
        ("choice", ALICE, ("attackers",))
    ]
    assert answer.intervals == ()


def test_gaps_stand_in_the_timeline_and_what_they_still_hide_is_said() -> None:
    assert control(gap().record()).gaps == (4,)
    assert control(tell(turn(1), fact("gap_found", cause="torn")).record()).incomplete != ()


def test_stretches_in_which_a_gap_hides_the_decider_are_listed_when_they_are_over_too() -> None:
    answer = control(gap().record())

    assert [(one.seat, one.first, one.last) for one in answer.uncertain] == [(1, 4, 7), (2, 4, 6)]
    assert answer.incomplete == (
        "Who decided for seat 1, from event 4 to event 7: a gap in the record.",
        "Who decided for seat 2, from event 4 to event 6: a gap in the record.",
    )
    assert control(controlled_turn().record()).uncertain == ()


def test_a_stretch_without_an_end_goes_on_to_the_end_of_the_record() -> None:
    answer = control(tell(turn(1), fact("gap_found", cause="torn")).record())

    assert [(one.seat, one.first, one.last) for one in answer.uncertain] == [
        (1, 3, None),
        (2, 3, None),
    ]
    assert "Who decides for seat 1 and seat 2: event 3 is a gap in the record." in answer.incomplete


def test_control_never_changes_the_active_player() -> None:
    answer = active(controlled_turn().record(), 16)
    deciders = {one.seat: one.decider for one in answer.deciders}

    assert answer.active_players == (BOB,)
    assert deciders == {1: ALICE, 2: ALICE}
    assert [one.effect for one in answer.deciders] == [None, "mindslaver"]


def test_an_effect_that_waits_is_shown_at_the_seat_it_waits_for() -> None:
    answer = active(controlled_turn().record(), 12)

    assert [one.pending for one in answer.deciders] == [None, "mindslaver"]


def test_before_the_first_event_there_is_no_active_player() -> None:
    answer = active(controlled_turn().record(), 0)

    assert (answer.active_players, answer.moment.turn, answer.incomplete) == ((), None, ())


def test_a_gap_hides_whose_turn_it_is_until_it_is_certain_again() -> None:
    record = gap().record()

    assert active(record, 5).active_players == ()
    assert active(record, 5).incomplete != ()
    assert active(record, 8).active_players == (ALICE,)
    assert active(record, 8).incomplete == ()


def test_a_player_who_left_decides_nothing_any_more() -> None:
    record = controlled_turn().record()
    [_, bob] = active(record, 23).deciders

    assert (bob.decider, bob.left) == ("nobody", "conceded")


def test_an_event_beyond_the_last_is_not_found() -> None:
    with pytest.raises(NotFound):
        active(controlled_turn().record(), 25)


def test_priority_is_stated_where_the_record_asks_and_else_follows_from_the_rules() -> None:
    told = tell(
        turn(1),
        fact("step_started", step="upkeep"),
        asks(2, "priority_passed"),
        act("priority_passed", 2),
        fact("gap_found", cause="missing"),
    )
    found = [active(told.record(), number).priority for number in range(1, 7)]

    assert [(one.seats, one.basis, one.why, one.number) for one in found] == [
        ((), "derived", "no_priority", 1),
        ((), "unknown", "unknown", 2),
        ((1,), "derived", "step_began", 3),
        ((2,), "stated", "asked", 4),
        ((1,), "derived", "passed", 5),
        ((), "unknown", "unknown", 6),
    ]
    assert replay(told.record(), 4).priority == found[3]
