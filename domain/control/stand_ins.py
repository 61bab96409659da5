"""Stand-ins: a server, a program or a judge answers in a seat's name. That is not control."""

from __future__ import annotations

from typing import Any

from domain.control.state import ControlState, changed

__all__ = ["seat_returned", "seat_taken_over"]


def seat_taken_over(state: ControlState, event: Any) -> ControlState:
    """Somebody answers in the seat's name from here on."""
    if state.stand_ins.get(event.seat) == event.by:
        return state
    return changed(state, event.number, stand_ins={**state.stand_ins, event.seat: event.by})


def seat_returned(state: ControlState, event: Any) -> ControlState:
    """The seat's player answers again."""
    if event.seat not in state.stand_ins:
        return state
    left = {seat: by for seat, by in state.stand_ins.items() if seat != event.seat}
    return changed(state, event.number, stand_ins=left)
