"""Games and subgames: control never crosses their borders (CR 727, 729)."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from domain.control.choices import end_choices
from domain.control.effects import Effect, end
from domain.control.state import ControlState, changed

__all__ = ["game_ended", "game_restarted", "game_started", "subgame_ended", "subgame_started"]


def game_started(state: ControlState, event: Any) -> ControlState:
    """A game begins: everybody decides for themselves, whatever was before."""
    number = event.number
    members: dict[int, list[int]] = {}
    for info in event.seats:
        if info.team is not None:
            members.setdefault(info.team, []).append(info.seat)
    teams = {seat: tuple(seats) for seats in members.values() if len(seats) > 1 for seat in seats}
    state = _without_borders(state)
    fresh = _nothing_left(state, number)
    return changed(
        state,
        number,
        players={info.seat: info.player for info in event.seats},
        teams=teams,
        **fresh,
        departed={},
        stand_ins={},
        doubts={},
        search_doubts={},
        shown={},
        over=False,
        outer=None,
    )


def _without_borders(state: ControlState) -> ControlState:
    """The state with the effects of the games around it, which nobody will come back to."""
    layers = tuple(state.layers)
    return replace(
        state,
        open_effects=tuple(effect for layer in layers for effect in layer.open_effects),
        past_effects=tuple(effect for layer in layers for effect in layer.past_effects),
        open_choices=tuple(choice for layer in layers for choice in layer.open_choices),
        past_choices=tuple(choice for layer in layers for choice in layer.past_choices),
    )


def game_ended(state: ControlState, event: Any) -> ControlState:
    """The game is over, and with it all control of players."""
    return changed(state, event.number, **_nothing_left(state, event.number), over=True)


def game_restarted(state: ControlState, event: Any) -> ControlState:
    """The game begins again; no effect of the old game means anything in the new one (CR 727.1)."""
    return changed(state, event.number, **_nothing_left(state, event.number))


def _nothing_left(state: ControlState, number: int) -> dict[str, Any]:
    return {
        "turn": 0,
        "active_seats": None,
        "active_gap": None,
        "combat": None,
        "searching": (),
        "open_effects": tuple(_void(effect, number) for effect in state.open_effects),
        "open_choices": end_choices(state.open_choices, number, "game_ended"),
    }


def _void(effect: Effect, number: int) -> Effect:
    open_promise = effect.promise in ("promised", "due")
    return replace(
        end(effect, number, "game_ended"),
        window="closed",
        promise="void" if open_promise else effect.promise,
    )


def subgame_started(state: ControlState, event: Any) -> ControlState:
    """A subgame begins: control of the game around it does not reach into it (CR 729.1b)."""
    return changed(
        state,
        event.number,
        turn=0,
        active_seats=None,
        combat=None,
        searching=(),
        open_effects=(),
        past_effects=(),
        open_choices=(),
        past_choices=(),
        outer=state,
    )


def subgame_ended(state: ControlState, event: Any) -> ControlState:
    """The subgame is over and the game around it goes on where it was, its control included."""
    outer = state.outer
    if outer is None:
        return state
    number = event.number
    fresh = _nothing_left(state, number)
    return changed(
        state,
        number,
        turn=outer.turn,
        active_seats=outer.active_seats if state.active_certain else None,
        combat=outer.combat,
        searching=outer.searching,
        open_effects=(*outer.open_effects, *fresh["open_effects"]),
        past_effects=(*outer.past_effects, *state.past_effects),
        open_choices=(*outer.open_choices, *fresh["open_choices"]),
        past_choices=(*outer.past_choices, *state.past_choices),
        departed=outer.departed,
        outer=outer.outer,
    )
