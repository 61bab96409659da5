"""Life totals and library sizes follow from what is stated and what happens."""

from __future__ import annotations

from typing import Any

from domain.totals import Totals


def follow(*told: tuple[str, dict[str, Any]]) -> Totals:
    totals = Totals()
    for number, (name, fields) in enumerate(told, 1):
        totals.take(number, name, fields.get)
    return totals


STATED = ("totals_stated", {"seat": 2, "life": 20, "library": 60})
DRAWN = ("card_drawn", {"seat": 2})
GAP: tuple[str, dict[str, Any]] = ("gap_found", {})


def test_nothing_is_known_before_it_is_stated() -> None:
    totals = follow(DRAWN, ("life_changed", {"seat": 2, "change": -3}))

    assert (totals.life(2), totals.library(2)) == (None, None)


def test_a_change_with_a_total_states_it() -> None:
    assert follow(("life_changed", {"seat": 2, "change": -3, "total": 17})).life(2) == 17


def test_totals_follow_draws_damage_and_moves() -> None:
    milled = {"from_zone": "library", "to_zone": "graveyard", "owner": 2, "zone_owner": 2}
    put_back = {"from_zone": "hand", "to_zone": "library", "owner": 2, "zone_owner": 2}
    turned = {"from_zone": "library", "to_zone": "library", "owner": 2, "zone_owner": 2}
    totals = follow(
        STATED,
        DRAWN,
        ("object_moved", milled),
        ("object_moved", put_back),
        ("object_moved", turned),
        ("life_changed", {"seat": 2, "change": -4}),
    )

    assert [totals.library(2, number) for number in range(1, 6)] == [60, 59, 58, 59, 59]
    assert (totals.life(2, 5), totals.life(2)) == (20, 16)
    assert (totals.life(1), totals.library(1)) == (None, None)


def test_a_rewind_brings_totals_back() -> None:
    totals = follow(STATED, DRAWN, DRAWN, ("rewound", {"to": 2}))

    assert [totals.library(2, number) for number in (2, 3, 4)] == [59, 58, 59]


def test_after_a_gap_totals_are_unknown_until_stated_again() -> None:
    totals = follow(STATED, GAP, DRAWN, ("totals_stated", {"seat": 2, "life": 11}))

    assert totals.library(2, 1) == 60
    assert (totals.life(2, 3), totals.library(2, 3)) == (None, None)
    assert (totals.life(2), totals.library(2)) == (11, None)
