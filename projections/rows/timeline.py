"""Where each event of a game lies: in which turn, under which active player, undone or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from projections.active_player import Turn
from projections.game import FoldedGame

__all__ = ["Timeline", "timeline"]


@dataclass(frozen=True, slots=True)
class Timeline:
    """Per event, at index number - 1.

    `turns` is the turn that is going on just after it, `ordinals` its ordinal, `active` the active
    player's seat (of a team the first; None where there is none or a gap hides it), `survives`
    whether no rewind took the event back.
    """

    turns: list[Turn | None]
    ordinals: list[int | None]
    active: list[int | None]
    survives: list[bool]


def timeline(game: FoldedGame) -> Timeline:
    """The timeline of a game."""
    turns = [game.turns.turn(number) for number in range(1, game.last + 1)]
    ordinals = [turn and turn.ordinal for turn in turns]
    active = [
        state.active_seats[0] if state.active_certain and state.active_seats else None
        for state in game.control.states[1:]
    ]
    return Timeline(turns, ordinals, active, _surviving(game.events))


def _surviving(events: Sequence[Any]) -> list[bool]:
    """Walk back from the end; a rewind leads to the event it went back to."""
    survives = [False] * len(events)
    number = len(events)
    while number > 0:
        survives[number - 1] = True
        event = events[number - 1]
        number = event.to if event.NAME == "rewound" else number - 1
    return survives
