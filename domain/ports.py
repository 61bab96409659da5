"""The ports behind which storage lives: the event log and the tracking store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

__all__ = [
    "Append",
    "Appended",
    "Disclosure",
    "EventLog",
    "JournalEntry",
    "Leaves",
    "Origin",
    "Provenance",
    "StoredEvent",
    "TrackingStore",
]


class StoredEvent(NamedTuple):
    """One event as it is stored, hashed and exported.

    `position` is the log-wide position (0 before it is stored); `state` the canonical bytes;
    `facts` the SHA-256 (32 bytes) of the bytes without a derived stamp, or None when not computed.
    """

    stream_id: str
    number: int
    topic: str
    state: bytes
    facts: bytes | None = None
    position: int = 0


class Disclosure(NamedTuple):
    """Value and salt of one sealed field; deleting it erases the value, never the digest.

    `field` is the path of the field in the event; `value` canonical JSON; `salt` 32 bytes.
    """

    number: int
    field: str
    value: bytes
    salt: bytes


class Provenance(NamedTuple):
    """Where in a source file the record of one event stands (byte offset and line from 1)."""

    number: int
    file_digest: str
    offset: int
    line: int


class Origin(NamedTuple):
    """What depends on the act of importing: it stands in the journal, never in an event.

    `recorded_at` RFC 3339 UTC with six digits; `file_name` base name only; `file_digest` hex
    SHA-256 of the bytes of the file read so far, or None for a live append.
    """

    recorded_at: str
    tool: str
    file_name: str | None = None
    file_digest: str | None = None


class JournalEntry(NamedTuple):
    """One line of the journal: what one append added to one stream, and where it came from.

    `journal_index` counts from 0 without holes; `facts_digest` is the hex SHA-256 over the
    concatenated facts digests of events `first` to `last`; `size` and `root` (hex) are those of the
    stream's RFC 6962 tree after the append; `provenance_digest` (hex, or None without provenance)
    is over the canonical JSON of the added provenance by number; `log_id` names the log; `entry` is
    the canonical JSON of everything but the index.
    """

    journal_index: int
    stream_id: str
    kind: str
    first: int
    last: int
    facts_digest: str
    size: int
    root: str
    provenance_digest: str | None
    log_id: str
    origin: Origin
    entry: bytes


class Leaves(NamedTuple):
    """What the log keeps of the trees for one journal entry; all of it can be recomputed.

    `leaves` are the concatenated leaf hashes (32 bytes each) of the entry's events, `peaks` those
    of the complete subtrees that the stream's tree of `size` leaves falls into, largest first;
    `entry_hash` is the leaf hash of the entry itself.
    """

    journal_index: int
    stream_id: str
    size: int
    peaks: bytes
    leaves: bytes
    entry_hash: bytes


class Append(NamedTuple):
    """One stream's events from one source, from some number on; present ones are compared.

    `kind` is the aggregate: game, match or case. The numbers of `events` follow each other.
    Disclosures and provenance belong to these events and are kept for the ones that get added.
    `secret` is the number of the log secret that sealed the hidden values; a stream has one.
    """

    stream_id: str
    kind: str
    events: Sequence[StoredEvent]
    disclosures: Sequence[Disclosure]
    provenance: Sequence[Provenance]
    origin: Origin
    secret: int = 1


class Appended(NamedTuple):
    """What an append did: `present` events were there with equal facts, `added` were written.

    `last_position` is the log's position after it (unchanged when nothing was added).
    """

    stream_id: str
    present: int
    added: int
    last_position: int


class EventLog(Protocol):
    """Append-only streams of stored events with one log-wide order."""

    @property
    def log_id(self) -> str:
        """32 hex digits made at random when the log was made."""
        ...

    def append(self, appends: Sequence[Append]) -> list[Appended]:
        """Write all appends in one transaction, or none.

        Events whose number is taken are compared by facts digest: equal means already present;
        different raises AppendConflict and nothing is written. A number that would leave a hole,
        and what was sealed with another secret than the stream, raise IntegrityFailure. One journal
        entry is written per append that adds something. Raises LogUnavailable when the storage
        cannot be written.
        """
        ...

    def read(self, stream_id: str, *, after: int = 0, upto: int | None = None) -> list[StoredEvent]:
        """Events of one stream with after < number <= upto, in order; none of an unknown stream."""
        ...

    def read_all(self, *, after: int = 0, limit: int = 5000) -> list[StoredEvent]:
        """At most `limit` events with position > after, in log order."""
        ...

    def stream_head(self, stream_id: str) -> int:
        """Number of the stream's last event, 0 when it does not exist."""
        ...

    def secret_of(self, stream_id: str) -> int | None:
        """Number of the log secret that seals a stream's values; None of an unknown stream."""
        ...

    def head(self) -> int:
        """Position of the log's last event, 0 when empty."""
        ...

    def streams(self, kind: str | None = None) -> Iterator[tuple[str, str, int]]:
        """(stream id, kind, last number) of every stream, in the order of creation."""
        ...

    def disclosures(self, stream_id: str) -> list[Disclosure]:
        """The disclosures of one stream that have not been erased."""
        ...

    def erase_disclosures(self, stream_id: str, number: int | None = None) -> int:
        """Delete the disclosures of one stream, or of one of its events, for good; how many.

        The events and their digests stay. Appending the same events again does not bring them back.
        """
        ...

    def provenance(self, stream_id: str) -> list[Provenance]:
        """Where the events of one stream stand in source files, in order of number."""
        ...

    def journal(self, *, after: int = -1, limit: int = 5000) -> list[JournalEntry]:
        """At most `limit` journal entries with index > after, in order."""
        ...

    def leaves(self, *, after: int = -1, upto: int) -> list[Leaves]:
        """The tree material of the journal entries with after < index <= upto, in order."""
        ...

    def disclosures_between(self, after: int, upto: int) -> list[tuple[int, str, bytes, bytes]]:
        """Position, field, value and salt of what has after < position <= upto, in that order."""
        ...

    def provenance_between(self, after: int, upto: int) -> list[tuple[int, str, int, int]]:
        """Position, file digest, offset and line of what has after < position <= upto, in order."""
        ...


class TrackingStore(Protocol):
    """How far a projection has read; moves only forward, in the transaction of its rows."""

    def position(self, projection: str) -> int:
        """Last position processed, 0 when none."""
        ...

    def advance(self, projection: str, position: int) -> None:
        """Move forward; IntegrityFailure when the position was already processed."""
        ...
