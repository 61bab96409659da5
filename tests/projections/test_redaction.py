"""Which sealed fields a viewer may see in clear in the rendering of an event."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from domain.codec import to_model
from domain.events.registry import GAME_EVENTS, sealed_fields
from domain.observation import Observation
from projections.game import FoldedGame, fold_game
from projections.redaction import clear_fields
from tests.support.games import RULES, act, enters, tell, turn
from tests.support.said import said

ANN, BEN, CAT = "player:ann", "player:ben", "player:cat"
_SLAVER = act("control_created", 1, label="e1", controller=ANN, affected=(2,), scope="next_turn")
_VIEWERS = {"ann": ANN, "ben": BEN, "cat": CAT, "spectator": "spectator", "judge": "judge"}


def _game(*seen: Observation) -> FoldedGame:
    """A game of three; the first of `seen` is event 2."""
    return fold_game(tell(*seen, players=(ANN, BEN, CAT)).events, RULES)


def _shown_to(*seen: Observation) -> set[str]:
    """Who sees all sealed fields of the last event in clear; nobody may see only some of them."""
    game = _game(*seen)
    fields = {name: game.clear_fields(viewer, game.last) for name, viewer in _VIEWERS.items()}
    assert fields["judge"]
    assert set(fields.values()) <= {frozenset(), fields["judge"]}
    return {name for name, shown in fields.items() if shown}


_ALL = set(_VIEWERS)


def test_a_card_in_hand_is_shown_to_its_player() -> None:
    assert _shown_to(enters("x", 2, "hand", "a")) == {"ben", "judge"}


def test_a_card_in_hand_is_shown_to_whoever_controls_its_player() -> None:
    drawn = said("card_drawn", seat=2, object="x", secrets={"card": "a"})

    assert _shown_to(_SLAVER, turn(2), drawn) == {"ann", "ben", "judge"}
    assert _shown_to(_SLAVER, turn(2), turn(1), drawn) == {"ben", "judge"}


def test_a_card_that_goes_to_an_open_zone_is_shown_to_everybody() -> None:
    moved = said("object_moved", object="x", to_zone="graveyard", secrets={"card": "a"})

    assert _shown_to(enters("x", 2, "hand", "a"), moved) == _ALL


def test_a_card_that_leaves_an_open_zone_is_shown_to_everybody_who_saw_it_go() -> None:
    moved = said("object_moved", object="x", to_zone="library", secrets={"card": "a"})

    assert _shown_to(enters("x", 2, "graveyard", "a"), moved) == _ALL


def test_a_card_put_from_hand_into_the_library_is_shown_to_its_player_alone() -> None:
    moved = said("object_moved", object="x", to_zone="library", secrets={"card": "a"})

    assert _shown_to(enters("x", 2, "hand", "a"), moved) == {"ben", "judge"}


def test_what_was_learned_before_is_no_reason_to_show_it_again() -> None:
    hand = enters("x", 2, "hand", "a")
    revealed = said("revealed", object="x", to=(CAT,), secrets={"card": "a"})

    assert _shown_to(hand, revealed) == {"ben", "cat", "judge"}
    assert _shown_to(hand, revealed, enters("x", 2, "hand", "a")) == {"ben", "judge"}


def test_a_bare_look_shows_the_card_to_nobody_new() -> None:
    looked = said("looked_at", viewer=CAT, object="x", secrets={"card": "a"})

    assert _shown_to(enters("x", 2, "hand", "a"), looked) == {"ben", "judge"}
    assert _shown_to(looked) == {"judge"}


def test_a_face_down_spell_is_shown_to_its_controller() -> None:
    cast = act("spell_cast", 2, object="x", card="a", face_down=True)
    unnamed = act("spell_cast", 2, card="a", face_down=True)

    assert _shown_to(cast) == {"ben", "judge"}
    assert _shown_to(unnamed) == {"ben", "judge"}


@pytest.mark.parametrize(
    ("seen", "shown"),
    [
        (act("spell_cast", 2, card="a"), _ALL),
        (act("spell_cast", 2, card="a", refused=True), {"ben", "judge"}),
        (act("land_played", 2, card="a"), _ALL),
        (act("ability_activated", 2, secrets={"ability": "7"}, mana_ability=True), _ALL),
        (act("card_found", 2, card="a"), {"ben", "judge"}),
        (act("special_action_taken", 2, special="foretell", card="a"), {"ben", "judge"}),
        (act("outside_game_card_chosen", 2, card="a"), {"ben", "judge"}),
        (said("card_drawn", seat=2, secrets={"card": "a"}), {"ben", "judge"}),
        (said("revealed", secrets={"card": "a"}), _ALL),
        (said("revealed", to=(CAT,), object="unknown", secrets={"card": "a"}), {"cat", "judge"}),
        (said("looked_at", viewer=CAT, secrets={"card": "a"}), {"judge"}),
    ],
    ids=lambda value: value.event if isinstance(value, Observation) else "",
)
def test_without_an_object_the_event_itself_says_who_sees_the_card(
    seen: Observation, shown: set[str]
) -> None:
    assert _shown_to(seen) == shown


@pytest.mark.parametrize("turns", [(turn(2),), (turn(2), turn(1))])
def test_how_many_options_there_are_is_known_to_those_who_may_see_the_options(
    turns: tuple[Observation, ...],
) -> None:
    asked = said(
        "decision_requested",
        decision="choice_made",
        request_kind="ActionsAvailableReq",
        asked=(2,),
        answers_wanted=True,
        options_count=7,
        secrets={"options": "[]"},
    )
    asked = replace(asked, acting_seat=2)
    game = _game(_SLAVER, *turns, asked)
    told = {n for n, viewer in _VIEWERS.items() if not game.closed_fields(viewer, game.last)}

    assert told == _shown_to(_SLAVER, *turns, asked)
    assert game.closed_fields("spectator", game.last) == {"options_count"}
    assert game.closed_fields("spectator", game.last - 1) == frozenset()


def test_cr_723_4_a_card_chosen_from_outside_the_game_is_not_shown_to_the_controller() -> None:
    chosen = act("outside_game_card_chosen", 2, card="a")

    assert _shown_to(_SLAVER, turn(2), chosen) == {"ben", "judge"}


def test_an_ability_of_a_hidden_object_is_shown_as_the_object_is() -> None:
    hidden = enters("x", 2, "battlefield", None, controller=2, face_down=True)
    ability: dict[str, Any] = {"secrets": {"ability": "7"}, "source_object": "x"}

    assert _shown_to(hidden, act("ability_activated", 2, **ability)) == {"ben", "judge"}
    assert _shown_to(hidden, act("ability_activated", 2, object="y", **ability)) == _ALL


_ASKED = Observation(
    "decision_requested",
    "",
    fields={
        "decision": "choice_made",
        "request_kind": "SelectN",
        "asked": (2,),
        "answers_wanted": True,
    },
    secrets={"options": "[1,2]"},
    acting_seat=2,
)


def test_the_options_of_a_request_are_shown_to_those_who_choose() -> None:
    assert _shown_to(_ASKED) == {"ben", "judge"}
    assert _shown_to(_SLAVER, turn(2), _ASKED) == {"ann", "ben", "judge"}


def test_a_choice_is_shown_to_the_deciding_player_and_the_acting_seat() -> None:
    chosen = act("choice_made", 2, secrets={"what": "[1]"}, stated=CAT)

    assert _shown_to(chosen) == {"ben", "cat", "judge"}


def test_a_remedy_is_the_persons_own_also_under_control() -> None:
    chosen = act("remedy_chosen", 2, secrets={"what": "the third card"})

    assert _shown_to(_SLAVER, turn(2), chosen) == {"ben", "judge"}


def test_what_one_person_says_to_another_is_shown_to_these_two() -> None:
    told = said("instructed", by=ANN, to=CAT, secrets={"text": "attack with x"})

    assert _shown_to(told) == {"ann", "cat", "judge"}


def test_an_event_without_sealed_values_has_nothing_to_show() -> None:
    game = _game(turn(1), enters("x", 1, "hand", None))

    assert game.clear_fields("judge", 2) == frozenset()
    assert game.clear_fields("judge", 3) == frozenset()


def test_every_sealed_field_of_the_catalogue_has_a_rule() -> None:
    ruled = {"ability", "card", "options", "text", "what"}

    assert {name for model in GAME_EVENTS.values() for name in sealed_fields(model)} == ruled


def test_a_model_is_redacted_like_its_struct() -> None:
    game = _game(enters("x", 2, "hand", "a"))
    model = to_model(game.event(2))

    assert clear_fields(game.visibility, BEN, model) == {"card"}
    assert clear_fields(game.visibility, CAT, model) == frozenset()
