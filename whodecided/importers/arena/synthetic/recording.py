"""A match being recorded by one seat's client: messages out of the table, requests and answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from whodecided.importers.arena.synthetic.cards import CARDS, DECKS
from whodecided.importers.arena.synthetic.table import Json, Table
from whodecided.importers.arena.synthetic.text import LogText

__all__ = ["VARIANTS", "ControlShape", "Match", "Recording"]


class ControlShape(NamedTuple):
    """How a log shows decisions for a controlled seat; nobody has seen a real one.

    `asked` is whom requests and `decisionPlayer` name, `answered` whether the controller's client
    logs its answers, `affector` whom `UserActionTaken` names.
    """

    asked: Literal["seat", "controller"]
    answered: bool
    affector: Literal["seat", "controller"] = "seat"


VARIANTS: Final[Mapping[str, ControlShape]] = {
    "names-the-controlled": ControlShape("seat", False),
    "names-the-controller": ControlShape("controller", True),
    "answers-for-the-other": ControlShape("seat", True),
}
"""The three readings of the protocol that an importer must survive."""

_INFO: Final = {
    "stage": "GameStage_Start",
    "type": "GameType_Duel",
    "variant": "GameVariant_Normal",
    "matchState": "MatchState_GameInProgress",
    "maxTimeoutCount": 4,
    "superFormat": "SuperFormat_Constructed",
    "mulliganType": "MulliganType_London",
}


class Match(NamedTuple):
    """Identity of a match: id, event, best of 1 or 3, account ids and names by seat, bot seats."""

    id: str
    event: str = "Synthetic_Play"
    best_of: int = 1
    accounts: Mapping[int, str] = {1: "SYNTHETICACCOUNTAAAAAAAAAA", 2: "SYNTHETICACCOUNTBBBBBBBBBB"}
    names: Mapping[int, str] = {1: "Alice", 2: "Bob"}
    bots: tuple[int, ...] = ()


class Recording:
    """Writes what the client of seat `local` logs of one match.

    `shape` says how a controlled seat's decisions appear, `answers` whether the client's own
    messages are in the log at all. The game under way is `table`.
    """

    def __init__(
        self,
        text: LogText,
        match: Match,
        *,
        local: int = 1,
        shape: ControlShape = VARIANTS["answers-for-the-other"],
        answers: bool = True,
    ) -> None:
        self.text = text
        self.match = match
        self.local = local
        self.shape = shape
        self.answers = answers
        self.results: list[Json] = []
        self._message = 0
        self.table = self._new_table(1, DECKS)

    def _new_table(self, number: int, decks: Mapping[int, Sequence[int]]) -> Table:
        condition = "Best2of3" if self.match.best_of == 3 else "SingleElimination"
        info = _INFO | {"matchWinCondition": f"MatchWinCondition_{condition}"}
        return Table(self.match.id, number, self.local, decks, info)

    def new_game(self, number: int, decks: Mapping[int, Sequence[int]] = DECKS) -> None:
        """Clear the table for another game of the match; ids start again."""
        self.table = self._new_table(number, decks)
        self._message = 0

    def room(self, state: str, **extra: Any) -> None:
        """The match's room with its players."""
        match = self.match
        seats = [
            {
                "userId": match.accounts[seat],
                "playerName": match.names[seat],
                "systemSeatId": seat,
                "teamId": seat,
                "sessionId": f"synthetic-session-{seat}",
                "platformId": "Windows",
                "eventId": match.event,
            }
            | ({"isBotPlayer": True} if seat in match.bots else {})
            for seat in (1, 2)
        ]
        config = {"reservedPlayers": seats, "matchId": match.id}
        state_type = f"MatchGameRoomStateType_{state}"
        self.text.room({"gameRoomConfig": config, "stateType": state_type} | extra)

    def connect(self) -> Json:
        """The engine's greeting after a connection was made; message ids start again."""
        self._message = 1
        version = {"majorVersion": 2026, "minorVersion": 60, "buildVersion": 1}
        answer = {
            "status": "ConnectionStatus_Success",
            "protoVer": "ProtoVersion_PersistentAnnotations",
            "deckMessage": {"deckCards": list(DECKS[self.local])},
            "greVersion": version,
            "grpVersion": version,
        }
        message = self.message("ConnectResp", (self.local,), connectResp=answer)
        return message

    def message(self, kind: str, seats: Sequence[int], **payload: Any) -> Json:
        """A message of the engine to these seats about the state the table is in."""
        self._message += 1
        head: Json = {"type": f"GREMessageType_{kind}", "systemSeatIds": list(seats)}
        head["msgId"] = self._message
        if self.table.state_id and kind != "ConnectResp":
            head["gameStateId"] = self.table.state_id
        return head | payload

    def state(self, update: str = "SendHiFi", *, pending: int = 0, queued: bool = False) -> Json:
        """The next state, as a difference."""
        made = self.table.diff(update, pending=pending)
        kind = "QueuedGameStateMessage" if queued else "GameStateMessage"
        return self.message(kind, (self.local,), gameStateMessage=made)

    def full(
        self, update: str = "SendAndRecord", *, before: int | None = None, **more: int
    ) -> Json:
        """The next state, as a whole picture."""
        made = self.table.full(update, before=before, **more)
        return self.message("GameStateMessage", (self.local,), gameStateMessage=made)

    def send(self, *messages: Json) -> None:
        """One batch, a moment later."""
        self.text.wait(137)
        self.text.batch(messages)

    def client(self, kind: str, request: int | None, **payload: Any) -> None:
        """A message of this client; with `request`, the answer to it."""
        if not self.answers:
            return
        self.text.wait(911)
        message: Json = {"type": f"ClientMessageType_{kind}"}
        if request is not None:
            message |= {"gameStateId": self.table.state_id, "respId": request}
        self.text.client(message | payload)

    def controller(self, seat: int) -> int:
        """The seat that answers for the seat."""
        number: int = self.table.players[seat]["controllerSeatId"]
        return number

    def asked(self, seat: int) -> int:
        """Whom the engine names when the seat has to decide."""
        return self.controller(seat) if self.shape.asked == "controller" else seat

    def affector(self, seat: int) -> int:
        """Whom an action of the seat is annotated with."""
        return self.controller(seat) if self.shape.affector == "controller" else seat

    def shown(self, seat: int) -> bool:
        """Whether requests to the seat reach this client."""
        return self.controller(seat) == self.local

    def request(
        self, seat: int, kind: str, payload: Json, *, update: str = "Send", **more: Any
    ) -> int | None:
        """Ask the seat: the pending state, and, if this client sees it, the request; its id."""
        self.table.turn["decisionPlayer"] = self.asked(seat)
        if not self.shown(seat):
            self.send(self.state(update))
            return None
        state = self.state(update, pending=1)
        field = kind[0].lower() + kind[1:]
        asked = self.message(
            kind, (self.asked(seat),), **({field: payload} if payload else {}), **more
        )
        self.send(state, asked)
        number: int = asked["msgId"]
        return number

    def reply(self, seat: int, kind: str, request: int | None, **payload: Any) -> None:
        """The seat's answer, if this client gives it."""
        own = self.controller(seat) == seat
        if request is not None and (own or self.shape.answered):
            self.client(kind, request, **payload)

    def act(
        self, seat: int, request: int | None, action: str, item: int | None, **more: Any
    ) -> None:
        """Answer a request for actions with one action."""
        chosen: Json = {"actionType": f"ActionType_{action}"}
        extra: Json = {}
        if item is not None:
            card = self.table.objects[item]["grpId"]
            chosen |= {"grpId": card, "instanceId": item, "facetId": item} | more
            extra = {"autoPassPriority": "AutoPassPriority_Yes"}
        answer = {"actions": [chosen]} | extra
        self.reply(seat, "PerformActionResp", request, performActionResp=answer)

    def actions(self, seat: int) -> Json:
        """What a request for actions offers: the hand and passing."""
        offered = []
        table = self.table
        for zone, numbers in table.zones.items():
            for number in numbers:
                item = table.objects[number]
                if item["ownerSeatId"] == seat and zone in (31, 35):
                    land = CARDS[item["grpId"]].type == "Land"
                    action = "ActionType_Play" if land else "ActionType_Cast"
                    card = {"grpId": item["grpId"], "instanceId": number, "facetId": number}
                    offered.append({"actionType": action} | card)
        return {"actions": [*offered, {"actionType": "ActionType_Pass"}]}
