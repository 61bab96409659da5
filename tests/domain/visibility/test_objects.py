"""Where events of play put objects, under every id the source gives them."""

from __future__ import annotations

from typing import Any

import pytest

from domain.observation import Observation
from domain.visibility import ObjectFacts, VisibilityRecord, fold_record
from tests.support.games import act, enters, tell, turn
from tests.support.said import said


def _record(*seen: Observation) -> VisibilityRecord:
    return fold_record(tell(*seen).events)


def _facts(record: VisibilityRecord, name: str) -> ObjectFacts | None:
    track = record.live(name)
    return None if track is None else record.facts.latest(track)


def _place(record: VisibilityRecord, name: str) -> tuple[Any, ...] | None:
    facts = _facts(record, name)
    return None if facts is None else (facts.zone, facts.zone_owner, facts.controller)


def _moved(name: str, to: str, **fields: Any) -> Observation:
    return said("object_moved", object=name, to_zone=to, **fields)


def test_cr_400_3_a_card_in_a_players_zone_is_in_its_owners() -> None:
    record = _record(enters("x", 2, "battlefield", "a", controller=1), _moved("x", "hand"))

    assert _place(record, "x") == ("hand", 2, None)


def test_a_permanent_keeps_the_controller_of_the_spell_it_was() -> None:
    record = _record(
        enters("x", 1, "hand", "a"),
        act("spell_cast", 2, object="x", card="a"),
        _moved("x", "battlefield"),
    )

    assert _place(record, "x") == ("battlefield", None, 2)


def test_an_id_given_anew_ends_the_object_that_had_it() -> None:
    record = _record(
        enters("x", 1, "hand", "a"),
        enters("y", 1, "hand", "b"),
        _moved("y", "stack", controller=1),
        said("object_renamed", former="x", object="y"),
        _moved("y", "graveyard"),
    )
    held = [(facts.name, facts.zone) for _, facts in record.facts.current()]

    assert held == [("y", "graveyard")]
    assert [record.facts.at(2, number) is None for number in (4, 5)] == [False, True]


def test_an_ability_whose_id_is_given_anew_is_no_longer_on_the_stack() -> None:
    record = _record(
        enters("x", 1, "hand", "a"),
        act("ability_activated", 1, object="y"),
        said("object_renamed", former="x", object="y"),
        said("step_started", step="upkeep"),
    )

    assert _place(record, "y") == ("hand", 1, None)


def test_a_spell_is_on_the_stack_under_whoevers_action_it_is() -> None:
    record = _record(act("spell_cast", 1, object="x", card="a", face_down=True))
    facts = _facts(record, "x")

    assert facts is not None
    assert (facts.zone, facts.controller, facts.face_down) == ("stack", 1, True)
    assert (facts.public, facts.holder) == (False, 1)


def test_a_refused_cast_leaves_the_card_in_hand_and_still_names_it() -> None:
    record = _record(
        enters("x", 1, "hand", None), act("spell_cast", 1, object="x", card="a", refused=True)
    )

    assert _place(record, "x") == ("hand", 1, None)
    assert record.named == {1: [(3, "card")]}


@pytest.mark.parametrize("from_zone", [None, "hand"])
def test_a_cast_that_is_told_after_the_spell_moved_on_does_not_move_it_back(
    from_zone: str | None,
) -> None:
    record = _record(
        enters("x", 1, "hand", "a"),
        _moved("x", "battlefield", controller=1),
        act("land_played", 1, object="x", card="a", from_zone=from_zone),
    )

    assert _place(record, "x") == ("battlefield", None, 1)
    assert [number for number, _ in record.named[1]] == [2, 4]


def test_a_cast_that_is_told_after_the_spell_got_another_id_makes_no_second_object() -> None:
    record = _record(
        said("object_entered", object="x", owner=1, zone="stack", controller=1),
        said("object_renamed", former="x", object="y"),
        said("object_moved", object="y", to_zone="graveyard"),
        act("spell_cast", 1, object="x", card="a"),
    )

    assert [facts.name for _, facts in record.facts.current()] == ["y"]
    assert _place(record, "y") == ("graveyard", 1, None)
    assert record.named == {1: [(5, "card")]}


def test_a_card_cast_from_an_open_zone_goes_to_the_stack() -> None:
    record = _record(
        enters("x", 1, "graveyard", "a"),
        act("spell_cast", 1, object="x", card="a", from_zone="graveyard"),
    )

    assert _place(record, "x") == ("stack", None, 1)


def test_a_land_played_is_on_the_battlefield() -> None:
    record = _record(act("land_played", 2, object="x", card="a"))

    assert _place(record, "x") == ("battlefield", None, 2)


def test_a_drawn_card_is_in_the_hand() -> None:
    record = _record(said("card_drawn", seat=2, object="x"), said("card_drawn", seat=2))

    assert _place(record, "x") == ("hand", 2, None)
    assert len(list(record.facts.current())) == 1


def test_a_token_is_controlled_by_its_owner_unless_stated() -> None:
    record = _record(
        said("token_created", object="x", owner=1),
        said("token_created", object="y", owner=1, controller=2),
    )

    assert _place(record, "x") == ("battlefield", None, 1)
    assert _place(record, "y") == ("battlefield", None, 2)


def test_an_ability_is_on_the_stack_until_it_has_resolved() -> None:
    begun = (
        act("ability_activated", 1, object="x", secrets={"ability": "12"}),
        said("ability_triggered", object="y", controller=2),
    )

    assert _place(_record(*begun), "x") == ("stack", None, 1)
    assert _place(_record(*begun), "y") == ("stack", None, 2)
    assert _record(*begun).named == {1: [(2, "ability")]}
    assert _facts(_record(*begun, said("resolved", object="x")), "x") is None


def test_cr_500_2_no_ability_is_on_the_stack_when_a_step_begins() -> None:
    begun = act("ability_activated", 1, object="x")
    upkeep = said("step_started", step="upkeep")

    assert _facts(_record(begun, upkeep), "x") is None
    assert _facts(_record(begun, turn(2)), "x") is None
    assert _place(_record(begun, upkeep, said("rewound", to=2)), "x") == ("stack", None, 1)
    assert _facts(_record(begun, upkeep, said("rewound", to=2), upkeep), "x") is None


def test_cr_729_1_an_ability_of_the_main_game_waits_for_the_end_of_a_subgame() -> None:
    record = _record(act("ability_activated", 1, object="x"), said("subgame_started"), turn(2))

    assert _place(record, "x") == ("stack", None, 1)


def test_a_resolving_spell_stays_where_it_is() -> None:
    record = _record(act("spell_cast", 1, object="x", card="a"), said("resolved", object="x"))

    assert _place(record, "x") == ("stack", None, 1)


def test_a_renamed_object_is_the_same_object() -> None:
    record = _record(enters("x", 1, "hand", "a"), said("object_renamed", former="x", object="y"))

    assert _place(record, "y") == ("hand", 1, None)
    assert record.live("x") is None
    assert record.tracks.latest("x") == record.tracks.latest("y") == 1


def test_an_id_that_comes_back_after_a_rewind_is_another_object() -> None:
    record = _record(
        enters("x", 1, "hand", "a"),
        said("object_renamed", former="x", object="y"),
        said("rewound", to=2),
        enters("y", 2, "hand", "b"),
    )

    assert record.live("x") == 1
    assert record.live("y") == 2


def test_an_id_that_was_given_up_stands_for_a_new_object_when_it_is_used_again() -> None:
    record = _record(
        enters("x", 1, "hand", "a"),
        said("object_renamed", former="x", object="y"),
        enters("x", 1, "hand", "b"),
    )

    assert (record.live("y"), record.live("x")) == (1, 2)


def test_a_known_object_that_enters_again_is_restated() -> None:
    record = _record(enters("x", 1, "library", None), enters("x", 1, "hand", "a"))

    assert record.live("x") == 1
    assert _place(record, "x") == ("hand", 1, None)


def test_a_shuffle_breaks_the_identity_of_the_cards() -> None:
    record = _record(
        enters("x", 1, "library", None),
        said("shuffled", owner=1, former=("x",), objects=("y",)),
    )

    assert record.live("x") is None
    assert record.live("y") == 2
    assert _place(record, "y") == ("library", 1, None)


def test_turning_face_up_opens_a_permanent_but_no_hidden_zone() -> None:
    record = _record(
        enters("x", 1, "battlefield", None, controller=1, face_down=True),
        enters("y", 1, "hand", None),
        said("turned_face_up", object="x", secrets={"card": "a"}),
        said("turned_face_up", object="y"),
    )
    up, held = _facts(record, "x"), _facts(record, "y")

    assert up is not None
    assert held is not None
    assert (up.public, up.holder, up.since) == (True, None, 4)
    assert (held.public, held.holder) == (False, 1)
    assert record.named[1] == [(4, "card")]


def test_control_of_a_face_down_permanent_carries_the_look_at_it() -> None:
    record = _record(
        enters("x", 1, "battlefield", None, controller=1, face_down=True),
        said("object_control_changed", object="x", controller=2),
    )
    facts = _facts(record, "x")

    assert facts is not None
    assert facts.holder == 2


def test_cr_727_a_restarted_game_knows_no_object_of_before() -> None:
    record = _record(enters("x", 1, "hand", "a"), said("game_restarted"))

    assert record.live("x") is None
    assert list(record.facts.current()) == []


@pytest.mark.parametrize(
    "unknown",
    [
        said("object_renamed", former="x", object="y"),
        said("object_control_changed", object="x", controller=1),
        said("turned_face_up", object="x"),
        said("resolved", object="x"),
        act("card_found", 1, object="x", card="a"),
    ],
    ids=lambda seen: seen.event,
)
def test_events_about_objects_that_the_record_does_not_have_change_nothing(
    unknown: Observation,
) -> None:
    record = _record(unknown)

    assert list(record.facts) == []
    assert record.named == {}
