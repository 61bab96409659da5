"""What is known about each event of a game from the folds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from projections.active_player import Turn
from projections.game import FoldedGame
from projections.rows.computed import Computed, computed_deciders

__all__ = ["Timeline", "timeline"]


@dataclass(frozen=True, slots=True)
class Timeline:
    """Per event, at index number - 1.

    `turns` is the turn that is going on just after it, `ordinals` its ordinal, `active` the active
    player's seat (of a team the first; None where there is none or a gap hides it), `survives`
    whether no rewind took the event back, `players` the acting seat's player, `computed` who
    decides by the rules.
    """

    turns: list[Turn | None]
    ordinals: list[int | None]
    active: list[int | None]
    survives: list[bool]
    players: list[str | None]
    computed: list[Computed | None]


def timeline(game: FoldedGame) -> Timeline:
    """The timeline of a game."""
    turns = [game.turns.turn(number) for number in range(1, game.last + 1)]
    return Timeline(
        turns=turns,
        ordinals=[turn and turn.ordinal for turn in turns],
        active=[
            state.active_seats[0] if state.active_certain and state.active_seats else None
            for state in game.control.states[1:]
        ],
        survives=_surviving(game.events),
        players=_acting_players(game),
        computed=computed_deciders(game),
    )


def _surviving(events: Sequence[Any]) -> list[bool]:
    """Walk back from the end; a rewind leads to the event it went back to."""
    survives = [False] * len(events)
    number = len(events)
    while number > 0:
        survives[number - 1] = True
        event = events[number - 1]
        number = event.to if event.NAME == "rewound" else number - 1
    return survives


def _acting_players(game: FoldedGame) -> list[str | None]:
    players = game.control_at(game.last).players
    stamps = (getattr(event, "stamp", None) for event in game.events)
    return [None if stamp is None else players.get(stamp.acting_seat) for stamp in stamps]
