"""What an append will do to one stream: compare what is there, keep what is new; no storage."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from domain.errors import AppendConflict, IntegrityFailure, PoisonEvent
from domain.ports import Append, Disclosure, Provenance, StoredEvent

__all__ = ["FactsOf", "Plan", "plan_append", "require_kind", "require_secret"]

FactsOf = Callable[[bytes], bytes]
"""Canonical bytes of an event -> facts digest (32 bytes)."""
StoredRange = Callable[[int, int], Sequence[StoredEvent]]
"""(after, upto) -> the stored events of the stream with after < number <= upto, in order."""


@dataclass(frozen=True, slots=True)
class Plan:
    """One checked append: `present` events were there, the rest is to be written as it stands."""

    present: int
    added: Sequence[StoredEvent]
    facts: Sequence[bytes]
    disclosures: Sequence[Disclosure]
    provenance: Sequence[Provenance]


def plan_append(append: Append, head: int, stored: StoredRange, facts_of: FactsOf) -> Plan:
    """Check one append against a stream whose last number is `head`.

    Raises AppendConflict for other facts under a taken number, IntegrityFailure for numbers that
    leave a hole or details that belong to no event of the append.
    """
    events = append.events
    if not events:
        _require_details(append, 1, 0)
        return Plan(0, (), (), (), ())
    first = events[0].number
    _require_run(append, first, head)
    last = first + len(events) - 1
    _require_details(append, first, last)
    present = min(len(events), head - first + 1)
    if present:
        there = stored(first - 1, first + present - 1)
        for old, new in zip(there, events[:present], strict=True):
            _require_same(old, new, facts_of)
    added = events[present:]
    return Plan(
        present,
        added,
        [event.facts or facts_of(event.state) for event in added],
        [item for item in append.disclosures if item.number > head],
        [item for item in append.provenance if item.number > head],
    )


def require_kind(stream_id: str, stored: str, offered: str) -> None:
    """A stream keeps its kind: raises IntegrityFailure otherwise."""
    if stored != offered:
        raise IntegrityFailure(f"stream {stream_id}", f"is a {stored}, not a {offered}")


def require_secret(stream_id: str, stored: int, offered: int) -> None:
    """A stream is sealed with one secret: raises IntegrityFailure otherwise."""
    if stored != offered:
        raise IntegrityFailure(
            f"stream {stream_id}", f"is sealed with log secret {stored}, not with {offered}"
        )


def _require_run(append: Append, first: int, head: int) -> None:
    if not 1 <= first <= head + 1:
        raise IntegrityFailure(
            f"stream {append.stream_id}", f"event {first} cannot follow event {head}"
        )
    for number, event in enumerate(append.events, first):
        if event.number != number or event.stream_id != append.stream_id:
            raise IntegrityFailure(
                f"stream {append.stream_id}",
                f"expected event {number}, was given event {event.number} of {event.stream_id}",
            )


def _require_details(append: Append, first: int, last: int) -> None:
    fields = {(item.number, item.field) for item in append.disclosures}
    places = {item.number for item in append.provenance}
    if len(fields) < len(append.disclosures) or len(places) < len(append.provenance):
        raise IntegrityFailure(f"stream {append.stream_id}", "two details for one field or event")
    for number in places.union(number for number, _ in fields):
        if not first <= number <= last:
            raise IntegrityFailure(
                f"stream {append.stream_id}", f"detail of event {number}, which is not appended"
            )


def _require_same(old: StoredEvent, new: StoredEvent, facts_of: FactsOf) -> None:
    if old.state == new.state and old.topic == new.topic:
        return
    stored, offered = _facts(old, facts_of), new.facts or _facts(new, facts_of)
    if stored != offered:
        raise AppendConflict(old.stream_id, old.number, stored.hex(), offered.hex())
    if old.topic != new.topic:
        raise IntegrityFailure(
            f"stream {old.stream_id}, event {old.number}",
            f"stored as {old.topic}, offered as {new.topic}",
        )


def _facts(event: StoredEvent, facts_of: FactsOf) -> bytes:
    try:
        return facts_of(event.state)
    except PoisonEvent as error:
        raise PoisonEvent(event.stream_id, event.number, error.reason) from error
