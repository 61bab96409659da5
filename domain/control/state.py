"""Who decides for whom, as a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from domain.control.effects import ChoiceEffect, Departure, Doubt, Effect
from domain.control.governing import governing

__all__ = ["Combat", "ControlState", "changed", "initial_control"]


@dataclass(frozen=True, slots=True)
class Combat:
    """The combat phase that is going on.

    `began` is the number of the event it began with, `index` which one of the turn the source calls
    it, `step` how far it has come (0 for the beginning of combat).
    """

    began: int
    index: int | None
    step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlState:
    """Everything about a game that decides who decides, just after event `number`.

    `number` is the last event that changed something here (0: none). `players` maps seats to
    principals, `teams` a seat to all seats that take their turns with it. `active_seats` is None
    when there is no active player, or when a gap hides it (`active_certain` is then False).
    `effects` holds all effects of the game, also ended ones; those of the game around a subgame are
    in `outer`.

    States are linked to the state before them, so that any earlier one can be asked for.
    """

    number: int = 0
    players: Mapping[int, str] = field(default_factory=dict)
    teams: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    turn: int = 0
    active_seats: tuple[int, ...] | None = None
    active_certain: bool = True
    combat: Combat | None = None
    searching: tuple[int, ...] = ()
    effects: tuple[Effect, ...] = ()
    choices: tuple[ChoiceEffect, ...] = ()
    departed: Mapping[int, Departure] = field(default_factory=dict)
    stand_ins: Mapping[int, str] = field(default_factory=dict)
    doubts: Mapping[int, Doubt] = field(default_factory=dict)
    search_doubts: Mapping[int, int] = field(default_factory=dict)
    shown: Mapping[int, int] = field(default_factory=dict)
    """Seat -> number of the event after a gap that showed who answers for it in the end."""
    over: bool = False
    outer: ControlState | None = None
    attentive: bool = field(default=False, compare=False, repr=False)
    """Decisions matter to the state: they may settle a doubt, fulfil a demand or end a vote."""
    previous: ControlState | None = field(default=None, compare=False, repr=False)
    memo: dict[Any, Any] = field(default_factory=dict, init=False, compare=False, repr=False)

    def in_force(self, seat: int) -> Effect | None:
        """The effect that controls the seat now, of those whose window is open."""
        return governing(self.effects, seat)

    def pending(self, seat: int) -> Effect | None:
        """The effect that waits for a turn or combat phase of the seat: the latest created.

        The open-ended permission of `while_searching` does not count as waiting.
        """
        waiting = [
            effect
            for effect in self.effects
            if effect.status == "pending"
            and seat in effect.affected
            and effect.scope != "while_searching"
        ]
        return max(waiting, key=lambda effect: effect.created, default=None)

    def stand_in(self, seat: int) -> str | None:
        """Who answers in the seat's name at the moment, if not its player."""
        return self.stand_ins.get(seat)

    def seat_of(self, principal: str) -> int | None:
        """The seat of a player; None for anybody else."""
        for seat, player in self.players.items():
            if player == principal:
                return seat
        return None

    def team_of(self, seat: int) -> tuple[int, ...]:
        """All seats that take their turns together with the seat, itself included (CR 805)."""
        return self.teams.get(seat, (seat,))

    def has_left(self, seat: int) -> bool:
        """Whether the seat's player has left the game."""
        return seat in self.departed

    def extra_turns_due(self, seat: int) -> int:
        """Extra turns promised to the seat and not yet taken (CR 500.7); 0 after departure."""
        if self.over or seat in self.departed:
            return 0
        return sum(
            effect.promise in ("promised", "due") and seat in effect.affected
            for effect in self.effects
        )

    def uncertain(self, seat: int) -> bool:
        """Whether a gap in the record hides who decides for the seat."""
        if seat in self.doubts or (seat in self.search_doubts and seat in self.searching):
            return True
        effect = self.in_force(seat)
        return effect is not None and effect.doubted_since is not None

    def history_at(self, number: int) -> ControlState:
        """The state just after event `number` as it then was, also on a branch undone since."""
        state = self
        while state.number > number and state.previous is not None:
            state = state.previous
        return state


def initial_control() -> ControlState:
    """The state before a game's first event."""
    return ControlState()


def changed(state: ControlState, number: int, **fields: Any) -> ControlState:
    """The state after event `number` with these fields changed, linked to the one before."""
    after = replace(state, number=number, previous=state, **fields)
    attentive = bool(
        after.doubts
        or after.search_doubts
        or any(choice.lasts == "this_vote" and choice.ended is None for choice in after.choices)
        or any(
            effect.works and (effect.must or effect.doubted_since is not None)
            for effect in after.effects
        )
    )
    return after if attentive == after.attentive else replace(after, attentive=attentive)
