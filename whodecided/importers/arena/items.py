"""What the fold delivers, one item per message, in the order of the game.

A consumer translates these into events. Items of one game are in chain order: a state follows the
state at its `prevGameStateId`, whatever the order of the lines was.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import NamedTuple

from whodecided.importers.arena.board import View
from whodecided.importers.arena.clock import Moment
from whodecided.importers.arena.envelope import GameState, GreMessage, Json
from whodecided.importers.arena.records import (
    BadRecord,
    Place,
    SessionStarted,
    Summarised,
    Unfinished,
)

__all__ = [
    "ClientItem",
    "Game",
    "Gap",
    "GapCause",
    "GapItem",
    "Item",
    "MessageItem",
    "Origin",
    "Pending",
    "RoomItem",
    "StateItem",
    "StateKind",
    "UndecodedItem",
]


class Origin(NamedTuple):
    """Where and when an item was logged.

    `message_index` is the message's position in its batch, from 0. `request_id` pairs a client
    entry with the server's answer.
    """

    place: Place
    moment: Moment
    transaction_id: str | None
    request_id: int | None
    message_index: int = 0


@dataclass(slots=True, eq=False)
class Game:
    """One game as far as the input shows it; the same object for all its items.

    `match_id` and `number` are None until a message names them, which may be never in an excerpt
    (`match_id` may be known from the room before that). `local_seat` is the seat whose view this
    is, from the connection. `starts_mid_game` means that the beginning is missing. `again` means
    that the input holds the beginning of this game for the second time (overlapping files):
    everything is delivered once more.
    """

    match_id: str | None = None
    number: int | None = None
    local_seat: int | None = None
    starts_mid_game: bool = False
    again: bool = False


class StateKind(enum.StrEnum):
    """How a state hangs together with what came before it."""

    START = "start"
    """The first full state of a game."""
    DIFF = "diff"
    """A difference to the state before, which is known."""
    UNDO = "undo"
    """A full state that takes the game back to the state at `prevGameStateId`."""
    RECONNECT = "reconnect"
    """A full state sent again in mid-game; it may repeat a known id."""
    GAP = "gap"
    """A difference to a state that was not logged: something is missing before it."""
    DUPLICATE = "duplicate"
    """A known state once more; not applied."""
    LATE = "late"
    """A state from inside a gap that came after the gap had been passed over; not applied."""


class GapCause(enum.StrEnum):
    """Why a part of the game is missing."""

    START = "start"
    """The input begins in mid-game."""
    SUMMARISED = "summarised"
    """The client logged a marker instead of the message."""
    DAMAGED = "damaged"
    """An entry could not be read."""
    RECONNECT = "reconnect"
    """The connection was lost meanwhile."""
    UNEXPLAINED = "unexplained"
    """The predecessor did not come, and nothing says why."""


class Gap(NamedTuple):
    """States missing before a state: after `after` (None: from the beginning) up to `before`.

    `before` is the `prevGameStateId` of the state that follows, None when it names none. `listed`
    holds the message types that a summary marker lists.
    """

    after: int | None
    before: int | None
    cause: GapCause
    listed: tuple[str, ...] = ()


class StateItem(NamedTuple):
    """One game state.

    `before` and `after` are the pictures on both sides of it; for DUPLICATE and LATE both are the
    present one. `before.turn` belongs to the state at `prevGameStateId` (also for UNDO, where the
    other parts of `before` are those that the undo discards); `before.turn_known` says whether it
    may be used. `undone` lists the ids that an UNDO rolls back, newest first; `equals_fold`
    whether it shows the picture folded at `prevGameStateId` (None: not remembered).
    """

    origin: Origin
    game: Game
    message: GreMessage
    state: GameState
    kind: StateKind
    state_id: int
    prev_id: int | None
    before: View
    after: View
    gap: Gap | None = None
    undone: tuple[int, ...] = ()
    equals_fold: bool | None = None


class MessageItem(NamedTuple):
    """A message of the rules engine that is no state: request, answer, edict, timeout ...

    `turn` is the `turnInfo` in force at the message's own `gameStateId`, usable if `turn_known`.
    `game` is None while a connection has been made and its game has not begun.
    """

    origin: Origin
    game: Game | None
    message: GreMessage
    turn: Json | None
    turn_known: bool


class ClientItem(NamedTuple):
    """A message of the local client.

    `type` is without prefix (`PerformActionResp`), `body` the whole client message. `request` is
    the message it answers (same `msgId` and `gameStateId`), None when it answers none or that was
    not logged; `answers` is its `respId`.
    """

    origin: Origin
    game: Game | None
    type: str
    body: Json
    answers: int | None
    request: MessageItem | None


class UndecodedItem(NamedTuple):
    """A client entry whose message is text (base64 in 2019, or blanked); it is only counted."""

    origin: Origin
    game: Game | None


class RoomItem(NamedTuple):
    """`matchGameRoomStateChangedEvent`: a match opens or is completed. Holds names, accounts."""

    origin: Origin
    match_id: str | None
    event: Json


class GapItem(NamedTuple):
    """A summary marker at its place among the messages; the state after it carries the `Gap`."""

    game: Game | None
    marker: Summarised


@dataclass(slots=True)
class Pending:
    """States of a game held back at the end of the input, because their predecessor is missing."""

    game: Game
    state_ids: list[int] = field(default_factory=list)


Item = (
    StateItem
    | MessageItem
    | ClientItem
    | UndecodedItem
    | RoomItem
    | GapItem
    | SessionStarted
    | BadRecord
    | Unfinished
)
