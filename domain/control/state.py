"""Who decides for whom, as a value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from domain.control.effects import ChoiceEffect, Departure, Doubt, Effect, is_over
from domain.control.governing import governing
from domain.control.laws import Laws, laws_of
from domain.rules import RuleBook

__all__ = ["Combat", "ControlState", "changed", "initial_control"]


@dataclass(frozen=True, slots=True)
class Combat:
    """The combat phase that is going on.

    `began` is the number of the event it began with, `index` which one of the turn the source calls
    it, `under_way` whether it has come further than the beginning of combat.
    """

    began: int
    index: int | None
    under_way: bool


class ControlState(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Everything about a game that decides who decides, just after event `number`.

    `number` is the last event that changed something here (0: none). `players` maps seats to
    principals, `teams` a seat to all seats that take their turns with it. `active_seats` is None
    when there is no active player, or when the gap at event `active_gap` hides it. `open_effects`
    and `open_choices` hold what can still change, `past_effects` and `past_choices` what is over
    for good; those of the game around a subgame are in `outer`.

    States are linked to the state before them, so that any earlier one can be asked for. Two are
    equal when they say the same, however they came about.
    """

    laws: Laws
    number: int = 0
    players: Mapping[int, str] = msgspec.field(default_factory=dict)
    teams: Mapping[int, tuple[int, ...]] = msgspec.field(default_factory=dict)
    turn: int = 0
    active_seats: tuple[int, ...] | None = None
    active_gap: int | None = None
    combat: Combat | None = None
    searching: tuple[int, ...] = ()
    open_effects: tuple[Effect, ...] = ()
    past_effects: tuple[Effect, ...] = ()
    open_choices: tuple[ChoiceEffect, ...] = ()
    past_choices: tuple[ChoiceEffect, ...] = ()
    departed: Mapping[int, Departure] = msgspec.field(default_factory=dict)
    stand_ins: Mapping[int, str] = msgspec.field(default_factory=dict)
    doubts: Mapping[int, Doubt] = msgspec.field(default_factory=dict)
    search_doubts: Mapping[int, int] = msgspec.field(default_factory=dict)
    shown: Mapping[int, int] = msgspec.field(default_factory=dict)
    """Seat -> number of the event after a gap that showed who answers for it in the end."""
    over: bool = False
    outer: ControlState | None = None
    attentive: bool = False
    """Decisions matter to the state: they may settle a doubt, fulfil a demand or end a vote."""
    previous: ControlState | None = None
    memo: dict[Any, Any] = msgspec.field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ControlState):
            return NotImplemented
        return _said(self) == _said(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.number)

    def __repr__(self) -> str:
        said = zip(_SAID, _said(self), strict=True)
        return f"ControlState({', '.join(f'{name}={value!r}' for name, value in said)})"

    @property
    def effects(self) -> tuple[Effect, ...]:
        """All effects of the game and of the game around it, also ended, in order of creation."""
        every = [e for layer in self.layers for e in (*layer.past_effects, *layer.open_effects)]
        return tuple(sorted(every, key=lambda effect: (effect.created, effect.share)))

    @property
    def choices(self) -> tuple[ChoiceEffect, ...]:
        """All choice effects, as `effects` has the others."""
        every = [c for layer in self.layers for c in (*layer.past_choices, *layer.open_choices)]
        return tuple(sorted(every, key=lambda choice: choice.created))

    @property
    def layers(self) -> Iterator[ControlState]:
        """This game, the game around it if it is a subgame, and so on outwards."""
        layer: ControlState | None = self
        while layer is not None:
            yield layer
            layer = layer.outer

    @property
    def active_certain(self) -> bool:
        """Whether no gap hides whose turn it is."""
        return self.active_gap is None

    def in_force(self, seat: int) -> Effect | None:
        """The effect that controls the seat now, of those whose window is open."""
        return governing(self.open_effects, seat)

    def pending(self, seat: int) -> Effect | None:
        """The effect that waits for a turn or combat phase of the seat: the latest created.

        The open-ended permission of `while_searching` does not count as waiting.
        """
        waiting = [
            effect
            for effect in self.open_effects
            if effect.status == "pending"
            and seat in effect.affected
            and effect.scope != "while_searching"
        ]
        return max(waiting, key=lambda effect: effect.created, default=None)

    def supposing(self, effects: tuple[Effect, ...]) -> ControlState:
        """The state as it would be if these were the effects that can still change."""
        return replace(self, open_effects=effects, memo={})

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

    def outlived(self, effect: Effect) -> bool:
        """Whether its controller has left the game and no rule of the edition ends control then.

        What a source shows is what happened, whoever answers.
        """
        if effect.scope == "observed" or not effect.works:
            return False
        seat = self.seat_of(effect.controller)
        return seat is not None and seat in self.departed

    def extra_turns_due(self, seat: int) -> int:
        """Extra turns promised to the seat and not yet taken (CR 500.7); 0 after departure."""
        if self.over or seat in self.departed:
            return 0
        return sum(
            effect.promise in ("promised", "due") and seat in effect.affected
            for effect in self.open_effects
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


_SAID: Final = tuple(
    name for name in ControlState.__struct_fields__ if name not in ("attentive", "previous", "memo")
)
_said: Final = attrgetter(*_SAID)


def initial_control(rules: RuleBook) -> ControlState:
    """The state before a game's first event, under an edition of the rules."""
    return ControlState(laws=laws_of(rules))


def changed(state: ControlState, number: int, **fields: Any) -> ControlState:
    """The state after event `number` with these fields changed, linked to the one before.

    Effects that are over for good among `open_effects` and `open_choices` become past ones.
    """
    if "open_effects" in fields:
        _put_away(state, fields, "effects", is_over)
    if "open_choices" in fields:
        _put_away(state, fields, "choices", _has_ended)
    effects = fields.get("open_effects", state.open_effects)
    choices = fields.get("open_choices", state.open_choices)
    attentive = bool(
        fields.get("search_doubts", state.search_doubts)
        or any(choice.heeds for choice in choices)
        or any(effect.must or effect.doubted_since is not None for effect in effects)
    )
    return replace(state, number=number, previous=state, attentive=attentive, memo={}, **fields)


def _put_away(state: ControlState, fields: dict[str, Any], kind: str, over: Any) -> None:
    now = fields[f"open_{kind}"]
    ended = tuple(one for one in now if over(one))
    if ended:
        before = fields.get(f"past_{kind}", getattr(state, f"past_{kind}"))
        fields[f"past_{kind}"] = (*before, *ended)
        fields[f"open_{kind}"] = tuple(one for one in now if not over(one))


def _has_ended(choice: ChoiceEffect) -> bool:
    return choice.ended is not None
