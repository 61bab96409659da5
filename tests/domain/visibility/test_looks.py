"""How long looks and searches last, and what an event shows."""

from __future__ import annotations

from typing import Any

import pytest

from domain.observation import Observation
from domain.visibility import VisibilityRecord, fold_record
from tests.support.games import ALICE, BOB, act, enters, tell, turn
from tests.support.said import said

_STAYS = "while_in_zone"


def _record(*seen: Observation) -> VisibilityRecord:
    return fold_record(tell(*seen).events)


def _granted(lasts: str, **what: Any) -> Observation:
    return said("look_granted", viewers=(ALICE,), lasts=lasts, **what)


def _grants(record: VisibilityRecord) -> list[object]:
    return [key for key, _ in record.grants.current()]


def _hand_of_bob(lasts: str) -> tuple[Observation, ...]:
    return (enters("x", 2, "hand", "a"), _granted(lasts, zone="hand", owner=2))


@pytest.mark.parametrize(
    ("lasts", "left"),
    [("this_turn", []), (_STAYS, [1]), ("rest_of_game", [1])],
)
def test_a_look_for_this_turn_ends_when_the_next_begins(lasts: str, left: list[int]) -> None:
    record = _record(enters("x", 2, "exile", None, face_down=True), _granted(lasts, object="x"))
    after = _record(
        enters("x", 2, "exile", None, face_down=True), _granted(lasts, object="x"), turn(1)
    )

    assert _grants(record) == [1]
    assert _grants(after) == left


@pytest.mark.parametrize("lasts", ["this_turn", _STAYS, "rest_of_game"])
def test_cr_400_7_every_look_at_a_card_ends_when_it_changes_zones(lasts: str) -> None:
    record = _record(
        enters("x", 2, "exile", None, face_down=True),
        _granted(lasts, object="x"),
        said("object_moved", object="x", to_zone="hand"),
    )

    assert _grants(record) == []


def test_a_look_goes_on_through_a_new_id_in_the_same_zone() -> None:
    record = _record(
        enters("x", 2, "exile", None, face_down=True),
        _granted(_STAYS, object="x"),
        said("object_renamed", former="x", object="y"),
    )

    assert _grants(record) == [1]


def test_a_look_at_a_zone_while_cards_stay_is_at_those_cards_and_at_no_later_one() -> None:
    assert _grants(_record(*_hand_of_bob(_STAYS))) == [("hand", 2), 1]
    later = _record(*_hand_of_bob(_STAYS), said("card_drawn", seat=2, object="y"))

    assert _grants(later) == [1]


def test_a_look_at_a_zone_for_the_rest_of_the_game_covers_later_cards() -> None:
    later = _record(*_hand_of_bob("rest_of_game"), said("card_drawn", seat=2, object="y"))

    assert _grants(later) == [("hand", 2)]


def test_a_shuffle_ends_looks_at_cards_of_the_library() -> None:
    record = _record(
        enters("x", 2, "library", None),
        enters("y", 1, "library", None),
        _granted("rest_of_game", object="x"),
        _granted("rest_of_game", object="y"),
        said("shuffled", owner=2),
    )

    assert _grants(record) == [2]


@pytest.mark.parametrize(
    "over",
    [
        said("library_search_ended", seat=1),
        turn(2),
        said("step_started", step="end"),
        said("game_ended", result="unknown", winners=(), reason=None),
        said("gap_found", cause="missing"),
        said("game_restarted"),
    ],
    ids=lambda seen: seen.event,
)
def test_a_search_ends_at_the_latest_when_the_game_moves_on(over: Observation) -> None:
    begun = act("library_search_started", 1, owner=2)

    assert [key for key, _ in _record(begun).searches.current()] == [2]
    assert list(_record(begun, over).searches.current()) == []


def test_the_end_of_one_search_leaves_another_players_search_going() -> None:
    record = _record(
        act("library_search_started", 1, owner=2),
        act("library_search_started", 2),
        said("library_search_ended", seat=1),
    )
    (search,) = record.searches.latest(2) or ()

    assert (search.number, search.seat) == (3, 2)


def test_a_refused_search_shows_nothing() -> None:
    record = _record(act("library_search_started", 1, refused=True))

    assert list(record.searches.current()) == []


def test_a_rewind_brings_back_a_search_and_a_look() -> None:
    record = _record(
        enters("x", 2, "exile", None, face_down=True),
        _granted("this_turn", object="x"),
        act("library_search_started", 1),
        turn(2),
        said("rewound", to=4),
    )

    assert _grants(record) == [1]
    assert [key for key, _ in record.searches.current()] == [1]


def test_a_reveal_shows_a_zones_cards_to_those_named_and_by_right() -> None:
    record = _record(
        enters("x", 2, "hand", "a"),
        enters("y", 2, "library", "b"),
        said("revealed", to=(ALICE,), zone="hand", owner=2),
    )
    showing = record.showings[4]

    assert (showing.by_right, showing.to, showing.seats) == (
        True,
        frozenset({ALICE}),
        frozenset({1}),
    )
    assert (showing.tracks, showing.zone) == ((1,), ("hand", 2))
    assert record.shown == {1: [4]}


def test_a_look_shows_the_card_to_whoever_looks_without_proving_a_right() -> None:
    record = _record(
        enters("x", 2, "hand", None),
        said("looked_at", viewer=BOB, object="x", secrets={"card": "a"}),
        said("looked_at", viewer=BOB, object="unheard of"),
    )
    showing = record.showings[3]

    assert (showing.by_right, showing.to, showing.seats) == (False, frozenset({BOB}), frozenset())
    assert record.named == {1: [(3, "card")]}
    assert record.showings[4].tracks == ()


def test_a_scry_shows_the_cards_to_the_player_who_scries() -> None:
    record = _record(
        enters("x", 1, "library", None),
        enters("y", 1, "library", None),
        said("scried", seat=1, top=("x",), bottom=("y",)),
    )
    showing = record.showings[4]

    assert (showing.to, showing.seats, showing.tracks) == (frozenset(), frozenset({1}), (1, 2))


def test_a_gap_makes_what_was_before_uncertain_until_a_snapshot() -> None:
    anchored = said("state_anchored", active_seat=1, turn=1, step=None, controlled=())
    record = _record(turn(1), said("gap_found", cause="missing"), turn(2), anchored)

    assert [record.open_gap(number) for number in range(6)] == [0, 0, 0, 3, 3, 0]
