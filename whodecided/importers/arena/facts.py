"""What happens without anybody choosing it here: abilities, resolutions, damage, life, reveals."""

from __future__ import annotations

from typing import Any

from whodecided.importers.arena.actions import mana_ability
from whodecided.importers.arena.departures import leave
from whodecided.importers.arena.desk import details
from whodecided.importers.arena.envelope import Json
from whodecided.importers.arena.step import (
    Step,
    card_secret,
    owner_of_zone,
    seat_of,
    seat_or_none,
)
from whodecided.importers.arena.words import UNFINISHED, json_text, whole, zone_word

__all__ = [
    "ability_created",
    "card_revealed",
    "counter_added",
    "counter_removed",
    "damage_dealt",
    "life_modified",
    "loss_of_game",
    "marker_created",
    "release_held",
    "resolution_completed",
    "resolution_started",
    "revealed_to_opponent",
    "scried",
    "turned_up",
]

_COMBAT = 1


def ability_created(step: Step, part: str, note: Json) -> None:
    """An ability is put on the stack: triggered, unless an action names it now or later.

    While a choice is open (`Send`) it may still be an activation under way: then it is held.
    """
    source = note.get("affectorId", 0)
    for item in note.get("affectedIds", ()):
        if item in step.uses or mana_ability(step, part, item, source):
            continue
        if step.state.update == UNFINISHED and not _has_trigger(step, item):
            step.desk.held[item] = source
        else:
            _triggered(step, part, item, source)


def _has_trigger(step: Step, item: int) -> bool:
    return any(
        note.get("affectorId") == item and "AnnotationType_TriggeringObject" in note.get("type", ())
        for note in step.notes
    )


def _triggered(step: Step, part: str, item: int, source: int) -> None:
    thing = step.object(item)
    seat = seat_of(thing)
    fields = {
        "object": str(item),
        "source_object": str(source) if source else None,
        "controller": seat,
    }
    secrets = card_secret(thing, "ability")
    step.desk.made[item] = step.tell("ability_triggered", part, fields, secrets, seat=seat)


def release_held(step: Step) -> None:
    """Abilities that no action named although nothing is open any more have triggered."""
    held = step.desk.held
    if held and step.state.update != UNFINISHED:
        for item, source in list(held.items()):
            _triggered(step, f"held.{item}", item, source)
        held.clear()


def resolution_started(step: Step, part: str, note: Json) -> None:
    """What is told until the resolution is complete comes from it."""
    item = next(iter(note.get("affectedIds", ())), 0)
    source = step.desk.held.pop(item, None)
    if source is not None:
        _triggered(step, part, item, source)
    step.desk.resolving = item
    step.cause = step.desk.made.get(item)


def resolution_completed(step: Step, part: str, note: Json) -> None:
    """A spell or ability has finished resolving."""
    for item in note.get("affectedIds", ()):
        seat = seat_of(step.object(item))
        step.tell("resolved", part, {"object": str(item), "seat": seat}, seat=seat)
    step.desk.resolving = None
    step.cause = None


def damage_dealt(step: Step, part: str, note: Json) -> None:
    """Damage is dealt to players or permanents."""
    values = details(note)
    amount = whole(next(iter(values.get("damage", ())), 0)) or 0
    kind = next(iter(values.get("type", ())), None)
    source = note.get("affectorId")
    for number in note.get("affectedIds", ()):
        fields = {
            "source_object": str(source) if source else None,
            "target": step.desk.target(number),
            "amount": amount,
            "combat": None if kind is None else kind == _COMBAT,
        }
        step.tell("damage_dealt", part, fields)


def life_modified(step: Step, part: str, note: Json) -> None:
    """A life total changes; the total is the one before with the changes of this state so far."""
    values = details(note)
    change = whole(next(iter(values.get("life", ())), None))
    for number in note.get("affectedIds", ()):
        seat = seat_or_none(number)
        if seat is None or change is None:
            step.desk.counts["ModifiedLife without seat or amount"] += 1
            continue
        step.life[seat] = step.life.get(seat, 0) + change
        before = step.before.player(seat)
        total = None
        if before is not None:
            total = (whole(before.get("lifeTotal", 0)) or 0) + step.life[seat]
        step.tell("life_changed", part, {"seat": seat, "change": change, "total": total}, seat=seat)


def counter_added(step: Step, part: str, note: Json) -> None:
    """Counters are put on something."""
    values = details(note)
    _counters(step, part, note, values, 1)


def counter_removed(step: Step, part: str, note: Json) -> None:
    """Counters are removed from something."""
    values = details(note)
    _counters(step, part, note, values, -1)


def _counters(step: Step, part: str, note: Json, values: dict[str, Any], sign: int) -> None:
    amount = whole(next(iter(values.get("transaction_amount", ())), 1)) or 0
    kind = next(iter(values.get("counter_type", ())), "unknown")
    for number in note.get("affectedIds", ()):
        target = step.desk.target(number)
        fields = {"target": target, "counter": str(kind), "change": sign * amount}
        step.tell("counters_changed", part, fields)


def scried(step: Step, part: str, note: Json) -> None:
    """A player has looked at the top cards of a library and arranged them."""
    values = details(note)
    top = tuple(map(str, values.get("topIds", ())))
    bottom = tuple(map(str, values.get("bottomIds", ())))
    seat = seat_of(step.object(note.get("affectorId", 0)))
    if seat is None:
        step.desk.counts["Scry without a seat"] += 1
        return
    _arranged(step, part, seat, note)
    step.tell("scried", part, {"seat": seat, "top": top, "bottom": bottom}, seat=seat)


def _arranged(step: Step, part: str, seat: int, note: Json) -> None:
    """Where the cards go is a choice of who scries; an answer may have told it."""
    desk = step.desk
    if (seat, "choice") in desk.answered:
        desk.answered.discard((seat, "choice"))
    elif step.item.gap is None and seat in desk.players:
        values = details(note)
        what = {name: values.get(f"{name}Ids", ()) for name in ("top", "bottom")}
        fields = {"kind": "arrange", "source_object": str(note["affectorId"])}
        secrets = {"what": json_text(what)}
        desk.teller.tell("choice_made", f"{part}.choice", fields, secrets, seat=seat)


def marker_created(step: Step, part: str, note: Json) -> None:
    """A card is shown; the log has a marker object that carries its number."""
    for number in note.get("affectedIds", ()):
        _revealed(step, part, number)


def card_revealed(step: Step, part: str, note: Json) -> None:
    """The same as a lasting note, unless a marker of this state has told it."""
    for number in note.get("affectedIds", ()):
        if (step.object(number) or {}).get("grpId") not in step.shown:
            _revealed(step, part, number)


def _revealed(step: Step, part: str, number: int) -> None:
    """Tell that a card is shown: to everybody, or to those whom its marker names."""
    marker = step.object(number)
    card = None if marker is None else whole(marker.get("grpId"))
    if marker is None or card is None:
        return
    step.shown.add(card)
    real = _real(step, marker)
    zone = step.zone(marker.get("zoneId"))
    owner = seat_of(marker, "ownerSeatId")
    if real is not None and real not in step.desk.told:
        where: dict[str, Any] = {"zone": zone_word(zone), "zone_owner": owner_of_zone(zone)}
        step.place("object_entered", f"{part}.in", real, owner=owner, **where)
    named = [step.desk.principal(seat_or_none(seat)) for seat in marker.get("viewers", ())]
    fields = {
        "object": None if real is None else str(real),
        "owner": owner,
        "to": tuple(player for player in named if player) or None,
    }
    step.tell("revealed", part, fields, card_secret(marker))


def _real(step: Step, marker: Json) -> int | None:
    """The object a marker stands for: the one in its zone that shows, or showed, its card."""
    if marker.get("type") != "GameObjectType_RevealedCard":
        return whole(marker.get("instanceId"))
    zone = step.after.zone(marker.get("zoneId", -1)) or {}
    number: int
    for number in (*step.former, *zone.get("objectInstanceIds", ())):
        thing = step.known_card(number)
        fits = thing is not None and thing is not marker and thing.get("grpId") == marker["grpId"]
        if fits and number not in step.stood_for:
            step.stood_for.add(number)
            return number
    return None


def revealed_to_opponent(step: Step, part: str, note: Json) -> None:
    """The opponents of its owner have been shown this card."""
    for number in note.get("affectedIds", ()):
        thing = step.object(number)
        owner = seat_of(thing, "ownerSeatId")
        if thing is None or owner is None:
            continue
        to = tuple(who for seat, who in step.desk.players.items() if seat != owner)
        fields = {"object": str(number), "owner": owner, "to": to}
        step.tell("revealed", part, fields, card_secret(thing))


def turned_up(step: Step, part: str, note: Json) -> None:
    """A face-down permanent is turned face up."""
    for number in note.get("affectedIds", ()):
        step.turned.add(number)
        secrets = card_secret(step.object(number))
        step.tell("turned_face_up", part, {"object": str(number)}, secrets)


def loss_of_game(step: Step, part: str, note: Json) -> None:
    """A player has lost by the rules or an effect."""
    for number in note.get("affectedIds", ()):
        seat = seat_or_none(number)
        if seat in step.desk.players:
            leave(step.desk, seat, "lost", part)
