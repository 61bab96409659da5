"""Rewinds: the game goes back, the record and what people have done stay."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from domain.control.effects import ChoiceEffect, Effect, same_record
from domain.control.leaving import OUTLASTS_REWIND, leave
from domain.control.state import ControlState, changed

__all__ = ["rewound"]


def rewound(state: ControlState, event: Any) -> ControlState:
    """The state just after event `to`, with what a rewind does not undo.

    Stand-ins and gaps stay, and so do concessions and disqualifications unless the rewind restores
    the player. Effects whose creation is undone are kept as ended for the reason `rewound`.
    """
    number = event.number
    target = state.history_at(event.to)
    back = changed(
        state,
        number,
        turn=target.turn,
        active_seats=target.active_seats,
        active_certain=target.active_certain,
        combat=target.combat,
        searching=target.searching,
        effects=_effects(state, target, number),
        choices=_choices(state, target, number),
        departed={
            seat: gone for seat, gone in target.departed.items() if seat not in event.restores
        },
        doubts={**state.doubts, **target.doubts},
        search_doubts={**state.search_doubts, **target.search_doubts},
        shown=target.shown,
        over=target.over,
        outer=target.outer,
    )
    return _still_gone(state, back, event)


def _effects(state: ControlState, target: ControlState, number: int) -> tuple[Effect, ...]:
    undone = [
        _undone(effect, number)
        for effect in state.effects
        if not any(same_record(effect, kept) for kept in target.effects)
    ]
    return (*target.effects, *undone)


def _undone(effect: Effect, number: int) -> Effect:
    if effect.reason == "rewound":
        return effect
    return replace(
        effect,
        status="ended",
        window="closed",
        began=None,
        ended=number,
        reason="rewound",
        overwritten_by=None,
        resumed=False,
        promise="void",
        extra_turn=None,
    )


def _choices(state: ControlState, target: ControlState, number: int) -> tuple[ChoiceEffect, ...]:
    kept = {choice.created for choice in target.choices}
    undone = [
        choice if choice.reason == "rewound" else replace(choice, ended=number, reason="rewound")
        for choice in state.choices
        if choice.created not in kept
    ]
    return (*target.choices, *undone)


def _still_gone(state: ControlState, back: ControlState, event: Any) -> ControlState:
    """The restored state without the players whose departure is not undone."""
    after = back
    for seat, gone in state.departed.items():
        stays = gone.reason in OUTLASTS_REWIND and seat not in event.restores
        if stays and not gone.with_team:
            after = leave(after, event.number, seat, gone.reason, at=gone.number)
    return after if after is back else replace(after, previous=state)
