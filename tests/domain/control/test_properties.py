"""What holds of player control in every game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.codec import to_model
from domain.control import (
    NOBODY,
    ControlState,
    decide,
    evolve_control,
    initial_control,
    reachable_seats,
)
from domain.principals import UNDETERMINED, UNKNOWN
from domain.rules import RuleBook
from tests.support.control_games import Game, player
from tests.support.control_strategies import CONTROL_EVENTS, games, tell_all

few = settings(max_examples=60)
_ASKED = ("game", "attackers", "votes", "searching", "substitute", "whole attackers_declared")


def _fold(events: Iterable[Any], rules: RuleBook) -> list[ControlState]:
    states = [initial_control(rules)]
    for event in events:
        states.append(evolve_control(states[-1], event))
    return states


@few
@given(games(), st.sampled_from(_ASKED))
def test_every_seat_has_one_decider_or_a_reason_why_not(game: Game, decision: str) -> None:
    for state in game.states:
        for seat in state.players:
            verdict = decide(state, seat, decision, game.rules)
            if verdict.decider == UNDETERMINED:
                assert verdict.rule_gap
                assert verdict.reading
                assert len(verdict.candidates) > 1
            elif verdict.decider == UNKNOWN:
                assert verdict.gap is not None or len(verdict.candidates) > 1
            elif verdict.decider == NOBODY:
                assert state.has_left(seat)
            else:
                assert verdict.path[0].player == state.players[seat]
                assert verdict.path[-1].player == verdict.decider
                without_ref = verdict.authority in ("self", "rule_substitution")
                assert without_ref == (verdict.ref is None)
            assert verdict.because


@few
@given(games())
def test_a_rule_gap_is_told_where_readings_differ_and_only_there(game: Game) -> None:
    for seat in game.now.players:
        verdict = game.verdict(seat)
        assert verdict.rule_gap == (len(verdict.candidates) > 1)
        if verdict.decider not in (UNDETERMINED, UNKNOWN, NOBODY):
            assert verdict.decider in verdict.candidates


@few
@given(games(), st.sampled_from(["conceded", "judge_called", "remedy", "sideboarded"]))
def test_decisions_of_the_tournament_are_always_the_persons_own(game: Game, name: str) -> None:
    for state in game.states:
        for seat, person in state.players.items():
            assert decide(state, seat, name, game.rules).decider == person


@few
@given(games())
def test_nobody_decides_for_a_seat_that_has_left(game: Game) -> None:
    for state in game.states:
        for seat in state.departed:
            assert decide(state, seat, "game", game.rules).decider == NOBODY
            assert state.extra_turns_due(seat) == 0


@few
@given(games())
def test_without_its_control_effects_the_game_has_the_same_active_players(game: Game) -> None:
    plain = _fold(tell_all(game, lambda event: event.NAME not in CONTROL_EVENTS), game.rules)

    for with_control, without in zip(game.states, plain, strict=True):
        assert with_control.active_seats == without.active_seats
        assert with_control.active_certain == without.active_certain
        assert with_control.turn == without.turn


@few
@given(games())
def test_the_state_at_an_event_is_the_fold_of_the_events_up_to_it(game: Game) -> None:
    for number in range(len(game.events) + 1):
        fresh = _fold(game.events[:number], game.rules)[-1]
        assert fresh == game.states[number]
        assert game.now.history_at(number) == fresh


@few
@given(games())
def test_other_names_give_the_same_answers(game: Game) -> None:
    renamed = _fold([_renamed(event) for event in game.events], game.rules)

    for one, other in zip(game.states, renamed, strict=True):
        for seat in one.players:
            before = decide(one, seat, "game", game.rules)
            after = decide(other, seat, "game", game.rules)
            assert after.decider == _other_name(before.decider)
            assert after.rule_gap == before.rule_gap
            assert after.ref == before.ref


def _other_name(principal: str) -> str:
    kind, colon, name = principal.partition(":")
    return f"{kind}:{name[::-1]}-x" if colon and kind == "player" else principal


def _renamed(event: Any) -> Any:
    plain = msgspec.to_builtins(event)
    return msgspec.convert(_renamed_in(plain), type(event))


def _renamed_in(plain: Any) -> Any:
    if isinstance(plain, dict):
        return {key: _renamed_in(value) for key, value in plain.items()}
    if isinstance(plain, list | tuple):
        return [_renamed_in(value) for value in plain]
    return _other_name(plain) if isinstance(plain, str) else plain


@few
@given(games())
def test_whoever_decides_can_reach_the_seat(game: Game) -> None:
    for seat in game.now.players:
        verdict = game.verdict(seat)
        if verdict.authority in ("control_effect", "observed"):
            assert seat in reachable_seats(game.now, verdict.decider)


@few
@given(games())
def test_at_most_one_effect_is_in_force_for_a_seat_and_its_window_is_open(game: Game) -> None:
    for state in game.states:
        for seat in state.players:
            governing = state.in_force(seat)
            open_here = [e for e in state.open_effects if e.works and seat in e.affected]
            assert (governing is None) == (not open_here)
            assert governing is None or governing.status == "in_force"
        for effect in state.effects:
            assert (effect.ended is None) == (effect.status != "ended")
            assert effect.began is None or effect.began >= effect.created


@few
@given(games())
def test_models_and_structs_give_the_same_state(game: Game) -> None:
    assert _fold([to_model(event) for event in game.events], game.rules)[-1] == game.now


@few
@given(games(), st.data())
def test_a_rewind_gives_the_control_of_the_event_it_goes_back_to(
    game: Game, data: st.DataObject
) -> None:
    to = data.draw(st.integers(1, len(game.events)))
    target = game.states[to]
    game.rewinds(to)

    lasting = {seat for seat in game.now.departed if not target.has_left(seat)}
    if lasting or game.now.doubts or game.now.search_doubts:
        return
    for seat in target.players:
        assert game.decider(seat) == game.decider(seat, at=to)
    assert game.now.active_seats == target.active_seats


@given(st.integers(2, 6))
def test_a_game_without_control_is_decided_by_its_players(seats: int) -> None:
    game = Game(seats)
    game.turn(1)

    assert [game.verdict(seat).decider for seat in game.now.players] == [
        player(seat) for seat in range(1, seats + 1)
    ]
