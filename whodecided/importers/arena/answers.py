"""Answers of the local client, and of the server in a seat's name, into decisions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from whodecided.importers.arena.actions import flush_begun
from whodecided.importers.arena.combat import attack_of, block_of
from whodecided.importers.arena.desk import Asked, Begun, Desk
from whodecided.importers.arena.envelope import Json
from whodecided.importers.arena.step import seat_or_none
from whodecided.importers.arena.telling import NOTHING
from whodecided.importers.arena.words import ANSWERS, WITHOUT_EVENT, bare, json_text, snake, whole

__all__ = ["Answer", "tell_answer"]


class Answer(NamedTuple):
    """A client message as a decision: who says it, for which seat, to which request.

    `stated` is the decider it states, `performer` whose client (or the server) sent it.
    """

    kind: str
    body: Json
    seat: int | None
    stated: str
    asked: Asked | None

    @property
    def payload(self) -> Json:
        """The payload, in the field named after the type."""
        name = self.kind[:1].lower() + self.kind[1:]
        if name == "optionalActionResp":
            name = "optionalResp"
        found = self.body.get(name)
        return found if isinstance(found, dict) else {}


def tell_answer(desk: Desk, answer: Answer) -> None:
    """Tell the decision that a message is; types without a meaning here are counted."""
    handler = _HANDLERS.get(answer.kind)
    if handler is not None:
        handler(desk, answer)
    elif answer.kind in ANSWERS:
        _choice(desk, answer)
    elif answer.kind not in WITHOUT_EVENT:
        desk.counts[answer.kind] += 1


def _tell(
    desk: Desk,
    answer: Answer,
    event: str,
    fields: Mapping[str, Any] = NOTHING,
    secrets: Mapping[str, Any] = NOTHING,
    *,
    item: int | None = None,
    part: str = "answer",
) -> int:
    asked = answer.asked
    return desk.teller.tell(
        event,
        part,
        {"request": asked.number, **fields} if asked else fields,
        secrets,
        seat=answer.seat,
        stated=answer.stated,
        performer=answer.stated,
        action=None if item is None else desk.action(item),
        correlation=asked.correlation if asked else None,
        causation=asked.number if asked else None,
    )


def _answered(desk: Desk, answer: Answer, what: str) -> None:
    if answer.seat is not None:
        desk.answered.add((answer.seat, what))


def _perform(desk: Desk, answer: Answer) -> None:
    """One action out of those offered: a pass at once, the others when the engine confirms them."""
    for action in answer.payload.get("actions", ()):
        name = bare(action.get("actionType", ""))
        flush_begun(desk)
        if name == "Pass":
            _tell(desk, answer, "priority_passed")
            desk.passed = answer.seat
        elif answer.seat is None:
            desk.counts[f"PerformActionResp {name} without a seat"] += 1
        else:
            desk.begun = Begun(
                answer.seat,
                answer.stated,
                answer.stated,
                name,
                whole(action.get("instanceId")),
                whole(action.get("abilityGrpId")),
                whole(action.get("grpId")),
                answer.asked,
                f"begun.{desk.teller.id_of('answer').rpartition('/')[0].rpartition('/')[2]}",
            )


def _mulligan(desk: Desk, answer: Answer) -> None:
    keep = bare(answer.payload.get("decision", "")) == "AcceptHand"
    before = whole((answer.asked.payload if answer.asked else {}).get("mulliganCount", 0)) or 0
    _tell(desk, answer, "mulligan_decided", {"keep": keep, "taken": before + (not keep)})
    _answered(desk, answer, "mulligan")


def _targets(desk: Desk, answer: Answer) -> None:
    """The targets are those that the answered request shows as selected."""
    payload = answer.asked.payload if answer.asked else {}
    item = whole(payload.get("sourceId"))
    chosen = tuple(
        desk.target(option["targetInstanceId"])
        for slot in payload.get("targets", ())
        for option in slot.get("targets", ())
        if option.get("legalAction") == "SelectAction_Unselect" and "targetInstanceId" in option
    )
    fields = {"object": str(item) if item else None, "targets": chosen}
    _tell(desk, answer, "targets_chosen", fields, item=item)
    _answered(desk, answer, "targets")


def _attackers(desk: Desk, answer: Answer) -> None:
    payload = answer.asked.payload if answer.asked else {}
    found = []
    for option in payload.get("attackers", ()):
        aim = option.get("selectedDamageRecipient")
        if aim and whole(option.get("attackerInstanceId")):
            found.append(attack_of(option["attackerInstanceId"], _recipient(aim)))
    _tell(desk, answer, "attackers_declared", {"attacks": tuple(found)})
    _answered(desk, answer, "attack")


def _recipient(aim: Json) -> str | None:
    seat = seat_or_none(aim.get("playerSystemSeatId"))
    if seat is not None:
        return f"seat:{seat}"
    number = whole(aim.get("planeswalkerInstanceId") or aim.get("instanceId"))
    return str(number) if number else None


def _blockers(desk: Desk, answer: Answer) -> None:
    payload = answer.asked.payload if answer.asked else {}
    found = [
        block_of(option["blockerInstanceId"], tuple(map(str, picked)))
        for option in payload.get("blockers", ())
        if (picked := option.get("selectedAttackerInstanceIds")) and option.get("blockerInstanceId")
    ]
    _tell(desk, answer, "blockers_declared", {"blocks": tuple(found)})
    _answered(desk, answer, "block")


def _damage(desk: Desk, answer: Answer) -> None:
    for index, assigner in enumerate(answer.payload.get("assigners", ())):
        parts = [item for item in assigner.get("assignments", ()) if whole(item.get("instanceId"))]
        fields = {
            "object": str(assigner.get("instanceId")),
            "targets": tuple(desk.target(item["instanceId"]) for item in parts),
            "amounts": tuple(whole(item.get("assignedDamage", 0)) or 0 for item in parts),
        }
        _tell(desk, answer, "damage_assigned", fields, part=f"answer.{index}")


def _options(desk: Desk, answer: Answer) -> None:
    chosen = answer.payload.get("castingTimeOptionResp") or {}
    modes = [bare(chosen.get("castingTimeOptionType", ""))]
    modes += [str(mode) for mode in (chosen.get("chooseModalResp") or {}).get("grpIds", ())]
    asked = answer.asked.payload.get("castingTimeOptionReq", ()) if answer.asked else ()
    item = next((n for n in (whole(each.get("affectedId")) for each in asked) if n), None)
    fields = {"object": str(item) if item else None, "modes": tuple(mode for mode in modes if mode)}
    _tell(desk, answer, "modes_chosen", fields, item=item)


def _payment(desk: Desk, answer: Answer) -> None:
    asked = answer.asked.payload if answer.asked else {}
    costs = asked.get("manaCost") or ()
    item = next((n for n in (whole(cost.get("objectId")) for cost in costs) if n), None)
    chosen = (answer.payload.get("costSelection") or {}).get("ids", ())
    kind = answer.payload.get("effectCostType")
    fields = {
        "object": str(item) if item else None,
        "resource": snake(bare(kind)) if kind else "mana",
        "payment": tuple(map(str, chosen)),
        "paid_from": answer.seat,
    }
    _tell(desk, answer, "cost_paid", fields, item=item)
    _answered(desk, answer, "payment")


def _search(desk: Desk, answer: Answer) -> None:
    for number in answer.payload.get("itemsFound", ()):
        thing = None if desk.now is None else desk.now.object(number)
        card = {"card": str(thing["grpId"])} if thing and thing.get("grpId") else NOTHING
        part = f"found.{number}"
        _tell(desk, answer, "card_found", {"object": str(number)}, card, part=part)
    if answer.seat is not None:
        desk.teller.tell("library_search_ended", "search", {"seat": answer.seat}, seat=answer.seat)


def _choice(desk: Desk, answer: Answer) -> None:
    kind, field = ANSWERS[answer.kind]
    payload = answer.body.get(field) or {}
    asked = answer.asked.payload if answer.asked else {}
    source = whole(asked.get("sourceId"))
    detail = payload.get("response") if answer.kind == "OptionalActionResp" else None
    fields = {
        "kind": _kind_of(kind, asked),
        "source_object": str(source) if source else None,
        "detail": bare(detail) if detail else None,
    }
    _tell(desk, answer, "choice_made", fields, {"what": json_text(payload)})
    _answered(desk, answer, "choice")


def _kind_of(kind: str, asked: Json) -> str:
    context = bare(asked.get("context", asked.get("orderingContext", "")))
    if kind == "arrange" and context == "LondonMulligan":
        return "bottom"
    if context == "Discard":
        return "discard"
    if context == "TriggeredAbility" or bare(asked.get("optionContext", "")) == "Stacking":
        return "trigger_order"
    return kind


def _cancel(desk: Desk, answer: Answer) -> None:
    desk.begun = None
    _tell(desk, answer, "choice_made", {"kind": "cancel", "detail": answer.kind})


def _concede(desk: Desk, answer: Answer) -> None:
    scope = bare(answer.payload.get("scope", "MatchScope_Game")).lower()
    _tell(desk, answer, "conceded", {"scope": scope})
    if answer.seat is not None:
        desk.departed.add(answer.seat)
        fields = {"seat": answer.seat, "reason": "conceded"}
        desk.teller.tell("player_left", "left", fields)


def _sideboarded(desk: Desk, answer: Answer) -> None:
    _tell(desk, answer, "sideboarded")


def _settings(desk: Desk, answer: Answer) -> None:
    pairs = tuple(sorted(_pairs(answer.payload.get("settings") or {})))
    _tell(desk, answer, "setting_changed", {"settings": pairs})


def _pairs(settings: Json) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for name, value in settings.items():
        if isinstance(value, list):
            found += [(f"{name}.{_stop(item)}", bare(item.get("status", ""))) for item in value]
        else:
            found.append((snake(name), bare(value)))
    return found


def _stop(item: Json) -> str:
    return f"{bare(item.get('stopType', ''))}.{bare(item.get('appliesTo', ''))}"


_HANDLERS: Final[Mapping[str, Callable[[Desk, Answer], None]]] = {
    "AssignDamageResp": _damage,
    "CancelActionReq": _cancel,
    "CastingTimeOptionsResp": _options,
    "ConcedeReq": _concede,
    "EffectCostResp": _payment,
    "MulliganResp": _mulligan,
    "PerformActionResp": _perform,
    "PerformAutoTapActionsResp": _payment,
    "SearchResp": _search,
    "SetSettingsReq": _settings,
    "SubmitAttackersReq": _attackers,
    "SubmitBlockersReq": _blockers,
    "SubmitDeckResp": _sideboarded,
    "SubmitTargetsReq": _targets,
    "UndoReq": _cancel,
}
