"""Writes small logs in the shapes of the Arena client, line by line, for tests of the reading."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Log", "diff", "full", "request", "small_game"]

Message = dict[str, Any]


def full(state_id: int, *, prev: int | None = None, **parts: Any) -> Message:
    """A full state; `update`, `gameInfo`, `zones` and so on are taken as given."""
    return _state("GameStateType_Full", state_id, prev, parts)


def diff(state_id: int, prev: int | None, **parts: Any) -> Message:
    """A difference to the state `prev`."""
    return _state("GameStateType_Diff", state_id, prev, parts)


def request(message_id: int, state_id: int, seat: int, kind: str = "SelectNReq") -> Message:
    """A request to one seat at a state."""
    return {
        "type": f"GREMessageType_{kind}",
        "systemSeatIds": [seat],
        "msgId": message_id,
        "gameStateId": state_id,
        kind[0].lower() + kind[1:]: {"minSel": 1},
    }


def _state(kind: str, state_id: int, prev: int | None, parts: dict[str, Any]) -> Message:
    state = {"type": kind, "gameStateId": state_id}
    if prev is not None:
        state["prevGameStateId"] = prev
    return {
        "type": "GREMessageType_GameStateMessage",
        "systemSeatIds": [1],
        "msgId": 1000 + state_id,
        "gameStateId": state_id,
        "gameStateMessage": {**state, "update": "GameStateUpdate_SendHiFi", **parts},
    }


@dataclass
class Log:
    """Lines of a log in one style.

    `logger` begins each header (empty in 2018); `end` is the line end; `pretty` spreads server
    entries over lines; `counter` puts a frame counter before each line, as in archived logs;
    `bare` leaves out headers (one envelope per line).
    """

    end: str = "\n"
    pretty: bool = False
    counter: bool = False
    bare: bool = False
    logger: str = "[UnityCrossThreadLogger]"
    lines: list[str] = field(default_factory=list)
    _clock: int = 1_771_790_431_000

    def text(self) -> str:
        """The whole log."""
        return "".join(line + self.end for line in self.lines)

    def data(self) -> bytes:
        """The whole log in UTF-8."""
        return self.text().encode()

    def line(self, line: str) -> None:
        """One line of any kind."""
        mark = f"[{len(self.lines) + 300}] " if self.counter else ""
        self.lines.append(mark + line)

    def header(self, tail: str) -> None:
        """A header line."""
        if not self.bare:
            self.line(f"{self.logger}2/22/2026 12:00:31 PM: {tail}")

    def json(self, document: object, *, pretty: bool) -> None:
        """An object on one line, or spread over lines."""
        text = json.dumps(document, indent=2 if pretty else None, ensure_ascii=False)
        first, *rest = text.split("\n")
        self.line(first)
        self.lines.extend(rest)

    def server(self, *messages: Message, timestamp: str | None = None) -> None:
        """A batch of messages; time goes on by a second."""
        self._clock += 1000
        self.header("Match to ACCOUNT: GreToClientEvent")
        envelope = {
            "transactionId": f"t{self._clock}",
            "requestId": 7,
            "timestamp": timestamp or str(self._clock),
            "greToClientEvent": {"greToClientMessages": list(messages)},
        }
        self.json(envelope, pretty=self.pretty)

    def room(self, match_id: str, stage: str = "Playing") -> None:
        """The room opens or its match is completed; the name needs three bytes per letter."""
        self._clock += 1000
        self.header("Match to ACCOUNT: MatchGameRoomStateChangedEvent")
        players = [{"playerName": "対戦者", "systemSeatId": 1}]
        room = {
            "gameRoomConfig": {"matchId": match_id, "reservedPlayers": players},
            "stateType": f"MatchGameRoomStateType_{stage}",
        }
        event = {"gameRoomInfo": room}
        envelope = {"timestamp": str(self._clock), "matchGameRoomStateChangedEvent": event}
        self.json(envelope, pretty=self.pretty)

    def client(self, kind: str, **fields: Any) -> None:
        """A message of the client; always pretty-printed, as the client does."""
        self._clock += 1000
        self.header("ACCOUNT to Match: ClientToGremessage")
        envelope = {
            "requestId": 3,
            "clientToMatchServiceMessageType": "ClientToMatchServiceMessageType_ClientToGREMessage",
            "timestamp": str(621_355_968_000_000_000 + self._clock * 10_000),
            "transactionId": f"c{self._clock}",
            "payload": {"type": f"ClientMessageType_{kind}", **fields},
        }
        self.json(envelope, pretty=True)

    def summarised(self, *types: str) -> None:
        """The marker that stands for a message too big to be logged."""
        self.header("Match to ACCOUNT: GreToClientEvent")
        self.line("[Message summarized because one or more GameStateMessages exceeded the limit.]")
        for kind in types:
            self.line(f"::: {kind}")
            if kind == "GameStateMessage":
                self.line(":: GameObject Count = 63")
                self.line(":: Annotation Count = 2")


def small_game(log: Log) -> Log:
    """A short game with a request and its answer, a summary marker, and noise between the lines."""
    info = {"matchID": "m-1", "gameNumber": 1, "stage": "GameStage_Start"}
    log.line("Mono path[0] = 'C:/Arena/MTGA_Data/Managed'")
    log.line("DETAILED LOGS: ENABLED")
    log.line('[UnityCrossThreadLogger]STATE CHANGED {"old":"None","new":"Playing"}')
    log.line('{"InventoryInfo":{"SeqId":1,"Changes":[]},"greeting":"a } brace \\" in a string"}')
    connect = {"type": "GREMessageType_ConnectResp", "systemSeatIds": [1], "msgId": 2}
    log.server({**connect, "connectResp": {"status": "ConnectionStatus_Success"}})
    log.room("m-1")
    turn = {"turnNumber": 1, "activePlayer": 1, "decisionPlayer": 1}
    log.server(full(1, gameInfo=info), diff(2, 1, turnInfo=turn), request(8, 2, 1))
    log.client("SelectNResp", gameStateId=2, respId=8, selectNResp={"ids": [5]})
    log.line("Unloading 1700 unused Assets to reduce memory usage. Loaded Objects now: 196020.")
    log.line("[UnityCrossThreadLogger]Received unhandled GREMessageType: GREMessageType_X")
    log.json({"type": "GREMessageType_SubmitTargetsResp", "msgId": 9}, pretty=False)
    log.server(diff(3, 2, zones=[{"zoneId": 28, "type": "ZoneType_Battlefield"}]))
    log.summarised("GameStateMessage", "SearchReq")
    log.server(diff(5, 4))
    log.client("UIMessage", systemSeatId=1, uiMessage={"onHover": {}})
    log.room("m-1", "MatchCompleted")
    return log
