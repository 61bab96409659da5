"""A log is a directory: event file, erasable names, derived views, keys and checkpoints."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from domain.codec import facts_digest
from domain.errors import IntegrityFailure, LogUnavailable
from whodecided.store.faults import os_fault
from whodecided.store.files import create_once, is_partial
from whodecided.store.people import People
from whodecided.store.planning import FactsOf
from whodecided.store.sealer import LogSealer
from whodecided.store.secret import LogSecrets, create_secret, put_secrets
from whodecided.store.sql_log import SqlEventLog
from whodecided.store.sqlite_log import SqliteEventLog, create_events_file

__all__ = [
    "OTHER_PLACE",
    "Identity",
    "LogDirectory",
    "Names",
    "Secrets",
    "make_directories",
    "open_directory",
    "require_copy",
]

OTHER_PLACE: Final = "Name another place with --to: a new directory, or a schema of its own."
"""What to do about a place that a log cannot be copied to."""

_EVENTS: Final = "events.sqlite"
_PEOPLE: Final = "people.sqlite"
# A log names hidden cards and keys: it is for its owner, who may open it to others.
_OWNER: Final = 0o700
_DIRECTORIES: Final = ("checkpoints", "keys", "views")


class Identity(NamedTuple):
    """What a copy of a log shares with its original: the id and the log secrets from 1 on."""

    log_id: str
    secrets: tuple[bytes, ...]


class Secrets(Protocol):
    """The log secrets by number; see `store.secret.LogSecrets`."""

    def __getitem__(self, number: int) -> bytes: ...
    def newest(self) -> int: ...
    def rotate(self) -> int: ...
    def put(self, contents: Sequence[bytes]) -> None: ...
    def differing(self) -> tuple[int, bytes, bytes] | None: ...


class Names(Protocol):
    """Names of players; see `store.people.People`."""

    def keep(self, names: Iterable[tuple[str, str]]) -> None: ...
    def names(self, pseudonym: str) -> list[str]: ...
    def pseudonyms(self, name: str) -> list[str]: ...
    def everyone(self) -> list[tuple[str, str]]: ...
    def erase(self, pseudonym: str) -> int: ...


@dataclass(frozen=True, slots=True)
class LogDirectory:
    """An open log. `views` holds only what can be made again; `checkpoints` what was signed.

    `address` is that of the server where events and names are, None where they are in `path`.
    """

    path: Path
    secrets: Secrets
    events: SqlEventLog
    people: Names
    address: str | None = None

    @property
    def place(self) -> str:
        """What messages call the log."""
        return self.address or str(self.path)

    @property
    def views(self) -> Path:
        """Where the tables are."""
        return self.path / "views"

    @property
    def checkpoints(self) -> Path:
        """Where the checkpoints are that the log has signed."""
        return self.path / "checkpoints"

    @property
    def keys(self) -> Path:
        """Where the secrets and the signing keys are."""
        return self.path / "keys"

    def sealer(self, *stream_ids: str) -> LogSealer:
        """A new sealer for streams that belong together, the most telling one first.

        It has the secret of the first of them that is in the log already, else the newest secret.
        """
        known = (self.events.secret_of(stream_id) for stream_id in stream_ids)
        number = next((one for one in known if one is not None), None) or self.secrets.newest()
        return LogSealer(self.secrets[number], number)

    def close(self) -> None:
        """Close the event log."""
        self.events.close()


def open_directory(
    path: Path,
    *,
    create: bool,
    facts_of: FactsOf = facts_digest,
    identity: Identity | None = None,
) -> LogDirectory:
    """Open the log in a directory; with `create`, make it there if the directory is new or empty.

    `identity` is that of the log of which this is, or will be, a copy. Raises LogUnavailable, with
    advice, for anything that is not a usable log, IntegrityFailure for a log that is no such copy.
    """
    try:
        return _open(path, create, facts_of, identity)
    except OSError as error:
        raise os_fault(Path(error.filename or path), error) from error


def require_copy(place: str, log_id: str, identity: Identity | None) -> None:
    """Raises IntegrityFailure for a log that has another id than that of the original."""
    if identity is not None and log_id != identity.log_id:
        raise IntegrityFailure(
            place,
            f"this is log {log_id}, not a copy of {identity.log_id}",
            advice=OTHER_PLACE,
        )


def _open(path: Path, create: bool, facts_of: FactsOf, identity: Identity | None) -> LogDirectory:
    if path.exists() and not path.is_dir():
        raise LogUnavailable(
            str(path), "this is a file", advice="A log is a directory; name one, or a new path."
        )
    if not (path / _EVENTS).exists():
        _require_creatable(path, create)
        _make(path, identity)
    events = SqliteEventLog(path / _EVENTS, facts_of)
    try:
        make_directories(path)
        if identity is not None:
            require_copy(str(path), events.log_id, identity)
            put_secrets(path / "keys", identity.secrets)
        elif events.head() == 0:
            create_secret(path / "keys")
        secrets = LogSecrets(path / "keys")
    except BaseException:
        events.close()
        raise
    return LogDirectory(path, secrets, events, People(path / _PEOPLE))


def _require_creatable(path: Path, create: bool) -> None:
    """Nothing may be in the directory but what a creation that was cut short left behind."""
    ours = {*_DIRECTORIES, _PEOPLE}
    strangers = [
        name
        for name in (os.listdir(path) if path.exists() else ())
        if name not in ours and not is_partial(name)
    ]
    if strangers:
        raise LogUnavailable(
            str(path),
            f"this directory is not a log; it holds {min(strangers)!r}",
            advice="Name the directory of a log, or a new or empty directory to make one.",
        )
    if not create:
        raise LogUnavailable(
            str(path),
            "there is no log here",
            advice="Import a game log first, or name another directory with --log.",
        )


def _make(path: Path, identity: Identity | None) -> None:
    """The event file comes last: where it is, the secrets are."""
    make_directories(path)
    if identity is None:
        create_secret(path / "keys")
        create_once(path / _EVENTS, create_events_file)
    else:
        put_secrets(path / "keys", identity.secrets)
        create_once(path / _EVENTS, partial(create_events_file, log_id=identity.log_id))


def make_directories(path: Path) -> None:
    """Make what every log keeps in files, for its owner alone."""
    path.mkdir(mode=_OWNER, parents=True, exist_ok=True)
    for name in _DIRECTORIES:
        (path / name).mkdir(mode=_OWNER, exist_ok=True)
