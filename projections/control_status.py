"""Who controls whom after every event of a game, and the timeline of the effects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from domain.control import ControlState, Effect, evolve_control, initial_control
from domain.rules import RuleBook

__all__ = ["ControlInterval", "ControlLine", "fold_control"]


class ControlInterval(NamedTuple):
    """A stretch of events in which one effect decides for one seat.

    It lasts from just after `first` until just before `until` (None: to the end of the record). A
    rewind ends a stretch like any other event, so stretches on an undone branch are told as they
    were. `certain` is false where a gap hides whether the effect still works. `effect` is its
    record at `first`.
    """

    seat: int
    first: int
    until: int | None
    effect: Effect
    certain: bool


class ControlLine:
    """The control state just after every event: `states[n]` after event n, from 0 on."""

    def __init__(self, states: Sequence[ControlState]) -> None:
        self.states = states

    def at(self, number: int) -> ControlState:
        """The state just after event `number`; IndexError outside 0..last."""
        if number < 0:
            raise IndexError(f"no event has the number {number}")
        return self.states[number]

    @property
    def effects(self) -> tuple[Effect, ...]:
        """Every effect of the game as the surviving history has it at the end."""
        return self.states[-1].effects

    @cached_property
    def intervals(self) -> tuple[ControlInterval, ...]:
        """All stretches of control in the order in which they begin, then by seat."""
        found: list[ControlInterval] = []
        running: dict[int, ControlInterval] = {}
        before: ControlState | None = None
        for number, state in enumerate(self.states):
            if state is before:
                continue
            before = state
            now = _governed(state)
            for seat in sorted(running.keys() | now.keys()):
                _step(found, running, number, seat, now.get(seat))
        found.extend(running.values())
        return tuple(sorted(found, key=lambda interval: (interval.first, interval.seat)))


def fold_control(events: Iterable[Any], rules: RuleBook) -> ControlLine:
    """The control line of a game's events (structs or models), which are numbered from 1."""
    state = initial_control(rules)
    states = [state]
    for event in events:
        state = evolve_control(state, event)
        states.append(state)
    return ControlLine(states)


def _governed(state: ControlState) -> dict[int, tuple[Effect, bool]]:
    """The seats that an effect decides for, with the effect and whether that is certain."""
    if not state.open_effects:
        return {}
    found = {}
    for seat in state.players:
        effect = state.in_force(seat)
        if effect is not None:
            found[seat] = (effect, not state.uncertain(seat))
    return found


def _step(
    found: list[ControlInterval],
    running: dict[int, ControlInterval],
    number: int,
    seat: int,
    now: tuple[Effect, bool] | None,
) -> None:
    """End the seat's running stretch where something else decides now, and begin the next."""
    interval = running.get(seat)
    if interval is not None:
        if now is not None and _key(interval.effect, interval.certain) == _key(*now):
            return
        found.append(interval._replace(until=number))
        del running[seat]
    if now is not None:
        running[seat] = ControlInterval(seat, number, None, *now)


def _key(effect: Effect, certain: bool) -> tuple[int, str, bool]:
    return (effect.created, effect.controller, certain)
