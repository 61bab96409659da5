"""Rewinds: the game goes back, the record and what people have done stay."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from domain.control.effects import ChoiceEffect, Effect
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
        active_gap=target.active_gap,
        combat=target.combat,
        searching=target.searching,
        open_effects=target.open_effects,
        past_effects=(*target.past_effects, *_undone_effects(state, event.to, number)),
        open_choices=target.open_choices,
        past_choices=(*target.past_choices, *_undone_choices(state, event.to, number)),
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


def _undone_effects(state: ControlState, to: int, number: int) -> Iterator[Effect]:
    """Effects of the game, and of the game around a subgame, that the target does not know yet."""
    for layer in state.layers:
        for effect in (*layer.past_effects, *layer.open_effects):
            if effect.created > to:
                yield _undone(effect, number)


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


def _undone_choices(state: ControlState, to: int, number: int) -> Iterator[ChoiceEffect]:
    for layer in state.layers:
        for choice in (*layer.past_choices, *layer.open_choices):
            if choice.created > to:
                gone = choice.reason == "rewound"
                yield choice if gone else replace(choice, ended=number, reason="rewound")


def _still_gone(state: ControlState, back: ControlState, event: Any) -> ControlState:
    """The restored state without the players whose departure is not undone."""
    after = back
    for seat, gone in state.departed.items():
        stays = gone.reason in OUTLASTS_REWIND and seat not in event.restores
        if stays and not gone.with_team:
            after = leave(after, event.number, seat, gone.reason, at=gone.number)
    return after
