"""Whose turn it is after every event of a game, and which turns were taken."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from domain.control import ControlState
from domain.events.frame import Rewound, StateAnchored, TurnStarted
from domain.events.log import GapFound

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

    `ordinal` counts the turns of the surviving history from 1, over a gap by the source's numbers;
    `counted` is false where a gap may have hidden turns, so that no event bears the count out.
    `number` is the turn_started event, or the state_anchored that found the turn going on;
    `stated` the source's own turn number; `extra` whether it is known to be an extra turn.
    """

    ordinal: int
    number: int
    seats: tuple[int, ...]
    extra: bool
    stated: int | None
    counted: bool = True


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
    gaps = [False]
    turns, gap = _NO_TURNS, False
    for event in events:
        if event.TOPIC == TurnStarted.TOPIC:
            turns = (*turns, _begun(event, control, turns, gap=gap))
            gap = False
        elif event.TOPIC == StateAnchored.TOPIC:
            turns, gap = _anchored(event, control, turns), False
        elif event.TOPIC == GapFound.TOPIC:
            gap = True
        elif event.TOPIC == Rewound.TOPIC:
            to = min(max(event.to, 0), len(line) - 1)
            turns, gap = line[to], gaps[to]
        line.append(turns)
        gaps.append(gap)
    return TurnLine(control, line)


def _begun(
    event: Any, control: Sequence[ControlState], turns: tuple[Turn, ...], *, gap: bool
) -> Turn:
    number = event.number
    before, after = control[number - 1], control[number]
    fulfilled = after.past_effects[len(before.past_effects) :]
    promised = any(effect.extra_turn == number for effect in (*after.open_effects, *fulfilled))
    seats = event.team_seats or (event.seat,)
    ordinal = _over_gap(turns, event.turn) if gap else (turns[-1].ordinal if turns else 0) + 1
    counted = not gap and (not turns or turns[-1].counted)
    return Turn(ordinal, number, seats, bool(event.extra) or promised, event.turn, counted)


def _anchored(
    event: Any, control: Sequence[ControlState], turns: tuple[Turn, ...]
) -> tuple[Turn, ...]:
    """The turns with the one that a snapshot found going on, unless it is the latest known."""
    seat = event.active_seat
    if seat is None or (turns and _is_same(turns[-1], seat, event.turn)):
        return turns
    seats = control[event.number].active_seats or (seat,)
    ordinal = _over_gap(turns, event.turn)
    return (*turns, Turn(ordinal, event.number, seats, False, event.turn, counted=False))


def _is_same(turn: Turn, seat: int, stated: int | None) -> bool:
    unknown = stated is None or turn.stated is None
    return seat in turn.seats and (unknown or stated == turn.stated)


def _over_gap(turns: tuple[Turn, ...], stated: int | None) -> int:
    """The ordinal of a turn after a gap: as far on as the source's own numbers are."""
    last = turns[-1] if turns else None
    if last is None:
        return stated or 1
    passed = 1 if stated is None or last.stated is None else stated - last.stated
    return last.ordinal + max(passed, 1)
