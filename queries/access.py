"""Who read hidden information of the log as a judge: the access log, newest last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from domain.ids import short_id
from domain.visibility import JUDGE
from queries.record import Secrets

__all__ = ["AccessAnswer", "ReadView", "access"]

_HIDDEN: Final = ("reason", "statement")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadView:
    """One read; `number` counts from 1.

    `basis` tells how the reader is known: `stated` by the reader, or `presumed` from the user of
    the operating system. `record` and `short_id` are None where all records were read. `hidden`
    names what only a judge may see, `erased` what was deleted.
    """

    number: int
    read_at: str
    reader: str
    basis: str
    command: str
    record: str | None
    short_id: str | None
    first: int | None
    last: int | None
    reason: str | None
    statement: str | None
    hidden: tuple[str, ...]
    erased: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessAnswer:
    """The reads asked for, oldest first; `recorded` is how many there are of all records."""

    viewer: str
    recorded: int
    readers: tuple[str, ...]
    reads: tuple[ReadView, ...]


def access(
    events: Sequence[Any],
    secrets: Secrets,
    viewer: str = "spectator",
    *,
    record: str | None = None,
    newest: int | None = None,
) -> AccessAnswer:
    """The reads of one record or of all, at most so many of the newest.

    Reads that were of all records count for each. Reasons and statements are shown to a judge.
    """
    wanted = [event for event in events if record in (None, event.record) or event.record is None]
    if newest is not None:
        wanted = wanted[max(len(wanted) - newest, 0) :]
    reads = tuple(_read(event, secrets, viewer) for event in wanted)
    return AccessAnswer(
        viewer=viewer,
        recorded=len(events),
        readers=tuple(sorted({read.reader for read in reads})),
        reads=reads,
    )


def _read(event: Any, secrets: Secrets, viewer: str) -> ReadView:
    sealed = [name for name in _HIDDEN if getattr(event, name) is not None]
    told = {name: secrets.get((event.number, name)) for name in sealed}
    shown = told if viewer == JUDGE else {}
    return ReadView(
        number=event.number,
        read_at=event.occurred_at,
        reader=event.stamp.deciding_player,
        basis=event.stamp.basis,
        command=event.command,
        record=event.record,
        short_id=None if event.record is None else short_id(event.record),
        first=event.first,
        last=event.last,
        reason=shown.get("reason"),
        statement=shown.get("statement"),
        hidden=tuple(name for name in sealed if told[name] is not None and name not in shown),
        erased=tuple(name for name in sealed if told[name] is None),
    )
