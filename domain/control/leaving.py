"""Players who leave the game (CR 800.4)."""

from __future__ import annotations

from collections.abc import Container
from typing import Any, Final

from domain.control.effects import Departure, Effect, end
from domain.control.governing import settle
from domain.control.laws import Laws
from domain.control.state import ControlState, changed
from domain.control.windows import forfeit

__all__ = ["OUTLASTS_REWIND", "OUTLASTS_SUBGAME", "conceded", "leave", "player_left"]

OUTLASTS_REWIND: Final = frozenset({"conceded", "disqualified", "disconnected"})
"""Reasons of departures that are a person's or an official's act, not a state of the game."""
OUTLASTS_SUBGAME: Final = frozenset({"disqualified", "disconnected"})
"""Reasons of departures that also leave the game around a subgame."""


def player_left(state: ControlState, event: Any) -> ControlState:
    """A player leaves; nothing new if a concession has already said so."""
    return leave(state, event.number, event.seat, event.reason)


def conceded(state: ControlState, event: Any) -> ControlState:
    """The person's concession leaves the game at once (CR 104.3a); no other has an effect."""
    stamp = event.stamp
    seat = stamp.acting_seat
    if seat is None or event.refused or state.over:
        return state
    if stamp.deciding_player != state.players.get(seat):
        return state
    return leave(state, event.number, seat, "conceded")


def leave(
    state: ControlState, number: int, seat: int, reason: str, *, at: int | None = None
) -> ControlState:
    """The state after the seat's player has left, at event `at` if not at `number`.

    A concession takes the team along (CR 810.8b). Control ends that the player has, or is under
    (CR 800.4a); what was to begin later does not (CR 800.4b). Editions before 2010-10-01 do not say
    so: a controller who has left then keeps control of a turn that nobody can decide.
    """
    going = state.team_of(seat) if reason == "conceded" else (seat,)
    gone = {
        one: Departure(at or number, reason, with_team=one != seat)
        for one in going
        if one not in state.departed
    }
    if not gone:
        return state
    departed = {**state.departed, **gone}
    players = {state.players[one] for one in gone if one in state.players}
    left_at = at or number
    effects = tuple(
        _without(effect, players, departed.keys(), left_at, state.laws)
        for effect in state.open_effects
    )
    active = tuple(one for one in state.active_seats or () if one not in gone) or None
    outer = state.outer
    if outer is not None and reason in OUTLASTS_SUBGAME:
        outer = leave(outer, number, seat, reason, at=at)
    return changed(
        state,
        number,
        departed=departed,
        active_seats=active,
        searching=tuple(one for one in state.searching if one not in gone),
        open_effects=settle(effects),
        doubts={key: doubt for key, doubt in state.doubts.items() if key not in gone},
        search_doubts={key: gap for key, gap in state.search_doubts.items() if key not in gone},
        outer=outer,
    )


def _without(
    effect: Effect, players: set[str], departed: Container[int], number: int, laws: Laws
) -> Effect:
    if all(seat in departed for seat in effect.affected):
        return forfeit(effect, number)
    if effect.controller in players and (laws.leaving_ends or effect.scope == "observed"):
        return end(effect, number, "controller_left")
    return effect
