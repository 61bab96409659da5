"""Does every stream name the log secret that sealed it? No tree covers what the log says of that.

Under a wrong number, importing the same source again would give other digests and be refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from domain.errors import LogUnavailable, LogUnreachable
from domain.ids import access_stream
from whodecided.evidence.report import Failure
from whodecided.evidence.scan import Salt, event_name
from whodecided.store.directory import LogDirectory, Secrets
from whodecided.store.sealer import LogSealer

__all__ = ["absent_secrets", "check_secrets"]


def check_secrets(log: LogDirectory, salts: Mapping[str, Salt]) -> Failure | None:
    """What is wrong with the secrets the log names; `salts` has one kept salt of every stream.

    A secret that is not at hand, and that of a stream of which no hidden value is kept, can only be
    checked to have a number the log knows. Storage errors are raised.
    """
    differing = log.secrets.differing()
    if differing is not None:
        number, stored, computed = differing
        reason = "the fingerprint kept of it is not that of the file at hand"
        digests = (stored.hex(), computed.hex())
        return Failure("fingerprint-differs", f"log secret {number}", reason, *digests)
    newest = log.secrets.newest()
    # Texts of the access log are salted at random: nobody imports them again.
    reads = access_stream(log.events.log_id)
    sealer = cache(lambda number: _sealer(log.secrets, number))
    for stream, number in log.events.stream_secrets():
        salt = salts.get(stream)
        if not 1 <= number <= newest:
            reason = f"names log secret {number}, the newest one is {newest}"
            return Failure("secret-unknown", f"stream {stream}", reason)
        if salt is not None and stream != reads and not _fits(sealer(number), stream, salt):
            reason = f"was not sealed with log secret {number}, which its stream names"
            name = f"{event_name(stream, salt.number)}, field {salt.field}"
            return Failure("secret-differs", name, reason)
    return None


def absent_secrets(log: LogDirectory) -> list[int]:
    """The numbers of the log secrets that streams name and that are not at hand, in order."""
    named = {number for _, number in log.events.stream_secrets()}
    return [number for number in sorted(named) if _sealer(log.secrets, number) is None]


def _sealer(secrets: Secrets, number: int) -> LogSealer | None:
    """A sealer with one of the secrets, None where that is not at hand."""
    try:
        return LogSealer(secrets[number], number)
    except LogUnreachable:
        raise
    except LogUnavailable:
        return None


def _fits(sealer: LogSealer | None, stream_id: str, salt: Salt) -> bool:
    return sealer is None or sealer.salt(stream_id, salt.number, salt.field) == salt.salt
