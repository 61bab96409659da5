"""Player control in the three shapes a log may show it in, and from both players' chairs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.arena_importing import game_events
from whodecided.importers.arena.synthetic.demo import demo_log
from whodecided.importers.arena.synthetic.recording import VARIANTS, ControlShape

MURDER = "232"
"""The spell that the controller casts with the controlled player's card."""


def decisions(events: list[Any]) -> list[Any]:
    """The stamped decisions of class game."""
    return [
        event
        for event in events
        if event.DECISION_CLASS == "game" and event.stamp.acting_seat is not None
    ]


def controlled_stretch(events: list[Any]) -> list[Any]:
    """The events between the two observations."""
    begin, end = (event.number for event in events if event.NAME == "control_observed")
    return [event for event in events if begin < event.number < end]


@pytest.fixture(params=sorted(VARIANTS))
def shape(request: pytest.FixtureRequest) -> ControlShape:
    """One of the three readings of the protocol."""
    return VARIANTS[request.param]


def test_the_controller_decides_for_the_controlled_seat(
    tmp_path: Path, shape: ControlShape
) -> None:
    events = game_events(tmp_path, demo_log(shape))
    players = {info.seat: info.player for info in events[0].seats}
    made = [e for e in decisions(controlled_stretch(events)) if e.stamp.acting_seat == 2]
    assert {event.NAME for event in made} >= {"land_played", "spell_cast", "targets_chosen"}
    for event in made:
        assert event.stamp.deciding_player == players[1]
        assert event.stamp.authority.kind == "observed"


def test_the_controller_keeps_deciding_for_the_own_seat(
    tmp_path: Path, shape: ControlShape
) -> None:
    events = game_events(tmp_path, demo_log(shape))
    players = {info.seat: info.player for info in events[0].seats}
    made = [e for e in decisions(controlled_stretch(events)) if e.stamp.acting_seat == 1]
    assert made
    assert {event.stamp.deciding_player for event in made} == {players[1]}
    assert {event.stamp.authority.kind for event in made} == {"self"}


def test_outside_the_controlled_turn_everybody_decides_for_themselves(
    tmp_path: Path, shape: ControlShape
) -> None:
    events = game_events(tmp_path, demo_log(shape))
    players = {info.seat: info.player for info in events[0].seats}
    inside = {event.number for event in controlled_stretch(events)}
    for event in decisions(events):
        if event.number not in inside:
            assert event.stamp.deciding_player == players[event.stamp.acting_seat]


def test_the_murder_is_cast_by_the_controlled_seat_on_its_own_creature(
    tmp_path: Path, shape: ControlShape
) -> None:
    events = game_events(tmp_path, demo_log(shape))
    (cast,) = (e for e in events if e.NAME == "spell_cast" and e.object == MURDER)
    (aimed,) = (e for e in events if e.NAME == "targets_chosen")
    assert cast.stamp.acting_seat == aimed.stamp.acting_seat == 2
    assert aimed.object == MURDER
    assert aimed.action == cast.action
    (victim,) = (e for e in events if e.NAME == "object_renamed" and e.former == aimed.targets[0])
    (died,) = (e for e in events if e.NAME == "object_moved" and e.object == victim.object)
    assert (died.owner, died.to_zone, died.cause) == (2, "graveyard", "destroy")
    assert died.causation == cast.number


def test_only_an_answer_or_nothing_states_the_controller_as_decider(tmp_path: Path) -> None:
    silent = game_events(tmp_path, demo_log(VARIANTS["names-the-controlled"]))
    asked = [e for e in controlled_stretch(silent) if e.NAME == "decision_requested"]
    assert {event.asked for event in asked} == {(2,)}
    made = [e for e in decisions(controlled_stretch(silent)) if e.stamp.acting_seat == 2]
    assert {event.stamp.basis for event in made} == {"derived"}


@pytest.mark.parametrize(
    ("variant", "asked"), [("names-the-controller", (1,)), ("answers-for-the-other", (2,))]
)
def test_answers_of_the_controllers_client_are_stated_and_linked_to_requests(
    tmp_path: Path, variant: str, asked: tuple[int, ...]
) -> None:
    events = game_events(tmp_path, demo_log(VARIANTS[variant]))
    by_number = {event.number: event for event in events}
    answered = [
        e
        for e in decisions(controlled_stretch(events))
        if e.stamp.acting_seat == 2 and e.request is not None
    ]
    assert {event.NAME for event in answered} >= {"land_played", "spell_cast", "targets_chosen"}
    for event in answered:
        request = by_number[event.request]
        assert request.asked == asked
        assert request.stamp.acting_seat == 2
        assert event.stamp.basis == "stated"
        assert event.stamp.performer == event.stamp.deciding_player
        assert event.correlation_id == request.correlation_id


def test_an_action_annotated_with_the_controller_still_acts_for_the_controlled_seat(
    tmp_path: Path,
) -> None:
    shape = ControlShape("controller", True, affector="controller")
    plain = game_events(tmp_path, demo_log(VARIANTS["names-the-controller"]), name="a.log")
    other = tmp_path / "other"
    other.mkdir()
    odd = game_events(other, demo_log(shape), name="a.log")
    assert [(e.NAME, getattr(e, "stamp", None)) for e in odd] == [
        (e.NAME, getattr(e, "stamp", None)) for e in plain
    ]


def test_the_active_player_does_not_change_under_control(
    tmp_path: Path, shape: ControlShape
) -> None:
    events = game_events(tmp_path, demo_log(shape))
    turns = [event.seat for event in events if event.NAME == "turn_started"]
    assert turns == [1, 2, 1, 2, 1, 2, 1, 2, 1]
    steps = {e.seat for e in controlled_stretch(events) if e.NAME == "step_started"}
    assert 2 in steps


def test_the_hand_is_shown_to_the_controller_during_control(
    tmp_path: Path, shape: ControlShape
) -> None:
    events = game_events(tmp_path, demo_log(shape))
    players = {info.seat: info.player for info in events[0].seats}
    shown = [event for event in events if event.NAME == "revealed"]
    stretch = {event.number for event in controlled_stretch(events)}
    assert len(shown) == 7
    assert {event.to for event in shown} == {(players[1],)}
    assert {event.number for event in shown} <= stretch
    assert all(event.card is not None for event in shown)


@pytest.mark.parametrize("early", [False, True])
def test_a_concession_is_the_persons_own_also_while_controlled(
    tmp_path: Path, shape: ControlShape, early: bool
) -> None:
    events = game_events(tmp_path, demo_log(shape, concede_while_controlled=early))
    players = {info.seat: info.player for info in events[0].seats}
    (conceded,) = (event for event in events if event.NAME == "conceded")
    assert conceded.stamp.acting_seat == 2
    assert conceded.stamp.deciding_player == players[2]
    assert conceded.stamp.decision_class == "tournament"
    assert conceded.observed
    assert len([e for e in events if e.NAME == "control_observed"]) == (1 if early else 2)


def test_the_controlled_players_own_log_says_the_same(tmp_path: Path, shape: ControlShape) -> None:
    events = game_events(tmp_path, demo_log(shape, local=2))
    players = {info.seat: info.player for info in events[0].seats}
    assert events[0].viewpoint == "seat:2"
    made = [e for e in decisions(controlled_stretch(events)) if e.stamp.acting_seat == 2]
    assert {event.NAME for event in made} >= {"land_played", "spell_cast", "targets_chosen"}
    assert {event.stamp.deciding_player for event in made} == {players[1]}
    (conceded,) = (event for event in events if event.NAME == "conceded")
    assert conceded.stamp.deciding_player == players[2]
    assert conceded.stamp.basis == "stated"
    assert not conceded.observed
