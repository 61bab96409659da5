"""Walk the whole log in order: every event, leaf, tree, journal entry and stream."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import msgspec

from domain.canonical import canonical_json
from domain.ports import EventLog, JournalEntry
from whodecided.evidence.merkle import Peaks, leaf_hash
from whodecided.evidence.parts import Parts, scan_parts
from whodecided.evidence.report import Failure, Progress
from whodecided.evidence.scan import CheckedEntry, Part, Salt, Scan, event_name

__all__ = ["Walk", "walk"]


@dataclass
class Walk:
    """What was found, up to the first failure (with the name of the step that found it).

    `roots` are the journal's roots at the sizes asked for that were reached; `salts` has the first
    salt kept of every stream.
    """

    log_id: str
    sizes: frozenset[int]
    journal: Peaks = field(default_factory=Peaks)
    roots: dict[int, bytes] = field(default_factory=dict)
    streams: dict[str, tuple[str, Peaks]] = field(default_factory=dict)
    events: int = 0
    position: int = 0
    disclosures: int = 0
    salts: dict[str, Salt] = field(default_factory=dict)
    failure: tuple[str, Failure] | None = None

    def fail(self, step: str, failure: Failure, good: str | None = None) -> None:
        """Note a failure, with what before it still holds; only the first one counts."""
        if self.failure is None:
            held = good or self._good() or "nothing before it"
            self.failure = (step, replace(failure, good=held))

    def take(self, part: Part, found: Scan) -> None:
        """Add a part that was scanned."""
        for entry, checked in zip(part.entries, found.entries, strict=False):
            self._take_entry(entry, checked)
            if self.failure is not None:
                return
        self.position = found.position
        self.disclosures += found.disclosures
        for stream_id, salt in found.salts.items():
            self.salts.setdefault(stream_id, salt)
        if found.failure is not None:
            self.fail(*found.failure)

    def note_root(self) -> None:
        """Keep the journal's root where its size was asked for."""
        if self.journal.size in self.sizes:
            self.roots[self.journal.size] = self.journal.root()

    def _take_entry(self, entry: JournalEntry, checked: CheckedEntry) -> None:
        kind, peaks = self.streams.setdefault(entry.stream_id, (entry.kind, Peaks()))
        fault = self._misplaced(entry, kind, peaks.size)
        if fault is not None:
            name = f"journal entry {entry.journal_index}"
            self.fail("journal", Failure("entry-misplaced", name, fault))
            return
        peaks.extend(checked.leaves)
        self._check_tree(entry, checked, peaks)
        if self.failure is not None:
            return
        self.events += len(checked.leaves)
        self.journal.extend([leaf_hash(entry.entry)])
        self.note_root()

    def _misplaced(self, entry: JournalEntry, kind: str, size: int) -> str | None:
        if entry.log_id != self.log_id:
            return f"belongs to log {entry.log_id}, this is {self.log_id}"
        if entry.kind != kind:
            return f"calls the {kind} {entry.stream_id} a {entry.kind}"
        if entry.first != size + 1:
            return f"adds event {entry.first} of {entry.stream_id} after event {size}"
        if entry.size != entry.last:
            return f"gives {entry.stream_id} the size {entry.size} after event {entry.last}"
        if canonical_json(msgspec.json.decode(entry.entry)) != entry.entry:
            return "its bytes are not canonical"
        return None

    def _check_tree(self, entry: JournalEntry, checked: CheckedEntry, peaks: Peaks) -> None:
        name = f"journal entry {entry.journal_index}"
        root = peaks.root().hex()
        if checked.changed is not None:
            if root == entry.root:
                # The tree of the bytes is the journal's: it is the kept hash that was changed.
                kept = replace(
                    checked.changed, code="leaves-differ", reason="the leaf hash kept of it differs"
                )
                self.fail("leaves", kept)
            else:
                self.fail("leaves", checked.changed, self._good_within(checked.changed, entry))
        elif root != entry.root:
            what = f"{name}, stream {entry.stream_id}"
            reason = f"root of the stream's first {entry.last} events differs"
            self.fail("journal", Failure("root-differs", what, reason, entry.root, root))
        elif bytes(peaks) != checked.peaks:
            self.fail("leaves", Failure("peaks-differ", name, "the peaks kept of its tree differ"))

    def _good(self) -> str:
        if self.journal.size == 0:
            return ""
        return f"journal entries 0 to {self.journal.size - 1} with their {self.events} events"

    def _good_within(self, changed: Failure, entry: JournalEntry) -> str:
        number = int(changed.what.rpartition(" ")[2])
        if number == entry.first:
            return self._good()
        within = f"events {entry.first} to {number - 1} of its stream"
        return "; ".join(filter(None, (self._good(), within)))


def walk(
    log: EventLog,
    sizes: Iterable[int] = (),
    *,
    thorough: bool = False,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Walk:
    """Recompute everything from the stored bytes, in log order, until something is wrong.

    `jobs` processes share the work where the log is a file. Appends made meanwhile may or may not
    be included. Storage errors are raised.
    """
    # Before the journal is read: then every event up to here has its entry in what will be read.
    head = log.head()
    found = Walk(log.log_id, frozenset(sizes))
    found.note_root()
    parts = Parts(log)
    for part, result in scan_parts(log, parts, thorough=thorough, jobs=jobs):
        found.take(part, result)
        if progress is not None:
            progress(found.events, max(head, found.events))
        if found.failure is not None:
            return found
    if parts.failure is not None:
        found.fail("journal", parts.failure)
    _check_rest(log, found, head)
    return found


def _check_rest(log: EventLog, found: Walk, head: int) -> None:
    """Nothing may be in the log that no journal entry covers."""
    if found.position < head:
        for event in log.read_all(after=found.position, limit=1):
            name = event_name(event.stream_id, event.number)
            found.fail(
                "journal", Failure("event-without-entry", name, "no journal entry covers it")
            )
    listed = list(log.streams())
    for at, (name, (kind, _)) in enumerate(found.streams.items()):
        row = listed[at][:2] if at < len(listed) else ("none", "none")
        if row != (name, kind):
            reason = f"the list of streams has the {row[1]} {row[0]} in its place"
            found.fail("streams", Failure("stream-misplaced", f"stream {name}", reason))
            return
    for name, _, last in listed[len(found.streams) :]:
        if not last:
            found.fail("streams", Failure("stream-empty", f"stream {name}", "has no events"))
            return
