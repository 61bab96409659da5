"""The self-check of a file: what was counted and compared while it was read.

The figures of a file are those of the file by itself, whatever was read before it.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from whodecided.importers.arena.envelope import GameState, GreMessage, Json
from whodecided.importers.arena.items import StateItem, StateKind
from whodecided.importers.arena.messages import (
    client_body,
    is_display,
    is_request,
)
from whodecided.importers.arena.records import Entry, Record, Summarised
from whodecided.importers.arena.words import bare, whole

__all__ = ["Figure", "FileFigures"]

Figure = int | dict[str, int]
"""A count, or counts by name (sorted)."""

_FULL = "GameStateType_Full"
_DIFF = "GameStateType_Diff"
_UNDO = "GameStateUpdate_Undo"
_ACTION = "AnnotationType_UserActionTaken"
_CONTROL = "AnnotationType_ControllerChanged"
_PLAYER = "ControllerType_Player"


class _Logged(NamedTuple):
    prev_id: int | None
    turn: Json | None
    first: bool


class _GameLog:
    """What one game logs, in the order of the file; evaluated when the game is over."""

    def __init__(self) -> None:
        self.states: dict[int, _Logged] = {}
        self.unknown_before: list[int] = []
        self.actions: list[tuple[int | None, int | None]] = []
        self.requests: list[tuple[int | None, list[int], str]] = []
        self.controllers: dict[int, object] = {}

    def turns(self) -> dict[int, Json | None]:
        """`turnInfo` in force at each state where it is known, also through others' chains."""
        turns: dict[int, Json | None] = {}
        for state_id in sorted(self.states):
            prev_id, turn, first = self.states[state_id]
            if turn is not None or first:
                turns[state_id] = turn
            elif prev_id in turns:
                turns[state_id] = turns[prev_id]
        return turns


class FileFigures:
    """Counts of one file. Feed it the records that begin in the file, and the fold's states."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter(dict.fromkeys(_COUNTED, 0))
        self._games: set[tuple[str, int | None]] = set()
        self._matches: set[str] = set()
        self._results: dict[tuple[str, int | None], str] = {}
        self._elsewhere: Counter[str] = Counter()
        self._unresolved: Counter[str] = Counter()
        self._answerable: set[int] = set()
        self._game = _GameLog()

    def record(self, record: Record) -> None:
        """Count a record."""
        if isinstance(record, Entry):
            self._entry(record)
        elif isinstance(record, Summarised):
            self._counts["summarised_gaps"] += 1

    def state(self, item: StateItem) -> None:
        """Note how an undo compares with the fold."""
        if item.kind is StateKind.UNDO and item.equals_fold:
            self._counts["undos_equal_fold"] += 1

    def result(self) -> dict[str, Figure]:
        """All figures, by the names of the self-check."""
        self._end_game()
        reasons = Counter(self._results.values())
        counts = self._counts
        figures: dict[str, Figure] = {
            "matches": len(self._matches),
            "games": len(self._games),
            "games_with_result": len(self._results),
            "results": dict(sorted(reasons.items())),
            **{name: counts[name] for name in _COUNTED},
            "games_conceded": reasons["Concede"],
            "requests_elsewhere": dict(sorted(self._elsewhere.items())),
            "responses_unresolved": dict(sorted(self._unresolved.items())),
        }
        return {name: figures[name] for name in _ORDER}

    def _entry(self, entry: Entry) -> None:
        envelope = entry.envelope
        if envelope.greToClientEvent is not None:
            for message in envelope.greToClientEvent.greToClientMessages:
                self._message(message)
        elif (body := client_body(envelope)) is not None:
            self._client(body)
        elif isinstance(envelope.payload, str):
            self._counts["client_payloads_undecoded"] += 1

    def _message(self, message: GreMessage) -> None:
        counts = self._counts
        counts["gre_messages"] += 1
        if message.type == "GREMessageType_ConnectResp":
            self._answerable.clear()
        elif message.type == "GREMessageType_EdictalMessage":
            counts["edicts"] += 1
        elif message.type == "GREMessageType_TimeoutMessage":
            counts["timeout_messages"] += 1
        if message.msgId is not None:
            self._answerable.add(message.msgId)
        if is_display(message.type):
            return
        if message.gameStateMessage is not None:
            counts["game_states"] += 1
            self._state(message.gameStateMessage)
        elif is_request(message):
            counts["requests"] += 1
            self._game.requests.append(
                (message.gameStateId, message.systemSeatIds, bare(message.type))
            )

    def _client(self, body: Json) -> None:
        counts = self._counts
        counts["client_messages"] += 1
        kind = bare(body.get("type"))
        if kind == "ConcedeReq":
            counts["concede_requests"] += 1
        answers = whole(body.get("respId"))
        if answers is not None:
            counts["responses"] += 1
            if answers in self._answerable:
                counts["responses_resolved"] += 1
            else:
                self._unresolved[kind] += 1

    # States.

    def _state(self, state: GameState) -> None:
        full, prev_id = state.type == _FULL, state.prevGameStateId
        if full and prev_id is None:
            self._end_game()
        game = self._game
        if prev_id is not None and prev_id not in game.states:
            if full:
                self._counts["reconnect_jumps"] += 1
            elif state.type == _DIFF:
                game.unknown_before.append(prev_id)
        if full and state.update == _UNDO:
            self._counts["undos"] += 1
        if state.gameStateId is not None:
            first = full and prev_id is None
            game.states[state.gameStateId] = _Logged(prev_id, state.turnInfo, first)
        self._annotations(state)
        self._players(state)
        if state.gameInfo:
            self._info(state.gameInfo)

    def _annotations(self, state: GameState) -> None:
        counts = self._counts
        counts["annotations"] += len(state.annotations)
        for annotation in state.annotations:
            types = annotation.get("type")
            if not isinstance(types, list):
                continue
            if _ACTION in types:
                counts["actions"] += 1
                self._game.actions.append((state.prevGameStateId, annotation.get("affectorId")))
            if _CONTROL in types:
                counts["object_control_changes"] += 1

    def _players(self, state: GameState) -> None:
        controllers = self._game.controllers
        for player in state.players:
            seat = whole(player.get("systemSeatNumber"))
            if seat is None:
                continue
            if player.get("controllerSeatId", seat) != seat:
                self._counts["player_control"] += 1
            kind = player.get("controllerType")
            if kind != _PLAYER and controllers.get(seat) == _PLAYER:
                self._counts["take_overs"] += 1
            controllers[seat] = kind

    def _info(self, info: Json) -> None:
        match_id = info.get("matchID")
        if not isinstance(match_id, str):
            return
        game = (match_id, whole(info.get("gameNumber")))
        self._matches.add(match_id)
        self._games.add(game)
        results = _results(info)
        over = info.get("stage") == "GameStage_GameOver"
        if results and (over or info.get("matchState") == "MatchState_MatchComplete"):
            # Results pile up over a match; a match that is never played has none of its games.
            own = [r for r in results if r.get("scope") == "MatchScope_Game"] or results
            self._results[game] = bare(own[-1].get("reason"))

    def _end_game(self) -> None:
        game, self._game = self._game, _GameLog()
        counts, turns = self._counts, game.turns()
        for prev_id in game.unknown_before:
            counts["out_of_order_states" if prev_id in game.states else "chain_gaps"] += 1
        for before_id, actor in game.actions:
            if before_id in turns:
                counts["actions_decider_known"] += 1
                turn = turns[before_id] or {}
                counts["actions_decider_equal"] += actor == turn.get("decisionPlayer")
        for state_id, addressees, kind in game.requests:
            if state_id in turns:
                counts["requests_decider_known"] += 1
                if addressees == [(turns[state_id] or {}).get("decisionPlayer")]:
                    counts["requests_to_decider"] += 1
                else:
                    self._elsewhere[kind] += 1


def _results(info: Json) -> list[Json]:
    found = info.get("results")
    return [r for r in found if isinstance(r, dict)] if isinstance(found, list) else []


_ORDER = (
    "matches",
    "games",
    "games_with_result",
    "results",
    "gre_messages",
    "game_states",
    "annotations",
    "client_messages",
    "client_payloads_undecoded",
    "take_overs",
    "edicts",
    "timeout_messages",
    "undos",
    "undos_equal_fold",
    "concede_requests",
    "games_conceded",
    "summarised_gaps",
    "chain_gaps",
    "reconnect_jumps",
    "out_of_order_states",
    "actions",
    "actions_decider_known",
    "actions_decider_equal",
    "requests",
    "requests_decider_known",
    "requests_to_decider",
    "requests_elsewhere",
    "responses",
    "responses_resolved",
    "responses_unresolved",
    "player_control",
    "object_control_changes",
)
_NOT_COUNTED = {"matches", "games", "games_with_result", "results", "games_conceded"}
_COUNTED = [
    name
    for name in _ORDER
    if name not in _NOT_COUNTED | {"requests_elsewhere", "responses_unresolved"}
]
