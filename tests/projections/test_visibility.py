"""Who may see what at any event: zones, control of players, grants, gaps."""

from __future__ import annotations

from typing import Any

import pytest

from domain.observation import Observation
from projections.game import FoldedGame, fold_game
from projections.visibility import fold_visibility
from tests.support.games import RULES, act, enters, tell, turn
from tests.support.said import said

ANN, BEN, CAT = "player:ann", "player:ben", "player:cat"
_SLAVER = act("control_created", 1, label="e1", controller=ANN, affected=(2,), scope="next_turn")
_GAP = said("gap_found", cause="missing")


def _game(*seen: Observation) -> FoldedGame:
    """A game of three; the first of `seen` is event 2."""
    return fold_game(tell(*seen, players=(ANN, BEN, CAT)).events, RULES)


def _answers(game: FoldedGame, viewer: str, name: str) -> list[bool]:
    """Whether the viewer may see the object just after event 2, 3 ..."""
    return [game.visibility.entitled(viewer, n, name) for n in range(2, game.last + 1)]


def test_cr_723_4_sight_comes_and_goes_with_control() -> None:
    game = _game(enters("ace", 2, "hand", "a"), _SLAVER, turn(2), turn(1))

    assert _answers(game, ANN, "ace") == [False, False, True, False]
    assert _answers(game, BEN, "ace") == [True, True, True, True]
    assert _answers(game, CAT, "ace") == [False, False, False, False]
    assert _answers(game, "spectator", "ace") == [False, False, False, False]
    assert _answers(game, "judge", "ace") == [True, True, True, True]


def test_cr_723_4_sight_through_control_comes_with_every_seat_along_the_chain() -> None:
    further = act(
        "control_created", 2, label="e2", controller=BEN, affected=(3,), scope="this_turn"
    )
    game = _game(enters("ace", 3, "hand", "a"), _SLAVER, turn(2), further)

    assert _answers(game, ANN, "ace") == [False, False, False, True]
    assert _answers(game, BEN, "ace") == [False, False, False, True]


def test_in_a_circle_of_control_each_sees_the_others_cards() -> None:
    game = _game(
        enters("ace", 1, "hand", "a"),
        enters("deuce", 2, "hand", "b"),
        act("control_created", 1, label="e1", controller=ANN, affected=(2,), scope="this_turn"),
        act("control_created", 2, label="e2", controller=BEN, affected=(1,), scope="this_turn"),
    )

    assert _answers(game, BEN, "ace") == [False, False, False, True]
    assert _answers(game, ANN, "deuce") == [False, False, True, True]
    assert _answers(game, CAT, "ace") == [False, False, False, False]


@pytest.mark.parametrize("zone", ["hand", "outside", "sideboard"])
def test_the_owner_sees_the_whole_of_a_private_zone(zone: str) -> None:
    game = _game(_SLAVER, turn(2))
    sees = {seat: game.visibility.entitled_zone(f"seat:{seat}", 3, zone, 2) for seat in (1, 2, 3)}

    assert sees == {1: zone == "hand", 2: True, 3: False}


def test_a_library_is_open_only_while_it_is_searched() -> None:
    game = _game(act("library_search_started", 1, owner=2), said("library_search_ended", seat=1))
    answers = [game.visibility.entitled_zone(ANN, number, "library", 2) for number in (1, 2, 3)]

    assert answers == [False, True, False]
    assert not game.visibility.entitled_zone(BEN, 2, "library", 2)
    assert game.visibility.entitled_zone("judge", 3, "library", 2)


def test_an_object_that_the_record_does_not_have_is_seen_by_nobody() -> None:
    game = _game(turn(1), enters("ace", 1, "battlefield", "a"))

    assert not game.visibility.entitled("judge", 2, "ace")
    assert game.visibility.entitled("spectator", 3, "ace")
    assert not game.visibility.why(ANN, 3, "nothing").entitled


def test_an_object_is_found_under_the_id_it_had_and_the_id_it_got() -> None:
    game = _game(
        enters("x", 1, "hand", "a"),
        said("object_renamed", former="x", object="y"),
        said("object_moved", object="y", to_zone="graveyard"),
    )

    assert [set(game.visibility.objects_at(n)) for n in (1, 2, 3)] == [set(), {"x"}, {"y"}]
    assert game.visibility.entitled(BEN, 4, "x")
    assert not game.visibility.entitled(BEN, 3, "y")


def test_why_tells_reason_rules_and_the_events_that_prove_it() -> None:
    game = _game(enters("ace", 2, "hand", "a"), _SLAVER, turn(2))
    sight = game.visibility.why(ANN, 4, "ace")

    assert (sight.entitled, sight.certain) == (True, True)
    assert [rule.number for rule in RULES.cite(*sight.topics)] == ["723.4"]
    assert sight.proof == (2, 3)
    assert "controls" in sight.because


@pytest.mark.parametrize(
    ("zone", "fields", "numbers"),
    [
        ("hand", {}, []),
        ("library", {}, []),
        ("limbo", {}, []),
        ("battlefield", {"face_down": True, "controller": 3}, ["708.5"]),
        ("outside", {}, ["400.11"]),
    ],
)
def test_why_not_names_the_zone_and_its_rule(
    zone: str, fields: dict[str, Any], numbers: list[str]
) -> None:
    sight = _game(enters("ace", 3, zone, "a", **fields)).visibility.why(ANN, 2, "ace")

    assert not sight.entitled
    assert [rule.number for rule in RULES.cite(*sight.topics)] == numbers
    assert sight.proof == (2,)


def test_cr_723_4_is_cited_when_a_card_outside_the_game_is_kept_from_the_controller() -> None:
    game = _game(enters("wish", 2, "outside", "a"), _SLAVER, turn(2))
    sight = game.visibility.why(ANN, 4, "wish")

    assert not sight.entitled
    assert [rule.number for rule in RULES.cite(*sight.topics)] == ["723.4", "400.11"]
    assert game.visibility.entitled(BEN, 4, "wish")


def test_nothing_says_whether_team_mates_see_each_others_cards() -> None:
    told = tell(enters("ace", 2, "hand", "a"), players=(ANN, BEN, CAT)).events
    game = fold_game(told, RULES)
    game.visibility.record.teams.update({1: 1, 2: 1, 3: 2})

    assert game.visibility.why(ANN, 2, "ace").rule_gap is not None
    assert game.visibility.why(CAT, 2, "ace").rule_gap is None
    assert not game.visibility.entitled(ANN, 2, "ace")


def test_after_a_gap_nobody_is_entitled_by_control_and_the_answer_is_uncertain() -> None:
    game = _game(enters("ace", 2, "hand", "a"), _SLAVER, turn(2), _GAP)
    before, after = (game.visibility.why(ANN, number, "ace") for number in (4, 5))

    assert (before.entitled, before.certain) == (True, True)
    assert (after.entitled, after.certain) == (False, False)


def test_after_a_gap_the_own_hand_stays_open_and_what_is_stated_anew_is_certain() -> None:
    game = _game(
        enters("ace", 2, "hand", "a"), _GAP, enters("deuce", 2, "hand", "b"), turn(2), turn(1)
    )
    old, new = (game.visibility.why(BEN, 4, name) for name in ("ace", "deuce"))

    assert (old.entitled, old.certain) == (True, False)
    assert (new.entitled, new.certain) == (True, True)
    assert not game.visibility.why(ANN, 4, "deuce").certain
    assert game.visibility.why("judge", 4, "ace").certain


def test_a_rewind_takes_back_objects_and_sight_together() -> None:
    game = _game(
        enters("ace", 2, "hand", "a"),
        _SLAVER,
        turn(2),
        said("object_moved", object="ace", to_zone="graveyard"),
        said("rewound", to=3),
    )

    assert _answers(game, ANN, "ace") == [False, False, True, True, False]
    assert _answers(game, CAT, "ace") == [False, False, False, True, False]


def test_the_newest_naming_up_to_an_event_says_what_the_card_is() -> None:
    game = _game(
        enters("x", 1, "hand", None),
        said("revealed", object="x", secrets={"card": "a"}),
        act("spell_cast", 1, object="x", card="a"),
    )
    named = [game.visibility.card_named_at(number, "x") for number in (1, 2, 3, 4)]

    assert named == [None, None, (3, "card"), (4, "card")]


def test_the_fold_alone_answers_as_the_folded_game_does() -> None:
    told = tell(enters("ace", 2, "hand", "a"), _SLAVER, turn(2)).events
    game = fold_game(told, RULES)
    alone = fold_visibility(told, game.control.states, RULES)

    assert alone.objects_at(4) == game.visibility.objects_at(4)
    assert alone.last == game.last == 4
