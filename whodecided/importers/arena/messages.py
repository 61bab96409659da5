"""Messages of the rules engine and of the client: types, payloads, who answers what."""

from __future__ import annotations

from whodecided.importers.arena.envelope import Envelope, GreMessage, Json
from whodecided.importers.arena.items import MessageItem
from whodecided.importers.arena.words import bare, whole

__all__ = [
    "CLIENT_PREFIX",
    "GRE_PREFIX",
    "Requests",
    "client_body",
    "is_display",
    "is_request",
]

GRE_PREFIX = "GREMessageType_"
CLIENT_PREFIX = "ClientMessageType_"

REMEMBERED_REQUESTS = 256

_DISPLAYED = (
    f"{GRE_PREFIX}UIMessage",
    f"{GRE_PREFIX}TimerStateMessage",
    f"{CLIENT_PREFIX}UIMessage",
)


def is_display(kind: object) -> bool:
    """True for hovering, chat and clocks: most messages of a log, and none tells of the game."""
    return kind in _DISPLAYED


def is_request(message: GreMessage) -> bool:
    """True for a message that asks something, or shows what is asked (`PromptReq`)."""
    if message.gameStateMessage is not None:
        return False
    kind = bare(message.type)
    return kind.endswith("Req") or kind == "OptionalActionMessage"


def client_body(envelope: Envelope) -> Json | None:
    """The client message in an entry of the client; None when it holds none that can be read."""
    body = envelope.clientToGreMessage
    if body is None and isinstance(envelope.payload, dict):
        body = envelope.payload
        if not str(body.get("type", "")).startswith(CLIENT_PREFIX):
            return None
    return body


class Requests:
    """The latest messages that a client message may answer, by `msgId`.

    Ids restart in the next game of a match, so an answer must also name the same state.
    """

    def __init__(self) -> None:
        self._by_id: dict[int, MessageItem] = {}

    def note(self, item: MessageItem) -> None:
        """Remember a message; the oldest is forgotten when there are too many."""
        message_id = item.message.msgId
        if message_id is None:
            return
        self._by_id.pop(message_id, None)
        self._by_id[message_id] = item
        if len(self._by_id) > REMEMBERED_REQUESTS:
            del self._by_id[next(iter(self._by_id))]

    def answered(self, body: Json) -> MessageItem | None:
        """The message that a client message answers, if it was logged."""
        found = self._by_id.get(whole(body.get("respId")) or -1)
        if found is None or found.message.gameStateId != whole(body.get("gameStateId")):
            return None
        return found

    def forget(self) -> None:
        """Forget all: a new connection numbers anew."""
        self._by_id.clear()
