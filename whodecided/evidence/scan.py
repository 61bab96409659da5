"""Recompute everything a run of journal entries says about its events.

The work is cut at journal entries, so that parts of a log can be checked in processes of their own.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, NamedTuple

from domain.canonical import sha256
from domain.codec import UPCASTERS, decode, encode
from domain.errors import PoisonEvent
from domain.ports import EventLog, JournalEntry, Leaves, StoredEvent
from domain.sealed import sealed_digest
from whodecided.evidence.facts import facts_of_bytes
from whodecided.evidence.merkle import HASH_SIZE, leaf_hash, leaf_hashes
from whodecided.evidence.report import Failure
from whodecided.evidence.shapes import identities, identity
from whodecided.store.journal import provenance_digest

__all__ = ["CheckedEntry", "Part", "Salt", "Scan", "event_name", "scan"]


class Part(NamedTuple):
    """Journal entries that follow each other."""

    entries: tuple[JournalEntry, ...]

    @property
    def events(self) -> int:
        """How many events the entries cover."""
        return sum(entry.last - entry.first + 1 for entry in self.entries)


class CheckedEntry(NamedTuple):
    """The computed leaf hashes of an entry's events, and the peaks kept of the tree after it.

    `changed` is the first event whose leaf hash is not the one kept.
    """

    leaves: list[bytes]
    peaks: bytes
    changed: Failure | None = None


class Salt(NamedTuple):
    """The salt of one disclosed value, with the event and the field it stands in."""

    number: int
    field: str
    salt: bytes


@dataclass(frozen=True, slots=True)
class Scan:
    """What a part held: its entries up to the first failure, its disclosures, its last position.

    `failure` comes with the name of the step that found it; `salts` has one salt of every stream
    of which values are kept in the part.
    """

    entries: tuple[CheckedEntry, ...]
    position: int
    disclosures: int
    failure: tuple[str, Failure] | None
    salts: Mapping[str, Salt]


class _Wrong(Exception):
    def __init__(self, step: str, failure: Failure) -> None:
        self.found = (step, failure)
        super().__init__(str(failure))


@dataclass(frozen=True, slots=True)
class _Contents:
    """What the log holds for one part; provenance and disclosures with their positions."""

    events: Sequence[StoredEvent]
    leaves: dict[int, Leaves]
    provenance: Sequence[tuple[int, str, int, int]]
    disclosures: Sequence[tuple[int, str, bytes, bytes]]


def event_name(stream_id: str, number: int) -> str:
    """How a failure names an event."""
    return f"stream {stream_id}, event {number}"


def scan(log: EventLog, part: Part, position: int, *, thorough: bool = False) -> Scan:
    """Check the events after a position against their entries, leaves, provenance, disclosures.

    `thorough` also encodes every event again and compares the bytes.
    """
    contents = _read(log, part, position)
    last = contents.events[-1].position if contents.events else position
    done: list[CheckedEntry] = []
    start = 0
    try:
        for entry in part.entries:
            end = start + entry.last - entry.first + 1
            done.append(_check_entry(contents, entry, contents.events[start:end], thorough))
            start = end
        salts = _check_disclosures(contents)
    except _Wrong as wrong:
        return Scan(tuple(done), last, 0, wrong.found, {})
    return Scan(tuple(done), last, len(contents.disclosures), None, salts)


def _read(log: EventLog, part: Part, position: int) -> _Contents:
    first, last = part.entries[0].journal_index, part.entries[-1].journal_index
    leaves = {kept.journal_index: kept for kept in log.leaves(after=first - 1, upto=last)}
    events = log.read_all(after=position, limit=_believable(part, leaves))
    upto = events[-1].position if events else position
    return _Contents(
        events,
        leaves,
        log.provenance_between(position, upto),
        log.disclosures_between(position, upto),
    )


def _believable(part: Part, leaves: dict[int, Leaves]) -> int:
    """How many events to read: no more than there are leaf hashes, whatever an entry claims."""
    kept = (leaves.get(entry.journal_index) for entry in part.entries)
    return min(part.events, sum(len(item.leaves) // HASH_SIZE for item in kept if item is not None))


def _check_entry(
    contents: _Contents, entry: JournalEntry, events: Sequence[StoredEvent], thorough: bool
) -> CheckedEntry:
    name = f"journal entry {entry.journal_index}"
    kept = contents.leaves.get(entry.journal_index)
    if kept is None:
        raise _Wrong("leaves", Failure("leaves-missing", name, "its leaf hashes are not there"))
    computed = leaf_hash(entry.entry)
    if computed != kept.entry_hash:
        digests = (kept.entry_hash.hex(), computed.hex())
        _fail("journal", "entry-changed", name, "leaf hash", *digests)
    if (kept.stream_id, kept.size) != (entry.stream_id, entry.last):
        reason = f"its leaf hashes are kept as of event {kept.size} of {kept.stream_id}"
        raise _Wrong("leaves", Failure("leaves-misplaced", name, reason))
    _check_order(entry, events)
    leaves = leaf_hashes(event.state for event in events)
    if b"".join(leaves) != kept.leaves:
        return CheckedEntry(leaves, kept.peaks, _changed(entry, leaves, kept.leaves))
    _check_forms(entry.kind, events, thorough)
    facts = sha256(b"".join([facts_of_bytes(event.state) for event in events])).hex()
    if facts != entry.facts_digest:
        _fail("journal", "facts-differ", name, "facts digest", entry.facts_digest, facts)
    places = provenance_digest(_provenance(contents, events))
    if places != entry.provenance_digest:
        digests = (entry.provenance_digest or "none", places or "none")
        _fail("journal", "provenance-differs", name, "provenance digest", *digests)
    return CheckedEntry(leaves, kept.peaks)


def _provenance(contents: _Contents, events: Sequence[StoredEvent]) -> list[Any]:
    """Number, file digest, offset and line of what is known of consecutive events."""
    rows = contents.provenance
    start = bisect_left(rows, events[0].position, key=itemgetter(0))
    end = bisect_right(rows, events[-1].position, key=itemgetter(0))
    numbers = {event.position: event.number for event in events}
    return [(numbers[position], *place) for position, *place in rows[start:end]]


def _check_order(entry: JournalEntry, events: Sequence[StoredEvent]) -> None:
    found = [(event.stream_id, event.number) for event in events]
    wanted = [(entry.stream_id, number) for number in range(entry.first, entry.last + 1)]
    if found == wanted:
        return
    for event, place in zip(events, wanted, strict=False):
        if (event.stream_id, event.number) != place:
            raise _Wrong(
                "events",
                Failure(
                    "event-out-of-order",
                    event_name(*place),
                    f"position {event.position} holds event {event.number} of {event.stream_id}",
                ),
            )
    name = event_name(entry.stream_id, entry.first + len(events))
    reason = f"is not there, although journal entry {entry.journal_index} covers it"
    raise _Wrong("events", Failure("event-missing", name, reason))


def _changed(entry: JournalEntry, leaves: Sequence[bytes], kept: bytes) -> Failure:
    """The first event whose leaf hash differs from the one kept."""
    for at, leaf in enumerate(leaves):
        stored = kept[at * HASH_SIZE : (at + 1) * HASH_SIZE]
        if stored != leaf:
            name = event_name(entry.stream_id, entry.first + at)
            digests = (stored.hex() or "none", leaf.hex())
            return Failure("event-changed", name, "leaf hash differs", *digests)
    name = f"journal entry {entry.journal_index}"
    return Failure("leaves-differ", name, "more leaf hashes are kept than it has events")


def _check_forms(kind: str, events: Sequence[StoredEvent], thorough: bool) -> None:
    """The bytes are events of the catalogue, with the stream, number and topic of their rows."""
    rows = [(event.stream_id, event.number, event.topic) for event in events]
    kinds = {topic.partition(".")[0] for topic in {event.topic for event in events}}
    if thorough or kinds != {kind} or identities(events) != rows:
        for event in events:
            _check_form(kind, event, thorough)


def _check_form(kind: str, event: StoredEvent, thorough: bool) -> None:
    try:
        stream_id, number, topic = identity(event)
    except PoisonEvent as error:
        raise _form("event-unreadable", event, error.reason) from error
    row = (event.stream_id, event.number, event.topic)
    if (stream_id, number, topic) != row or not topic.startswith(f"{kind}."):
        inside = f"{topic} {number} of {stream_id}"
        raise _form("event-misplaced", event, f"{inside}, stored as {event.topic} of a {kind}")
    if thorough and event.topic not in UPCASTERS and encode(decode(event)).state != event.state:
        raise _form("event-not-canonical", event, "its bytes are not canonical")


def _form(code: str, event: StoredEvent, reason: str) -> _Wrong:
    return _Wrong("events", Failure(code, event_name(event.stream_id, event.number), reason))


def _check_disclosures(contents: _Contents) -> dict[str, Salt]:
    """The first salt of every stream."""
    salts: dict[str, Salt] = {}
    by_position = {event.position: event for event in contents.events}
    for position, field, value, salt in contents.disclosures:
        event = by_position[position]
        computed = sealed_digest(salt, field, value)
        if f'"{field}":{{"digest":"{computed}"}}'.encode() not in event.state:
            raise _disclosure_fault(event, field, computed)
        salts.setdefault(event.stream_id, Salt(event.number, field, salt))
    return salts


def _disclosure_fault(event: StoredEvent, field: str, computed: str) -> _Wrong:
    name = f"{event_name(event.stream_id, event.number)}, field {field}"
    sealed = b'"' + re.escape(field.encode()) + rb'":\{"digest":"([0-9a-f]{64})"\}'
    found = re.search(sealed, event.state)
    if found is None:
        reason = "the event has no such sealed field"
        return _Wrong("disclosures", Failure("disclosure-without-field", name, reason))
    stored = found[1].decode()
    reason = "sealed digest differs"
    return _Wrong("disclosures", Failure("disclosure-differs", name, reason, stored, computed))


def _fail(step: str, code: str, what: str, digest: str, stored: str, computed: str) -> None:
    raise _Wrong(step, Failure(code, what, f"{digest} differs", stored, computed))
