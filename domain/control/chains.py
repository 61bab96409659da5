"""Control followed from a player to whoever decides in the end (CR 723.5, again and again)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from domain.control.effects import Effect
from domain.control.state import ControlState

__all__ = ["Govern", "Walk", "final_decider", "follow", "reachable_seats"]

Govern: TypeAlias = Callable[[int], Effect | None]
"""Seat -> the effect that governs it, under one reading of the rules."""


@dataclass(frozen=True, slots=True)
class Walk:
    """The way from a player to the final decider.

    `principals` begins with the player asked about and ends with the decider; `effects[i]` led from
    `principals[i]` to `principals[i + 1]`. `cycle` holds the players that control each other in a
    circle, so that nobody is last. `own` is the effect by which the last one controls themselves.
    """

    principals: tuple[str, ...]
    effects: tuple[Effect, ...]
    cycle: tuple[str, ...] = ()
    own: Effect | None = None


def follow(state: ControlState, principal: str, govern: Govern | None = None) -> Walk:
    """Follow control from the principal to whoever nobody else controls."""
    govern = govern or state.in_force
    principals = [principal]
    effects: list[Effect] = []
    while True:
        seat = state.seat_of(principals[-1])
        effect = None if seat is None else govern(seat)
        if effect is None or effect.controller == principals[-1]:
            return Walk(tuple(principals), tuple(effects), own=effect)
        if effect.controller in principals:
            circle = principals[principals.index(effect.controller) :]
            return Walk(tuple(principals), tuple(effects), cycle=tuple(circle))
        effects.append(effect)
        principals.append(effect.controller)


def final_decider(state: ControlState, principal: str) -> str | None:
    """Who decides for the principal in the end; None in a circle."""
    walk = follow(state, principal)
    return None if walk.cycle else walk.principals[-1]


def reachable_seats(state: ControlState, principal: str) -> frozenset[int]:
    """The seats the principal controls now, through any number of steps, and the own seat.

    In a circle everybody reaches everybody (by reachability, CR 723.4). A controller who has left
    reaches nothing, also where no rule says so.
    """
    own = state.seat_of(principal)
    reached = set() if own is None else {own}
    waiting = [principal]
    while waiting:
        holder = waiting.pop()
        for seat, player in state.players.items():
            effect = state.in_force(seat)
            if effect is None or effect.controller != holder or seat in reached:
                continue
            if not state.outlived(effect):
                reached.add(seat)
                waiting.append(player)
    return frozenset(reached)
