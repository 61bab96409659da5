"""Promised extra turns: which are taken, and where the rules do not say that they still are due."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from domain.control.effects import Effect

__all__ = ["promise_rests_on_gap", "take_promise"]


def take_promise(
    effects: tuple[Effect, ...], seats: tuple[int, ...], number: int
) -> tuple[Effect, ...]:
    """The effects with one due promise of these seats fulfilled, the newest first (CR 500.7)."""
    due = [e for e in effects if e.promise == "due" and not set(e.affected).isdisjoint(seats)]
    if not due:
        return effects
    newest = max(due, key=lambda effect: effect.created)
    return tuple(
        replace(effect, promise="taken", extra_turn=number) if effect is newest else effect
        for effect in effects
    )


def promise_rests_on_gap(effects: Sequence[Effect], turn: int) -> bool:
    """Whether the turn begun at event `turn` was taken on a promise that no rule settles.

    Overwriting ends control, not the promise: a ruling says so where the later effect promises a
    turn as well, and nothing says so for another overwriter or for a controller who has left.
    """
    taken = [effect for effect in effects if effect.extra_turn == turn]
    return any(_is_thin(effects, effect) for effect in taken)


def _is_thin(effects: Sequence[Effect], effect: Effect) -> bool:
    while effect.reason == "overwritten":
        later = next(
            e
            for e in effects
            if e.created == effect.ended and not set(e.affected).isdisjoint(effect.affected)
        )
        if not later.extra_turn_after:
            return True
        effect = later
    return effect.reason in ("controller_left", "controller_already_gone")
