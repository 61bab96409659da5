"""The library's recorder over our tables on PostgreSQL: events, stream and journal as one write."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from eventsourcing.persistence import StoredEvent as LibraryStoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore
from psycopg import Connection
from psycopg.rows import tuple_row

from domain.ports import Origin
from whodecided.store.planning import FactsOf
from whodecided.store.postgres.datastore import writing
from whodecided.store.postgres.schema import create_statements
from whodecided.store.transaction import EventRow
from whodecided.store.writing import write_library_events

__all__ = ["PostgresEventRecorder", "PostgresTransaction"]

_AT_ONCE: Final = 5000  # events in one call, to bound what is held twice


class PostgresTransaction:
    """Implements `transaction.Transaction` over a connection.

    Where nothing is written every statement is a transaction of its own.
    """

    position: str = "notification_id"

    def __init__(self, connection: Connection[Any]) -> None:
        self._cursor = connection.cursor(row_factory=tuple_row, binary=True)

    def rows(self, statement: str, *params: Any) -> list[Any]:
        """See `Transaction.rows`."""
        return self._cursor.execute(_marked(statement), params).fetchall()

    def run(self, statement: str, *params: Any) -> int:
        """See `Transaction.run`."""
        return self._cursor.execute(_marked(statement), params).rowcount

    def insert_events(self, events: Sequence[EventRow]) -> None:
        """See `Transaction.insert_events`."""
        for at in range(0, len(events), _AT_ONCE):
            some = events[at : at + _AT_ONCE]
            self._cursor.execute(
                "SELECT append_events(%s, %s, %b::text[], %b::bytea[])",
                (some[0][0], some[0][1], [row[2] for row in some], [row[3] for row in some]),
            )

    def insert_disclosures(self, rows: Sequence[tuple[int, str, bytes, bytes]]) -> None:
        """See `Transaction.insert_disclosures`."""
        self._unnested(
            "INSERT INTO disclosures (position, field, value, salt)"
            " SELECT * FROM unnest(%b::bigint[], %b::text[], %b::bytea[], %b::bytea[])",
            rows,
        )

    def insert_provenance(self, rows: Sequence[tuple[int, int, int, int]]) -> None:
        """See `Transaction.insert_provenance`."""
        self._unnested(
            "INSERT INTO provenance (position, file_key, byte_offset, line)"
            " SELECT * FROM unnest(%b::bigint[], %b::bigint[], %b::bigint[], %b::bigint[])",
            rows,
        )

    def _unnested(self, statement: str, rows: Sequence[Sequence[Any]]) -> None:
        for at in range(0, len(rows), _AT_ONCE):
            self._cursor.execute(
                statement, [*map(list, zip(*rows[at : at + _AT_ONCE], strict=True))]
            )


class PostgresEventRecorder(PostgresApplicationRecorder):
    """Writes events only together with their stream and a journal entry.

    Notification ids are log positions, without holes.
    """

    def __init__(self, datastore: PostgresDatastore, facts_of: FactsOf) -> None:
        super().__init__(datastore, events_table_name="events")
        self.facts_of = facts_of
        self.sql_create_statements = list(create_statements(datastore.schema))

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
        with writing(self.datastore) as connection:
            return write_library_events(
                PostgresTransaction(connection), stored_events, kind, secret, origin, self.facts_of
            )


def _marked(statement: str) -> str:
    """The statement with psycopg's marks for parameters."""
    return statement.replace("?", "%s")
