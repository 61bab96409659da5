"""The event log in memory: the same contract without a file, for tests and one-off questions."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from domain.ports import (
    Append,
    Appended,
    Disclosure,
    JournalEntry,
    Leaves,
    Provenance,
    StoredEvent,
)
from whodecided.evidence.merkle import Peaks
from whodecided.store.growth import grow
from whodecided.store.journal import read_entry
from whodecided.store.planning import FactsOf, Plan, plan_append, require_kind, require_secret

__all__ = ["MemoryEventLog"]


@dataclass(frozen=True, slots=True)
class _Stream:
    kind: str
    secret: int
    events: tuple[StoredEvent, ...] = ()
    disclosures: tuple[Disclosure, ...] = ()
    provenance: tuple[Provenance, ...] = ()
    peaks: bytes = b""


@dataclass(frozen=True, slots=True)
class _Contents:
    """Everything in the log; an append makes a new one and replaces the old one at the end."""

    events: tuple[StoredEvent, ...] = ()
    journal: tuple[JournalEntry, ...] = ()
    leaves: tuple[Leaves, ...] = ()
    streams: dict[str, _Stream] = field(default_factory=dict)


class MemoryEventLog:
    """Implements `domain.ports.EventLog`; `facts_of` gives the facts digest of canonical bytes."""

    def __init__(self, facts_of: FactsOf, log_id: str | None = None) -> None:
        self.log_id = log_id or secrets.token_hex(16)
        self._facts_of = facts_of
        self._contents = _Contents()
        self._writing = threading.Lock()

    def append(self, appends: Sequence[Append]) -> list[Appended]:
        """See `EventLog.append`."""
        with self._writing:
            contents = self._contents
            done: list[Appended] = []
            for append in appends:
                contents, appended = self._with(contents, append)
                done.append(appended)
            self._contents = contents
        return done

    def read(self, stream_id: str, *, after: int = 0, upto: int | None = None) -> list[StoredEvent]:
        """See `EventLog.read`."""
        events = self._stream(stream_id).events
        return [e for e in events if after < e.number and (upto is None or e.number <= upto)]

    def read_all(self, *, after: int = 0, limit: int = 5000) -> list[StoredEvent]:
        """See `EventLog.read_all`."""
        return list(self._contents.events[max(after, 0) :][:limit])

    def stream_head(self, stream_id: str) -> int:
        """See `EventLog.stream_head`."""
        return len(self._stream(stream_id).events)

    def secret_of(self, stream_id: str) -> int | None:
        """See `EventLog.secret_of`."""
        stream = self._contents.streams.get(stream_id)
        return None if stream is None else stream.secret

    def head(self) -> int:
        """See `EventLog.head`."""
        return len(self._contents.events)

    def streams(self, kind: str | None = None) -> Iterator[tuple[str, str, int]]:
        """See `EventLog.streams`."""
        for stream_id, stream in self._contents.streams.items():
            if kind in (None, stream.kind):
                yield stream_id, stream.kind, len(stream.events)

    def disclosures(self, stream_id: str) -> list[Disclosure]:
        """See `EventLog.disclosures`."""
        return sorted(self._stream(stream_id).disclosures, key=lambda item: item[:2])

    def erase_disclosures(self, stream_id: str, number: int | None = None) -> int:
        """See `EventLog.erase_disclosures`."""
        with self._writing:
            stream = self._stream(stream_id)
            kept = tuple(item for item in stream.disclosures if number not in (None, item.number))
            if stream_id in self._contents.streams:
                streams = self._contents.streams | {stream_id: replace(stream, disclosures=kept)}
                self._contents = replace(self._contents, streams=streams)
        return len(stream.disclosures) - len(kept)

    def provenance(self, stream_id: str) -> list[Provenance]:
        """See `EventLog.provenance`."""
        return sorted(self._stream(stream_id).provenance)

    def journal(self, *, after: int = -1, limit: int = 5000) -> list[JournalEntry]:
        """See `EventLog.journal`."""
        return list(self._contents.journal[max(after + 1, 0) :][:limit])

    def leaves(self, *, after: int = -1, upto: int) -> list[Leaves]:
        """See `EventLog.leaves`."""
        return list(self._contents.leaves[max(after + 1, 0) : max(upto + 1, 0)])

    def disclosures_between(self, after: int, upto: int) -> list[tuple[int, str, bytes, bytes]]:
        """See `EventLog.disclosures_between`."""
        return [
            (event.position, *item[1:])
            for event in self._contents.events[max(after, 0) : max(upto, 0)]
            for item in self.disclosures(event.stream_id)
            if item.number == event.number
        ]

    def provenance_between(self, after: int, upto: int) -> list[tuple[int, str, int, int]]:
        """See `EventLog.provenance_between`."""
        return [
            (event.position, *item[1:])
            for event in self._contents.events[max(after, 0) : max(upto, 0)]
            for item in self.provenance(event.stream_id)
            if item.number == event.number
        ]

    def _stream(self, stream_id: str) -> _Stream:
        return self._contents.streams.get(stream_id, _Stream(kind="", secret=1))

    def _with(self, contents: _Contents, append: Append) -> tuple[_Contents, Appended]:
        stream_id = append.stream_id
        stream = contents.streams.get(stream_id, _Stream(append.kind, append.secret))
        require_kind(stream_id, stream.kind, append.kind)
        plan = plan_append(
            append,
            len(stream.events),
            lambda after, upto: stream.events[after:upto],
            self._facts_of,
        )
        head = len(contents.events)
        if plan.added:
            require_secret(stream_id, stream.secret, append.secret)
            added = tuple(
                StoredEvent(*event[:4], None, position)
                for position, event in enumerate(plan.added, head + 1)
            )
            contents = self._grown(contents, stream, append, plan, added)
        return contents, Appended(stream_id, plan.present, len(plan.added), head + len(plan.added))

    def _grown(
        self,
        contents: _Contents,
        stream: _Stream,
        append: Append,
        plan: Plan,
        added: tuple[StoredEvent, ...],
    ) -> _Contents:
        stream_id, index = append.stream_id, len(contents.journal)
        grown = grow(
            Peaks.from_bytes(len(stream.events), stream.peaks),
            self.log_id,
            stream_id,
            append.kind,
            (event.state for event in added),
            plan.facts,
            plan.provenance,
            append.origin,
        )
        stream = replace(
            stream,
            events=stream.events + added,
            disclosures=stream.disclosures + tuple(plan.disclosures),
            provenance=stream.provenance + tuple(plan.provenance),
            peaks=grown.peaks,
        )
        return _Contents(
            contents.events + added,
            (*contents.journal, read_entry(index, grown.entry)),
            (*contents.leaves, Leaves(index, stream_id, *grown[1:])),
            contents.streams | {stream_id: stream},
        )
