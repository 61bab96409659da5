"""The event log over SQL tables: everything that does not depend on which database it is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager

from domain.ports import (
    Append,
    Appended,
    Disclosure,
    JournalEntry,
    Leaves,
    Provenance,
    StoredEvent,
)
from whodecided.store.journal import read_entry
from whodecided.store.planning import FactsOf
from whodecided.store.transaction import Transaction
from whodecided.store.writing import (
    append_planned,
    head_of,
    log_id_of,
    read_stream,
    stream_head_of,
)

__all__ = ["SqlEventLog"]


class SqlEventLog(ABC):
    """Implements `domain.ports.EventLog`; `facts_of` gives the facts digest of canonical bytes."""

    def __init__(self, facts_of: FactsOf) -> None:
        self._facts_of = facts_of
        self._log_id: str | None = None

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Transaction]:
        """A transaction that writes nothing. Storage errors leave it as the product's own."""

    @abstractmethod
    def _writing(self) -> AbstractContextManager[Transaction]:
        """A transaction that no other writer runs beside. Storage errors as for reading."""

    @property
    @abstractmethod
    def name(self) -> str:
        """What messages call the storage."""

    @abstractmethod
    def close(self) -> None:
        """Close every connection; the log cannot be used afterwards."""

    @abstractmethod
    def inspect(self) -> str | None:
        """What is wrong with the tables, their guards and their numbering; None when nothing is.

        Raises IntegrityFailure or LogUnavailable where that cannot be found out.
        """

    @abstractmethod
    def opener(self) -> Callable[[], SqlEventLog]:
        """Opens the same log again, also in another process."""

    @abstractmethod
    def purge(self) -> None:
        """Let nothing of what was erased stay in the storage; once, after the last erasure."""

    @property
    def log_id(self) -> str:
        """See `EventLog.log_id`."""
        if self._log_id is None:
            with self._reading() as transaction:
                self._log_id = log_id_of(transaction)
        return self._log_id

    def append(self, appends: Sequence[Append]) -> list[Appended]:
        """See `EventLog.append`."""
        log_id = self.log_id
        with self._writing() as transaction:
            return [append_planned(transaction, one, self._facts_of, log_id) for one in appends]

    def read(self, stream_id: str, *, after: int = 0, upto: int | None = None) -> list[StoredEvent]:
        """See `EventLog.read`."""
        with self._reading() as transaction:
            return read_stream(transaction, stream_id, after, upto)

    def read_all(self, *, after: int = 0, limit: int = 5000) -> list[StoredEvent]:
        """See `EventLog.read_all`."""
        with self._reading() as transaction:
            at = transaction.position
            rows = transaction.rows(
                f"SELECT originator_id, originator_version, topic, state, NULL, {at}"
                f" FROM events WHERE {at} > ? ORDER BY {at} LIMIT ?",
                after,
                limit,
            )
        return list(map(StoredEvent._make, rows))

    def stream_head(self, stream_id: str) -> int:
        """See `EventLog.stream_head`."""
        with self._reading() as transaction:
            return stream_head_of(transaction, stream_id)

    def secret_of(self, stream_id: str) -> int | None:
        """See `EventLog.secret_of`."""
        with self._reading() as transaction:
            found = transaction.rows("SELECT secret FROM streams WHERE stream_id = ?", stream_id)
            return found[0][0] if found else None

    def stream_secrets(self) -> list[tuple[str, int]]:
        """(stream id, number of the log secret it names) of every stream, in order of creation."""
        with self._reading() as transaction:
            return transaction.rows("SELECT stream_id, secret FROM streams ORDER BY creation")

    def head(self) -> int:
        """See `EventLog.head`."""
        with self._reading() as transaction:
            return head_of(transaction)

    def streams(self, kind: str | None = None) -> Iterator[tuple[str, str, int]]:
        """See `EventLog.streams`."""
        with self._reading() as transaction:
            found = transaction.rows(
                "SELECT stream_id, kind, (SELECT max(originator_version) FROM events"
                " WHERE originator_id = stream_id) FROM streams"
                f"{'' if kind is None else ' WHERE kind = ?'} ORDER BY creation",
                *(() if kind is None else (kind,)),
            )
        yield from found

    def disclosures(self, stream_id: str) -> list[Disclosure]:
        """See `EventLog.disclosures`."""
        with self._reading() as transaction:
            rows = transaction.rows(
                "SELECT originator_version, field, value, salt FROM events"
                f" JOIN disclosures ON disclosures.position = {transaction.position}"
                " WHERE originator_id = ? ORDER BY originator_version, field",
                stream_id,
            )
        return list(map(Disclosure._make, rows))

    def erase_disclosures(self, stream_id: str, number: int | None = None) -> int:
        """See `EventLog.erase_disclosures`."""
        with self._writing() as transaction:
            one = "" if number is None else " AND originator_version = ?"
            return transaction.run(
                f"DELETE FROM disclosures WHERE position IN (SELECT {transaction.position}"
                f" FROM events WHERE originator_id = ?{one})",
                *((stream_id,) if number is None else (stream_id, number)),
            )

    def provenance(self, stream_id: str) -> list[Provenance]:
        """See `EventLog.provenance`."""
        with self._reading() as transaction:
            rows = transaction.rows(
                "SELECT originator_version, digest, byte_offset, line FROM events"
                f" JOIN provenance ON provenance.position = {transaction.position}"
                " JOIN files USING (file_key)"
                " WHERE originator_id = ? ORDER BY originator_version",
                stream_id,
            )
        return list(map(Provenance._make, rows))

    def journal(self, *, after: int = -1, limit: int = 5000) -> list[JournalEntry]:
        """See `EventLog.journal`."""
        with self._reading() as transaction:
            rows = transaction.rows(
                "SELECT journal_index, entry FROM journal WHERE journal_index > ?"
                " ORDER BY journal_index LIMIT ?",
                after,
                limit,
            )
        return [read_entry(*row) for row in rows]

    def leaves(self, *, after: int = -1, upto: int) -> list[Leaves]:
        """See `EventLog.leaves`."""
        with self._reading() as transaction:
            rows = transaction.rows(
                "SELECT journal_index, stream_id, size, peaks, leaves, entry_hash FROM leaves"
                " WHERE journal_index > ? AND journal_index <= ? ORDER BY journal_index",
                after,
                upto,
            )
        return list(map(Leaves._make, rows))

    def disclosures_between(self, after: int, upto: int) -> list[tuple[int, str, bytes, bytes]]:
        """See `EventLog.disclosures_between`."""
        with self._reading() as transaction:
            return transaction.rows(
                "SELECT position, field, value, salt FROM disclosures"
                " WHERE position > ? AND position <= ? ORDER BY position, field",
                after,
                upto,
            )

    def provenance_between(self, after: int, upto: int) -> list[tuple[int, str, int, int]]:
        """See `EventLog.provenance_between`."""
        with self._reading() as transaction:
            return transaction.rows(
                "SELECT position, digest, byte_offset, line FROM provenance"
                " LEFT JOIN files USING (file_key)"
                " WHERE position > ? AND position <= ? ORDER BY position",
                after,
                upto,
            )
