"""The access log: who read hidden information as a judge, what, when and why.

It is a record of its own among the log's records: append-only, in the journal and its trees, and
verified with them.
"""

from __future__ import annotations

import getpass
import os
import re
import secrets
import sys
import time
import warnings
from collections.abc import Callable
from functools import cached_property
from typing import Any, Final

from domain.canonical import canonical_json, format_time
from domain.codec import encode, hot
from domain.errors import AppendConflict, LogUnavailable, LogUnreachable, WhodecidedError
from domain.events.base import Source
from domain.events.case import HiddenInformationRead
from domain.ids import access_stream, event_uuid
from domain.ports import Append, Disclosure, Origin
from domain.principals import UNKNOWN
from domain.sealed import Sealed, sealed_digest
from domain.stamp import Authority, Stamp
from domain.visibility import JUDGE
from whodecided.store.directory import LogDirectory

__all__ = ["AccessLog", "UnnamedReader", "UnrecordedRead"]

_TOOL: Final = "whodecided access/1"
_SYSTEM: Final = "reader"
_PRINCIPAL: Final = re.compile(r"(?:judge|person|player|program):[A-Za-z0-9_.\-/]+")


class UnrecordedRead(UserWarning):
    """Hidden information was read, and the log could not be written to say so."""


class UnnamedReader(UserWarning):
    """A read is recorded, and its reader only as `unknown`: the name cannot be kept."""


def _warn_unrecorded(error: WhodecidedError) -> None:
    warnings.warn(f"this read is not in the access log: {error}", UnrecordedRead, stacklevel=2)


def _warn_unnamed(error: WhodecidedError) -> None:
    said = f"the access log calls the reader of this read unknown: {error}"
    warnings.warn(said, UnnamedReader, stacklevel=2)


class AccessLog:
    """Records reads of one log. A read is never refused because it cannot be recorded.

    `by` is the reader: a principal, or a name, which is kept apart under a pseudonym; without one
    it is the user of the operating system. `on_unrecorded` is told why a read was not recorded,
    `on_unnamed` why one was recorded with an unknown reader: a name needs a log secret.
    """

    def __init__(
        self,
        directory: LogDirectory,
        by: str | None = None,
        on_unrecorded: Callable[[WhodecidedError], None] | None = None,
        on_unnamed: Callable[[WhodecidedError], None] | None = None,
    ) -> None:
        self._directory = directory
        self._by = _text(by) or ""
        self._on_unrecorded = on_unrecorded or _warn_unrecorded
        self._on_unnamed = on_unnamed or _warn_unnamed
        self._unnamed: WhodecidedError | None = None

    def note(
        self,
        command: str,
        record: str | None = None,
        first: int | None = None,
        last: int | None = None,
        *,
        statement: str | None = None,
        reason: str | None = None,
    ) -> None:
        """Record that the answer to a question is about to be shown to a judge."""
        fields = {"command": command, "record": record, "first": first, "last": last}
        hidden = {"statement": _text(statement), "reason": _text(reason)}
        try:
            while not self._appended(fields, hidden):
                pass
        except WhodecidedError as error:
            self._on_unrecorded(error)
        else:
            if self._unnamed is not None:
                self._on_unnamed(self._unnamed)

    def _appended(self, fields: dict[str, Any], hidden: dict[str, str | None]) -> bool:
        """Whether the read is recorded now; False when another reader took the number."""
        log, stream_id = self._directory.events, self._stream
        number = log.stream_head(stream_id) + 1
        moment, record = format_time(time.time_ns() // 1000), f"read/{secrets.token_hex(8)}"
        disclosed = [
            Disclosure(number, name, canonical_json(text), secrets.token_bytes(32))
            for name, text in hidden.items()
            if text is not None
        ]
        sealed = {one.field: sealed_digest(one.salt, one.field, one.value) for one in disclosed}
        event = hot(HiddenInformationRead)(
            number=number,
            event_id=event_uuid(stream_id, record),
            case_id=stream_id,
            occurred_at=moment,
            clock="local",
            source=hot(Source)(system="whodecided", record=record),
            correlation_id=None,
            causation=None,
            action=None,
            stamp=self._stamp,
            viewer=JUDGE,
            **fields,
            **{
                name: hot(Sealed[str])(digest=d) if (d := sealed.get(name)) else None
                for name in hidden
            },
        )
        origin = Origin(moment, _TOOL)
        secret = log.secret_of(stream_id) or self._directory.secrets.newest()
        append = Append(stream_id, "case", [encode(event)], disclosed, (), origin, secret)
        try:
            log.append([append])
        except AppendConflict:
            return False
        return True

    @cached_property
    def _stream(self) -> str:
        return access_stream(self._directory.events.log_id)

    @cached_property
    def _stamp(self) -> Any:
        """Who reads."""
        reader = self._reader()
        stated = self._by and reader != UNKNOWN
        return hot(Stamp)(
            acting_seat=None,
            team_seats=None,
            deciding_player=reader,
            performer=None,
            authority=hot(Authority)(kind="judge", ref=None),
            decision_class="tournament",
            basis="stated" if stated else "unknown" if reader == UNKNOWN else "presumed",
            reading=None,
        )

    def _reader(self) -> str:
        """The principal; a name is kept under a pseudonym. Unknown where that cannot be made."""
        name = self._by or _user()
        if name is None or _PRINCIPAL.fullmatch(name):
            return name or UNKNOWN
        try:
            pseudonym = self._directory.sealer(self._stream).pseudonym(_SYSTEM, name)
            if name not in self._directory.people.names(pseudonym):
                self._directory.people.keep([(pseudonym, name)])
        except LogUnreachable:
            raise
        except LogUnavailable as error:
            self._unnamed = error
            return UNKNOWN
        return f"person:{pseudonym}"


def _text(given: str | None) -> str | None:
    """What was given as a text that can be stored, None where it says nothing."""
    return (given or "").strip().encode("utf-8", "backslashreplace").decode() or None


def _user() -> str | None:
    """The user of the operating system, None where it does not say."""
    if sys.platform != "win32":
        import pwd

        try:
            return pwd.getpwuid(os.getuid()).pw_name
        except KeyError:
            return None
    try:
        return getpass.getuser()
    except (ImportError, KeyError, OSError):
        return None
