"""What players did, as the annotations show it: actions, targets, choices, payments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whodecided.importers.arena.desk import Begun, Desk, details
from whodecided.importers.arena.envelope import Json
from whodecided.importers.arena.step import Step, card_secret, seat_of, seat_or_none
from whodecided.importers.arena.telling import NOTHING
from whodecided.importers.arena.words import (
    CAST,
    PAYMENT,
    PLAY,
    PLAY_ACTIONS,
    SPECIALS,
    TAKEN_AS,
    UNFINISHED,
    json_text,
)

__all__ = [
    "choice_result",
    "flush_begun",
    "mana_ability",
    "mana_paid",
    "objects_selected",
    "release_played",
    "targets_submitted",
    "user_action",
]

_MANA = 4
_ACTIVATE = 2


def user_action(step: Step, part: str, note: Json) -> None:
    """The core event: a seat casts, plays, activates, pays or takes a special action."""
    values = details(note)
    kind = next(iter(values.get("actionType", ())), 0)
    item = next(iter(note.get("affectedIds", ())), 0)
    _act(step, part, _acting(step, note.get("affectorId"), item), kind, item, values)


def release_played(step: Step) -> None:
    """Spells cast and lands played of which no annotation says so: old clients only move them."""
    played = step.desk.played
    if played and step.state.update != UNFINISHED:
        for item, category in list(played.items()):
            seat = seat_of(step.known_card(item))
            if seat in step.desk.players:
                _act(step, f"played.{item}", seat, TAKEN_AS[category], item, {})
        played.clear()


def _act(
    step: Step, part: str, seat: int | None, kind: int, item: int, values: dict[str, Any]
) -> None:
    desk = step.desk
    event, fields, secrets = _action(step, kind, item, values)
    begun = _confirmed(desk, seat, event, mana=kind == _MANA)
    answer = _answer(begun)
    if begun is not None and begun.asked is not None:
        fields["request"] = begun.asked.number
    goal = step.paying.get(step.created.get(item, 0), item) if kind == _MANA else item
    number = desk.teller.tell(
        event, part, fields, secrets, seat=seat, action=desk.action(goal), **answer
    )
    if event in ("spell_cast", "ability_activated") and kind != _MANA:
        desk.made[item] = number
    if event in ("spell_cast", "land_played"):
        desk.told[item] = number
    desk.held.pop(item, None)
    desk.played.pop(item, None)


def mana_ability(step: Step, part: str, item: int, source: int) -> bool:
    """Tell of an ability that comes and goes while its source's mana is paid, if it is one.

    Old clients annotate no action for it.
    """
    goal = step.paying.get(source)
    if goal is None or item not in step.deleted or step.object(item) is not None:
        return False
    seat = seat_of(step.object(source)) or seat_of(step.object(goal))
    fields = {"object": None, "source_object": str(source), "mana_ability": True}
    action = step.desk.action(goal)
    step.desk.teller.tell("ability_activated", part, fields, seat=seat, action=action)
    return True


def _acting(step: Step, affector: Any, item: int) -> int | None:
    """Whose action it is: the annotated seat's, or that of a seat it controls with the item."""
    seat = seat_or_none(affector)
    if seat not in step.desk.players:
        return None
    thing = step.object(item) or step.object(step.created.get(item, 0))
    holder = seat_of(thing)
    if holder is None or holder == seat or holder not in step.desk.players:
        return seat
    return holder if seat_of(step.before.player(holder)) == seat else seat


def _action(
    step: Step, kind: int, item: int, values: dict[str, Any]
) -> tuple[str, dict[str, Any], Mapping[str, Any]]:
    thing = step.known_card(item)
    fields: dict[str, Any] = {"object": str(item)}
    if kind in CAST:
        fields["from_zone"] = step.desk.origins.get(item)
        fields["face_down"] = bool(thing and thing.get("isFacedown"))
        return "spell_cast", fields, card_secret(thing)
    if kind in PLAY:
        fields["from_zone"] = step.desk.origins.get(item)
        return "land_played", fields, card_secret(thing)
    if kind in (_MANA, _ACTIVATE):
        return "ability_activated", *_ability(step, kind, item, values)
    if kind in PAYMENT:
        return "cost_paid", fields | {"resource": f"action_type_{kind}"}, NOTHING
    special = SPECIALS.get(kind, f"action_type_{kind}")
    return "special_action_taken", fields | {"special": special}, card_secret(thing)


def _ability(
    step: Step, kind: int, item: int, values: dict[str, Any]
) -> tuple[dict[str, Any], Mapping[str, Any]]:
    thing = step.object(item)
    source = step.created.get(item) or step.desk.held.get(item) or (thing or {}).get("parentId")
    number = next(iter(values.get("abilityGrpId", ())), 0) or (thing or {}).get("grpId")
    secrets = {"ability": str(number)} if number else NOTHING
    mana = kind == _MANA
    fields = {
        "object": None if mana else str(item),
        "source_object": str(source) if source else None,
        "mana_ability": mana,
    }
    return fields, secrets


def _confirmed(desk: Desk, seat: int | None, event: str, *, mana: bool) -> Begun | None:
    """The announced action that the annotation confirms."""
    begun = desk.begun
    if begun is None or begun.seat != seat:
        return None
    if _event_of(begun) != event or (begun.action == "Activate_Mana") != mana:
        return None
    desk.begun = None
    return begun


def _event_of(begun: Begun) -> str:
    return PLAY_ACTIONS.get(begun.action, "special_action_taken")


def _answer(begun: Begun | None) -> dict[str, Any]:
    if begun is None:
        return {}
    asked = begun.asked
    return {
        "stated": begun.stated,
        "performer": begun.performer,
        "correlation": asked.correlation if asked else None,
        "causation": asked.number if asked else None,
    }


def flush_begun(desk: Desk, *, lost: bool = False) -> None:
    """Tell an announced action that nothing in the log confirmed: its confirmation is missing.

    `lost`: the log has a gap there; where the card is now, under which id, has to be seen.
    """
    begun, desk.begun = desk.begun, None
    if begun is None:
        return
    event = _event_of(begun)
    item = str(begun.item) if begun.item is not None else None
    card = {"card": str(begun.card)} if begun.card else NOTHING
    fields: dict[str, Any] = {"object": item}
    if begun.asked is not None:
        fields["request"] = begun.asked.number
    if event == "ability_activated":
        mana = begun.action == "Activate_Mana"
        fields |= {"object": None, "source_object": item, "mana_ability": mana}
        card = {"ability": str(begun.ability)} if begun.ability else NOTHING
    elif event == "cost_paid":
        card = NOTHING
    elif event == "special_action_taken":
        fields["special"] = begun.action.lower()
    if lost and begun.item is not None and event in ("spell_cast", "land_played"):
        desk.adrift.add(begun.item)
    desk.teller.tell(event, begun.part, fields, card, seat=begun.seat, **_answer(begun))


def targets_submitted(step: Step, part: str, note: Json) -> None:
    """A player has chosen all targets of a spell or ability; the choice is in its TargetSpecs."""
    desk = step.desk
    for item in note.get("affectedIds", ()):
        seat = _acting(step, note.get("affectorId"), item)
        if seat is not None and (seat, "targets") in desk.answered:
            desk.answered.discard((seat, "targets"))
            continue
        fields = {"object": str(item), "targets": _targets(step, item)}
        desk.teller.tell("targets_chosen", part, fields, seat=seat, action=desk.action(item))


def _targets(step: Step, item: int) -> tuple[str, ...]:
    found = [
        note
        for note in step.notes
        if note.get("affectorId") == item and "AnnotationType_TargetSpec" in note.get("type", ())
    ]
    return tuple(
        step.desk.target(number) for note in found for number in note.get("affectedIds", ())
    )


def choice_result(step: Step, part: str, note: Json) -> None:
    """A choice during a resolution or payment, shown with its result."""
    values = details(note)
    desk = step.desk
    affector = note.get("affectorId")
    for number in note.get("affectedIds", ()):
        seat = seat_or_none(number)
        if seat not in desk.players:
            desk.counts["ChoiceResult without a seat"] += 1
        elif (seat, "choice") in desk.answered:
            desk.answered.discard((seat, "choice"))
        else:
            _choice(step, part, seat, affector, values)


def objects_selected(step: Step, part: str, note: Json) -> None:
    """Objects that a player has selected for an effect.

    The note lasts: first seen after a gap it says nothing about when, or by an answer told already.
    """
    values = details(note)
    chosen = [number for number in note.get("affectedIds", ()) if number]
    if step.item.gap is not None or not chosen:
        return
    seat = seat_or_none(next(iter(values.get("playerId", ())), None))
    if seat not in step.desk.players:
        step.desk.counts["ObjectsSelected without a seat"] += 1
    elif (seat, "choice") not in step.desk.answered:
        _choice(step, part, seat, note.get("affectorId"), {"objects": chosen})


def _choice(step: Step, part: str, seat: int | None, source: Any, what: dict[str, Any]) -> None:
    fields = {"kind": "other", "source_object": str(source) if source else None}
    secrets = {"what": json_text(what)}
    step.desk.teller.tell("choice_made", part, fields, secrets, seat=seat)


def mana_paid(step: Step, part: str, note: Json) -> None:
    """Mana is paid for something; all of one state's mana for it is one decision."""
    desk = step.desk
    item = next(iter(note.get("affectedIds", ())), 0)
    sources = step.payments[item]
    step.mana_seen[item] = step.mana_seen.get(item, 0) + 1
    if step.mana_seen[item] < len(sources):
        return
    seat = seat_of(step.object(item)) or seat_of(step.object(note.get("affectorId", 0)))
    if seat is not None and (seat, "payment") in desk.answered:
        desk.answered.discard((seat, "payment"))
        return
    fields = {
        "object": str(item),
        "resource": "mana",
        "owner": seat,
        "payment": tuple(dict.fromkeys(map(str, sources))),
        "paid_from": seat,
    }
    desk.teller.tell("cost_paid", part, fields, seat=seat, action=desk.action(item))
