"""The wire format of the client log as typed records, and its decoder.

Field names are those of the protocol. Only what is read often is typed; large parts that most
readers do not need (legal actions, timers) stay raw JSON, and what no field names is left out.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

__all__ = ["ClientPayload", "Envelope", "GameState", "GreMessage", "decode", "salvage"]

Id = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]
"""An identifier as it may be stored; larger numbers are refused, never rounded."""

Json = dict[str, Any]
_RAW = msgspec.Raw()


class GameState(msgspec.Struct, gc=False):
    """`GameStateMessage`: a full picture of the game or a difference to the state before.

    An absent `turnInfo` means unchanged (None here); present ones replace the old one whole.
    """

    type: str | int = ""
    gameStateId: Id | None = None
    prevGameStateId: Id | None = None
    update: str | int = ""
    pendingMessageCount: int = 0
    gameInfo: Json | None = None
    teams: list[Json] | None = None
    turnInfo: Json | None = None
    players: list[Json] = []
    zones: list[Json] = []
    gameObjects: list[Json] = []
    annotations: list[Json] = []
    persistentAnnotations: list[Json] = []
    diffDeletedPersistentAnnotationIds: list[int] = []
    diffDeletedInstanceIds: list[int] = []
    actions: msgspec.Raw = _RAW
    timers: msgspec.Raw = _RAW


class GreMessage(msgspec.Struct, gc=False):
    """`GREToClientMessage`: one message of the game rules engine to this client.

    `systemSeatIds` are the addressees. The payload stands in the field named after the type.
    """

    type: str | int = ""
    systemSeatIds: list[Id] = []
    msgId: Id | None = None
    gameStateId: Id | None = None
    gameStateMessage: GameState | None = None
    prompt: Json | None = None
    nonDecisionPlayerPrompt: Json | None = None
    informationalUseOnly: bool = False
    allowCancel: str | int | None = None
    allowUndo: bool = False
    actionsAvailableReq: msgspec.Raw = _RAW
    assignDamageConfirmation: Json | None = None
    assignDamageReq: Json | None = None
    castingTimeOptionsReq: Json | None = None
    chooseStartingPlayerReq: Json | None = None
    connectResp: Json | None = None
    declareAttackersReq: Json | None = None
    declareBlockersReq: Json | None = None
    dieRollResultsResp: Json | None = None
    distributionReq: Json | None = None
    edictalMessage: Json | None = None
    gatherReq: Json | None = None
    groupReq: Json | None = None
    illegalRequest: Json | None = None
    intermissionReq: Json | None = None
    mulliganReq: Json | None = None
    numericInputReq: Json | None = None
    optionalActionMessage: Json | None = None
    orderCombatDamageReq: Json | None = None
    orderDamageConfirmation: Json | None = None
    orderReq: Json | None = None
    payCostsReq: Json | None = None
    promptReq: Json | None = None
    revealHandReq: Json | None = None
    searchFromGroupsReq: Json | None = None
    searchReq: Json | None = None
    selectCountersReq: Json | None = None
    selectFromGroupsReq: Json | None = None
    selectNReq: Json | None = None
    selectReplacementReq: Json | None = None
    selectTargetsReq: Json | None = None
    setSettingsResp: Json | None = None
    stringInputReq: Json | None = None
    submitAttackersResp: Json | None = None
    submitBlockersResp: Json | None = None
    submitDeckReq: Json | None = None
    submitTargetsResp: Json | None = None
    timeoutMessage: Json | None = None


class GreEvent(msgspec.Struct, gc=False):
    """`GREToClientEvent`: the messages of one batch, in order."""

    greToClientMessages: list[GreMessage] = []


ClientPayload = Json | str | None
"""The client message: an object, or text that is not decoded (base64 in 2019, or blanked)."""


class Envelope(msgspec.Struct, gc=False):
    """One entry, whichever side it comes from; all fields are optional.

    `timestamp` is epoch milliseconds or .NET ticks, both UTC, as text.
    """

    transactionId: str | None = None
    requestId: int | None = None
    timestamp: str | int | None = None
    greToClientEvent: GreEvent | None = None
    matchGameRoomStateChangedEvent: Json | None = None
    clientToMatchServiceMessageType: str | int | None = None
    payload: ClientPayload = None
    clientToGreMessage: Json | None = None

    @property
    def empty(self) -> bool:
        """True when it is none of the entries that say something about a game."""
        return (
            self.greToClientEvent is None
            and self.matchGameRoomStateChangedEvent is None
            and self.clientToMatchServiceMessageType is None
            and self.clientToGreMessage is None
        )


_DECODER = msgspec.json.Decoder(Envelope)


def decode(raw: bytes) -> Envelope:
    """Decode one JSON object.

    Raises msgspec.ValidationError when a field has another type than the protocol says (see
    `salvage`), msgspec.DecodeError when it is no JSON, RecursionError when it is nested too deeply.
    """
    return _DECODER.decode(raw)


def salvage(raw: bytes) -> tuple[Envelope, list[str]]:
    """Decode what can be decoded of an object with wrong field types, and say what cannot.

    Messages of a batch are taken one by one; fields of the envelope likewise. Raises as `decode`
    when it is no JSON at all.
    """
    fields = msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
    problems: list[str] = []
    envelope = Envelope()
    for field in msgspec.structs.fields(Envelope):
        part = fields.get(field.name)
        if part is None:
            continue
        if field.name == "greToClientEvent":
            envelope.greToClientEvent = GreEvent(_salvage_messages(part, problems))
            continue
        try:
            setattr(envelope, field.name, msgspec.json.decode(part, type=field.type))
        except msgspec.ValidationError as error:
            problems.append(f"field {field.name}: {error}")
    return envelope, problems


class _RawBatch(msgspec.Struct):
    greToClientMessages: list[msgspec.Raw] = []


def _salvage_messages(batch: msgspec.Raw, problems: list[str]) -> list[GreMessage]:
    try:
        found = msgspec.json.decode(batch, type=_RawBatch).greToClientMessages
    except msgspec.ValidationError as error:
        problems.append(f"field greToClientEvent: {error}")
        return []
    messages = []
    for index, message in enumerate(found):
        try:
            messages.append(msgspec.json.decode(message, type=GreMessage))
        except msgspec.ValidationError as error:
            problems.append(f"message {index + 1} of the batch: {error}")
    return messages
