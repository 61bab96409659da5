"""Learned knowledge: when it begins, and that nothing takes it away."""

from __future__ import annotations

from domain.observation import Observation
from projections.game import FoldedGame, fold_game
from projections.learned import Span
from tests.support.games import RULES, act, enters, tell, turn
from tests.support.said import said

ANN, BEN, CAT = "player:ann", "player:ben", "player:cat"
_SLAVER = act("control_created", 1, label="e1", controller=ANN, affected=(2,), scope="next_turn")


def _game(*seen: Observation) -> FoldedGame:
    """A game of three; the first of `seen` is event 2."""
    return fold_game(tell(*seen, players=(ANN, BEN, CAT)).events, RULES)


def _firsts(game: FoldedGame, name: str) -> list[int | None]:
    viewers = (ANN, BEN, CAT, "spectator", "judge")
    return [game.knowledge.first_learned(viewer, name) for viewer in viewers]


def test_a_hand_counts_from_the_moment_control_begins() -> None:
    game = _game(
        enters("ace", 2, "hand", "a"),
        _SLAVER,
        turn(2),
        said("card_drawn", seat=2, object="top"),
        turn(1),
        said("card_drawn", seat=2, object="late"),
    )

    assert _firsts(game, "ace") == [4, 2, None, None, 2]
    assert _firsts(game, "top") == [5, 5, None, None, 5]
    assert _firsts(game, "late") == [None, 7, None, None, 7]


def test_a_reveal_counts_for_those_it_is_made_to_and_for_who_controls_them() -> None:
    game = _game(
        enters("ace", 2, "hand", "a"),
        said("revealed", object="ace", to=(CAT,)),
        enters("deep", 3, "library", None),
        _SLAVER,
        turn(2),
        said("revealed", object="deep", to=(BEN,)),
        said("revealed", object="deep"),
    )

    assert _firsts(game, "ace") == [6, 2, 3, None, 2]
    assert _firsts(game, "deep") == [7, 7, 8, 8, 4]


def test_a_look_counts_even_without_a_right_to_it() -> None:
    game = _game(
        enters("ace", 2, "hand", "a"),
        enters("wish", 2, "outside", "b"),
        said("looked_at", viewer=CAT, zone="hand", owner=2),
        said("looked_at", viewer=ANN, object="wish"),
    )

    assert _firsts(game, "ace") == [None, 2, 4, None, 2]
    assert _firsts(game, "wish") == [5, 3, None, None, 3]


def test_a_scry_counts_for_the_player_and_for_who_controls_the_player() -> None:
    game = _game(
        enters("deep", 2, "library", None), _SLAVER, turn(2), said("scried", seat=2, top=("deep",))
    )

    assert _firsts(game, "deep") == [5, 5, None, None, 2]


def test_knowledge_survives_a_rewind_and_stays_with_its_object() -> None:
    game = _game(
        enters("ace", 2, "hand", "a"),
        act("spell_cast", 2, object="ace", card="a"),
        said("rewound", to=2),
        said("object_renamed", former="ace", object="ace2"),
    )

    assert _firsts(game, "ace") == [3, 2, 3, 3, 2]
    assert _firsts(game, "ace2") == [3, 2, 3, 3, 2]
    assert not game.visibility.entitled(ANN, 5, "ace2")


def test_an_object_of_an_undone_branch_can_still_be_asked_for() -> None:
    game = _game(turn(2), said("card_drawn", seat=2, object="top"), said("rewound", to=2))

    assert _firsts(game, "top") == [None, 3, None, None, 3]


def test_an_id_used_twice_is_told_apart_by_the_event() -> None:
    game = _game(
        turn(1),
        act("spell_cast", 1, object="x", card="a"),
        said("rewound", to=2),
        enters("x", 2, "hand", "b"),
    )

    assert game.knowledge.first_learned(ANN, "x", at=3) == 3
    assert game.knowledge.first_learned(ANN, "x") is None
    assert game.knowledge.first_learned(ANN, "y") is None


def test_a_zone_is_learned_when_it_is_open_or_shown_as_a_whole() -> None:
    game = _game(
        act("library_search_started", 1, owner=2),
        _SLAVER,
        said("revealed", zone="hand", owner=2, to=(CAT,)),
        turn(2),
    )
    first = game.knowledge.first_learned_zone

    assert [first(viewer, "hand", 2) for viewer in (ANN, BEN, CAT, "spectator")] == [5, 1, 4, None]
    assert [first(viewer, "library", 2) for viewer in (ANN, BEN)] == [2, None]
    assert first("spectator", "graveyard", 2) == 1


def test_learned_lists_what_is_known_by_the_ids_of_the_moment() -> None:
    game = _game(
        enters("ace", 1, "hand", "a"),
        enters("deuce", 2, "battlefield", "b"),
        said("object_renamed", former="ace", object="ace2"),
        said("object_moved", object="ace2", to_zone="library"),
    )
    learned = game.knowledge.learned

    assert [tuple(row) for row in learned(ANN, 2)] == [("ace", 2)]
    assert [tuple(row) for row in learned(ANN, 5)] == [("ace2", 2), ("deuce", 3)]
    assert [tuple(row) for row in learned(BEN, 5)] == [("deuce", 3)]


def test_spans_tell_each_stretch_of_sight() -> None:
    game = _game(enters("ace", 2, "hand", "a"), _SLAVER, turn(2), turn(1))

    assert game.knowledge.spans(ANN, "ace") == (
        Span(2, 4, False),
        Span(4, 5, True),
        Span(5, None, False),
    )
    assert game.knowledge.spans(BEN, "ace") == (Span(2, None, True),)
    assert game.knowledge.spans(BEN, "nothing") == ()
