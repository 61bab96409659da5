"""Control for less than a turn: while a library is searched or an object resolves (CR 723.2)."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from domain.control.effects import ChoiceEffect
from domain.control.governing import settle
from domain.control.state import ControlState, changed
from domain.control.windows import close, open_window, pause

__all__ = ["resolved", "search_ended", "search_started"]


def search_started(state: ControlState, event: Any) -> ControlState:
    """A player begins to search; only the own library opens the window of a permission."""
    seat = event.stamp.acting_seat
    own = event.owner is None or event.owner == seat
    if seat is None or not own or event.refused or seat in state.searching:
        return state
    effects = tuple(
        open_window(effect, event.number)
        if effect.scope == "while_searching"
        and effect.window == "waiting"
        and effect.ended is None
        and seat in effect.affected
        else effect
        for effect in state.open_effects
    )
    return changed(
        state,
        event.number,
        searching=(*state.searching, seat),
        open_effects=settle(effects),
    )


def search_ended(state: ControlState, event: Any) -> ControlState:
    """The search is over; a team stays controlled while another member still searches."""
    if event.seat not in state.searching:
        return state
    searching = tuple(seat for seat in state.searching if seat != event.seat)
    effects = tuple(
        pause(effect)
        if effect.scope == "while_searching"
        and effect.window == "open"
        and set(effect.affected).isdisjoint(searching)
        else effect
        for effect in state.open_effects
    )
    return changed(state, event.number, searching=searching, open_effects=settle(effects))


def resolved(state: ControlState, event: Any) -> ControlState:
    """An object has finished resolving: what lasted so long is over."""
    number = event.number
    effects = tuple(
        close(effect, number, "resolved")
        if effect.scope == "while_resolving"
        and effect.window == "open"
        and effect.object in (None, event.object)
        else effect
        for effect in state.open_effects
    )
    choices = tuple(
        replace(choice, ended=number, reason="resolved")
        if choice.ended is None
        and choice.lasts in ("while_resolving", "this_vote")
        and (choice.object == event.object or (choice.object is None and _spent(choice)))
        else choice
        for choice in state.open_choices
    )
    if effects == state.open_effects and choices == state.open_choices:
        return state
    return changed(state, number, open_effects=settle(effects), open_choices=choices)


def _spent(choice: ChoiceEffect) -> bool:
    return choice.lasts == "while_resolving" or choice.voted
