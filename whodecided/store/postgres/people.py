"""Names of players on the server, apart from the log and erasable, as `store.people` keeps them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from eventsourcing.postgres import PostgresDatastore
from psycopg import Cursor
from psycopg.rows import TupleRow, tuple_row

from whodecided.store.postgres.faults import reported

__all__ = ["PostgresPeople"]


class PostgresPeople:
    """Pseudonym -> names, in the table `names`. Every method raises LogUnavailable as the log does.

    They are on the server so that one erasure reaches them for everybody who uses the log.
    """

    def __init__(self, datastore: PostgresDatastore, place: str) -> None:
        self._datastore = datastore
        self._place = place

    def keep(self, names: Iterable[tuple[str, str]]) -> None:
        """See `People.keep`."""
        with self._cursor() as cursor:
            cursor.executemany(
                "INSERT INTO names (pseudonym, name) VALUES (%s, %s) ON CONFLICT DO NOTHING",
                [(pseudonym, name.encode()) for pseudonym, name in names],
            )

    def names(self, pseudonym: str) -> list[str]:
        """See `People.names`."""
        with self._cursor() as cursor:
            cursor.execute("SELECT name FROM names WHERE pseudonym = %s ORDER BY 1", (pseudonym,))
            return [bytes(row[0]).decode() for row in cursor]

    def pseudonyms(self, name: str) -> list[str]:
        """See `People.pseudonyms`."""
        with self._cursor() as cursor:
            statement = "SELECT pseudonym FROM names WHERE name = %s ORDER BY 1"
            cursor.execute(statement, (name.encode(),))
            return [row[0] for row in cursor]

    def everyone(self) -> list[tuple[str, str]]:
        """See `People.everyone`."""
        with self._cursor() as cursor:
            cursor.execute("SELECT pseudonym, name FROM names ORDER BY 1, 2")
            return [(row[0], bytes(row[1]).decode()) for row in cursor]

    def erase(self, pseudonym: str) -> int:
        """See `People.erase`; what is deleted goes from the table's file as well."""
        with self._cursor() as cursor:
            cursor.execute("DELETE FROM names WHERE pseudonym = %s", (pseudonym,))
            erased = cursor.rowcount
            if erased:
                cursor.execute("VACUUM (FULL) names")
        return erased

    @contextmanager
    def _cursor(self) -> Iterator[Cursor[TupleRow]]:
        with (
            reported(self._place),
            self._datastore.get_connection() as connection,
            connection.cursor(row_factory=tuple_row) as cursor,
        ):
            yield cursor
