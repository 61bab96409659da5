"""Appending in SQL, whichever database runs it: events, their stream, journal and details."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from eventsourcing.persistence import StoredEvent as LibraryStoredEvent

from domain.errors import IntegrityFailure
from domain.ports import Append, Appended, Origin, Provenance, StoredEvent
from whodecided.evidence.merkle import Peaks
from whodecided.store.growth import confirmed_peaks, grow
from whodecided.store.planning import FactsOf, Plan, plan_append, require_kind, require_secret
from whodecided.store.transaction import EventRow, Transaction

__all__ = [
    "append_planned",
    "head_of",
    "log_id_of",
    "read_stream",
    "stream_head_of",
    "write_library_events",
]


def append_planned(
    transaction: Transaction, append: Append, facts_of: FactsOf, log_id: str
) -> Appended:
    """Compare what is there and write the rest, as `EventLog.append` does for one append."""
    stream_id = append.stream_id
    known = _known(transaction, stream_id)
    if known is not None:
        require_kind(stream_id, known.kind, append.kind)
    head = 0 if known is None else known.head
    plan = plan_append(
        append,
        head,
        lambda after, upto: read_stream(transaction, stream_id, after, upto),
        facts_of,
    )
    if not plan.added:
        return Appended(stream_id, plan.present, 0, head_of(transaction))
    rows = [event[:4] for event in plan.added]
    last = _write(
        transaction,
        known,
        log_id,
        append.kind,
        append.secret,
        rows,
        plan.facts,
        plan.provenance,
        append.origin,
    )
    _write_details(transaction, plan, last - head - len(rows))
    return Appended(stream_id, plan.present, len(rows), last)


def write_library_events(
    transaction: Transaction,
    events: Sequence[LibraryStoredEvent],
    kind: str,
    secret: int,
    origin: Origin,
    facts_of: FactsOf,
) -> list[int]:
    """Write the library's events of one or several streams of one kind; their positions."""
    positions: list[int] = []
    log_id = log_id_of(transaction)
    for stream_id, group in groupby(events, key=attrgetter("originator_id")):
        rows = [(str(stream_id), e.originator_version, e.topic, e.state) for e in group]
        facts = [facts_of(row[3]) for row in rows]
        known = _known(transaction, stream_id)
        last = _write(transaction, known, log_id, kind, secret, rows, facts, (), origin)
        positions += range(last - len(rows) + 1, last + 1)
    return positions


def read_stream(
    transaction: Transaction, stream_id: str, after: int, upto: int | None
) -> list[StoredEvent]:
    """See `EventLog.read`."""
    limit = "" if upto is None else " AND originator_version <= ?"
    rows = transaction.rows(
        f"SELECT originator_id, originator_version, topic, state, NULL, {transaction.position}"
        f" FROM events WHERE originator_id = ? AND originator_version > ?{limit}"
        " ORDER BY originator_version",
        *((stream_id, after) if upto is None else (stream_id, after, upto)),
    )
    return list(map(StoredEvent._make, rows))


def stream_head_of(transaction: Transaction, stream_id: str) -> int:
    """Number of the stream's last event, 0 when it does not exist."""
    statement = "SELECT max(originator_version) FROM events WHERE originator_id = ?"
    head: int | None = transaction.rows(statement, stream_id)[0][0]
    return head or 0


def head_of(transaction: Transaction) -> int:
    """Position of the log's last event, 0 when empty."""
    head: int | None = transaction.rows(f"SELECT max({transaction.position}) FROM events")[0][0]
    return head or 0


def log_id_of(transaction: Transaction) -> str:
    """The log's id; IntegrityFailure when it has none."""
    rows = transaction.rows("SELECT log_id FROM log")
    if len(rows) != 1:
        raise IntegrityFailure("log", f"has {len(rows)} ids instead of one")
    return str(rows[0][0])


class _Known(NamedTuple):
    """What is known of a stream: its kind, the number of its secret, its last event's number."""

    kind: str
    secret: int
    head: int


def _known(transaction: Transaction, stream_id: str) -> _Known | None:
    found = transaction.rows(
        "SELECT kind, secret, (SELECT coalesce(max(originator_version), 0) FROM events"
        " WHERE originator_id = stream_id) FROM streams WHERE stream_id = ?",
        stream_id,
    )
    return _Known._make(found[0]) if found else None


def _write(
    transaction: Transaction,
    known: _Known | None,
    log_id: str,
    kind: str,
    secret: int,
    rows: Sequence[EventRow],
    facts: Iterable[bytes],
    provenance: Sequence[Provenance],
    origin: Origin,
) -> int:
    """Write consecutive events of one stream and their journal entry; the last one's position.

    `facts` are the facts digests of the rows, `provenance` goes into the entry's digest; `secret`
    is the number of the log secret that sealed what is hidden in them.
    """
    stream_id, first, *_ = rows[0]
    _require_stream(transaction, known, stream_id, kind, secret)
    transaction.insert_events(rows)
    peaks = _peaks(transaction, stream_id, first - 1)
    states = (row[3] for row in rows)
    grown = grow(peaks, log_id, stream_id, kind, states, facts, provenance, origin)
    [(index, head)] = transaction.rows(
        "SELECT (SELECT coalesce(max(journal_index), -1) + 1 FROM journal),"
        f" (SELECT max({transaction.position}) FROM events)"
    )
    transaction.run("INSERT INTO journal (journal_index, entry) VALUES (?, ?)", index, grown.entry)
    transaction.run(
        "INSERT INTO leaves (journal_index, stream_id, size, peaks, leaves, entry_hash)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        index,
        stream_id,
        *grown[1:],
    )
    last: int = head
    return last


def _peaks(transaction: Transaction, stream_id: str, size: int) -> Peaks:
    if size == 0:
        return Peaks()
    kept = transaction.rows(
        "SELECT journal_index, peaks, entry FROM leaves JOIN journal USING (journal_index)"
        " WHERE stream_id = ? AND size = ?",
        stream_id,
        size,
    )
    return confirmed_peaks(stream_id, size, kept)


def _require_stream(
    transaction: Transaction, known: _Known | None, stream_id: str, kind: str, secret: int
) -> None:
    if known is not None:
        require_kind(stream_id, known.kind, kind)
        require_secret(stream_id, known.secret, secret)
        return
    transaction.run(
        "INSERT INTO streams (creation, stream_id, kind, secret)"
        " SELECT coalesce(max(creation), 0) + 1, ?, ?, ? FROM streams",
        stream_id,
        kind,
        secret,
    )


def _write_details(transaction: Transaction, plan: Plan, shift: int) -> None:
    """Write disclosures and provenance; position = number + shift for every added event."""
    if plan.disclosures:
        transaction.insert_disclosures(
            [
                (number + shift, field, value, salt)
                for number, field, value, salt in plan.disclosures
            ],
        )
    if not plan.provenance:
        return
    keys = {
        digest: _file_key(transaction, digest)
        for digest in sorted({place.file_digest for place in plan.provenance})
    }
    transaction.insert_provenance(
        [(number + shift, keys[digest], at, line) for number, digest, at, line in plan.provenance],
    )


def _file_key(transaction: Transaction, digest: str) -> int:
    found = transaction.rows("SELECT file_key FROM files WHERE digest = ?", digest)
    if not found:
        transaction.run(
            "INSERT INTO files (file_key, digest)"
            " SELECT coalesce(max(file_key), 0) + 1, ? FROM files",
            digest,
        )
        found = transaction.rows("SELECT file_key FROM files WHERE digest = ?", digest)
    key: int = found[0][0]
    return key
