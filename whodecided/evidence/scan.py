"""Recompute everything a run of journal entries says about its events.

The work is cut at journal entries, so that parts of a log can be checked in processes of their own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple, TypeVar

from domain.canonical import sha256
from domain.codec import UPCASTERS, decode, encode
from domain.errors import PoisonEvent
from domain.ports import Disclosure, EventLog, JournalEntry, Leaves, Provenance, StoredEvent
from domain.sealed import sealed_digest
from whodecided.evidence.facts import facts_of_bytes
from whodecided.evidence.merkle import HASH_SIZE, leaf_hashes
from whodecided.evidence.report import Failure
from whodecided.store.journal import provenance_digest

__all__ = ["CheckedEntry", "Part", "Scan", "event_name", "scan"]

_T = TypeVar("_T")


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


@dataclass(frozen=True, slots=True)
class Scan:
    """What a part held: its entries up to the first failure, its disclosures, its last position.

    `failure` comes with the name of the step that found it.
    """

    entries: tuple[CheckedEntry, ...]
    position: int
    disclosures: int
    failure: tuple[str, Failure] | None


class _Wrong(Exception):
    def __init__(self, step: str, failure: Failure) -> None:
        self.found = (step, failure)
        super().__init__(str(failure))


@dataclass(frozen=True, slots=True)
class _Contents:
    """What the log holds for one part; details by position."""

    events: Sequence[StoredEvent]
    leaves: dict[int, Leaves]
    provenance: dict[int, list[Provenance]]
    disclosures: dict[int, list[Disclosure]]


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
    disclosures = start = 0
    try:
        for entry in part.entries:
            end = start + entry.last - entry.first + 1
            done.append(_check_entry(contents, entry, contents.events[start:end], thorough))
            start = end
        disclosures = _check_disclosures(contents)
    except _Wrong as wrong:
        return Scan(tuple(done), last, disclosures, wrong.found)
    return Scan(tuple(done), last, disclosures, None)


def _read(log: EventLog, part: Part, position: int) -> _Contents:
    first, last = part.entries[0].journal_index, part.entries[-1].journal_index
    leaves = {kept.journal_index: kept for kept in log.leaves(after=first - 1, upto=last)}
    events = log.read_all(after=position, limit=_believable(part, leaves))
    upto = events[-1].position if events else position
    return _Contents(
        events,
        leaves,
        _by_position(log.provenance_between(position, upto)),
        _by_position(log.disclosures_between(position, upto)),
    )


def _believable(part: Part, leaves: dict[int, Leaves]) -> int:
    """How many events to read: no more than there are leaf hashes, whatever an entry claims."""
    kept = (leaves.get(entry.journal_index) for entry in part.entries)
    return min(part.events, sum(len(item.leaves) // HASH_SIZE for item in kept if item is not None))


def _by_position(rows: Sequence[tuple[int, _T]]) -> dict[int, list[_T]]:
    return {
        position: [item for _, item in group]
        for position, group in groupby(rows, key=lambda row: row[0])
    }


def _check_entry(
    contents: _Contents, entry: JournalEntry, events: Sequence[StoredEvent], thorough: bool
) -> CheckedEntry:
    _check_order(entry, events)
    leaves = leaf_hashes(event.state for event in events)
    kept = contents.leaves.get(entry.journal_index)
    name = f"journal entry {entry.journal_index}"
    if kept is None or (kept.stream_id, kept.size) != (entry.stream_id, entry.last):
        raise _Wrong("leaves", Failure("leaves-missing", name, "its leaf hashes are not there"))
    if b"".join(leaves) != kept.leaves:
        return CheckedEntry(leaves, kept.peaks, _changed(entry, leaves, kept.leaves))
    for event in events:
        _check_form(entry.kind, event, thorough)
    facts = sha256(b"".join(facts_of_bytes(event.state) for event in events)).hex()
    if facts != entry.facts_digest:
        _fail("journal", "facts-differ", name, "facts digest", entry.facts_digest, facts)
    places = [p for event in events for p in contents.provenance.get(event.position, ())]
    computed = provenance_digest(places)
    if computed != entry.provenance_digest:
        _fail(
            "journal",
            "provenance-differs",
            name,
            "provenance digest",
            entry.provenance_digest or "none",
            computed or "none",
        )
    return CheckedEntry(leaves, kept.peaks)


def _check_order(entry: JournalEntry, events: Sequence[StoredEvent]) -> None:
    for number, event in enumerate(events, entry.first):
        if event.stream_id != entry.stream_id or event.number != number:
            raise _Wrong(
                "events",
                Failure(
                    "event-out-of-order",
                    event_name(entry.stream_id, number),
                    f"position {event.position} holds event {event.number} of {event.stream_id}",
                ),
            )
    number = entry.first + len(events)
    if number <= entry.last:
        raise _Wrong(
            "events",
            Failure(
                "event-missing",
                event_name(entry.stream_id, number),
                f"is not there, although journal entry {entry.journal_index} covers it",
            ),
        )


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


def _check_form(kind: str, event: StoredEvent, thorough: bool) -> None:
    """The bytes are an event of the catalogue, with the stream, number and topic of its row."""
    try:
        found = decode(event)
    except PoisonEvent as error:
        raise _form("event-unreadable", event, error.reason) from error
    old = event.topic in UPCASTERS
    named = old and f'"topic":"{event.topic}"'.encode() in event.state
    topic = event.topic if named else found.TOPIC
    row = (event.stream_id, event.number, event.topic)
    if (found.stream_id, found.number, topic) != row or not event.topic.startswith(f"{kind}."):
        inside = f"{topic} {found.number} of {found.stream_id}"
        raise _form("event-misplaced", event, f"{inside}, stored as {event.topic} of a {kind}")
    if thorough and not old and encode(found).state != event.state:
        raise _form("event-not-canonical", event, "its bytes are not canonical")


def _form(code: str, event: StoredEvent, reason: str) -> _Wrong:
    return _Wrong("events", Failure(code, event_name(event.stream_id, event.number), reason))


def _check_disclosures(contents: _Contents) -> int:
    count = 0
    for event in contents.events if contents.disclosures else ():
        for item in contents.disclosures.get(event.position, ()):
            _check_disclosure(event, item)
            count += 1
    return count


def _check_disclosure(event: StoredEvent, item: Disclosure) -> None:
    computed = sealed_digest(item.salt, item.field, item.value)
    field = re.escape(item.field.rpartition(".")[2].encode())
    found = re.search(b'"' + field + rb'":\{"digest":"([0-9a-f]{64})"\}', event.state)
    name = f"{event_name(event.stream_id, event.number)}, field {item.field}"
    if found is None:
        raise _Wrong(
            "disclosures",
            Failure("disclosure-without-field", name, "the event has no such sealed field"),
        )
    stored = found[1].decode()
    if stored != computed:
        _fail("disclosures", "disclosure-differs", name, "sealed digest", stored, computed)


def _fail(step: str, code: str, what: str, digest: str, stored: str, computed: str) -> None:
    raise _Wrong(step, Failure(code, what, f"{digest} differs", stored, computed))
