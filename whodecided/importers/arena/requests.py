"""Requests into decision_requested: what is asked, whom, and whose decision it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from whodecided.importers.arena.actions import flush_begun
from whodecided.importers.arena.desk import Asked, Desk
from whodecided.importers.arena.envelope import GreMessage, Json
from whodecided.importers.arena.items import MessageItem
from whodecided.importers.arena.step import seat_of, seat_or_none
from whodecided.importers.arena.words import (
    DECISIONS,
    NEVER_WITHIN_AN_ACTION,
    bare,
    json_text,
    whole,
)

__all__ = ["tell_refusal", "tell_request"]

_PASSING: Final = ("choice", "payment", "targets")


class _Action(msgspec.Struct, gc=False):
    """The part of an offered action that says what it is."""

    actionType: str | int = ""
    grpId: int | None = None
    instanceId: int | None = None
    abilityGrpId: int | None = None


class _Actions(msgspec.Struct, gc=False):
    actions: list[_Action] = []


_ACTIONS: Final = msgspec.json.Decoder(_Actions)


def tell_request(desk: Desk, item: MessageItem, kind: str, payload: Json) -> None:
    """Tell a request that wants an answer, and remember it for the answer.

    Its seat is the one whose decision it is: a controlled seat, even where the engine names the
    controller (CR 723.5). Who answers is stated by the address unless somebody else does.
    """
    if kind in NEVER_WITHIN_AN_ACTION:
        flush_begun(desk)
    message = item.message
    asked = tuple(seat for seat in map(seat_or_none, message.systemSeatIds) if seat)
    options, count, items = _options(message, kind, payload)
    seat = _decides(desk, asked, kind, payload, items, item.turn or {})
    decision = DECISIONS[kind]
    source = whole(payload.get("sourceId"))
    correlation = desk.teller.id_of("request")
    number = desk.teller.tell(
        "decision_requested",
        "request",
        {
            "decision": decision,
            "request_kind": kind,
            "asked": asked,
            "answers_wanted": not message.informationalUseOnly,
            "source_object": str(source) if source else None,
            "options_count": count,
        },
        {"options": options},
        seat=seat,
        stated=_stated(desk, asked, seat),
        decision=decision,
        correlation=correlation,
    )
    if message.msgId is not None:
        desk.asked[message.msgId] = Asked(number, correlation, seat, kind, payload)
    if seat is not None:
        desk.latest[seat] = (message.gameStateId, kind)
        desk.answered -= {(seat, what) for what in _PASSING}
    if kind == "SearchReq":
        _search(desk, payload, seat, number, correlation)


def _options(message: GreMessage, kind: str, payload: Json) -> tuple[str, int | None, list[int]]:
    """What may be answered as JSON text, how many options, and the objects they start from."""
    if kind == "ActionsAvailableReq":
        raw = bytes(message.actionsAvailableReq)
        actions = _ACTIONS.decode(raw).actions if raw else []
        listed = [
            [bare(action.actionType), action.grpId, action.instanceId, action.abilityGrpId]
            for action in actions
        ]
        starts = [action.instanceId for action in actions if action.instanceId]
        return json_text(listed), len(listed), starts
    field = next((name for name in _LISTS if isinstance(payload.get(name), list)), None)
    count = len(payload[field]) if field else None
    starts = [
        number
        for item in (*payload.get("blockers", ()), *payload.get("attackers", ()))
        if (number := item.get("blockerInstanceId") or item.get("attackerInstanceId"))
    ]
    return json_text(payload), count, starts


_LISTS: Final = (
    "ids",
    "instanceIds",
    "itemsSought",
    "targets",
    "attackers",
    "blockers",
    "castingTimeOptionReq",
    "damageAssigners",
    "systemSeatIds",
)


def _decides(
    desk: Desk, asked: tuple[int, ...], kind: str, payload: Json, items: Iterable[int], turn: Json
) -> int | None:
    """Whose decision it is. Only a controller may be asked for somebody else."""
    if len(asked) != 1 or asked[0] not in desk.players:
        return None
    seat = asked[0]
    reach = {other for other in desk.players if desk.controller(other) == seat}
    if not reach - {seat}:
        return seat
    named = (*_named(payload), *_holders(desk, items), _holder(desk, payload.get("sourceId")))
    for other in named:
        if other in reach and (other != seat or seat in reach):
            return other
    if kind == "DeclareAttackersReq":
        return _one_of(reach, turn.get("activePlayer"), seat)
    return _one_of(reach, turn.get("priorityPlayer"), seat)


def _one_of(reach: set[int], candidate: Any, seat: int) -> int:
    return candidate if candidate in reach else seat


def _named(payload: Json) -> Iterable[int | None]:
    for option in payload.get("castingTimeOptionReq", ()):
        yield seat_or_none(option.get("playerIdToPrompt"))


def _holders(desk: Desk, items: Iterable[int]) -> Iterable[int | None]:
    return (_holder(desk, number) for number in items)


def _holder(desk: Desk, number: Any) -> int | None:
    found = None if desk.now is None or not whole(number) else desk.now.object(number)
    return seat_of(found)


def _stated(desk: Desk, asked: tuple[int, ...], seat: int | None) -> str | None:
    """The address names the decider, unless a controller or a stand-in answers for it."""
    if len(asked) != 1 or seat is None or asked[0] in desk.taken:
        return None
    return desk.principal(asked[0]) if desk.controller(asked[0]) == asked[0] else None


def _search(desk: Desk, payload: Json, seat: int | None, request: int, correlation: str) -> None:
    """The request to search shows the library: the search has begun."""
    zones = payload.get("zonesToSearch", ())
    now = desk.now
    owners = [seat_of(now.zone(zone), "ownerSeatId") for zone in zones] if now is not None else []
    owner = next((found for found in owners if found), seat)
    desk.teller.tell(
        "library_search_started",
        "search",
        {"owner": owner},
        seat=seat,
        stated=_stated(desk, (seat,) if seat else (), seat),
        correlation=correlation,
        causation=request,
    )


def tell_refusal(desk: Desk, payload: Json) -> None:
    """The engine refuses a message of the client."""
    refused = payload.get("message") or payload.get("illegalMessage") or {}
    asked = (
        desk.asked.get(whole(refused.get("respId")) or -1) if isinstance(refused, dict) else None
    )
    reason = bare(payload.get("reason", payload.get("failureReason", "unknown")))
    desk.teller.tell(
        "request_refused",
        "refused",
        {"request": asked.number if asked else None, "reason": reason},
        seat=asked.seat if asked else None,
        correlation=asked.correlation if asked else None,
    )
