"""Where the rules are thin: what else could govern a seat, and who would then decide."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from domain.control.effects import Effect
from domain.control.state import ControlState

__all__ = ["Options", "candidates", "options"]

Options: TypeAlias = Callable[[int], Sequence[Effect | None]]
"""Seat -> the effects that govern it under one reading or another, the reading used first."""

_GONE_EARLY = frozenset({"controller_left", "ended_by_effect"})


def options(state: ControlState, seat: int) -> tuple[Effect | None, ...]:
    """What governs the seat under each reading of the rules, the product's own reading first.

    Readings part where windows of different length are open together, where an effect works again
    after another one's window, and where an effect was overwritten by one that has ended early.
    """
    used = state.in_force(seat)
    found: list[Effect | None] = [used, *_overlapping(state, seat, used)]
    if used is not None and used.resumed:
        found.append(None)
    found.extend(_overwritten(state, seat))
    return tuple(found)


def _overlapping(state: ControlState, seat: int, used: Effect | None) -> Iterator[Effect]:
    if used is None or used.scope == "observed":
        return
    for effect in state.effects:
        if effect is used or not effect.works or seat not in effect.affected:
            continue
        both_search = effect.scope == used.scope == "while_searching"
        if effect.scope != "observed" and not both_search:
            yield effect


def _overwritten(state: ControlState, seat: int) -> Iterator[Effect]:
    """Overwritten effects whose window is open although what overwrote them is gone."""
    for effect in state.effects:
        if effect.reason != "overwritten" or effect.window != "open" or seat not in effect.affected:
            continue
        holder = state.seat_of(effect.controller)
        present = holder is None or not state.has_left(holder)
        if present and _overwriter_gone(state.effects, effect):
            yield effect


def _overwriter_gone(effects: Sequence[Effect], effect: Effect) -> bool:
    while effect.reason == "overwritten":
        later = next((e for e in effects if e.created == effect.ended and _meet(e, effect)), None)
        if later is None:
            return False
        effect = later
    return effect.reason in _GONE_EARLY


def _meet(one: Effect, other: Effect) -> bool:
    return not set(one.affected).isdisjoint(other.affected)


def candidates(state: ControlState, principal: str, choices: Options) -> tuple[str, ...]:
    """Everybody who decides for the principal in the end under some reading, in order of finding.

    In a circle that is each of its members.
    """
    found: dict[str, None] = {}
    _collect(state, (principal,), choices, found)
    return tuple(found)


def _collect(
    state: ControlState, trail: tuple[str, ...], choices: Options, found: dict[str, None]
) -> None:
    seat = state.seat_of(trail[-1])
    for effect in (None,) if seat is None else choices(seat):
        if effect is None or effect.controller == trail[-1]:
            found[trail[-1]] = None
        elif effect.controller in trail:
            found.update(dict.fromkeys(trail[trail.index(effect.controller) :]))
        else:
            _collect(state, (*trail, effect.controller), choices, found)
