"""The visibility record in detail: what ends with what, and which events name a card."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from msgspec.structs import replace

from domain.observation import Observation
from domain.visibility import (
    OUTSIDE_SHARED,
    Reach,
    VisibilityRecord,
    fold_record,
    is_shown,
    may_see,
    resolve_viewer,
    scene_of_object,
    scene_of_zone,
)
from domain.visibility.facts import Grant, Showing, placed
from tests.support.games import ALICE, BOB, RULES, act, enters, fact, tell, turn
from tests.support.said import said

_PLAYERS = {1: ALICE, 2: BOB}


def _record(*seen: Observation) -> VisibilityRecord:
    return fold_record(tell(*seen).events)


def _granted(lasts: str = "this_turn", **what: Any) -> Observation:
    return said("look_granted", viewers=(ALICE,), lasts=lasts, **what)


def _zones(record: VisibilityRecord) -> dict[str, str]:
    return {facts.name: facts.zone for _, facts in record.facts.current()}


def _looks(record: VisibilityRecord) -> list[Any]:
    return [key for key, _ in record.grants.current()]


def _grant(lasts: str, seats: Iterable[int] = (1,)) -> Grant:
    return Grant(7, frozenset({ALICE}), frozenset(seats), lasts)


class TestSight:
    def _may(self, viewer: str, zone: str, grants: tuple[Grant, ...], of_zone: bool) -> bool:
        facts = placed("x", zone, zone_owner=2, owner=2, controller=2, face_down=False, since=5)
        scene = scene_of_object(facts, () if of_zone else grants, grants if of_zone else (), ())
        who = resolve_viewer(viewer, _PLAYERS)
        return may_see(who, Reach(who.own, who.own), scene, RULES) is not None

    def test_a_look_at_a_zone_covers_its_cards_unless_it_means_those_of_then(self) -> None:
        assert self._may("seat:1", "hand", (_grant("this_turn"),), True)
        assert not self._may("seat:1", "hand", (_grant("while_in_zone"),), True)
        assert self._may("seat:1", "hand", (_grant("while_in_zone"),), False)

    def test_a_spectator_has_no_look_whatever_was_granted(self) -> None:
        who = resolve_viewer("spectator", _PLAYERS)
        grant = Grant(7, frozenset({"spectator"}), frozenset({1}), "this_turn")
        scene = scene_of_zone(("hand", 2), (grant,), ())

        assert may_see(who, Reach(frozenset({1}), frozenset({1})), scene, RULES) is None

    def test_the_seat_of_a_look_is_the_one_it_was_granted_to(self) -> None:
        who = resolve_viewer("seat:2", _PLAYERS)
        scene = scene_of_zone(("hand", 3), (_grant("this_turn", seats=(1, 2)),), ())
        ground = may_see(who, Reach(who.own, who.own), scene, RULES)

        assert ground is not None
        assert (ground.seat, ground.proof) == (2, (7,))

    def test_a_zone_as_a_whole_lies_open_since_no_event_and_not_face_down(self) -> None:
        scene = scene_of_zone(("graveyard", 2), (), ())

        assert (scene.face_down, scene.since, scene.public, scene.holder) == (False, 0, True, None)

    def test_a_judge_is_shown_everything_and_anybody_what_is_open(self) -> None:
        showing = Showing(5, True, frozenset({BOB}), frozenset({2}), (1,), None)
        judge, other = (resolve_viewer(name, _PLAYERS) for name in ("judge", "spectator"))
        nobody = Reach(frozenset(), frozenset())

        assert is_shown(judge, nobody, showing, "hand", RULES)
        assert not is_shown(other, nobody, showing, "hand", RULES)
        assert is_shown(other, nobody, showing._replace(to=None), "hand", RULES)

    def test_without_a_switch_nothing_outside_the_game_is_shared(self) -> None:
        showing = Showing(5, True, frozenset({BOB}), frozenset({2}), (1,), None)
        ann = resolve_viewer("seat:1", _PLAYERS)
        reach = Reach(frozenset({1}), frozenset({1, 2}))
        unsaid = type(RULES)("2026-09-25", "723", clauses={}, switches={})

        assert OUTSIDE_SHARED not in unsaid.switches
        assert not is_shown(ann, reach, showing, "sideboard", unsaid)
        assert is_shown(ann, reach, showing, "hand", unsaid)

    def test_who_decides_by_no_rule_sees_what_is_open(self) -> None:
        assert resolve_viewer("undetermined", _PLAYERS).kind == "spectator"

    def test_the_owner_counts_where_each_player_has_the_zone(self) -> None:
        facts = placed(
            "x", "battlefield", zone_owner=2, owner=2, controller=1, face_down=False, since=5
        )

        assert facts.key == ("battlefield", None)


class TestGames:
    def test_a_new_game_has_no_object_of_the_last(self) -> None:
        first, *rest = tell(enters("x", 2, "hand", "a"), _granted(zone="hand", owner=2)).events
        record = fold_record([first, *rest, replace(first, number=4)])

        assert _zones(record) == {}
        assert _looks(record) == []
        assert record.live("x") is None
        assert record.started

    def test_the_first_start_forgets_nothing_that_was_there_before(self) -> None:
        first, entered = tell(enters("x", 2, "hand", "a")).events
        record = fold_record([replace(entered, number=1), replace(first, number=2)])

        assert _zones(record) == {"x": "hand"}

    def test_teams_are_those_of_the_seats_that_have_one(self) -> None:
        (first,) = tell().events
        one, other = first.seats
        record = fold_record([replace(first, seats=(replace(one, team=1), other))])

        assert record.teams == {1: 1}
        assert record.players == {1: ALICE, 2: BOB}

    def test_looks_and_searches_are_over_with_the_game(self) -> None:
        record = _record(
            enters("x", 2, "hand", "a"),
            _granted("rest_of_game", zone="hand", owner=2),
            act("library_search_started", 1, owner=None),
            said("game_ended", result="unknown", winners=(), reason=None),
        )

        assert _looks(record) == []
        assert list(record.searches.current()) == []

    def test_a_gap_ends_what_may_be_over_and_nothing_else(self) -> None:
        record = _record(
            enters("x", 2, "hand", "a"),
            enters("y", 1, "exile", "b", face_down=True),
            _granted("this_turn", zone="hand", owner=2),
            _granted("rest_of_game", object="y"),
            act("library_search_started", 1, owner=None),
            said("gap_found", cause="missing"),
        )

        assert _looks(record) == [record.live("y")]
        assert list(record.searches.current()) == []

    def test_cr_727_an_ability_of_the_old_game_is_not_put_away_in_the_new_one(self) -> None:
        record = _record(
            act("ability_activated", 1, object="y"),
            said("game_restarted"),
            said("step_started", step="upkeep"),
        )

        assert record.facts.values(1) is not None
        assert record.facts.changed(1) == [2, 3]


class TestLooks:
    def test_two_looks_at_one_card_are_both_kept(self) -> None:
        record = _record(
            enters("x", 2, "exile", "a", face_down=True),
            _granted("this_turn", object="x"),
            _granted("rest_of_game", object="x"),
        )

        assert [grant.lasts for grant in record.grants.latest(1) or ()] == [
            "this_turn",
            "rest_of_game",
        ]

    def test_a_turn_leaves_looks_alone_that_last_longer(self) -> None:
        record = _record(
            enters("x", 2, "exile", "a", face_down=True),
            _granted("rest_of_game", object="x"),
            turn(1),
        )

        assert record.grants.changed(1) == [3]

    def test_searches_at_one_time_are_both_kept_and_end_apart(self) -> None:
        record = _record(
            act("library_search_started", 1, owner=2),
            act("library_search_started", 2, owner=2),
            act("library_search_started", 1, owner=1),
            said("library_search_ended", seat=2),
        )

        assert [search.seat for search in record.searches.at(2, 3) or ()] == [1, 2]
        assert [search.seat for search in record.searches.latest(2) or ()] == [1]
        assert record.searches.changed(1) == [4]

    def test_a_reveal_of_nothing_in_particular_shows_no_card(self) -> None:
        record = _record(
            enters("x", 2, "hand", "a"), said("revealed", to=None, object=None, zone=None)
        )

        assert (record.showings[3].tracks, record.showings[3].zone) == ((), None)

    def test_a_scry_shows_by_right_the_cards_the_record_knows(self) -> None:
        record = _record(
            enters("x", 1, "library", "a"), fact("scried", seat=1, top=("x", "nowhere"), bottom=())
        )

        assert (record.showings[3].tracks, record.showings[3].by_right) == ((1,), True)

    def test_an_id_given_anew_ends_the_looks_at_the_object_that_had_it(self) -> None:
        record = _record(
            enters("x", 1, "exile", "a", face_down=True),
            enters("y", 1, "exile", "b", face_down=True),
            _granted("rest_of_game", object="y"),
            said("object_renamed", former="x", object="y"),
        )

        assert _looks(record) == []

    def test_a_shuffle_ends_looks_at_cards_that_it_renames(self) -> None:
        record = _record(
            enters("x", 2, "library", "a"),
            _granted("while_in_zone", object="x"),
            said("shuffled", owner=2, former=("x",), objects=("n",)),
        )

        assert _looks(record) == []
        assert _zones(record) == {"n": "library"}


class TestObjects:
    def test_each_event_that_names_a_card_is_noted(self) -> None:
        record = _record(
            enters("x", 1, "library", "a"),
            said("object_moved", object="x", to_zone="hand", secrets={"card": "a"}),
            act("land_played", 1, object="x", card="a"),
            fact("card_drawn", seat=2, object="y", secrets={"card": "b"}),
            said("token_created", object="t", owner=1, secrets={"card": "c"}),
        )

        assert record.named == {
            1: [(2, "card"), (3, "card"), (4, "card")],
            2: [(5, "card")],
            3: [(6, "card")],
        }

    def test_a_land_is_played_face_up_and_what_is_turned_up_stays_so(self) -> None:
        record = _record(
            enters("x", 1, "hand", "a"),
            act("land_played", 1, object="x", card="a"),
            enters("y", 1, "exile", "b", face_down=True),
            said("turned_face_up", object="y", secrets={"card": "b"}),
        )
        facts = {known.name: known for _, known in record.facts.current()}

        assert (facts["x"].face_down, facts["x"].public) == (False, True)
        assert (facts["y"].face_down, facts["y"].public) == (False, True)

    @pytest.mark.parametrize(
        ("zone", "stated", "moves"),
        [
            ("hand", None, True),
            ("graveyard", None, True),
            ("battlefield", None, False),
            ("stack", None, False),
            ("graveyard", "graveyard", True),
            ("exile", "hand", False),
            ("library", "hand", True),
            ("battlefield", "battlefield", True),
        ],
    )
    def test_a_card_is_played_from_where_the_source_says_or_may_not_have_said(
        self, zone: str, stated: str | None, moves: bool
    ) -> None:
        record = _record(
            enters("x", 1, zone, "a"),
            act("spell_cast", 2, object="x", card="a", from_zone=stated),
        )
        facts = record.facts.latest(1)

        assert facts is not None
        assert (facts.since == 3) is moves

    def test_a_play_of_nothing_or_a_refused_ability_puts_nothing_down(self) -> None:
        record = _record(
            act("spell_cast", 1, object=None),
            act("ability_activated", 1, object=None),
            act("ability_activated", 1, object="y", refused=True),
        )

        assert _zones(record) == {}

    def test_what_came_from_a_hidden_zone_keeps_no_controller(self) -> None:
        record = _record(
            enters("x", 1, "battlefield", "a", controller=2),
            said("object_moved", object="x", to_zone="hand"),
            said("object_moved", object="x", to_zone="battlefield"),
        )
        facts = record.facts.latest(1)

        assert facts is not None
        assert facts.controller is None

    def test_an_ability_that_resolved_is_not_ended_again(self) -> None:
        record = _record(
            act("ability_activated", 1, object="y"),
            said("resolved", object="y"),
            said("step_started", step="upkeep"),
        )

        assert record.facts.changed(1) == [2, 3]

    def test_a_rewind_brings_back_abilities_that_still_wait(self) -> None:
        record = _record(
            act("ability_activated", 1, object="y"),
            act("ability_activated", 1, object="z"),
            said("resolved", object="z"),
            said("resolved", object="y"),
            said("rewound", to=4, restores=()),
            said("step_started", step="upkeep"),
        )

        assert record.facts.changed(1) == [2, 5, 6, 7]
        assert record.facts.changed(2) == [3, 4]

    def test_an_id_that_a_rewind_takes_back_names_nothing(self) -> None:
        record = _record(
            enters("x", 1, "hand", "a"),
            said("object_renamed", former="x", object="y"),
            said("rewound", to=2, restores=()),
        )

        assert record.live("x") == 1
        assert record.live("y") is None
        assert record.tracks.latest("y") is None
        assert record.live("nowhere") is None
