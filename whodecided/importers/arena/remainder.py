"""What a state shows without a note: objects that appear, move, vanish, open or change hands."""

from __future__ import annotations

from typing import Any

from whodecided.importers.arena.envelope import Json
from whodecided.importers.arena.movements import control_told
from whodecided.importers.arena.step import Step, card_secret, owner_of_zone, seat_of, seat_or_none
from whodecided.importers.arena.words import ENTERING_TYPES, HIDDEN_ZONES, zone_word

__all__ = ["tell_remainder"]

_UNTOLD = frozenset({"limbo", "other"})
_OPEN = frozenset({"battlefield", "graveyard", "exile", "command"})
_LEFT_STACK = frozenset(
    {"AnnotationType_AbilityInstanceDeleted", "AnnotationType_ResolutionComplete"}
)
_NO_IDS: list[int] = []


def tell_remainder(step: Step) -> None:
    """Tell what is left of the state's zones and objects, so that the record ends where it does."""
    for number in sorted(step.desk.adrift):
        _drifted(step, number)
    if step.state.zones:
        _zones(step)
    for number, zone in step.arrivals.items():
        _stayed(step, number, step.after.zone(zone))
    for thing in step.state.gameObjects:
        if thing.get("type") in ENTERING_TYPES:
            _object(step, thing)


def _zones(step: Step) -> None:
    arrived: set[int] = set()
    gone: set[int] = set()
    for zone in step.state.zones:
        word = zone_word(zone)
        if word in _UNTOLD:
            continue
        if word == "stack":
            step.desk.stack = zone.get("zoneId")
        before = step.before.zone(zone.get("zoneId", -1)) or {}
        old, new = before.get("objectInstanceIds", _NO_IDS), zone.get("objectInstanceIds", _NO_IDS)
        if old == new:
            continue
        added = set(new).difference(old)
        arrived |= added
        gone.update(set(old).difference(new))
        for number in sorted(added - step.placed) if added else ():
            _arrived(step, zone, word, number)
    for number in sorted(gone - arrived):
        _vanished(step, number)


def _drifted(step: Step, number: int) -> None:
    """A card played just before a gap: where this state shows it, else gone under that id."""
    step.desk.adrift.discard(number)
    if number in step.placed or number in step.former.values():
        return
    for zone in step.state.zones:
        word = zone_word(zone)
        if word not in _UNTOLD and number in zone.get("objectInstanceIds", _NO_IDS):
            place = {"to_zone": word, "zone_owner": owner_of_zone(zone)}
            step.place("object_moved", f"drift{number}", number, **place)
            return
    step.place("object_moved", f"drift{number}", number, to_zone="limbo")
    del step.desk.told[number]


def _stayed(step: Step, number: int, zone: Json | None) -> None:
    """A token or a copy that has left its zone is in no zone afterwards (CR 704.5d, 704.5e)."""
    if zone_word(zone) not in _OPEN or number in step.former.values():
        return
    lists = (zone, *step.state.zones)
    if not any(number in (each or {}).get("objectInstanceIds", _NO_IDS) for each in lists):
        place = {"to_zone": "limbo", "cause": "ceased_to_exist"}
        step.place("object_moved", f"gone{number}", number, **place)


def _arrived(step: Step, zone: Json, word: str, number: int) -> None:
    thing = step.after.object(number)
    if thing is not None and thing.get("type") not in ENTERING_TYPES:
        return
    desk = step.desk
    if word == "library" and number not in desk.told:
        return
    known = step.known_card(number)
    place: dict[str, Any] = {
        "zone_owner": owner_of_zone(zone),
        "owner": seat_of(known, "ownerSeatId") or owner_of_zone(zone),
        "controller": seat_of(thing) if word in ("battlefield", "stack") else None,
        "face_down": bool(thing and thing.get("isFacedown")),
    }
    if number in desk.told:
        step.place("object_moved", f"z{number}", number, to_zone=word, **place)
    else:
        step.place("object_entered", f"z{number}", number, zone=word, **place)


def _vanished(step: Step, number: int) -> None:
    """An object is in no zone any more, and nothing says where it went."""
    desk = step.desk
    kind = (step.before.object(number) or {}).get("type")
    if kind == "GameObjectType_Ability":
        _left_in_gap(step, number)
        return
    if number in step.placed or number not in desk.told or number in step.former.values():
        return
    if kind is None or kind in ENTERING_TYPES:
        cause = "ceased_to_exist" if kind == "GameObjectType_Token" else None
        step.place("object_moved", f"z{number}", number, to_zone="limbo", cause=cause)


def _left_in_gap(step: Step, number: int) -> None:
    """An ability has left the stack and no note says how: in a gap, and it is no more."""
    if number not in step.desk.made:
        return
    explained = any(
        number in note.get("affectedIds", ()) and not _LEFT_STACK.isdisjoint(note.get("type", ()))
        for note in step.notes
    )
    if not explained:
        place = {"to_zone": "limbo", "cause": "ceased_to_exist"}
        step.place("object_moved", f"z{number}", number, **place)


def _object(step: Step, thing: Json) -> None:
    number = thing["instanceId"]
    before = step.before.object(number)
    zone = step.after.zone(thing.get("zoneId", -1))
    word = zone_word(zone)
    if word in _UNTOLD:
        return
    if word not in HIDDEN_ZONES and number not in step.placed:
        _identified(step, thing, number, zone, before)
    if word == "battlefield" and before is not None and before.get("zoneId") == thing.get("zoneId"):
        if number not in step.placed and seat_of(before) != seat_of(thing):
            control_told(step, f"o{number}", number)
        if before.get("isFacedown") and not thing.get("isFacedown") and number not in step.turned:
            fields = {"object": str(number)}
            step.tell("turned_face_up", f"o{number}", fields, card_secret(thing))
    elif word in HIDDEN_ZONES and thing.get("grpId"):
        _opened(step, thing, number, word, zone, before)


def _identified(
    step: Step, thing: Json, number: int, zone: Json | None, before: Json | None
) -> None:
    """An object that lies openly becomes known only now, or is known as another card: a face."""
    if number in step.turned or zone is None:
        return
    if before is None:
        fresh = number in step.desk.told and number in zone.get("objectInstanceIds", _NO_IDS)
    else:
        same = before.get("zoneId") == thing.get("zoneId") and before.get("grpId")
        turned = bool(before.get("isFacedown")) and not thing.get("isFacedown")
        fresh = bool(same) and not turned and before["grpId"] != thing.get("grpId")
    if fresh and thing.get("grpId"):
        word = zone_word(zone)
        place: dict[str, Any] = {
            "zone": word,
            "zone_owner": owner_of_zone(zone),
            "owner": seat_of(thing, "ownerSeatId"),
            "controller": seat_of(thing) if word in ("battlefield", "stack") else None,
            "face_down": bool(thing.get("isFacedown")),
        }
        step.place("object_entered", f"known{number}", number, **place)


def _opened(
    step: Step, thing: Json, number: int, word: str, zone: Json | None, before: Json | None
) -> None:
    """A card in a hidden zone that some seats may see: say to whom it is shown."""
    owner = owner_of_zone(zone)
    if word == "library" and number not in step.desk.told:
        fields = {"zone": word, "zone_owner": owner, "owner": seat_of(thing, "ownerSeatId")}
        step.place("object_entered", f"v{number}", number, **fields)
    viewers = {seat for seat in map(seat_or_none, thing.get("viewers", ())) if seat}
    seen = set() if before is None else set(before.get("viewers", ()))
    if before is not None and before.get("zoneId") != thing.get("zoneId"):
        seen = set()
    fresh = sorted(
        (viewers - seen - (set() if word == "library" else {owner})) & set(step.desk.players)
    )
    if fresh:
        _shown(step, thing, number, word, owner, fresh)


def _shown(
    step: Step, thing: Json, number: int, word: str, owner: int | None, seats: list[int]
) -> None:
    players = tuple(step.desk.players[seat] for seat in seats)
    fields: dict[str, Any] = {"object": str(number), "owner": owner}
    controlled = owner is not None and step.desk.controller(owner) in seats
    if word == "library" or controlled:
        step.tell("revealed", f"v{number}", fields | {"to": players}, card_secret(thing))
    else:
        fields |= {"viewers": players, "lasts": "while_in_zone"}
        step.tell("look_granted", f"v{number}", fields, card_secret(thing))
