"""Connections to the server: the library's pool, asked for one connection to begin with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from eventsourcing.postgres import PostgresDatastore, PostgresFactory
from eventsourcing.utils import Environment
from psycopg import Connection, IsolationLevel
from psycopg.rows import DictRow
from psycopg.sql import SQL, Identifier

from domain.errors import BadInput
from whodecided.store.postgres.faults import reported
from whodecided.store.postgres.settings import PostgresSettings

__all__ = ["open_datastore", "writing"]


def open_datastore(settings: PostgresSettings) -> PostgresDatastore:
    """The library's datastore for one log; nothing is read yet.

    Raises BadInput for a setting the library cannot use, LogUnavailable when the server does not
    let us in.
    """
    try:
        datastore = PostgresFactory(Environment(env=dict(settings.environment))).datastore
    except OSError as error:
        raise BadInput("PostgreSQL settings", str(error)) from error
    kwargs = datastore.pool.kwargs
    assert isinstance(kwargs, dict)
    kwargs |= {
        "client_encoding": "utf8",
        "application_name": "whodecided",
        "options": f"-c search_path={settings.schema}",
        **settings.tls,
    }
    with reported(settings.place):
        _try(kwargs, datastore.pool.timeout)
    return datastore


def _try(kwargs: dict[str, Any], seconds: float) -> None:
    """Connect once: the pool would go on trying, and not say why it fails."""
    options = {k: v for k, v in kwargs.items() if k != "row_factory"}
    psycopg.connect(**options, connect_timeout=max(int(seconds), 2)).close()


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
