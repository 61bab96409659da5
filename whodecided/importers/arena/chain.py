"""The chain of states of one game: what follows what, what is missing, what must wait."""

from __future__ import annotations

from typing import NamedTuple

from whodecided.importers.arena.board import Board, View
from whodecided.importers.arena.envelope import GameState, GreMessage, Json
from whodecided.importers.arena.items import Game, Gap, GapCause, Origin, StateItem, StateKind
from whodecided.importers.arena.words import whole

__all__ = ["Arrival", "Chain"]

_UNDO = "GameStateUpdate_Undo"
_FULL = "GameStateType_Full"


class Arrival(NamedTuple):
    """A state as it comes in; `state_id` is its `gameStateId`, `prev_id` the one it builds on."""

    origin: Origin
    message: GreMessage
    state: GameState
    state_id: int
    prev_id: int | None

    @property
    def full(self) -> bool:
        """True for a whole picture, False for a difference."""
        return self.state.type == _FULL

    @property
    def named(self) -> tuple[str | None, int | None]:
        """Match and game number as far as the state names them."""
        info = self.state.gameInfo
        match_id = None if info is None else info.get("matchID")
        if info is None or not isinstance(match_id, str):
            return None, None
        return match_id, whole(info.get("gameNumber"))


class _Known(NamedTuple):
    """What is remembered of every state of the game."""

    prev_id: int | None
    turn: Json | None
    turn_known: bool
    message_id: int | None
    annotations: int


class Chain:
    """Applies the states of one game in order and tells how each hangs together with the rest."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.head: int | None = None
        self._board = Board()
        self._known: dict[int, _Known] = {}
        self._missing: list[tuple[int, int]] = []  # ranges of ids that gaps passed over

    def knows(self, state_id: int | None) -> bool:
        """True for a state that has been applied."""
        return state_id in self._known

    def turn_at(self, state_id: int | None) -> tuple[Json | None, bool]:
        """`turnInfo` in force at a state; whether it is known, not just carried over a gap."""
        known = self._known.get(state_id) if state_id is not None else None
        return (known.turn, known.turn_known) if known else (None, False)

    def repeats(self, arrival: Arrival) -> bool:
        """True when this very state has been applied; ids restart in the next game of a match."""
        known, state = self._known.get(arrival.state_id), arrival.state
        return (
            known is not None
            and known.prev_id == arrival.prev_id
            and known.message_id == arrival.message.msgId
            and known.annotations == len(state.annotations)
            and state.turnInfo in (None, known.turn)
        )

    def contradicts(self, arrival: Arrival) -> bool:
        """True when the last state applied has the same id and predecessor, but other content."""
        known = self._known.get(arrival.state_id)
        return (
            known is not None
            and arrival.state_id == self.head
            and known.prev_id == arrival.prev_id
            and not self.repeats(arrival)
        )

    def was_missing(self, state_id: int) -> bool:
        """True for an id inside a gap that has been passed over."""
        return any(first <= state_id <= last for first, last in self._missing)

    def pass_by(self, arrival: Arrival, kind: StateKind) -> StateItem:
        """Deliver a state without applying it."""
        view = self._board.view()
        return self._item(arrival, kind, view, view)

    def apply(self, arrival: Arrival, cause: GapCause, listed: tuple[str, ...]) -> StateItem:
        """Apply a state; `cause` and `listed` explain what is missing if it follows nothing known.

        Raises KeyError or TypeError, and changes nothing, when parts of the state have no ids.
        """
        if arrival.full:
            if arrival.prev_id is None and self.head is None:
                return self._start(arrival)
            undo = arrival.state.update == _UNDO
            return self._undo(arrival) if undo else self._reconnect(arrival)
        if self.head is not None and arrival.prev_id == self.head:
            return self._follow(arrival)
        return self._follow_gap(arrival, cause, listed)

    def _start(self, arrival: Arrival) -> StateItem:
        before = self._board.replace(arrival.state_id, arrival.state, turn_known=True)
        return self._applied(arrival, StateKind.START, before)

    def _follow(self, arrival: Arrival) -> StateItem:
        turn_known = self._board.turn_known
        before = self._board.advance(arrival.state_id, arrival.state, turn_known)
        return self._applied(arrival, StateKind.DIFF, before)

    def _follow_gap(self, arrival: Arrival, cause: GapCause, listed: tuple[str, ...]) -> StateItem:
        before = self._board.advance(arrival.state_id, arrival.state, turn_known=False)
        gap = self._gap(arrival, cause, listed)
        return self._applied(arrival, StateKind.GAP, before._replace(turn_known=False), gap)

    def _undo(self, arrival: Arrival) -> StateItem:
        prev_id = arrival.prev_id
        turn, known = self.turn_at(prev_id)
        undone = self._undone(prev_id)
        equal = None if prev_id is None else self._board.equals(prev_id, arrival.state)
        gap = None if self.knows(prev_id) else self._gap(arrival, GapCause.UNEXPLAINED)
        before = self._board.replace(arrival.state_id, arrival.state, known)
        before = before._replace(turn=turn, turn_known=known)
        item = self._applied(arrival, StateKind.UNDO, before, gap)
        return item._replace(undone=undone, equals_fold=equal)

    def _reconnect(self, arrival: Arrival) -> StateItem:
        seamless = self.head in (arrival.prev_id, arrival.state_id)
        turn, known = self.turn_at(arrival.prev_id)
        gap = None if seamless else self._gap(arrival, GapCause.RECONNECT)
        before = self._board.replace(arrival.state_id, arrival.state, known)
        before = before._replace(turn=turn, turn_known=known)
        return self._applied(arrival, StateKind.RECONNECT, before, gap)

    def _undone(self, prev_id: int | None) -> tuple[int, ...]:
        undone = []
        at = self.head
        while at is not None and at != prev_id and at in self._known:
            undone.append(at)
            at = self._known[at].prev_id
        return tuple(undone) if at == prev_id else ()

    def _gap(self, arrival: Arrival, cause: GapCause, listed: tuple[str, ...] = ()) -> Gap:
        if self.head is None:
            cause = GapCause.START
            self.game.starts_mid_game = True
        elif arrival.prev_id is not None and arrival.prev_id > self.head:
            self._missing.append((self.head + 1, arrival.prev_id))
        return Gap(self.head, arrival.prev_id, cause, listed)

    def _applied(
        self, arrival: Arrival, kind: StateKind, before: View, gap: Gap | None = None
    ) -> StateItem:
        self.head = arrival.state_id
        after = self._board.view()
        self._known[arrival.state_id] = _Known(
            arrival.prev_id,
            after.turn,
            after.turn_known,
            arrival.message.msgId,
            len(arrival.state.annotations),
        )
        return self._item(arrival, kind, before, after, gap)

    def _item(
        self,
        arrival: Arrival,
        kind: StateKind,
        before: View,
        after: View,
        gap: Gap | None = None,
    ) -> StateItem:
        origin, message, state, state_id, prev_id = arrival
        return StateItem(
            origin, self.game, message, state, kind, state_id, prev_id, before, after, gap
        )
