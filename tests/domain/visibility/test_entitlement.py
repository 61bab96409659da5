"""What each zone shows to whom, and what control of a player adds."""

from __future__ import annotations

import pytest

from domain.visibility import (
    FACE_DOWN_TOPIC,
    SHARED_SIGHT,
    Reach,
    Scene,
    may_see,
    resolve_viewer,
    scene_of_object,
    scene_of_zone,
)
from domain.visibility.facts import Grant, Search, placed
from tests.support.games import RULES
from whodecided.rulebook import load_rulebook

ANN, BEN, CAT = "player:ann", "player:ben", "player:cat"
_PLAYERS = {1: ANN, 2: BEN, 3: CAT}
_OPEN = {1, 2, 3, "spectator", "judge"}


def _scene(zone: str, *, face_down: bool = False, searches: tuple[Search, ...] = ()) -> Scene:
    """A card that seat 2 owns and seat 3 controls, where it can have a controller."""
    facts = placed("x", zone, zone_owner=2, owner=2, controller=3, face_down=face_down, since=5)
    return scene_of_object(facts, (), (), searches)


def _sees(viewer: str, scene: Scene, controlled: frozenset[int] = frozenset()) -> bool:
    who = resolve_viewer(viewer, _PLAYERS)
    return may_see(who, Reach(who.own, who.own | controlled), scene, RULES) is not None


def _everybody_who_sees(scene: Scene) -> set[int | str]:
    seats = {seat for seat in _PLAYERS if _sees(f"seat:{seat}", scene)}
    return {*seats, *(name for name in ("spectator", "judge") if _sees(name, scene))}


@pytest.mark.parametrize("zone", ["battlefield", "stack", "graveyard", "exile", "command"])
def test_cr_400_2_everybody_sees_a_face_up_card_in_a_public_zone(zone: str) -> None:
    assert _everybody_who_sees(_scene(zone)) == _OPEN


@pytest.mark.parametrize(
    ("zone", "face_down", "seats"),
    [
        ("library", False, set()),
        ("hand", False, {2}),
        ("sideboard", False, {2}),
        ("outside", False, {2}),
        ("battlefield", True, {3}),
        ("stack", True, {3}),
        ("command", True, {2}),
        ("exile", True, set()),
        ("limbo", False, set()),
        ("other", False, set()),
    ],
)
def test_cr_400_2_and_708_5_a_hidden_card_is_only_its_holders(
    zone: str, face_down: bool, seats: set[int]
) -> None:
    assert _everybody_who_sees(_scene(zone, face_down=face_down)) == {*seats, "judge"}


@pytest.mark.parametrize("zone", ["hand", "battlefield"])
def test_cr_723_4_the_controller_sees_what_the_controlled_player_sees(zone: str) -> None:
    scene = _scene(zone, face_down=zone == "battlefield")
    holder = 2 if zone == "hand" else 3

    assert _sees(ANN, scene, frozenset({holder}))
    assert _sees("person:zoe", scene, frozenset({holder}))
    assert not _sees(ANN, scene, frozenset({5 - holder}))


@pytest.mark.parametrize("zone", ["sideboard", "outside"])
def test_cr_723_4_cards_outside_the_game_stay_the_controlled_players_own(zone: str) -> None:
    assert not _sees(ANN, _scene(zone), frozenset({2}))
    assert _sees(BEN, _scene(zone), frozenset({1}))


@pytest.mark.parametrize(("day", "numbers"), [("2014-05-26", ["3.15"]), ("2005-06-01", None)])
def test_mtr_3_15_once_opened_the_sideboard_to_the_controller(
    day: str, numbers: list[str] | None
) -> None:
    who, rules = resolve_viewer(ANN, _PLAYERS), load_rulebook(day)
    ground = may_see(who, Reach(who.own, frozenset({1, 2})), _scene("outside"), rules)
    cited = None if ground is None else [rule.number for rule in rules.cite(*ground.topics)]

    assert cited == numbers


def test_a_search_shows_the_library_to_the_searcher_and_to_whoever_controls_the_searcher() -> None:
    scene = _scene("library", searches=(Search(7, 3),))

    assert _everybody_who_sees(scene) == {3, "judge"}
    assert _sees(ANN, scene, frozenset({3}))
    assert not _sees(ANN, scene, frozenset({2}))


def test_a_search_of_the_library_shows_no_card_in_another_zone() -> None:
    scene = _scene("exile", face_down=True, searches=(Search(7, 3),))

    assert _everybody_who_sees(scene) == {"judge"}


def test_a_granted_look_is_its_viewers_and_goes_with_control_of_a_seat_that_holds_it() -> None:
    grant = Grant(6, frozenset({ANN, "person:zoe"}), frozenset({1}), "rest_of_game")
    facts = placed("x", "exile", zone_owner=None, owner=2, controller=2, face_down=True, since=5)
    scene = scene_of_object(facts, (grant,), (), ())

    assert _everybody_who_sees(scene) == {1, "judge"}
    assert _sees("person:zoe", scene)
    assert _sees(CAT, scene, frozenset({1}))


def test_the_ground_names_rules_proof_and_the_seat() -> None:
    who = resolve_viewer(ANN, _PLAYERS)
    ground = may_see(
        who, Reach(who.own, frozenset({1, 3})), _scene("battlefield", face_down=True), RULES
    )

    assert ground is not None
    assert ground.topics == (SHARED_SIGHT, FACE_DOWN_TOPIC)
    assert (ground.proof, ground.seat, ground.controlled) == ((5,), 3, True)


@pytest.mark.parametrize(
    ("zone", "viewers"),
    [
        ("battlefield", _OPEN),
        ("graveyard", _OPEN),
        ("hand", {2, "judge"}),
        ("outside", {2, "judge"}),
        ("library", {"judge"}),
    ],
)
def test_a_zone_as_a_whole_is_open_or_its_players_own(zone: str, viewers: set[int | str]) -> None:
    assert _everybody_who_sees(scene_of_zone((zone, 2), (), ())) == viewers
