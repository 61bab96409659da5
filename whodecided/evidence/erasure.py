"""Erasing a person: names, hidden values and their salts go, every proof stays valid.

Events hold pseudonyms and salted digests only, so nothing that is hashed changes. Who knows the
person by other means can still recognise the pseudonym: this is no anonymisation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from domain.codec import decode_all, encode, hot
from domain.errors import AppendConflict, BadInput, NotFound
from domain.events.base import Source
from domain.events.case import PersonErased
from domain.ids import access_stream, case_stream, event_uuid
from domain.ports import Append, EventLog, Origin
from domain.principals import kind_of
from domain.stamp import Authority, Stamp
from whodecided.store.directory import LogDirectory

__all__ = ["Erasure", "erase_person", "find_person"]

_TOOL: Final = "whodecided erase/1"
_ADVICE: Final = "Give a kept name, a player's id or its first digits; `whodecided show` tells ids."
_SEATED: Final = ("seat", "owner", "controller", "zone_owner")
_SAID: Final = ("by", "to")


@dataclass(frozen=True, slots=True)
class Erasure:
    """What was deleted; `event` is the number of the event that records it in `stream_id`."""

    person: str
    names: int
    values: int
    streams: tuple[str, ...]
    stream_id: str
    event: int


def find_person(log: LogDirectory, named: str) -> str:
    """The player, or reader of hidden information, of a kept name, an id or its first digits.

    Raises NotFound for nobody, BadInput when several fit.
    """
    readers = decode_all(log.events.read(access_stream(log.events.log_id)))
    known = {event.stamp.deciding_player for event in readers}
    pseudonyms = log.people.pseudonyms(named)
    ids = {p if (p := f"person:{one}") in known else f"player:{one}" for one in pseudonyms}
    if not ids:
        known |= {player for _, seats in _seats(log.events) for player in seats.values()}
        digits = named.rpartition(":")[2]
        ids = {p for p in known if named in (p, p.partition(":")[2])} or {
            p
            for p in known
            if len(digits) > 3 and any(one.startswith(named) for one in (p, p.partition(":")[2]))
        }
    if not ids:
        raise NotFound("person", named, advice=_ADVICE)
    if len(ids) > 1:
        raise BadInput(
            "person",
            f"{named!r} fits several: {', '.join(sorted(ids))}",
            advice="Erase each of them. Under every log secret a person has another pseudonym.",
        )
    return ids.pop()


def erase_person(
    log: LogDirectory, person: str, *, reason: str, by: str, recorded_at: str
) -> Erasure:
    """Record the erasure of a principal, then delete what the log keeps of the person.

    Deleted are the names and, in every stream, the disclosures of events the person decided, or
    that concern the person's seats and objects. `by` is the principal who asks; `recorded_at` is
    now, as canonical time. Several erasures at once follow each other. Erasing again deletes what a
    crash or a later import has left.
    """
    _require_principal(by)
    names = len(log.people.names(person.partition(":")[2]))
    places = list(_places(log.events, person))
    streams = tuple(sorted({stream for stream, _, _ in places}))
    values = sum(count for _, _, count in places)
    stream_id = case_stream(f"erasures of {log.events.log_id}")
    said = {
        "person": person,
        "reason": reason,
        "names": names,
        "values": values,
        "streams": streams,
    }
    number = None
    while number is None:
        number = _recorded(log.events, stream_id, by, recorded_at, said)
    log.people.erase(person.partition(":")[2])
    for stream, at, _ in places:
        log.events.erase_disclosures(stream, at)
    log.events.purge()
    return Erasure(person, names, values, streams, stream_id, number)


def _require_principal(by: str) -> None:
    try:
        kind_of(by)
    except ValueError as error:
        raise BadInput("by", str(error), advice="Name a person:<id> or a judge:<id>.") from error


def _recorded(
    log: EventLog, stream_id: str, by: str, moment: str, said: dict[str, Any]
) -> int | None:
    """The number of the event that records it now; None when another erasure took the number."""
    number = log.stream_head(stream_id) + 1
    stored = encode(hot(PersonErased)(**_event(stream_id, number, by, moment), **said))
    try:
        log.append([Append(stream_id, "case", [stored], [], [], Origin(moment, _TOOL))])
    except AppendConflict:
        return None
    return number


def _event(stream_id: str, number: int, by: str, moment: str) -> dict[str, Any]:
    record = f"erasure/{number}"
    return {
        "number": number,
        "event_id": event_uuid(stream_id, record),
        "case_id": stream_id,
        "occurred_at": moment,
        "clock": "local",
        "source": hot(Source)(system="whodecided", record=record),
        "correlation_id": None,
        "causation": None,
        "action": None,
        "stamp": hot(Stamp)(
            acting_seat=None,
            team_seats=None,
            deciding_player=by,
            performer=None,
            authority=hot(Authority)(kind="self", ref=None),
            decision_class="tournament",
            basis="stated",
            reading=None,
        ),
    }


def _seats(log: EventLog) -> Iterator[tuple[list[Any], dict[int, str]]]:
    """The events of every stream, with who sits where in it."""
    for stream, _, _ in log.streams():
        events = decode_all(log.read(stream))
        infos = [info for event in events for info in getattr(event, "seats", ())]
        yield events, {info.seat: info.player for info in infos if hasattr(info, "player")}


def _places(log: EventLog, person: str) -> Iterator[tuple[str, int, int]]:
    """Stream, number and count of the disclosures that concern a person."""
    for events, players in _seats(log):
        if not events:
            continue
        stream = events[0].stream_id
        kept: dict[int, int] = {}
        for number, *_ in log.disclosures(stream):
            kept[number] = kept.get(number, 0) + 1
        seats = {seat for seat, player in players.items() if player == person}
        objects = _objects(events, seats)
        for number, count in kept.items():
            event = events[number - 1]
            if getattr(event, "object", None) in objects or _concerns(event, person, seats):
                yield stream, number, count


def _objects(events: Sequence[Any], seats: set[int]) -> set[str]:
    """Every id that an object of these seats has had: not every event of it says whose it is."""
    objects: set[str] = set()
    for event in events:
        owner = getattr(event, "owner", None) or getattr(event, "seat", None)
        known = getattr(event, "object", None)
        if known is not None and (owner in seats or getattr(event, "former", None) in objects):
            objects.add(known)
    return objects


def _concerns(event: Any, person: str, seats: set[int]) -> bool:
    """Whether the person decided or said it, or the person's seat is in it."""
    stamp = getattr(event, "stamp", None)
    named = [getattr(event, name, None) for name in _SAID]
    seated = [getattr(event, name, None) for name in _SEATED]
    if stamp is not None:
        named += [stamp.deciding_player, stamp.performer]
        seated.append(stamp.acting_seat)
    return person in named or not seats.isdisjoint(seat for seat in seated if seat is not None)
