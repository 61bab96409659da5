"""One game's items into observations for its stream."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from domain.codec import hot
from domain.events.frame import SeatInfo
from whodecided.importers.arena.actions import release_played
from whodecided.importers.arena.annotations import tell_annotations
from whodecided.importers.arena.answers import Answer, tell_answer
from whodecided.importers.arena.clock import Moment
from whodecided.importers.arena.combat import tell_combat
from whodecided.importers.arena.departures import end_by, game_result
from whodecided.importers.arena.desk import Desk, Mark
from whodecided.importers.arena.envelope import GreMessage, Json
from whodecided.importers.arena.facts import release_held
from whodecided.importers.arena.gaps import tell_gap, tell_lost
from whodecided.importers.arena.items import (
    ClientItem,
    MessageItem,
    RoomItem,
    StateItem,
    StateKind,
)
from whodecided.importers.arena.matches import MatchTranslator
from whodecided.importers.arena.passing import tell_passes
from whodecided.importers.arena.players import (
    anchor,
    begin_stand_in,
    end_stand_in,
    tell_players,
    tell_stand_ins,
    tell_totals,
)
from whodecided.importers.arena.remainder import tell_remainder
from whodecided.importers.arena.requests import tell_refusal, tell_request
from whodecided.importers.arena.step import Step, begin_step, seat_of, seat_or_none
from whodecided.importers.arena.telling import Sink, Teller
from whodecided.importers.arena.words import (
    DECISIONS,
    SERVER,
    WITHOUT_EVENT,
    bare,
    json_text,
    whole,
)

__all__ = ["GENERATION", "GameTranslator"]

GENERATION: Final = 1
"""Generation of the numbering: raised only when the same log would give other events."""

_SeatInfo: Any = hot(SeatInfo)
_STARTING: Final = "ChooseStartingPlayerResp"
_PASSED_OVER: Final = frozenset({StateKind.DUPLICATE, StateKind.LATE})


class GameTranslator:
    """Tells the items of one game, in order, to a sink.

    `stem` begins every record id; `players` and `teams` are by seat; `opening` are the fields of
    game_started except the seats. What no event tells is counted in `desk.counts`.
    """

    def __init__(
        self,
        stem: str,
        players: dict[int, str],
        teams: dict[int, int],
        local: int | None,
        opening: dict[str, Any],
        sink: Sink,
    ) -> None:
        self.desk = Desk(Teller(stem, sink), players, local, Counter(), teams)
        self._match: MatchTranslator | None = None
        self._opening = opening
        self._started = False
        self._seen: set[tuple[object, ...]] = set()

    def join(self, match: MatchTranslator, stream_id: str) -> None:
        """The match the game belongs to: it is told what concerns the match."""
        self._match = match
        self._opening["match_stream"] = stream_id

    def state(self, item: StateItem) -> None:
        """Tell a state: what led to it and what it shows."""
        desk = self.desk
        if item.kind in _PASSED_OVER:
            if item.kind is StateKind.LATE:
                self.desk.counts["GameStateMessage from inside a gap"] += 1
            return
        self._turn_to(f"gs{item.state_id}", item)
        if not self._started:
            self._start()
            if item.gap is None and item.kind is not StateKind.START:
                tell_lost(desk, item.prev_id, item.state_id)  # what began the game was unusable
        if item.gap is not None:
            tell_gap(desk, item.gap)
        desk.now = item.after
        step = begin_step(desk, item)
        if item.kind is StateKind.UNDO:
            self._undo(step)
        elif _only_moves_priority(desk, item):
            tell_passes(step)
            anchor(step)
        else:
            self._tell(step)
        self._told(item)

    def lost(self, item: StateItem) -> None:
        """Tell that a state could not be told in full: the record has a gap there."""
        if self._started:
            self.desk.now = item.after
            tell_lost(self.desk, item.prev_id, item.state_id)
            self._told(item)

    def _told(self, item: StateItem) -> None:
        desk = self.desk
        desk.last_update = item.state.update if isinstance(item.state.update, str) else ""
        desk.marks[item.state_id] = Mark(desk.teller.last, desk.combats, desk.controlled.copy())

    def _tell(self, step: Step) -> None:
        self._starting_player(step)
        self._first_turn(step)
        if step.item.gap is None:
            tell_passes(step)
        tell_annotations(step)
        release_held(step)
        release_played(step)
        tell_players(step)
        tell_remainder(step)
        tell_combat(step)
        tell_totals(step)
        self._result(step)
        anchor(step)

    def _start(self) -> None:
        self._started = True
        desk = self.desk
        seats = tuple(
            _SeatInfo(seat=seat, player=player, team=desk.teams.get(seat))
            for seat, player in sorted(desk.players.items())
        )
        desk.teller.tell("game_started", "start", {**self._opening, "seats": seats})

    def _starting_player(self, step: Step) -> None:
        """Another client's choice of who plays first shows in whose turn it will be."""
        first = seat_of(step.after.turn, "activePlayer")
        if first is None or seat_of(step.before.turn, "activePlayer") is not None:
            return
        waiting = f"ClientMessageType_{_STARTING}"
        for seat in self.desk.players:
            player = step.before.player(seat)
            if player is None or player.get("pendingMessageType") != waiting:
                continue
            if (seat, "choice") in self.desk.answered:
                self.desk.answered.discard((seat, "choice"))
                continue
            fields = {"kind": "starting_player"}
            what = {"what": json_text({"systemSeatId": first})}
            self.desk.teller.tell("choice_made", "first", fields, what, seat=seat)
            self._first_chosen(step.item.origin.moment, seat, first, None)

    def _first_chosen(self, moment: Moment, seat: int | None, first: int, by: str | None) -> None:
        if self._match is not None:
            self._match.chosen(moment, self._opening["game_number"], seat, first, by)

    def _first_turn(self, step: Step) -> None:
        """Hands are dealt before the first turn: it begins when it gets a number."""
        desk = self.desk
        turn = whole((step.after.turn or {}).get("turnNumber"))
        if desk.turn_due is not None and turn is not None:
            desk.teller.tell("turn_started", "turn", {"seat": desk.turn_due, "turn": turn})
            desk.turn_due = None

    def _undo(self, step: Step) -> None:
        """The game goes back to just after an earlier state, if that is in the record."""
        desk = self.desk
        mark = desk.marks.get(step.item.prev_id or 0)
        if mark is None:
            self.desk.counts["Undo to a state that was not logged"] += 1
            self._tell(step)
            return
        desk.teller.tell("rewound", "undo", {"to": mark.number, "cause": "undo"})
        desk.forget_after(mark.number)
        desk.combats = mark.combats
        desk.controlled = dict(mark.controlled)
        desk.undone += 1
        tell_stand_ins(step)
        tell_totals(step)
        anchor(step)

    def _result(self, step: Step) -> None:
        info = step.state.gameInfo
        if not info or not info.get("results"):
            return
        if self._match is not None:
            record = f"game{self._opening['game_number']}/gs{step.item.state_id}"
            self._match.results(step.item.origin.moment, record, info["results"])
        over = info.get("stage") == "GameStage_GameOver"
        if over or info.get("matchState") == "MatchState_MatchComplete":
            results = info["results"]
            result = game_result(results, None) or results[-1]
            if isinstance(result, dict):
                end_by(self.desk, result, "result")

    def message(self, item: MessageItem) -> None:
        """Tell a message of the rules engine that is no state."""
        message = item.message
        kind = bare(message.type)
        if kind in WITHOUT_EVENT or self._repeated(item, kind):
            return
        self._turn_to(
            f"m{message.msgId}" if message.msgId else f"{kind}@{message.gameStateId}", item
        )
        payload = payload_of(message, kind)
        if kind in DECISIONS:
            tell_request(self.desk, item, kind, payload)
            self._keep_mark(item)
        elif kind == "EdictalMessage":
            self._edict(item, payload)
        elif kind == "TimeoutMessage":
            self._timeout(payload)
        elif kind == "IllegalRequest":
            tell_refusal(self.desk, payload)
        elif kind == "IntermissionReq":
            self._intermission(payload)
        else:
            self.desk.counts[kind] += 1

    def _keep_mark(self, item: MessageItem) -> None:
        """A request belongs to the state it is about: an undo returns to just after it."""
        number = item.message.gameStateId
        if number is not None and number in self.desk.marks:
            mark = self.desk.marks[number]
            self.desk.marks[number] = mark._replace(number=self.desk.teller.last)

    def _edict(self, item: MessageItem, payload: Json) -> None:
        body = payload.get("edictMessage")
        if not isinstance(body, dict):
            self.desk.counts["EdictalMessage without a message"] += 1
            return
        kind = bare(body.get("type"))
        asked = self.desk.asked.get(whole(body.get("respId")) or -1)
        seat = seat_or_none(body.get("systemSeatId"))
        answer = Answer(kind, body, seat, SERVER, asked)
        begin_stand_in(self.desk, seat)
        tell_answer(self.desk, answer)
        if kind == "SubmitDeckResp" and self._match is not None:
            self._match.sideboarded(item.origin.moment, f"m{item.message.msgId}", answer)

    def _timeout(self, payload: Json) -> None:
        seat = seat_or_none(payload.get("seatId"))
        if seat is None:
            self.desk.counts["TimeoutMessage without a seat"] += 1
            return
        fields = {"seat": seat, "left": whole(payload.get("timeoutCount"))}
        self.desk.teller.tell("timeout_used", "timeout", fields, seat=seat)

    def _intermission(self, payload: Json) -> None:
        result = payload.get("result")
        if isinstance(result, dict) and self._started:
            end_by(self.desk, result, "result")

    def client(self, item: ClientItem) -> None:
        """Tell a message of the local client: its person decides (CR 723.5 or for the own seat)."""
        desk = self.desk
        kind = item.type
        if kind in WITHOUT_EVENT or not self._started or self._repeated(item, kind):
            return
        origin = item.origin
        name = item.answers if item.answers is not None else origin.transaction_id
        record = f"c{name}" if name else f"c.{kind}@{origin.moment.micros}"
        self._turn_to(record, item)
        local = (
            desk.local if desk.local is not None else seat_or_none(item.body.get("systemSeatId"))
        )
        stated = desk.principal(local)
        if stated is None:
            self.desk.counts[f"{kind} of an unknown client"] += 1
            return
        end_stand_in(desk, local)
        number = None if item.request is None else item.request.message.msgId
        asked = None if number is None else desk.asked.get(number)
        answer = Answer(kind, item.body, self._seat(item, local, asked), stated, asked)
        tell_answer(desk, answer)
        first = seat_of(answer.payload, "systemSeatId")
        if kind == _STARTING and first is not None:
            self._first_chosen(origin.moment, answer.seat, first, stated)
        elif kind == "SubmitDeckResp" and self._match is not None:
            self._match.sideboarded(origin.moment, record, answer)

    def _seat(self, item: ClientItem, local: int | None, asked: Any) -> int | None:
        """Whose decision an answer is: the request says; without one only one seat is possible."""
        if asked is not None:
            seat: int | None = asked.seat
            return seat
        if item.answers is None:
            return local
        others = any(self.desk.controller(s) == local for s in self.desk.players if s != local)
        return None if others else local

    def final_result(self, item: RoomItem, results: Any) -> None:
        """The room sums the match up: it tells how this game ended if nothing else did."""
        result = game_result(results, self._opening["game_number"])
        if result is not None and self._started and not self.desk.ended:
            self._turn_to("room", item)
            end_by(self.desk, result, "final")

    def _repeated(self, item: MessageItem | ClientItem, kind: str) -> bool:
        """Whether the very same message was there before: overlapping files, not sent again."""
        origin = item.origin
        key = (
            origin.transaction_id or origin.moment.micros,
            origin.request_id,
            origin.message_index,
            kind,
            item.answers if isinstance(item, ClientItem) else None,
        )
        if key in self._seen:
            return True
        self._seen.add(key)
        return False

    def _turn_to(self, record: str, item: StateItem | MessageItem | ClientItem | RoomItem) -> None:
        moment = item.origin.moment
        self.desk.teller.turn_to(record, moment.micros, moment.clock)


def _only_moves_priority(desk: Desk, item: StateItem) -> bool:
    """Whether a state in the middle of a game brings nothing but `turnInfo` and legal actions."""
    state = item.state
    return item.before.active_player is not None and not (
        state.annotations
        or state.zones
        or state.gameObjects
        or state.players
        or state.persistentAnnotations
        or state.gameInfo
        or item.gap
        or desk.held
        or desk.played
        or desk.adrift
        or desk.turn_due
    )


def payload_of(message: GreMessage, kind: str) -> Json:
    """The payload of a message: the object in the field named after its type; empty when absent."""
    found = getattr(message, kind[:1].lower() + kind[1:], None)
    return found if isinstance(found, dict) else {}
