"""Where objects are: zone changes, new names, tokens, control of objects, shuffles."""

from __future__ import annotations

from whodecided.importers.arena.desk import details
from whodecided.importers.arena.envelope import Json
from whodecided.importers.arena.step import Step, owner_of_zone, seat_of
from whodecided.importers.arena.words import DRAWN, TAKEN_AS, snake, whole, zone_word

__all__ = [
    "ceased",
    "control_told",
    "controller_changed",
    "renamed",
    "shuffled",
    "token_created",
    "zone_transfer",
]


def zone_transfer(step: Step, part: str, note: Json) -> None:
    """A card is drawn, or an object changes zones."""
    values = details(note)
    source = step.zone(next(iter(values.get("zone_src", ())), None))
    target = step.zone(next(iter(values.get("zone_dest", ())), None))
    category = str(next(iter(values.get("category", ())), ""))
    for number in note.get("affectedIds", ()):
        if category == DRAWN and zone_word(target) == "hand" and owner_of_zone(target):
            seat = owner_of_zone(target)
            step.place("card_drawn", part, number, seat=seat, acting_seat=seat)
        else:
            _moved(step, part, number, source, target, category, note.get("affectorId"))
            if target is not None:
                step.arrivals[number] = target["zoneId"]
            if category in TAKEN_AS and number not in step.uses:
                step.desk.played[number] = category


def _moved(
    step: Step,
    part: str,
    number: int,
    source: Json | None,
    target: Json | None,
    category: str,
    affector: int | None,
) -> None:
    thing = step.object(number)
    known = step.known_card(number)
    word = zone_word(target)
    by_object = affector is not None and affector not in step.desk.players
    if source is not None:
        step.desk.origins[number] = zone_word(source)
    step.place(
        "object_moved",
        part,
        number,
        from_zone=zone_word(source) if source else None,
        to_zone=word,
        zone_owner=owner_of_zone(target),
        owner=seat_of(known, "ownerSeatId") or owner_of_zone(target),
        controller=seat_of(thing) if word in ("battlefield", "stack") else None,
        face_down=bool(thing and thing.get("isFacedown")),
        cause=snake(category) if category else None,
        source_object=str(affector) if by_object else None,
    )


def renamed(step: Step, part: str, note: Json) -> None:
    """An object goes on under a new id; of a hidden card that was never told nothing is said."""
    values = details(note)
    desk = step.desk
    for former, new in zip(values.get("orig_id", ()), values.get("new_id", ()), strict=False):
        if former in desk.told:
            fields = {"former": str(former), "object": str(new)}
            desk.told[new] = step.tell("object_renamed", part, fields)


def token_created(step: Step, part: str, note: Json) -> None:
    """A token comes into being."""
    for number in note.get("affectedIds", ()):
        thing = step.object(number)
        owner = seat_of(thing, "ownerSeatId")
        step.place("token_created", part, number, owner=owner, controller=seat_of(thing))


def ceased(step: Step, part: str, note: Json) -> None:
    """A token is gone for good (CR 704.5d)."""
    for number in note.get("affectedIds", ()):
        step.arrivals.pop(number, None)
        if number in step.desk.told:
            step.place("object_moved", part, number, to_zone="limbo", cause="ceased_to_exist")


def controller_changed(step: Step, part: str, note: Json) -> None:
    """Control of an object changes; never of a player (CR 723.3)."""
    for number in note.get("affectedIds", ()):
        control_told(step, part, number)


def control_told(step: Step, part: str, number: int) -> None:
    """Tell who controls an object now, if the log shows it and it is somebody else than before."""
    now, was = seat_of(step.after.object(number)), seat_of(step.before.object(number))
    if now is None:
        step.desk.counts["ControllerChanged without the object"] += 1
    elif now != was:
        fields = {"object": str(number), "controller": now, "former": was}
        step.tell("object_control_changed", part, fields)


def shuffled(step: Step, part: str, note: Json) -> None:
    """A library is shuffled; the source may give its cards new ids."""
    values = details(note)
    former, objects = values.get("OldIds", ()), values.get("NewIds", ())
    for seat in note.get("affectedIds", ()):
        if whole(seat) is None or seat not in step.desk.players:
            step.desk.counts["Shuffle without a seat"] += 1
            continue
        told = step.tell(
            "shuffled",
            part,
            {
                "owner": seat,
                "former": tuple(map(str, former)),
                "objects": tuple(map(str, objects)),
            },
            seat=seat,
        )
        for number in former:
            step.desk.told.pop(number, None)
        for number in objects:
            step.desk.told[number] = told
            step.placed.add(number)
