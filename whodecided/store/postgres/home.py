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
from collections.abc import Mapping, Sequence
from pathlib import Path

from domain.codec import facts_digest
from whodecided.store.directory import LogDirectory, make_directories
from whodecided.store.faults import os_fault
from whodecided.store.places import data_directory
from whodecided.store.planning import FactsOf
from whodecided.store.postgres.log import PostgresEventLog, create_tables, stored_log_id
from whodecided.store.postgres.people import PostgresPeople
from whodecided.store.postgres.secrets import ServerSecrets, fingerprint_of
from whodecided.store.postgres.settings import PostgresSettings, read_settings
from whodecided.store.secret import create_secret, read_secret

__all__ = ["create_server_log", "home_of", "open_server_log"]


def open_server_log(
    address: str,
    *,
    create: bool,
    facts_of: FactsOf = facts_digest,
    environment: Mapping[str, str] | None = None,
) -> LogDirectory:
    """Open the log at an address; with `create`, make it where the schema is new or empty.

    Raises LogUnavailable, with advice, for anything that is not a usable log, and BadInput for an
    address that cannot be used.
    """
    settings = read_settings(address, os.environ if environment is None else environment)
    if create and stored_log_id(settings) is None:
        create_server_log(settings)
    events = PostgresEventLog(settings, facts_of)
    try:
        path = home_of(settings, events.log_id)
        _made(path)
        people = PostgresPeople(events.recorder.datastore, events.name)
        return LogDirectory(path, ServerSecrets(path / "keys", events), events, people, events.name)
    except BaseException:
        events.close()
        raise


def create_server_log(
    settings: PostgresSettings, log_id: str | None = None, log_secrets: Sequence[bytes] = ()
) -> str:
    """Make an empty log with a first secret of its own; the id of the log that is there now.

    A copy of a log is given that log's id and the secrets it has, whose files are there already.
    The files come first: where the log is, its secret is.
    """
    wanted = log_id or secrets.token_hex(16)
    path = home_of(settings, wanted)
    _made(path)
    if not log_secrets:
        create_secret(path / "keys")
        log_secrets = [read_secret(path / "keys", 1)]
    made = create_tables(settings, wanted, [fingerprint_of(secret) for secret in log_secrets])
    if made != wanted and log_id is None:  # another process was first
        shutil.rmtree(path)
    return made


def home_of(settings: PostgresSettings, log_id: str) -> Path:
    """The directory of a log on a server."""
    return (Path(settings.home) if settings.home else data_directory() / "servers") / log_id


def _made(path: Path) -> None:
    try:
        make_directories(path)
    except OSError as error:
        raise os_fault(Path(error.filename or path), error) from error
