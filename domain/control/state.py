"""Who decides for whom, as a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from domain.control.effects import Effect

__all__ = ["ControlState", "initial_control"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlState:
    """Everything about a game that decides who decides, just after event `number`.

    `number` is the last event that changed something here (0: none). States are linked to the state
    before them, so that any earlier one can be asked for.
    """

    number: int = 0
    players: Mapping[int, str] = field(default_factory=dict)
    active_seats: tuple[int, ...] | None = None
    active_certain: bool = True
    effects: tuple[Effect, ...] = ()
    departed: Mapping[int, str] = field(default_factory=dict)
    stand_ins: Mapping[int, str] = field(default_factory=dict)
    previous: ControlState | None = field(default=None, compare=False, repr=False)
    memo: dict[Any, Any] = field(default_factory=dict, init=False, compare=False, repr=False)

    def in_force(self, seat: int) -> Effect | None:
        """The effect that controls the seat now: the latest created of those whose window is open."""
        open_now = (e for e in self.effects if e.status == "in_force" and seat in e.affected)
        return max(open_now, key=lambda e: e.created, default=None)

    def pending(self, seat: int) -> Effect | None:
        """The effect that waits for the seat."""
        waiting = (e for e in self.effects if e.status == "pending" and seat in e.affected)
        return max(waiting, key=lambda e: e.created, default=None)

    def stand_in(self, seat: int) -> str | None:
        """Who answers in the seat's name at the moment, if not its player."""
        return self.stand_ins.get(seat)

    def seat_of(self, principal: str) -> int | None:
        """The seat of a player."""
        return next((s for s, player in self.players.items() if player == principal), None)

    def has_left(self, seat: int) -> bool:
        """Whether the seat's player has left the game."""
        return seat in self.departed

    def extra_turns_due(self, seat: int) -> int:
        """Extra turns promised to the seat that have fallen due and are not yet taken."""
        return 0

    def uncertain(self, seat: int) -> bool:
        """Whether a gap in the record hides who decides for the seat."""
        return False

    def history_at(self, number: int) -> ControlState:
        """The state just after event `number` as it then was, also on an undone branch."""
        state = self
        while state.number > number and state.previous is not None:
            state = state.previous
        return state


def initial_control() -> ControlState:
    """The state before a game's first event."""
    return ControlState()


def changed(state: ControlState, number: int, **fields: Any) -> ControlState:
    """The state after event `number` with these fields changed."""
    return replace(state, number=number, previous=state, **fields)
