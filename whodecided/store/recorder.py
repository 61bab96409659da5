"""The library's recorder over our tables: events, their stream and the journal as one write."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eventsourcing.persistence import StoredEvent as LibraryStoredEvent
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteCursor

from domain.ports import Origin
from whodecided.store.connection import LogDatastore
from whodecided.store.planning import FactsOf
from whodecided.store.schema import SCHEMA_STATEMENTS
from whodecided.store.sqlite_rows import insert_disclosures, insert_events, insert_provenance
from whodecided.store.transaction import EventRow
from whodecided.store.writing import write_library_events

__all__ = ["EventRecorder", "SqliteTransaction"]


class SqliteTransaction:
    """Implements `transaction.Transaction` over a cursor with an open transaction."""

    position: str = "rowid"

    def __init__(self, cursor: SQLiteCursor) -> None:
        self._cursor = cursor.sqlite_cursor
        self._cursor.row_factory = None

    def rows(self, statement: str, *params: Any) -> list[Any]:
        """See `Transaction.rows`."""
        return self._cursor.execute(statement, params).fetchall()

    def run(self, statement: str, *params: Any) -> int:
        """See `Transaction.run`."""
        return self._cursor.execute(statement, params).rowcount

    def insert_events(self, events: Sequence[EventRow]) -> None:
        """See `Transaction.insert_events`."""
        insert_events(self._cursor, events)

    def insert_disclosures(self, rows: Sequence[tuple[int, str, bytes, bytes]]) -> None:
        """See `Transaction.insert_disclosures`."""
        insert_disclosures(self._cursor, rows)

    def insert_provenance(self, rows: Sequence[tuple[int, int, int, int]]) -> None:
        """See `Transaction.insert_provenance`."""
        insert_provenance(self._cursor, rows)


class EventRecorder(SQLiteApplicationRecorder):
    """Writes events only together with their stream and a journal entry.

    Notification ids are log positions. Subscriptions are not supported.
    """

    def __init__(self, datastore: LogDatastore, facts_of: FactsOf) -> None:
        super().__init__(datastore, events_table_name="events")
        self.facts_of = facts_of

    def construct_create_table_statements(self) -> list[str]:
        """The statements that make an empty database an empty log."""
        return list(SCHEMA_STATEMENTS)

    def insert_events(  # type: ignore[override]  # no write without its origin
        self,
        stored_events: Sequence[LibraryStoredEvent],
        *,
        kind: str,
        origin: Origin,
        secret: int = 1,
        **_: Any,
    ) -> Sequence[int]:
        """Write the events of one or several streams of one kind; their positions.

        Raises the library's IntegrityError when a number is taken or would leave a hole.
        """
        with self.datastore.transaction(commit=True) as cursor:
            return write_library_events(
                SqliteTransaction(cursor), stored_events, kind, secret, origin, self.facts_of
            )
