"""Whose sight a viewer has at any event: the own seats and the controlled ones (CR 723.4)."""

from __future__ import annotations

from collections.abc import Sequence

from domain.control import ControlState, reachable_seats
from domain.visibility import Reach, Viewer

__all__ = ["reach_line"]


def reach_line(viewer: Viewer, control: Sequence[ControlState]) -> tuple[list[int], list[Reach]]:
    """Numbers of the events that change the viewer's reach, with the reach from there on.

    `control` holds the control state just after event n at index n. Control that a gap makes
    uncertain gives no reach.
    """
    numbers: list[int] = []
    reaches: list[Reach] = []
    before: ControlState | None = None
    for number, state in enumerate(control):
        if state is before:
            continue
        before = state
        seats = viewer.own | _certain_reach(viewer, state)
        if not reaches or seats != reaches[-1].seats:
            numbers.append(number)
            reaches.append(Reach(viewer.own, seats))
    return numbers, reaches


def _certain_reach(viewer: Viewer, state: ControlState) -> frozenset[int]:
    if viewer.kind != "person":
        return frozenset()
    reached = reachable_seats(state, viewer.principal)
    if not any(map(state.uncertain, reached - viewer.own)):
        return reached
    # A doubt may break any longer way: what is left is control in one certain step.
    return frozenset(
        seat
        for seat in reached
        if not state.uncertain(seat)
        and (effect := state.in_force(seat)) is not None
        and effect.controller == viewer.principal
    )
