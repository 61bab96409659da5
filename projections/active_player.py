"""Whose turn it is after every event of a game, and which turns were taken."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from domain.control import ControlState
from domain.events.frame import Rewound, TurnStarted

__all__ = ["ActivePlayer", "Turn", "TurnLine", "fold_turns"]


class ActivePlayer(NamedTuple):
    """The active seats, one or a team's (CR 102.1, 805.4).

    `seats` is empty where there is no active player (CR 800.4j) or, with `certain` false, where a
    gap hides whose turn it is.
    """

    seats: tuple[int, ...]
    certain: bool


class Turn(NamedTuple):
    """A turn that was actually taken.

    `ordinal` counts the turns of the surviving history from 1; `number` is its turn_started event;
    `stated` the source's own turn number; `extra` whether it is an extra turn.
    """

    ordinal: int
    number: int
    seats: tuple[int, ...]
    extra: bool
    stated: int | None


_NO_TURNS: Final[tuple[Turn, ...]] = ()


class TurnLine:
    """The turns just after every event, across rewinds and gaps."""

    def __init__(self, control: Sequence[ControlState], turns: Sequence[tuple[Turn, ...]]) -> None:
        self._control = control
        self._turns = turns

    def active(self, number: int) -> ActivePlayer:
        """The active player just after event `number`."""
        state = self._control[number]
        return ActivePlayer(state.active_seats or (), state.active_certain)

    def turns(self, number: int) -> tuple[Turn, ...]:
        """The turns taken up to event `number` on the history that survives just after it."""
        return self._turns[number]

    def turn(self, number: int) -> Turn | None:
        """The turn that is going on just after event `number`; None before the first."""
        turns = self._turns[number]
        return turns[-1] if turns else None


def fold_turns(events: Iterable[Any], control: Sequence[ControlState]) -> TurnLine:
    """The turns of a game; `control` holds the control state just after event n at index n."""
    line = [_NO_TURNS]
    turns = _NO_TURNS
    for event in events:
        if event.TOPIC == TurnStarted.TOPIC:
            before, after = control[event.number - 1], control[event.number]
            turns = (*turns, _turn(event, before, after, len(turns) + 1))
        elif event.TOPIC == Rewound.TOPIC:
            turns = line[min(max(event.to, 0), len(line) - 1)]
        line.append(turns)
    return TurnLine(control, line)


def _turn(event: Any, before: ControlState, after: ControlState, ordinal: int) -> Turn:
    number = event.number
    fulfilled = after.past_effects[len(before.past_effects) :]
    promised = any(effect.extra_turn == number for effect in (*after.open_effects, *fulfilled))
    seats = event.team_seats or (event.seat,)
    return Turn(ordinal, number, seats, bool(event.extra) or promised, event.turn)
