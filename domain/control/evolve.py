"""State + event -> state: which part of the kernel an event concerns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from domain.control.effects import Effect
from domain.control.state import ControlState, changed
from domain.events.registry import name_of

__all__ = ["evolve_control"]

Handler = Callable[[ControlState, Any], ControlState]


def evolve_control(state: ControlState, event: Any) -> ControlState:
    """The state after the event (struct or model); the same object when the event changes nothing."""
    name = getattr(event, "NAME", None) or name_of(event.TOPIC)
    handler = _HANDLERS.get(name)
    return state if handler is None else handler(state, event)


def _game_started(state: ControlState, event: Any) -> ControlState:
    return changed(state, event.number, players={s.seat: s.player for s in event.seats})


def _turn_started(state: ControlState, event: Any) -> ControlState:
    seats = event.team_seats or (event.seat,)
    effects = []
    for effect in state.effects:
        if effect.status == "in_force" and effect.scope in ("next_turn", "this_turn"):
            effect = replace(effect, status="ended", ended=event.number, reason="next_turn_started")
        elif effect.status == "pending" and effect.scope == "next_turn":
            if set(effect.affected) & set(seats):
                effect = replace(effect, status="in_force", began=event.number)
        effects.append(effect)
    return changed(state, event.number, active_seats=seats, effects=tuple(effects))


def _control_created(state: ControlState, event: Any) -> ControlState:
    now = event.scope in ("this_turn", "while_resolving", "observed")
    made = tuple(
        Effect(
            label=event.label,
            created=event.number,
            controller=event.controller,
            affected=(seat,),
            scope=event.scope,
            source_card=event.source_card,
            object=event.object,
            extra_turn_after=event.extra_turn_after,
            may_not=event.may_not,
            must=event.must,
            status="in_force" if now else "pending",
            began=event.number if now else None,
        )
        for seat in event.affected
    )
    return changed(state, event.number, effects=state.effects + made)


def _player_left(state: ControlState, event: Any) -> ControlState:
    return changed(state, event.number, departed={**state.departed, event.seat: event.reason})


def _seat_taken_over(state: ControlState, event: Any) -> ControlState:
    return changed(state, event.number, stand_ins={**state.stand_ins, event.seat: event.by})


def _seat_returned(state: ControlState, event: Any) -> ControlState:
    left = {seat: by for seat, by in state.stand_ins.items() if seat != event.seat}
    return changed(state, event.number, stand_ins=left)


_HANDLERS: Final[dict[str, Handler]] = {
    "control_created": _control_created,
    "game_started": _game_started,
    "player_left": _player_left,
    "seat_returned": _seat_returned,
    "seat_taken_over": _seat_taken_over,
    "turn_started": _turn_started,
}
