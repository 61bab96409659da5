"""Connections to the server: the library's pool, and single ones."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from eventsourcing.postgres import PostgresDatastore, PostgresFactory
from eventsourcing.utils import Environment
from psycopg import Connection, IsolationLevel
from psycopg.rows import DictRow
from psycopg.sql import SQL, Identifier

from domain.errors import BadInput
from whodecided.store.postgres.faults import reported
from whodecided.store.postgres.settings import PostgresSettings

__all__ = ["connected", "make_datastore", "writing"]


def make_datastore(settings: PostgresSettings) -> PostgresDatastore:
    """The library's datastore for one log; it connects when it is first used.

    Raises BadInput for a setting the library cannot use.
    """
    try:
        datastore = PostgresFactory(Environment(env=dict(settings.environment))).datastore
    except OSError as error:
        raise BadInput("PostgreSQL settings", str(error)) from error
    options = _options(datastore)
    options |= {
        "client_encoding": "utf8",
        "application_name": "whodecided",
        "options": f"-c search_path={settings.schema}",
        **settings.tls,
    }
    return datastore


@contextmanager
def connected(settings: PostgresSettings) -> Iterator[Connection[DictRow]]:
    """One connection without a pool, which would go on trying and not say why it fails.

    Storage errors, also of the block, leave it as the product's own.
    """
    datastore = make_datastore(settings)
    seconds = max(int(datastore.pool.timeout), 2)
    with (
        reported(settings.place),
        Connection[DictRow].connect(
            autocommit=True, connect_timeout=seconds, **_options(datastore)
        ) as connection,
    ):
        yield connection


def _options(datastore: PostgresDatastore) -> dict[str, Any]:
    options = datastore.pool.kwargs
    assert isinstance(options, dict)
    return options


@contextmanager
def writing(datastore: PostgresDatastore, table: str = "events") -> Iterator[Connection[DictRow]]:
    """A transaction that locks a table, so that writers follow each other and readers go on.

    It is durable when it ends, whatever the server's default. Locked first of all: what is read
    afterwards is the state after the last writer.
    """
    lock = SQL(
        "SET LOCAL lock_timeout = {};"
        "SELECT set_config('synchronous_commit', 'on', true)"
        " WHERE current_setting('synchronous_commit') = 'off';"
        "LOCK TABLE {} IN EXCLUSIVE MODE"
    ).format(f"{datastore.lock_timeout}s", Identifier(datastore.schema, table))
    with datastore.get_connection() as connection:
        if connection.isolation_level is not IsolationLevel.READ_COMMITTED:
            connection.isolation_level = IsolationLevel.READ_COMMITTED
        with connection.transaction():
            connection.execute(lock)
            yield connection
