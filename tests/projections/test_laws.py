"""The laws that every game obeys, whatever happens in it and under whatever edition."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.control import NOBODY, ControlState, Verdict, decide, initial_control
from domain.principals import UNDETERMINED, UNKNOWN
from domain.visibility import OUTSIDE_THE_GAME
from projections.game import FoldedGame, fold_game
from projections.visibility import Visibility
from tests.support.control_games import Game, player
from tests.support.control_strategies import CONTROL_EVENTS, Script, scripts, tell_all
from tests.support.seating import reseated

few = settings(max_examples=60, deadline=None)
_PERSONAL = (
    "conceded",
    "draw_agreed",
    "judge_called",
    "sideboarded",
    "table_left",
    "remedy_chosen",
)


def _folded(game: Game) -> FoldedGame:
    return fold_game(game.events, game.rules)


def _verdicts(game: FoldedGame, number: int) -> dict[int, Verdict]:
    state = game.control_at(number)
    return {seat: decide(state, seat, "game", game.rules) for seat in state.players}


@few
@given(scripts(sights=True))
def test_1_every_seat_has_one_decider_or_is_undetermined_with_reasons(script: Script) -> None:
    game = _folded(script.told())

    for number in range(game.last + 1):
        known = {*game.control_at(number).players.values(), "person:zoe"}
        for verdict in _verdicts(game, number).values():
            assert verdict.because
            if verdict.decider == UNDETERMINED:
                assert verdict.rule_gap
                assert verdict.reading
                assert len(verdict.candidates) > 1
            elif verdict.decider == UNKNOWN:
                assert verdict.gap is not None
            else:
                assert verdict.decider in {NOBODY, *known}
            assert set(verdict.candidates) <= known


@few
@given(scripts(sights=True), st.sampled_from(_PERSONAL))
def test_2_decisions_of_the_tournament_are_always_the_persons_own(
    script: Script, decision: str
) -> None:
    game = _folded(script.told())

    for number in range(game.last + 1):
        state = game.control_at(number)
        for seat, person in state.players.items():
            verdict = decide(state, seat, decision, game.rules)
            assert (verdict.decider, verdict.rule_gap) == (person, False)
            assert verdict.authority == "tournament_rule"


@few
@given(scripts(sights=True))
def test_3_the_active_players_are_those_of_the_game_without_its_control_effects(
    script: Script,
) -> None:
    game = script.told()
    plain = fold_game(tell_all(game, lambda e: e.NAME not in CONTROL_EVENTS), game.rules)
    folded = _folded(game)

    for number in range(folded.last + 1):
        assert folded.active_at(number) == plain.active_at(number)


@few
@given(scripts(sights=True))
def test_4_nobody_may_see_more_than_the_own_and_the_controlled_seats(script: Script) -> None:
    game = _folded(script.told())
    alone = Visibility(
        game.visibility.record, [initial_control(game.rules)] * (game.last + 1), game.rules
    )
    board_is_shown = game.rules.switches["controller-sees-outside"]

    for number in range(1, game.last + 1):
        state = game.control_at(number)
        for seat, viewer in state.players.items():
            reach = _controlled(state, viewer) | {seat}
            for name, facts in game.visibility.objects_at(number).items():
                hidden = facts.zone in OUTSIDE_THE_GAME and not board_is_shown
                union = any(
                    alone.entitled(f"seat:{one}", number, name)
                    for one in ({seat} if hidden else reach)
                )
                assert game.visibility.entitled(viewer, number, name) <= union


def _controlled(state: ControlState, viewer: str) -> set[int]:
    """The seats the viewer controls, directly or through those the viewer controls."""
    found: set[int] = set()
    waiting = [viewer]
    while waiting:
        holder = waiting.pop()
        for seat, person in state.players.items():
            effect = state.in_force(seat)
            if effect is not None and effect.controller == holder and seat not in found:
                found.add(seat)
                waiting.append(person)
    return found


@few
@given(scripts(sights=True))
def test_5_what_was_learned_never_shrinks(script: Script) -> None:
    game = _folded(script.told())

    for viewer in (*map(player, range(1, script.seats + 1)), "spectator", "judge"):
        before: list[int] = []
        for number in range(1, game.last + 1):
            known = [row.number for row in game.knowledge.learned(viewer, number)]
            assert known[: len(before)] == before
            before = known


@few
@given(scripts(sights=True, most=16))
def test_6_any_beginning_of_the_record_gives_the_same_state(script: Script) -> None:
    told = script.told()
    game = _folded(told)

    for number in range(1, game.last + 1):
        prefix = fold_game(told.events[:number], told.rules)
        assert prefix.control_at(number) == game.control_at(number)
        assert prefix.active_at(number) == game.active_at(number)
        assert prefix.turns.turns(number) == game.turns.turns(number)
        assert prefix.visibility.objects_at(number) == game.visibility.objects_at(number)
        assert prefix.findings == tuple(f for f in game.findings if f.number <= number)


@few
@given(scripts(sights=True), st.integers(1, 5))
def test_7_other_names_and_other_seats_change_no_answer(script: Script, turned: int) -> None:
    game = _folded(script.told())
    moved = reseated(script, turned)
    again = _folded(moved)

    for number in range(1, game.last + 1):
        active = {moved.seat(seat) for seat in game.active_at(number).seats}
        assert set(again.active_at(number).seats) == active
        verdicts = _verdicts(again, number)
        for seat, verdict in _verdicts(game, number).items():
            other = verdicts[moved.seat(seat)]
            assert other.decider == moved.name(verdict.decider)
            assert set(other.candidates) == set(map(moved.name, verdict.candidates))
            assert (other.authority, other.ref) == (verdict.authority, verdict.ref)
            assert (other.rule_gap, other.reading) == (verdict.rule_gap, verdict.reading)
            assert other.rules == verdict.rules
        for viewer in game.control_at(number).players.values():
            for name in game.visibility.objects_at(number):
                sight = game.visibility.why(viewer, number, name)
                assert again.visibility.why(moved.name(viewer), number, name) == sight
        codes = [finding.code for finding in game.findings_at(number)]
        assert [finding.code for finding in again.findings_at(number)] == codes


@few
@given(scripts(sights=True))
def test_8_a_seat_that_has_left_is_decided_by_nobody(script: Script) -> None:
    game = _folded(script.told())

    for number in range(game.last + 1):
        state = game.control_at(number)
        for seat, verdict in _verdicts(game, number).items():
            assert (verdict.decider == NOBODY) == state.has_left(seat)
            assert not (state.has_left(seat) and state.extra_turns_due(seat))


@few
@given(scripts(sights=True))
def test_the_findings_of_an_event_are_those_it_has_among_all(script: Script) -> None:
    game = _folded(script.told())
    each = [game.findings_at(number) for number in range(1, game.last + 1)]

    assert tuple(finding for found in each for finding in found) == game.findings
