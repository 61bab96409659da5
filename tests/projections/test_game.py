"""A folded game answers after any event as if the record ended there; laws of sight."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.control import initial_control, reachable_seats
from domain.visibility import OUTSIDE_THE_GAME
from projections.game import FoldedGame, fold_game
from projections.visibility import Visibility
from tests.support.games import RULES, act, enters, tell, turn
from tests.support.random_games import PLAYERS, Move, moves, observed
from tests.support.said import said

_VIEWERS = (*PLAYERS, "spectator", "judge")
_SEATS = (1, 2, 3)


def _fold(told: list[Move]) -> FoldedGame:
    return fold_game(tell(*observed(told), players=PLAYERS).events, RULES)


def _ids(game: FoldedGame) -> set[str]:
    return set(game.visibility.record.tracks)


def _whole_state(game: FoldedGame, number: int) -> list[Any]:
    """Everything that can be asked just after event `number`."""
    sight = game.visibility
    names = sorted(sight.objects_at(number))
    return [
        game.control_at(number),
        game.active_at(number),
        game.turns.turns(number),
        sight.certain_at(number),
        sight.objects_at(number),
        [sight.why(viewer, number, name) for viewer in _VIEWERS for name in names],
        [
            sight.why_zone(viewer, number, zone, seat)
            for viewer in _VIEWERS
            for zone in ("hand", "library", "outside")
            for seat in _SEATS
        ],
        [game.knowledge.learned(viewer, number) for viewer in _VIEWERS],
    ]


@settings(max_examples=60)
@given(moves(24))
def test_the_state_after_an_event_is_that_of_the_record_up_to_it(told: list[Move]) -> None:
    game = _fold(told)

    for number in range(1, game.last + 1):
        prefix = fold_game(game.events[:number], RULES)
        assert _whole_state(prefix, number) == _whole_state(game, number)


@given(moves(), st.data())
def test_a_rewind_brings_back_every_object_and_every_turn(
    told: list[Move], data: st.DataObject
) -> None:
    to = data.draw(st.integers(1, len(told) + 1))
    told_again = [*observed(told), said("rewound", to=to)]
    game = fold_game(tell(*told_again, players=PLAYERS).events, RULES)
    sight = game.visibility

    assert sight.objects_at(game.last) == sight.objects_at(to)
    assert game.turns.turns(game.last) == game.turns.turns(to)
    for seat in _SEATS:
        for name in sight.objects_at(to):
            alone = [_alone(game).entitled(f"seat:{seat}", n, name) for n in (to, game.last)]
            assert alone[0] == alone[1]


def _alone(game: FoldedGame) -> Visibility:
    """The same record in a game in which nobody controls anybody."""
    control = [initial_control(RULES)] * (game.last + 1)
    return Visibility(game.visibility.record, control, RULES)


@given(moves())
def test_sight_is_that_of_the_own_seat_united_with_that_of_the_controlled_seats(
    told: list[Move],
) -> None:
    game = _fold(told)
    alone = _alone(game)

    for number in range(1, game.last + 1):
        state = game.control_at(number)
        doubtful = any(map(state.uncertain, _SEATS))
        for seat, viewer in enumerate(PLAYERS, 1):
            reach = reachable_seats(state, viewer)
            for name, facts in game.visibility.objects_at(number).items():
                shared = {seat} if facts.zone in OUTSIDE_THE_GAME else reach
                united = any(alone.entitled(f"seat:{s}", number, name) for s in shared)
                entitled = game.visibility.entitled(viewer, number, name)
                assert entitled <= united
                assert doubtful or entitled == united


@given(moves())
def test_a_spectator_sees_what_everybody_sees_and_a_judge_sees_all(told: list[Move]) -> None:
    game = _fold(told)

    for number in range(1, game.last + 1):
        for name in game.visibility.objects_at(number):
            sees = {v: game.visibility.entitled(v, number, name) for v in _VIEWERS}
            assert sees["judge"]
            assert sees["spectator"] <= all(sees.values())


@given(moves())
def test_what_was_learned_never_shrinks(told: list[Move]) -> None:
    game = _fold(told)

    for viewer in _VIEWERS:
        before: list[int] = []
        for number in range(1, game.last + 1):
            known = [row.number for row in game.knowledge.learned(viewer, number)]
            assert known[: len(before)] == before
            before = known


@given(moves())
def test_the_first_event_of_knowledge_is_the_first_that_entitles_or_shows(
    told: list[Move],
) -> None:
    game = _fold(told)
    sight = game.visibility

    for viewer in _VIEWERS:
        for name in _ids(game):
            for at in range(1, game.last + 1):
                track = sight.record.tracks.at(name, at)
                if track is None:
                    continue
                first = next(
                    (
                        number
                        for number in range(1, game.last + 1)
                        if sight.ground(viewer, number, track) is not None
                        or sight.shown(viewer, number, track, by_right=False)
                    ),
                    None,
                )
                assert game.knowledge.first_learned(viewer, name, at) == first


@given(moves(30), st.integers(1, 2))
def test_other_seats_and_other_names_change_no_answer(told: list[Move], turned: int) -> None:
    seats = [1 + (place + turned) % 3 for place in range(3)]
    names = ["player:x", "player:y", "player:z"]
    game = _fold(told)
    again = fold_game(tell(*observed(told, seats, names), players=names).events, RULES)

    for number in range(1, game.last + 1):
        for place, viewer in enumerate(PLAYERS):
            other = names[seats[place] - 1]
            for name in game.visibility.objects_at(number):
                one = game.visibility.why(viewer, number, name)
                assert again.visibility.why(other, number, name) == one
    assert [game.knowledge.learned(viewer, game.last) for viewer in PLAYERS] == [
        again.knowledge.learned(names[seats[place] - 1], game.last) for place in range(3)
    ]


@given(moves())
def test_spans_agree_with_the_answer_at_every_event(told: list[Move]) -> None:
    game = _fold(told)

    for viewer in PLAYERS:
        for name in game.visibility.objects_at(game.last):
            track = game.visibility.record.tracks.at(name, game.last)
            assert track is not None
            for span in game.knowledge.spans(viewer, name):
                until = game.last + 1 if span.until is None else span.until
                answers = {
                    game.visibility.ground(viewer, number, track) is not None
                    for number in range(span.first, until)
                }
                assert answers == {span.entitled}


def test_events_and_states_are_found_by_number() -> None:
    game = fold_game(tell(turn(1), turn(2)).events, RULES)

    assert game.event(2).number == 2
    assert game.active_at(0).seats == ()
    assert game.active_at(2).seats == (1,)
    for wrong in (0, -1, 4):
        with pytest.raises(IndexError):
            game.event(wrong)
    for wrong in (-1, 4):
        with pytest.raises(IndexError):
            game.control_at(wrong)


def test_a_gap_is_uncertain_until_everything_is_stated_anew() -> None:
    anchored = said("state_anchored", active_seat=1, turn=3, step=None, controlled=())
    game = fold_game(tell(turn(1), said("gap_found", cause="missing"), anchored).events, RULES)

    certain = [True, True, True, False, True]
    states = [game.control_at(number) for number in range(5)]
    assert [state.active_certain for state in states] == certain
    assert [not any(map(state.uncertain, (1, 2))) for state in states] == certain
    assert [game.visibility.certain_at(number) for number in range(5)] == certain


def test_the_folded_game_redacts_by_viewer() -> None:
    game = fold_game(tell(enters("ace", 2, "hand", "a"), act("priority_passed", 1)).events, RULES)

    assert game.clear_fields("seat:2", 2) == {"card"}
    assert game.clear_fields("seat:1", 2) == frozenset()
    assert game.visible_cards("seat:2", 3) == {"ace": (2, "card")}
    assert game.visible_cards("seat:1", 3) == {}
    assert "ace" in game.sight("seat:2", 3)
