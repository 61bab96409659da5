"""Gaps in the record: what is uncertain after one, and how it becomes certain again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from domain.control.chains import final_decider
from domain.control.choices import designated
from domain.control.decisions import SUBSTITUTE, canonical, decision_of
from domain.control.effects import Doubt, Effect
from domain.control.governing import settle
from domain.control.state import ControlState, changed
from domain.control.windows import close, open_window
from domain.principals import is_stand_in

__all__ = [
    "after_turn_boundary",
    "certain_again",
    "gap_found",
    "settle_by_statement",
    "state_anchored",
]


def gap_found(state: ControlState, event: Any) -> ControlState:
    """Something is missing: it may hide effects for every seat, ends of those known, and turns."""
    number = event.number
    seats = [seat for seat in state.players if not state.has_left(seat)]
    effects = tuple(
        replace(effect, doubted_since=number) if effect.ended is None else effect
        for effect in state.open_effects
    )
    return changed(
        state,
        number,
        active_seats=None,
        active_gap=number,
        open_effects=effects,
        doubts={seat: Doubt(number) for seat in seats},
        search_doubts=dict.fromkeys(seats, number),
    )


def after_turn_boundary(
    state: ControlState, seats: tuple[int, ...], number: int
) -> Mapping[int, Doubt]:
    """The doubts left when these seats' turn begins.

    A seat whose turn began after the gap and is now over is certain again: whatever was hidden and
    waited for that turn is used up.
    """
    return {
        seat: Doubt(doubt.gap, number) if seat in seats else doubt
        for seat, doubt in state.doubts.items()
        if doubt.turn is None
    }


def certain_again(state: ControlState, number: int, seat: int) -> ControlState:
    """The state without doubts about one seat; the same object if there were none."""
    governs = state.in_force(seat)
    effects = tuple(
        replace(effect, doubted_since=None)
        if effect is governs and effect.doubted_since is not None
        else effect
        for effect in state.open_effects
    )
    settled = effects == state.open_effects
    if settled and seat not in state.doubts and seat not in state.search_doubts:
        return state
    doubts = {key: doubt for key, doubt in state.doubts.items() if key != seat}
    searches = {key: gap for key, gap in state.search_doubts.items() if key != seat}
    shown = {**state.shown, seat: number}
    return changed(
        state, number, open_effects=effects, doubts=doubts, search_doubts=searches, shown=shown
    )


def settle_by_statement(state: ControlState, event: Any) -> ControlState:
    """The state after a decision whose decider the source states.

    It makes the seat certain where it agrees with what is known; where it does not, something
    hidden is at work and the seat stays uncertain.
    """
    stamp = event.stamp
    seat = stamp.acting_seat
    if seat is None or not state.uncertain(seat) or not _tells(state, event):
        return state
    player = state.players.get(seat)
    if player is None or final_decider(state, player) != stamp.deciding_player:
        return state
    return certain_again(state, event.number, seat)


def _tells(state: ControlState, event: Any) -> bool:
    """Whether the event states who answers for the seat in general."""
    stamp = event.stamp
    decider = stamp.deciding_player
    if stamp.basis != "stated" or stamp.decision_class != "game" or event.refused:
        return False
    if is_stand_in(decider):
        return False
    decision = canonical(decision_of(event))
    return decision != SUBSTITUTE and designated(state, stamp.acting_seat, decision) is None


def state_anchored(state: ControlState, event: Any) -> ControlState:
    """A snapshot states whose turn it is and who answers for every seat that is not its own."""
    number = event.number
    shown = {seat: state.players.get(by) for seat, by in event.controlled}
    effects = tuple(_as_shown(state, effect, shown, number) for effect in state.open_effects)
    unexplained = [
        _seen(seat, player, number)
        for seat, player in shown.items()
        if player is not None and not _is_explained(effects, seat)
    ]
    active = None if event.active_seat is None else state.team_of(event.active_seat)
    return changed(
        state,
        number,
        active_seats=active,
        active_gap=None,
        open_effects=settle((*effects, *unexplained), resuming=False),
        doubts={},
        search_doubts={},
    )


def _as_shown(
    state: ControlState, effect: Effect, shown: Mapping[int, str | None], number: int
) -> Effect:
    """A working effect as the snapshot confirms it or shows that it is over."""
    governed = [seat for seat in effect.affected if state.in_force(seat) is effect]
    if not governed or state.seat_of(effect.controller) is None:
        return effect
    others = [seat for seat in governed if state.players.get(seat) != effect.controller]
    if all(shown.get(seat) in _answerers(state, effect, seat) for seat in others):
        return replace(effect, doubted_since=None)
    return close(effect, number, "not_shown")


def _answerers(state: ControlState, effect: Effect, seat: int) -> tuple[str | None, ...]:
    player = state.players.get(seat)
    return (effect.controller, None if player is None else final_decider(state, player))


def _is_explained(effects: tuple[Effect, ...], seat: int) -> bool:
    return any(e.works and seat in e.affected and e.doubted_since is None for e in effects)


def _seen(seat: int, player: str, number: int) -> Effect:
    seen = Effect(
        label=f"anchored-{number}-{seat}",
        created=number,
        controller=player,
        affected=(seat,),
        stated_for=(seat,),
        scope="observed",
    )
    return open_window(seen, number)
