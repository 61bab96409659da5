"""State + event -> state: which part of the kernel an event concerns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from domain.control.choices import choice_granted, heed_choices
from domain.control.effects import Effect
from domain.control.games import (
    game_ended,
    game_restarted,
    game_started,
    subgame_ended,
    subgame_started,
)
from domain.control.gaps import gap_found, settle_by_statement, state_anchored
from domain.control.granting import control_created, control_ended, control_observed
from domain.control.leaving import conceded, player_left
from domain.control.limited import resolved, search_ended, search_started
from domain.control.rewinds import rewound
from domain.control.stand_ins import seat_returned, seat_taken_over
from domain.control.state import ControlState, changed
from domain.control.turns import phase_skipped, step_started, turn_skipped, turn_started
from domain.events.base import DecisionEvent
from domain.events.registry import GAME_EVENTS, name_of

__all__ = ["evolve_control"]

Handler = Callable[[ControlState, Any], ControlState]

_DECISIONS: Final = frozenset(
    name for name, model in GAME_EVENTS.items() if issubclass(model, DecisionEvent)
)


def evolve_control(state: ControlState, event: Any) -> ControlState:
    """The state after the event (struct or model); the same object if the event changes nothing."""
    name = getattr(event, "NAME", None) or name_of(event.TOPIC)
    if state.attentive and name in _DECISIONS:
        state = _heed(state, name, event)
    handler = _HANDLERS.get(name)
    return state if handler is None else handler(state, event)


def _heed(state: ControlState, name: str, event: Any) -> ControlState:
    """The state after a decision that may settle a doubt, fulfil a demand or end a vote."""
    after = settle_by_statement(state, event)
    after = _fulfil(after, name, event)
    return heed_choices(after, name, event)


def _fulfil(state: ControlState, name: str, event: Any) -> ControlState:
    seat = event.stamp.acting_seat
    if seat is None or event.refused:
        return state
    effects = tuple(
        replace(effect, done=(*effect.done, name)) if _demands(effect, name, seat) else effect
        for effect in state.open_effects
    )
    if effects == state.open_effects:
        return state
    return changed(state, event.number, open_effects=effects)


def _demands(effect: Effect, name: str, seat: int) -> bool:
    return (
        effect.status == "in_force"
        and seat in effect.affected
        and name in effect.must
        and name not in effect.done
    )


_HANDLERS: Final[dict[str, Handler]] = {
    "choice_granted": choice_granted,
    "conceded": conceded,
    "control_created": control_created,
    "control_ended": control_ended,
    "control_observed": control_observed,
    "game_ended": game_ended,
    "game_restarted": game_restarted,
    "game_started": game_started,
    "gap_found": gap_found,
    "library_search_ended": search_ended,
    "library_search_started": search_started,
    "phase_skipped": phase_skipped,
    "player_left": player_left,
    "resolved": resolved,
    "rewound": rewound,
    "seat_returned": seat_returned,
    "seat_taken_over": seat_taken_over,
    "state_anchored": state_anchored,
    "step_started": step_started,
    "subgame_ended": subgame_ended,
    "subgame_started": subgame_started,
    "turn_skipped": turn_skipped,
    "turn_started": turn_started,
}
