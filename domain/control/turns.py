"""Turns and phases: when control begins and ends (CR 723.1, 723.1b), and promised extra turns."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from domain.control.choices import end_choices
from domain.control.effects import Effect
from domain.control.gaps import after_turn_boundary
from domain.control.governing import settle
from domain.control.promises import take_promise
from domain.control.state import Combat, ControlState, changed
from domain.control.windows import close, open_window, pause, wait_on

__all__ = ["phase_skipped", "step_started", "turn_skipped", "turn_started"]

_COMBAT_STEPS: Final = {
    "beginning_of_combat": False,
    "declare_attackers": True,
    "declare_blockers": True,
    "combat_damage": True,
    "end_of_combat": True,
}
"""Step of a combat phase -> whether the phase is under way in it."""


def turn_started(state: ControlState, event: Any) -> ControlState:
    """A turn begins: the last one's windows close, those that waited for this one open."""
    number = event.number
    seats = event.team_seats or state.team_of(event.seat)
    present = tuple(seat for seat in seats if not state.has_left(seat))
    effects = tuple(_turn_over(effect, number) for effect in state.open_effects)
    if _is_extra(state, event, present):
        effects = take_promise(effects, present, number)
    effects = tuple(_turn_begun(effect, present, number) for effect in effects)
    return changed(
        state,
        number,
        turn=state.turn + 1,
        active_seats=present or None,
        active_gap=None,
        combat=None,
        searching=(),
        open_effects=settle(effects),
        open_choices=end_choices(state.open_choices, number, "next_turn_started"),
        doubts=after_turn_boundary(state, seats, number),
    )


def _turn_over(effect: Effect, number: int) -> Effect:
    if effect.window != "open" or effect.scope == "observed":
        return effect
    if effect.scope == "while_searching":
        return pause(effect)
    reason = "combat_ended" if effect.scope == "next_combat_phase" else "next_turn_started"
    return close(effect, number, reason)


def _turn_begun(effect: Effect, seats: tuple[int, ...], number: int) -> Effect:
    waits = effect.scope == "next_turn" and effect.window == "waiting"
    if waits and not set(effect.affected).isdisjoint(seats):
        return open_window(effect, number)
    return effect


def _is_extra(state: ControlState, event: Any, seats: tuple[int, ...]) -> bool:
    """Whether the turn is an extra turn; a silent source's second turn in a row counts as one."""
    if event.extra is not None:
        return bool(event.extra)
    return bool(seats) and state.active_seats == seats


def turn_skipped(state: ControlState, event: Any) -> ControlState:
    """A turn is skipped: whatever waits for it goes on waiting (CR 723.1b)."""
    seats = event.team_seats or state.team_of(event.seat)
    return _still_waiting(state, event.number, seats, ("next_turn", "next_combat_phase"))


def phase_skipped(state: ControlState, event: Any) -> ControlState:
    """A combat phase is skipped: control of the next one goes on waiting."""
    if event.phase != "combat":
        return state
    return _still_waiting(state, event.number, state.team_of(event.seat), ("next_combat_phase",))


def _still_waiting(
    state: ControlState, number: int, seats: tuple[int, ...], scopes: tuple[str, ...]
) -> ControlState:
    effects = tuple(
        wait_on(effect)
        if effect.status == "pending"
        and effect.scope in scopes
        and not set(effect.affected).isdisjoint(seats)
        else effect
        for effect in state.open_effects
    )
    if effects == state.open_effects:
        return state
    return changed(state, number, open_effects=effects)


def step_started(state: ControlState, event: Any) -> ControlState:
    """A step begins: it may begin or end a combat phase."""
    under_way = _COMBAT_STEPS.get(event.step)
    if under_way is None:
        return state if state.combat is None else _combat_over(state, event.number)
    going_on = state.combat
    if going_on is not None and _same_combat(going_on, under_way, event.combat):
        further = replace(going_on, under_way=under_way)
        return state if further == going_on else changed(state, event.number, combat=further)
    before = state if going_on is None else _combat_over(state, event.number)
    return _combat_begun(before, event, under_way)


def _same_combat(combat: Combat, under_way: bool, index: int | None) -> bool:
    if index is not None and combat.index is not None and index != combat.index:
        return False
    return under_way or not combat.under_way


def _combat_begun(state: ControlState, event: Any, under_way: bool) -> ControlState:
    seats = state.active_seats or (() if event.seat is None else state.team_of(event.seat))
    effects = tuple(
        open_window(effect, event.number)
        if effect.scope == "next_combat_phase"
        and effect.window == "waiting"
        and not set(effect.affected).isdisjoint(seats)
        else effect
        for effect in state.open_effects
    )
    combat = Combat(event.number, event.combat, under_way)
    return changed(state, event.number, combat=combat, open_effects=settle(effects))


def _combat_over(state: ControlState, number: int) -> ControlState:
    effects = tuple(
        close(effect, number, "combat_ended")
        if effect.scope == "next_combat_phase" and effect.window == "open"
        else effect
        for effect in state.open_effects
    )
    return changed(
        state,
        number,
        combat=None,
        open_effects=settle(effects),
        open_choices=end_choices(state.open_choices, number, "combat_ended"),
    )
