"""What a log holds, and whether its tables are up to date."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from domain.ports import EventLog, JournalEntry
from domain.rules import RuleLibrary
from whodecided.store.directory import LogDirectory

if TYPE_CHECKING:
    from projections.views import ViewSet, ViewStatus

__all__ = ["StatusAnswer", "journal_of", "status"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusAnswer:
    """What a log holds, and whether its tables are up to date.

    `kinds` counts streams by kind. `edition` is the newest one known, `rules` the version of all
    rules with the kernel. `tables` tells how far the tables have read, the games they could not
    fold, and what is wrong with them.
    """

    path: str
    log_id: str
    events: int
    streams: int
    kinds: tuple[tuple[str, int], ...]
    files: int
    last_import: str | None
    edition: str
    rules: str
    tables: ViewStatus


def status(directory: LogDirectory, views: ViewSet, rules: RuleLibrary) -> StatusAnswer:
    """Look at a log and at its tables."""
    log = directory.events
    kinds = [kind for _, kind, _ in log.streams()]
    journal = journal_of(log)
    return StatusAnswer(
        path=directory.address or str(directory.path.absolute()),
        log_id=log.log_id,
        events=log.head(),
        streams=len(kinds),
        kinds=tuple((kind, kinds.count(kind)) for kind in sorted(set(kinds))),
        files=len({e.origin.file_digest for e in journal if e.origin.file_digest is not None}),
        last_import=max((e.origin.recorded_at for e in journal if e.kind != "case"), default=None),
        edition=rules.editions[-1].id,
        rules=rules.version,
        tables=views.status(log, rules),
    )


def journal_of(log: EventLog, stream_id: str | None = None) -> list[JournalEntry]:
    """The journal's entries, or those of one stream, in order."""
    found: list[JournalEntry] = []
    after = -1
    while page := log.journal(after=after):
        after = page[-1].journal_index
        found += [e for e in page if stream_id is None or e.stream_id == stream_id]
    return found
