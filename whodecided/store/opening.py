"""Opening a log wherever it is: in a directory, or on a server."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from domain.codec import facts_digest
from domain.errors import LogUnavailable
from whodecided.store.directory import Identity, LogDirectory, open_directory
from whodecided.store.planning import FactsOf
from whodecided.store.postgres.settings import is_address

__all__ = ["is_place_of", "open_store", "reopener"]


def open_store(
    place: str | Path,
    *,
    create: bool,
    facts_of: FactsOf = facts_digest,
    identity: Identity | None = None,
) -> LogDirectory:
    """Open the log in a directory or at an address `postgres://...`; with `create`, make it.

    `identity` is that of the log of which this is, or will be, a copy. Raises LogUnavailable, with
    advice, for anything that is not a usable log, IntegrityFailure for a log that is no such copy,
    and BadInput for an address that cannot be used.
    """
    if not (isinstance(place, str) and is_address(place)):
        return open_directory(Path(place), create=create, facts_of=facts_of, identity=identity)
    try:
        from whodecided.store.postgres.home import open_server_log
    except ModuleNotFoundError as error:
        raise LogUnavailable(
            "on a PostgreSQL server",
            f"the package {error.name} is not installed",
            advice="Install the product with its extra: whodecided[postgres].",
        ) from error
    return open_server_log(place, create=create, facts_of=facts_of, identity=identity)


def reopener(log: LogDirectory) -> Callable[[], LogDirectory]:
    """What opens the same log again, also in another process: it can be pickled."""
    if log.address is None:
        return partial(open_directory, log.path, create=False)
    from whodecided.store.postgres.home import reopen_server_log

    return partial(reopen_server_log, log.events.opener())


def is_place_of(log: LogDirectory, place: str | Path) -> bool:
    """Whether a log is at a place, by whatever name, link or address. Nothing is made there."""
    on_server = isinstance(place, str) and is_address(place)
    if on_server != (log.address is not None):
        return False
    if on_server:
        from whodecided.store.postgres.home import is_address_of

        return is_address_of(log.events, str(place))
    try:
        return log.path.samefile(place)
    except OSError:  # nothing is there, or opening it will say what is wrong
        return False
