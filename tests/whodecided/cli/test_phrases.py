"""Events are told in sentences that people would say."""

from __future__ import annotations

from typing import Any

import pytest

from queries.parts import EventView
from whodecided.cardnames import CardNames
from whodecided.cli.labels import Labels
from whodecided.cli.phrases import phrase


def said(event: str, **details: Any) -> str:
    view = EventView(
        number=1,
        event=event,
        family="game",
        occurred_at=None,
        clock="server",
        correlation_id=None,
        causation=None,
        action=None,
        stamp=None,
        details=details,
        hidden=(),
        erased=(),
    )
    return phrase(view, Labels.of((), CardNames()))


@pytest.mark.parametrize(
    ("change", "counter", "sentence"),
    [
        (2, "+1/+1", "2 +1/+1 counters are put on object 7"),
        (1, "1", "1 counter of kind 1 is put on object 7"),
        (-3, "loyalty", "3 loyalty counters are removed from object 7"),
    ],
)
def test_counters_are_counted_and_named(change: int, counter: str, sentence: str) -> None:
    assert said("counters_changed", target="7", counter=counter, change=change) == sentence


@pytest.mark.parametrize(
    ("zone", "owner", "sentence"),
    [
        ("battlefield", None, "Object 7 is on the battlefield"),
        ("stack", None, "Object 7 is on the stack"),
        ("hand", 2, "Object 7 is in the hand of seat 2"),
    ],
)
def test_objects_are_on_the_battlefield_and_in_a_hand(
    zone: str, owner: int | None, sentence: str
) -> None:
    assert said("object_entered", object="7", zone=zone, zone_owner=owner) == sentence


@pytest.mark.parametrize(
    ("decision", "sentence"),
    [
        ("priority_passed", "Seat 2 is asked to act or to pass"),
        ("targets_chosen", "Seat 2 is asked to choose targets"),
        ("vote_cast", "Seat 2 is asked for a decision (vote cast)"),
    ],
)
def test_requests_say_what_is_asked(decision: str, sentence: str) -> None:
    asked = said("decision_requested", decision=decision, request_kind="SomeReq", asked=[2])

    assert asked == sentence


def test_words_of_the_catalogue_are_spoken_and_texts_of_people_stay_as_written() -> None:
    moved = said("object_moved", object="7", to_zone="battlefield", cause="play_land")

    assert moved == "Object 7 moves to the battlefield (play land)"
    assert said("note_added", text="a well-known case_1") == "Note: a well-known case_1"
    assert said("life_changed", seat=2, change=-3, total=-1) == "Seat 2 -3 life (-1)"


def test_who_was_shown_a_card_is_said_unless_it_was_everybody() -> None:
    assert said("revealed", object="7", to=None) == "Object 7 is revealed"
    assert said("revealed", object="7", to=["seat:1", "judge:head"]) == (
        "Object 7 is shown to Seat 1 and judge head"
    )


@pytest.mark.parametrize(
    ("stated", "sentence"),
    [
        ({"life": 20, "library": None}, "Seat 2 is stated to have 20 life"),
        ({"library": 1}, "Seat 2 is stated to have 1 card in the library"),
        (
            {"life": -1, "library": 53},
            "Seat 2 is stated to have -1 life and 53 cards in the library",
        ),
    ],
)
def test_stated_totals_are_told(stated: dict[str, int | None], sentence: str) -> None:
    assert said("totals_stated", seat=2, **stated) == sentence
