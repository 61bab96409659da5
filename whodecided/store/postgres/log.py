"""The event log on a PostgreSQL server."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from psycopg import Connection
from psycopg.rows import DictRow
from psycopg.sql import SQL, Identifier

from domain.errors import IntegrityFailure, LogUnavailable
from whodecided.store.planning import FactsOf
from whodecided.store.postgres.datastore import connected, make_datastore, writing
from whodecided.store.postgres.faults import reported
from whodecided.store.postgres.inspection import inspect_tables
from whodecided.store.postgres.recorder import PostgresEventRecorder, PostgresTransaction
from whodecided.store.postgres.schema import SCHEMA_VERSION, create_statements
from whodecided.store.postgres.settings import PostgresSettings
from whodecided.store.sql_log import SqlEventLog

__all__ = ["PostgresEventLog", "create_tables", "stored_log_id"]


def stored_log_id(settings: PostgresSettings) -> str | None:
    """The id of the log that is there, None where there is none.

    Raises LogUnavailable, and IntegrityFailure for a log that does not have one id.
    """
    with connected(settings) as connection:
        return _stored_log_id(connection, settings)


def create_tables(
    settings: PostgresSettings, log_id: str, fingerprints: Sequence[bytes] = ()
) -> str:
    """Make an empty log where none is; the id of the log that is there now.

    `fingerprints` are those of its secrets. Several makers at once make one log. Raises
    LogUnavailable where the schema holds something else.
    """
    with connected(settings) as connection, connection.transaction():
        return _create(connection, settings, log_id, fingerprints)


class PostgresEventLog(SqlEventLog):
    """Implements `domain.ports.EventLog` over one schema; several processes may append at once.

    `facts_of` gives the facts digest of canonical bytes. Opening raises LogUnavailable for a server
    that cannot be reached and a schema that holds no log, IntegrityFailure for a log that does not
    have one id.
    """

    def __init__(self, settings: PostgresSettings, facts_of: FactsOf) -> None:
        super().__init__(facts_of)
        self.settings = settings
        if stored_log_id(settings) is None:
            raise LogUnavailable(
                settings.place,
                "there is no log here",
                advice="Import a game log first, or name another database or schema.",
            )
        with reported(settings.place):
            self.recorder = PostgresEventRecorder(make_datastore(settings), facts_of)

    @property
    def name(self) -> str:
        """See `SqlEventLog.name`."""
        return self.settings.place

    def close(self) -> None:
        """See `SqlEventLog.close`."""
        self.recorder.datastore.close()

    def inspect(self) -> str | None:
        """See `SqlEventLog.inspect`."""
        with reported(self.name):
            return inspect_tables(self.recorder.datastore)

    def opener(self) -> Callable[[], PostgresEventLog]:
        """See `SqlEventLog.opener`."""
        return partial(PostgresEventLog, self.settings, self._facts_of)

    def purge(self) -> None:
        """Write the table of disclosures anew, without what was deleted; readers wait meanwhile."""
        with reported(self.name), self.recorder.datastore.get_connection() as connection:
            connection.execute("VACUUM (FULL) disclosures")

    def fingerprints(self) -> list[bytes]:
        """What the log secrets are known by, in order of their numbers."""
        with self._reading() as transaction:
            return [
                row[0]
                for row in transaction.rows("SELECT fingerprint FROM secrets ORDER BY number")
            ]

    def add_fingerprint(self, number: int, fingerprint: bytes) -> bool:
        """Say which secret has the next number; False when another one has it already."""
        with self._writing() as transaction:
            found = transaction.rows("SELECT fingerprint FROM secrets WHERE number = ?", number)
            if found:
                return bool(found[0][0] == fingerprint)
            transaction.run(
                "INSERT INTO secrets (number, fingerprint) VALUES (?, ?)", number, fingerprint
            )
        return True

    @contextmanager
    def _reading(self) -> Iterator[PostgresTransaction]:
        datastore = self.recorder.datastore
        with reported(self.name), datastore.get_connection() as connection:
            yield PostgresTransaction(connection)

    @contextmanager
    def _writing(self) -> Iterator[PostgresTransaction]:
        datastore = self.recorder.datastore
        with reported(self.name), writing(datastore) as connection:
            yield PostgresTransaction(connection)


def _create(
    connection: Connection[DictRow],
    settings: PostgresSettings,
    log_id: str,
    fingerprints: Sequence[bytes],
) -> str:
    schema = Identifier(settings.schema)
    connection.execute(
        "SELECT pg_advisory_xact_lock(hashtext('whodecided ' || %s))", (settings.schema,)
    )
    there = _stored_log_id(connection, settings)
    if there is not None:
        return there
    found = connection.execute(
        "SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace(%s) ORDER BY 1 LIMIT 1",
        (schema.as_string(connection),),
    ).fetchone()
    if found is not None:
        raise LogUnavailable(
            settings.place,
            f"this schema is not a log; it holds {found['relname']!r}",
            advice="Name another schema with ?schema=, or an empty one.",
        )
    [(encoding)] = connection.execute("SHOW server_encoding").fetchall()
    if encoding["server_encoding"] != "UTF8":
        raise LogUnavailable(
            settings.place,
            f"the database keeps texts as {encoding['server_encoding']}",
            advice="Make one with `createdb --encoding=UTF8 --template=template0`.",
        )
    connection.execute(SQL("CREATE SCHEMA IF NOT EXISTS {}").format(schema))
    for statement in create_statements(settings.schema):
        connection.execute(statement)
    connection.execute(
        SQL("INSERT INTO {} (log_id, schema_version) VALUES (%s, %s)").format(
            Identifier(settings.schema, "log")
        ),
        (log_id, SCHEMA_VERSION),
    )
    for number, fingerprint in enumerate(fingerprints, 1):
        connection.execute(
            SQL("INSERT INTO {} (number, fingerprint) VALUES (%s, %s)").format(
                Identifier(settings.schema, "secrets")
            ),
            (number, fingerprint),
        )
    return log_id


def _stored_log_id(connection: Connection[DictRow], settings: PostgresSettings) -> str | None:
    table = Identifier(settings.schema, "log")
    there = connection.execute(
        "SELECT EXISTS (SELECT FROM pg_attribute WHERE attrelid = to_regclass(%s)"
        " AND attname = 'schema_version') AS is_log",
        (table.as_string(connection),),
    ).fetchone()
    if there is None or not there["is_log"]:
        return None
    rows = connection.execute(SQL("SELECT log_id, schema_version FROM {}").format(table)).fetchall()
    if len(rows) != 1:
        raise IntegrityFailure(settings.place, f"the log has {len(rows)} ids instead of one")
    _require_known(settings, rows[0]["schema_version"])
    return str(rows[0]["log_id"])


def _require_known(settings: PostgresSettings, version: int) -> None:
    if version > SCHEMA_VERSION:
        raise LogUnavailable(
            settings.place,
            f"it was written by a newer version (schema {version}, known is {SCHEMA_VERSION})",
            advice="Install the newer version of whodecided to open it.",
        )
