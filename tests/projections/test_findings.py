"""The findings of a whole game, looks without a right among them."""

from __future__ import annotations

from domain.observation import Observation
from projections.game import FoldedGame, fold_game
from tests.support.games import RULES, act, enters, tell, turn
from tests.support.said import said

ANN, BEN, CAT = "player:ann", "player:ben", "player:cat"
_SLAVER = act("control_created", 1, label="e1", controller=ANN, affected=(2,), scope="next_turn")


def _game(*seen: Observation) -> FoldedGame:
    """A game of three; the first of `seen` is event 2."""
    return fold_game(tell(*seen, players=(ANN, BEN, CAT)).events, RULES)


def _codes(game: FoldedGame) -> list[tuple[int, str]]:
    return [(finding.number, finding.code) for finding in game.findings]


def _looks(viewer: str) -> Observation:
    return said("looked_at", viewer=viewer, zone="hand", owner=2)


def test_cr_723_4_a_look_is_a_leak_before_and_after_control_but_not_during_it() -> None:
    game = _game(_SLAVER, _looks(ANN), turn(2), _looks(ANN), _looks(CAT), turn(1), _looks(ANN))

    assert _codes(game) == [
        (3, "information-leak"),
        (6, "information-leak"),
        (8, "information-leak"),
    ]


def test_a_look_at_one_object_is_judged_by_where_it_is() -> None:
    look = said("looked_at", viewer=CAT, object="x")
    game = _game(
        enters("x", 2, "battlefield", None, controller=2, face_down=True),
        look,
        said("turned_face_up", object="x"),
        look,
    )
    (leak,) = game.findings

    assert (leak.number, leak.root, leak.severity) == (3, 3, "serious")
    assert leak.rule is not None
    assert leak.rule.number == "708.5"


def test_a_judge_may_look_at_everything() -> None:
    assert _codes(_game(_looks("judge:1"), _looks("server:arena"))) == []


def test_a_look_whose_right_the_record_leaves_open_raises_nothing() -> None:
    look_at_nothing = said("looked_at", viewer=CAT)
    look_at_unknown = said("looked_at", viewer=CAT, object="unheard of")
    game = _game(said("gap_found", cause="missing"), _looks(CAT), look_at_nothing, look_at_unknown)

    assert _codes(game) == []


def test_findings_are_found_by_event() -> None:
    game = _game(_looks(ANN), turn(1), _looks(CAT))

    assert [finding.number for finding in game.findings_at(2)] == [2]
    assert game.findings_at(3) == ()
    assert [finding.code for finding in game.findings_at(4)] == ["information-leak"]


def test_findings_about_deciders_come_from_the_control_state_before_the_event() -> None:
    cast = act("spell_cast", 2, card="a", stated=BEN)
    game = _game(_SLAVER, turn(2), cast, turn(1), cast)

    assert _codes(game) == [(4, "decider-not-entitled")]


def test_cr_723_3_an_object_that_goes_to_its_controllers_controller_is_noticed_by_any_id() -> None:
    game = _game(
        enters("x", 2, "battlefield", "a", controller=2),
        _SLAVER,
        turn(2),
        said("object_renamed", former="x", object="y"),
        said("object_moved", object="y", to_zone="battlefield", controller=1),
    )

    assert _codes(game) == [(6, "object-controller-changed")]
