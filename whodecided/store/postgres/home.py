"""Opening a log on a server, with the directory that holds what is not on the server.

Every log has a directory of its own, named by the log's id, in `servers` beside the user's own log,
in the folder that `?home=` names, or in that of WHODECIDED_HOME. There are the log secrets, the
signing key, the checkpoints, and the tables, which can be made again. Secrets and keys are kept
from the server so that its owner can neither guess what was erased nor sign.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from domain.codec import facts_digest
from whodecided.store.directory import (
    Identity,
    LogDirectory,
    make_directories,
    require_copy,
)
from whodecided.store.faults import os_fault
from whodecided.store.places import data_directory
from whodecided.store.planning import FactsOf
from whodecided.store.postgres.datastore import connected
from whodecided.store.postgres.log import PostgresEventLog, create_tables, stored_log_id
from whodecided.store.postgres.people import PostgresPeople
from whodecided.store.postgres.secrets import ServerSecrets, fingerprint_of
from whodecided.store.postgres.settings import PostgresSettings, read_settings
from whodecided.store.secret import create_secret, put_secrets, read_secret
from whodecided.store.sql_log import SqlEventLog

__all__ = ["home_of", "is_address_of", "open_server_log", "reopen_server_log"]

_WHICH: Final = (
    "SELECT pg_postmaster_start_time() AS started, oid AS database,"
    " to_regnamespace(%s)::oid AS schema FROM pg_database WHERE datname = current_database()"
)


def open_server_log(
    address: str,
    *,
    create: bool,
    facts_of: FactsOf = facts_digest,
    identity: Identity | None = None,
) -> LogDirectory:
    """Open the log at an address; with `create`, make it where the schema is new or empty.

    `identity` is that of the log of which this is, or will be, a copy. Raises LogUnavailable, with
    advice, for anything that is not a usable log, IntegrityFailure for a log that is no such copy,
    and BadInput for an address that cannot be used.
    """
    settings = read_settings(address, os.environ)
    if create and stored_log_id(settings) is None:
        _create(settings, identity)
    return _opened(PostgresEventLog(settings, facts_of), identity)


def reopen_server_log(opener: Callable[[], SqlEventLog]) -> LogDirectory:
    """Open a log again that is open elsewhere, with the `opener` of its events."""
    events = opener()
    assert isinstance(events, PostgresEventLog)
    return _opened(events, None)


def _opened(events: PostgresEventLog, identity: Identity | None) -> LogDirectory:
    try:
        require_copy(events.name, events.log_id, identity)
        path = home_of(events.settings, events.log_id)
        log_secrets = ServerSecrets(path / "keys", events)
        with _files(path):
            make_directories(path)
            if identity is not None:
                log_secrets.put(identity.secrets)
        people = PostgresPeople(events.recorder.datastore, events.name)
        return LogDirectory(path, log_secrets, events, people, events.name)
    except BaseException:
        events.close()
        raise


def _create(settings: PostgresSettings, identity: Identity | None) -> None:
    """Make an empty log. The files come first: where the log is, its secrets are."""
    wanted = secrets.token_hex(16) if identity is None else identity.log_id
    path = home_of(settings, wanted)
    with _files(path):
        make_directories(path)
        if identity is None:
            create_secret(path / "keys")
            contents: Sequence[bytes] = [read_secret(path / "keys", 1)]
        else:
            put_secrets(path / "keys", identity.secrets)
            contents = identity.secrets
        made = create_tables(settings, wanted, [fingerprint_of(one) for one in contents])
        if made != wanted and identity is None:  # another process was first
            shutil.rmtree(path)


def is_address_of(events: SqlEventLog, address: str) -> bool:
    """Whether a log is at an address. A server has many; its start and the schema are the same."""
    assert isinstance(events, PostgresEventLog)
    found = []
    for settings in (events.settings, read_settings(address, os.environ)):
        with connected(settings) as connection:
            found.append(connection.execute(_WHICH, (settings.schema,)).fetchone())
    return found[0] == found[1]


def home_of(settings: PostgresSettings, log_id: str) -> Path:
    """The directory of a log on a server."""
    return (Path(settings.home) if settings.home else data_directory() / "servers") / log_id


@contextmanager
def _files(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise os_fault(Path(error.filename or path), error) from error
