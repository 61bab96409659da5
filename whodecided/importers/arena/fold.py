"""The fold over a whole reading: which game a message belongs to, and when it is delivered."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from whodecided.importers.arena.chain import Arrival, Chain
from whodecided.importers.arena.clock import moment
from whodecided.importers.arena.envelope import GreMessage, Json
from whodecided.importers.arena.items import (
    ClientItem,
    Game,
    GapCause,
    GapItem,
    Item,
    MessageItem,
    Origin,
    Pending,
    RoomItem,
    StateKind,
    UndecodedItem,
)
from whodecided.importers.arena.messages import (
    Requests,
    client_body,
    is_display,
)
from whodecided.importers.arena.records import (
    BadKind,
    BadRecord,
    Entry,
    Record,
    SessionStarted,
    Summarised,
    Unfinished,
)
from whodecided.importers.arena.waiting import HELD_STATES, Held, HeldClient, HeldMessage, Waiting
from whodecided.importers.arena.words import bare, whole

__all__ = ["Fold"]

_CONNECTED = "GREMessageType_ConnectResp"
_FULL = "GameStateType_Full"
_LONGEST_PAUSE = 3600 * 1_000_000
"""Microseconds; the clocks of a game end it long before."""
_SHORT_PAUSE = 60 * 1_000_000
"""Microseconds; what is logged in the wrong order is logged at almost the same time."""
_COMPLETED = "MatchGameRoomStateType_MatchCompleted"


class Fold:
    """Turns records into items, one game after the other.

    A state whose predecessor has not come yet is held back, with all that depends on it, until the
    predecessor comes. It becomes a gap when a summary marker or a damaged entry explains it, when
    too much is held, or when the game or its connection ends. At the end of the input what is held
    stays undelivered (`pending`), so the items of a beginning of the input are always a beginning
    of the items of all of it.
    """

    def __init__(self) -> None:
        self.pending: list[Pending] = []
        self._chain: Chain | None = None
        self._seat: int | None = None
        self._match_id: str | None = None  # of the room
        self._between = False  # a connection or room is new, its game has not begun
        self._connected = False  # the seat is of the connection that the next game uses
        self._lost: tuple[GapCause, tuple[str, ...]] | None = None
        self._waiting = Waiting()
        self._requests = Requests()
        self._games: set[tuple[str, int]] = set()
        self._latest: Origin | None = None  # of the latest state

    def take(self, record: Record) -> Iterator[Item]:
        """The items that this record makes deliverable, in order.

        A state is applied when its item is taken, so that its views show the picture around it:
        take all items, one after the other.
        """
        return self._entry(record) if isinstance(record, Entry) else self._other(record)

    def _other(
        self, record: Summarised | SessionStarted | BadRecord | Unfinished
    ) -> Iterator[Item]:
        if isinstance(record, Summarised):
            yield from self._lose(GapCause.SUMMARISED, record.listed)
            yield GapItem(self._game, record)
        elif isinstance(record, SessionStarted):
            self.finish()
            yield record
        else:
            if isinstance(record, BadRecord) and record.relevant:
                yield from self._lose(GapCause.DAMAGED, ())
            yield record

    def finish(self) -> None:
        """The input, or one run of the client, is over: what is held stays undelivered."""
        if self._waiting.items and self._chain is not None:
            self.pending.append(Pending(self._chain.game, sorted(self._waiting.ids)))
        self._waiting.take_all()
        self._chain, self._lost, self._match_id = None, None, None
        self._seat, self._between, self._connected = None, False, False
        self._requests.forget()
        self._games.clear()
        self._latest = None

    @property
    def _game(self) -> Game | None:
        return None if self._between or self._chain is None else self._chain.game

    # Entries and their messages.

    def _entry(self, entry: Entry) -> Iterator[Item]:
        envelope = entry.envelope
        server = envelope.greToClientEvent or envelope.matchGameRoomStateChangedEvent
        origin = Origin(
            entry.place,
            moment(envelope.timestamp, "server" if server else "client", entry.header),
            envelope.transactionId,
            envelope.requestId,
        )
        if envelope.greToClientEvent is not None:
            for index, message in enumerate(envelope.greToClientEvent.greToClientMessages):
                if is_display(message.type):
                    continue
                here = Origin(*origin[:4], index) if index else origin
                plain = None if self._waiting.items else self._plain(here, message)
                if plain is None:
                    yield from self._message(here, message)
                else:
                    yield plain
            if self._waiting.items:
                yield from self._release()
        if envelope.matchGameRoomStateChangedEvent is not None:
            yield from self._room(origin, envelope.matchGameRoomStateChangedEvent)
        if (body := client_body(envelope)) is not None:
            if is_display(body.get("type")):
                self._learn_seat(body)
            elif self._waiting.items:
                yield from self._deliver_or_hold(HeldClient(origin, body))
            else:
                yield self._client_item(origin, body)
        elif isinstance(envelope.payload, str):
            yield UndecodedItem(origin, self._game)

    def _plain(self, origin: Origin, message: GreMessage) -> Item | None:
        """The item of nearly every message while nothing is held: no state, or one that goes on.

        None where more must be looked at.
        """
        state, chain = message.gameStateMessage, self._chain
        if state is None:
            return None if message.type == _CONNECTED else self._message_item(origin, message)
        if (
            chain is None
            or chain.head is None
            or state.prevGameStateId != chain.head
            or state.gameStateId is None
            or state.gameInfo is not None
            or state.type == _FULL
            or self._between
            or self._latest is None
            or self._latest.place.file != origin.place.file
        ):
            return None
        arrival = Arrival(origin, message, state, state.gameStateId, chain.head)
        try:
            item = chain.apply(arrival, GapCause.UNEXPLAINED, ())
        except (KeyError, TypeError):
            return None
        self._lost, self._latest = None, origin
        return item

    def _message(self, origin: Origin, message: GreMessage) -> Iterator[Item]:
        state = message.gameStateMessage
        if state is None:
            yield from self._deliver_or_hold(HeldMessage(origin, message))
        elif state.gameStateId is None:
            yield from self._refuse(origin, "a state without gameStateId")
        else:
            yield from self._arrive(
                Arrival(origin, message, state, state.gameStateId, state.prevGameStateId)
            )

    def _refuse(self, origin: Origin, reason: str) -> Iterator[Item]:
        yield from self._lose(GapCause.DAMAGED, ())
        yield _bad_message(origin, reason)

    def _deliver_or_hold(self, held: HeldMessage | HeldClient) -> Iterator[Item]:
        if self._waiting.items and not _connects(held) and self._waiting.concerns(held):
            self._waiting.items.append(held)
        else:
            yield from self._deliver(held)

    def _deliver(self, held: HeldMessage | HeldClient) -> Iterator[Item]:
        if isinstance(held, HeldClient):
            yield self._client_item(held.origin, held.body)
            return
        if _connects(held):
            yield from self._connect(held.message)
        yield self._message_item(held.origin, held.message)

    def _message_item(self, origin: Origin, message: GreMessage) -> MessageItem:
        game, chain = self._game, self._chain
        turn, known = chain.turn_at(message.gameStateId) if game and chain else (None, False)
        item = MessageItem(origin, game, message, turn, known)
        self._requests.note(item)
        return item

    def _learn_seat(self, body: Json) -> None:
        game = self._game
        if game is not None and game.local_seat is None:
            game.local_seat = whole(body.get("systemSeatId"))

    def _client_item(self, origin: Origin, body: Json) -> ClientItem:
        game = self._game
        self._learn_seat(body)
        kind = bare(body.get("type"))
        answers, request = whole(body.get("respId")), self._requests.answered(body)
        return ClientItem(origin, game, kind, body, answers, request)

    def _connect(self, message: GreMessage) -> Iterator[Item]:
        yield from self._flush(GapCause.RECONNECT)
        self._requests.forget()
        self._seat = message.systemSeatIds[0] if message.systemSeatIds else None
        self._between = self._connected = True

    def _room(self, origin: Origin, event: Json) -> Iterator[Item]:
        info = event.get("gameRoomInfo")
        info = info if isinstance(info, dict) else {}
        config = info.get("gameRoomConfig")
        match_id = config.get("matchId") if isinstance(config, dict) else None
        match_id = match_id if isinstance(match_id, str) else None
        if info.get("stateType") == _COMPLETED:
            yield from self._flush(GapCause.UNEXPLAINED)
        elif match_id is not None and match_id != self._match_id:
            yield from self._flush(GapCause.UNEXPLAINED)
            self._match_id, self._between = match_id, True
        yield RoomItem(origin, match_id, event)

    # States.

    def _arrive(self, arrival: Arrival) -> Iterator[Item]:
        match_id, game_number = arrival.named
        chain = self._chain
        if arrival.full and arrival.prev_id is None:
            yield from self._begin(arrival, match_id, game_number)
            return
        unnamed = chain is not None and None in (match_id, chain.game.match_id)
        if chain is not None and unnamed and self._is_foreign(chain, arrival):
            self.finish()
            chain = None
        self._latest = arrival.origin
        if chain is None or self._is_other(chain.game, match_id, game_number):
            chain = yield from self._open(match_id, game_number)
        self._between = self._connected = False
        game = chain.game
        if match_id is not None:
            game.match_id, game.number = match_id, game_number
        yield from self._place(chain, arrival)

    def _is_foreign(self, chain: Chain, arrival: Arrival) -> bool:
        """True for a state at the beginning of a file that does not go on with an unnamed game."""
        if self._latest is None or arrival.origin.place.file == self._latest.place.file:
            return False
        if self._between:
            return False
        then, now = self._latest.moment.micros, arrival.origin.moment.micros
        if then is not None and now is not None and abs(now - then) > _LONGEST_PAUSE:
            return True
        if self._lost is not None:
            return False
        goes_on = arrival.prev_id in self._waiting.ids or chain.head == arrival.prev_id
        return not (goes_on or chain.repeats(arrival) or self._disordered(chain, arrival))

    def _disordered(self, chain: Chain, arrival: Arrival) -> bool:
        """Whether a log cut inside a batch in the wrong order goes on like this."""
        assert self._latest is not None
        then, now = self._latest.moment.micros, arrival.origin.moment.micros
        if then is None or now is None or abs(now - then) > _SHORT_PAUSE:
            return False
        if chain.game.match_id is None or chain.game.starts_mid_game:
            return False
        if chain.was_missing(arrival.state_id):
            return True
        return 0 < (arrival.prev_id or 0) - (chain.head or 0) <= HELD_STATES

    def _is_other(self, game: Game, match_id: str | None, game_number: int | None) -> bool:
        if match_id is not None:
            return game.match_id is not None and (match_id, game_number) != (
                game.match_id,
                game.number,
            )
        return self._between and self._match_id not in (None, game.match_id)

    def _begin(
        self, arrival: Arrival, match_id: str | None, game_number: int | None
    ) -> Iterator[Item]:
        self._latest = arrival.origin
        chain = yield from self._open(match_id, game_number)
        if match_id is not None and game_number is not None:
            chain.game.again = (match_id, game_number) in self._games
            self._games.add((match_id, game_number))
        self._between = self._connected = False
        yield from self._apply(chain, arrival, GapCause.START, ())

    def _open(self, match_id: str | None, game_number: int | None) -> Generator[Item, None, Chain]:
        yield from self._flush(GapCause.UNEXPLAINED)
        self._lost = None
        match_id = match_id or self._match_id
        former = None if self._chain is None else self._chain.game.match_id
        if not self._connected and None not in (former, match_id) and former != match_id:
            self._seat = None  # it was the seat in the other match
        self._chain = Chain(Game(match_id, game_number, self._seat))
        return self._chain

    def _place(self, chain: Chain, arrival: Arrival) -> Iterator[Item]:
        """Put a state where it belongs in its game, or hold it back."""
        if arrival.prev_id in self._waiting.ids or arrival.state_id in self._waiting.ids:
            self._waiting.hold(arrival)
        elif arrival.full or chain.head in (arrival.prev_id, None):
            if arrival.full:
                yield from self._flush(GapCause.UNEXPLAINED)
            self._lost = None
            yield from self._apply(chain, arrival, GapCause.UNEXPLAINED, ())
        elif chain.knows(arrival.state_id) or arrival.state_id < (chain.head or 0):
            yield from self._look_back(chain, arrival)
        elif self._lost is not None or arrival.prev_id is None or chain.knows(arrival.prev_id):
            cause, listed = self._lost or (GapCause.UNEXPLAINED, ())
            self._lost = None
            yield from self._apply(chain, arrival, cause, listed)
        else:
            self._waiting.hold(arrival)

    def _look_back(self, chain: Chain, arrival: Arrival) -> Iterator[Item]:
        """A difference with an id that is not new: sent again, late, or of an unseen game."""
        if chain.repeats(arrival):
            yield chain.pass_by(arrival, StateKind.DUPLICATE)
        elif chain.was_missing(arrival.state_id):
            yield chain.pass_by(arrival, StateKind.LATE)
        elif chain.contradicts(arrival):
            yield _bad_message(arrival.origin, f"another state has the id {arrival.state_id}")
        else:
            chain = yield from self._open(None, None)
            yield from self._apply(chain, arrival, GapCause.START, ())

    def _apply(
        self, chain: Chain, arrival: Arrival, cause: GapCause, listed: tuple[str, ...]
    ) -> Iterator[Item]:
        try:
            item = chain.apply(arrival, cause, listed)
        except (KeyError, TypeError):
            yield from self._refuse(
                arrival.origin, "a state with a zone, object or player without its id"
            )
        else:
            yield item

    # Holding back.

    def _release(self) -> Iterator[Item]:
        """Deliver what no longer waits; give up waiting when too much is held."""
        chain = self._chain
        assert chain is not None
        while (held := self._waiting.next(chain)) is not None:
            yield from self._let_go(held)
        if self._waiting.too_much:
            yield from self._flush(GapCause.UNEXPLAINED)

    def _let_go(self, held: Held, cause: GapCause = GapCause.UNEXPLAINED) -> Iterator[Item]:
        chain = self._chain
        if not isinstance(held, Arrival):
            yield from self._deliver(held)
        elif chain is not None:
            self._waiting.ids.discard(held.state_id)
            if chain.knows(held.state_id) and not held.full:
                yield from self._look_back(chain, held)
            else:
                yield from self._apply(chain, held, cause, ())

    def _flush(self, cause: GapCause) -> Iterator[Item]:
        """Deliver all that is held: what it waited for will not come."""
        for one in self._waiting.take_all():
            yield from self._let_go(one, cause)

    def _lose(self, cause: GapCause, listed: tuple[str, ...]) -> Iterator[Item]:
        """Something was not logged: it explains what is held, or else the next break."""
        if self._waiting.items:
            yield from self._flush(cause)
        else:
            self._lost = (cause, listed)


def _connects(held: HeldMessage | HeldClient) -> bool:
    return isinstance(held, HeldMessage) and held.message.type == _CONNECTED


def _bad_message(origin: Origin, reason: str) -> BadRecord:
    reason = f"message {origin.message_index + 1} of the batch: {reason}"
    return BadRecord(origin.place, BadKind.MESSAGE, reason)
