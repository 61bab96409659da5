"""How events of play change where objects are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.visibility.facts import CONTROLLED_ZONES, PUBLIC_ZONES, ObjectFacts, placed
from domain.visibility.record import VisibilityRecord

__all__ = ["OBJECT_HANDLERS"]

Handler = Callable[[VisibilityRecord, Any], None]


def _named(record: VisibilityRecord, event: Any, track: int, field: str = "card") -> None:
    if getattr(event, field) is not None:
        record.name_card(event.number, track, field)


def _object_entered(record: VisibilityRecord, event: Any) -> None:
    track = record.place(
        event.number,
        event.object,
        event.zone,
        zone_owner=event.zone_owner,
        owner=event.owner,
        controller=event.controller,
        face_down=event.face_down,
    )
    _named(record, event, track)


def _object_moved(record: VisibilityRecord, event: Any) -> None:
    track = record.place(
        event.number,
        event.object,
        event.to_zone,
        zone_owner=event.zone_owner,
        owner=event.owner,
        controller=event.controller,
        face_down=event.face_down,
    )
    _named(record, event, track)


def _object_renamed(record: VisibilityRecord, event: Any) -> None:
    number = event.number
    track = record.live(event.former)
    if track is None:
        return
    facts = record.facts.latest(track)
    if facts is not None:
        record.free_name(number, event.object, track)
        record.tracks.set(number, event.object, track)
        record.facts.set(number, track, facts._replace(name=event.object))


def _object_control_changed(record: VisibilityRecord, event: Any) -> None:
    track = record.live(event.object)
    facts = None if track is None else record.facts.latest(track)
    if track is not None and facts is not None:
        after = placed(
            facts.name,
            facts.zone,
            zone_owner=facts.zone_owner,
            owner=facts.owner,
            controller=event.controller,
            face_down=facts.face_down,
            since=event.number,
        )
        record.facts.set(event.number, track, after)


def _card_drawn(record: VisibilityRecord, event: Any) -> None:
    if event.object is not None:
        track = record.place(
            event.number, event.object, "hand", zone_owner=event.seat, owner=event.seat
        )
        _named(record, event, track)


def _token_created(record: VisibilityRecord, event: Any) -> None:
    track = record.place(
        event.number,
        event.object,
        "battlefield",
        owner=event.owner,
        controller=event.owner if event.controller is None else event.controller,
    )
    _named(record, event, track)


def _spell_cast(record: VisibilityRecord, event: Any) -> None:
    _played(record, event, "stack", face_down=event.face_down)


def _land_played(record: VisibilityRecord, event: Any) -> None:
    _played(record, event, "battlefield", face_down=False)


def _played(record: VisibilityRecord, event: Any, zone: str, *, face_down: bool) -> None:
    if event.object is None:
        return
    if event.refused:
        _name_known(record, event)
        return
    track = record.tracks.latest(event.object)
    facts = None if track is None else record.facts.latest(track)
    if track is None or facts is None or _still_there(event, facts):
        # Whose action it is controls the object (CR 110.2, 112.2).
        seat = event.stamp.acting_seat
        owner = seat if facts is None else facts.owner
        track = record.place(
            event.number, event.object, zone, owner=owner, controller=seat, face_down=face_down
        )
    _named(record, event, track)


def _still_there(event: Any, facts: ObjectFacts) -> bool:
    """Whether the source has not yet said that the card left the place it is played from."""
    if facts.name != event.object:
        return False
    if event.from_zone is None:
        return facts.zone not in CONTROLLED_ZONES
    return facts.zone == event.from_zone or facts.zone not in PUBLIC_ZONES


def _ability_activated(record: VisibilityRecord, event: Any) -> None:
    if event.object is not None and not event.refused:
        _ability(record, event, event.stamp.acting_seat)


def _ability_triggered(record: VisibilityRecord, event: Any) -> None:
    if event.object is not None:
        _ability(record, event, event.controller)


def _ability(record: VisibilityRecord, event: Any, seat: int | None) -> None:
    track = record.put_ability(event.number, event.object, seat)
    _named(record, event, track, "ability")


def _resolved(record: VisibilityRecord, event: Any) -> None:
    track = None if event.object is None else record.live(event.object)
    if track is not None and track in record.abilities:
        record.end_ability(event.number, track)


def _name_known(record: VisibilityRecord, event: Any) -> None:
    track = None if event.object is None else record.live(event.object)
    if track is not None:
        _named(record, event, track)


def _turned_face_up(record: VisibilityRecord, event: Any) -> None:
    track = record.live(event.object)
    facts = None if track is None else record.facts.latest(track)
    if track is not None and facts is not None:
        after = facts._replace(
            face_down=False,
            since=event.number,
            public=facts.zone in PUBLIC_ZONES,
            holder=None if facts.zone in PUBLIC_ZONES else facts.holder,
        )
        record.facts.set(event.number, track, after)
        _named(record, event, track)


def _shuffled(record: VisibilityRecord, event: Any) -> None:
    number = event.number
    for name in event.former:
        track = record.live(name)
        if track is not None:
            record.facts.set(number, track, None)
            record.grants.set(number, track, None)
    for track in record.members(("library", event.owner)):
        if record.grants.latest(track):
            record.grants.set(number, track, None)
    for name in event.objects:
        record.place(number, name, "library", zone_owner=event.owner, owner=event.owner)


OBJECT_HANDLERS: Final[Mapping[str, Handler]] = {
    "ability_activated": _ability_activated,
    "ability_triggered": _ability_triggered,
    "card_drawn": _card_drawn,
    "card_found": _name_known,
    "land_played": _land_played,
    "object_control_changed": _object_control_changed,
    "object_entered": _object_entered,
    "object_moved": _object_moved,
    "object_renamed": _object_renamed,
    "outside_game_card_chosen": _name_known,
    "resolved": _resolved,
    "shuffled": _shuffled,
    "special_action_taken": _name_known,
    "spell_cast": _spell_cast,
    "token_created": _token_created,
    "turned_face_up": _turned_face_up,
}
