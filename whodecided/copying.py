"""Copying a log to another place: the same id, journal, trees, checkpoints and bundles there.

Events travel by journal entry, each written again only when it follows from its events, so that an
interrupted copy is a shorter log and goes on where it ended. Log secrets and the private key travel
as files that only their owner can read. Afterwards one of the two places should go on, since two
that grow apart under one id are a fork.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from domain.errors import IntegrityFailure, LogUnavailable
from domain.ports import Append, Disclosure, EventLog, JournalEntry, Provenance, StoredEvent
from whodecided.cardnames import KEPT_TABLE, MAX_TABLE
from whodecided.evidence.checkpoint import origin_of
from whodecided.evidence.checkpoints import (
    StoredCheckpoint,
    journal_tree,
    make_checkpoint,
    stored_checkpoints,
)
from whodecided.evidence.facts import facts_of_bytes
from whodecided.evidence.keys import add_known_keys, copy_key, known_keys, load_signer
from whodecided.evidence.merkle import Peaks
from whodecided.inputs import read_bytes
from whodecided.store.directory import OTHER_PLACE, Identity, LogDirectory
from whodecided.store.faults import os_fault
from whodecided.store.files import create_once, replace_file, write_new
from whodecided.store.growth import grow
from whodecided.store.opening import is_place_of, open_store

__all__ = ["Copied", "copy_events", "copy_log"]

_EVENTS: Final = 5000
_ENTRIES: Final = 1000

Progress = Callable[[int, int], None]
"""Called with how many events are there and how many there will be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Copied:
    """What a copy did: `present` events were there, `added` were written.

    `root` (hex) is the journal's at `entries` entries; `signed` the size of the newest checkpoint;
    `can_sign` says that there is a private key there too, from this copy or an earlier one.
    """

    source: str
    target: str
    log_id: str
    present: int
    added: int
    entries: int
    root: str
    signed: int | None
    can_sign: bool


def copy_log(
    source: LogDirectory,
    target: str | Path,
    *,
    with_key: bool = True,
    progress: Progress | None = None,
) -> Copied:
    """Copy a log to a directory or an address, where nothing is yet or the beginning of it.

    A log with a key is signed first; without `with_key` the key stays here. What was erased here
    since an earlier copy is erased there, and a key that was retired here is replaced there. Raises
    IntegrityFailure for a target that holds anything else, and for a log that contradicts itself;
    LogUnavailable as opening does, for the log itself, and for a target with a key of its own; and
    BadInput for a table of card names that cannot be read, before anything is written.
    """
    if is_place_of(source, target):
        raise LogUnavailable(
            source.place,
            "this is the log that would be copied",
            advice=OTHER_PLACE,
        )
    table = _table_of(source)
    made = make_checkpoint(source)
    # Now: what is signed while events are copied may be of more than the copy will hold.
    signed = stored_checkpoints(source)
    there = open_store(
        target, create=True, identity=Identity(source.events.log_id, _secrets(source))
    )
    try:
        present, added = copy_events(
            source.events, there.events, progress, need=lambda number: _need(source, there, number)
        )
        _need(source, there, source.secrets.newest())
        _erase_missing(source, there)
        _copy_names(source, there)
        if table is not None:
            _keep_table(there.path / KEPT_TABLE, table)
        # Before the checkpoints: no checkpoint is ever there without the key that signed it.
        add_known_keys(there.keys, known_keys(source.keys))
        _copy_checkpoints(signed, there)
        if with_key:
            copy_key(source.keys, there.keys)
        can_sign = load_signer(there.keys, origin_of(there.events.log_id)) is not None
        # Nothing is signed there: the original may not have that checkpoint.
        tree = journal_tree(there.events)
    except OSError as error:
        raise os_fault(Path(error.filename or there.path), error) from error
    finally:
        there.close()
    if tree.root(made.checkpoint.size) != made.checkpoint.root:
        raise IntegrityFailure(there.place, "the journal there has another root")
    return Copied(
        source=source.place,
        target=there.place,
        log_id=source.events.log_id,
        present=present,
        added=added,
        entries=len(tree),
        root=tree.root().hex(),
        signed=max((item.checkpoint.size for item in signed), default=None),
        can_sign=can_sign,
    )


def copy_events(
    source: EventLog,
    target: EventLog,
    progress: Progress | None = None,
    *,
    need: Callable[[int], None] | None = None,
    page: int = _EVENTS,
) -> tuple[int, int]:
    """Copy what the target lacks of the journal, with everything that belongs to it.

    One transaction writes entries until they have `page` events; before, `need` is called with the
    highest number of a log secret that sealed them. Returns how many events were there
    and how many were added. Raises IntegrityFailure where the target is no beginning of the source.
    """
    work = _Copy(source, target)
    work.skip_present()
    present = work.position
    while work.copy_some(page, need):
        if progress is not None:
            progress(work.position, max(source.head(), work.position))
    return present, work.position - present


class _Copy:
    """How far the target has come: the last entry's index, the last position, the trees."""

    def __init__(self, source: EventLog, target: EventLog) -> None:
        self._source = source
        self._target = target
        self._trees: dict[str, Peaks] = {}
        self._index = -1
        self.position = 0

    def skip_present(self) -> None:
        """Compare what is there with the source."""
        while there := self._target.journal(after=self._index, limit=_ENTRIES):
            here = self._source.journal(after=self._index, limit=len(there))
            for at, entry in enumerate(there):
                if at >= len(here) or here[at].entry != entry.entry:
                    _fail(entry, "there is another one than in the original")
            last = there[-1].journal_index
            kept = self._target.leaves(after=self._index, upto=last)
            if kept != self._source.leaves(after=self._index, upto=last):
                _fail(there[0], "or one soon after it has other leaf hashes than in the original")
            for item in kept:
                self._trees[item.stream_id] = Peaks.from_bytes(item.size, item.peaks)
            self.position += sum(entry.last - entry.first + 1 for entry in there)
            self._index = last
        if self._target.head() != self.position:
            raise IntegrityFailure("the copy", "has events that no journal entry covers")

    def copy_some(self, page: int, need: Callable[[int], None] | None) -> bool:
        """Copy entries until they have `page` events, in one transaction; False without any."""
        entries: list[JournalEntry] = []
        count = 0
        for entry in self._source.journal(after=self._index, limit=_ENTRIES):
            entries.append(entry)
            count += entry.last - entry.first + 1
            if count >= page:
                break
        if not entries:
            return False
        appends = self._appends(entries, count)
        if need is not None:
            need(max(one.secret for one in appends))
        done = self._target.append(appends)
        last = self.position + count
        if (sum(one.added for one in done), done[-1].last_position) != (count, last):
            raise LogUnavailable(
                "of the copy",
                "another process is writing to it",
                advice="Let it end, then copy again into a place where nothing is yet.",
            )
        self._index, self.position = entries[-1].journal_index, last
        return True

    def _appends(self, entries: Sequence[JournalEntry], count: int) -> list[Append]:
        first, upto = self.position, self.position + count
        events = self._source.read_all(after=first, limit=count)
        at = {event.position: event.number for event in events}
        hidden: dict[int, list[Disclosure]] = {}
        for position, field, value, salt in self._source.disclosures_between(first, upto):
            hidden.setdefault(position, []).append(Disclosure(at[position], field, value, salt))
        places = {
            position: Provenance(at[position], digest, offset, line)
            for position, digest, offset, line in self._source.provenance_between(first, upto)
        }
        appends, start = [], 0
        for entry in entries:
            end = start + entry.last - entry.first + 1
            some = [e._replace(facts=facts_of_bytes(e.state)) for e in events[start:end]]
            provenance = [places[e.position] for e in some if e.position in places]
            disclosures = [one for e in some for one in hidden.get(e.position, ())]
            self._require_sound(entry, some, provenance)
            secret = self._source.secret_of(entry.stream_id) or 1
            appends.append(
                Append(
                    entry.stream_id,
                    entry.kind,
                    some,
                    disclosures,
                    provenance,
                    entry.origin,
                    secret,
                )
            )
            start = end
        return appends

    def _require_sound(
        self, entry: JournalEntry, events: Sequence[StoredEvent], provenance: Sequence[Provenance]
    ) -> None:
        numbers = [(event.stream_id, event.number) for event in events]
        if numbers != [(entry.stream_id, n) for n in range(entry.first, entry.last + 1)]:
            _fail(entry, "covers other events than stand in its place")
        grown = grow(
            self._trees.setdefault(entry.stream_id, Peaks()),
            self._source.log_id,
            entry.stream_id,
            entry.kind,
            (event.state for event in events),
            (event.facts or b"" for event in events),
            provenance,
            entry.origin,
        )
        if grown.entry != entry.entry:
            _fail(entry, "does not follow from its events; it was not copied, verify the log")


def _fail(entry: JournalEntry, reason: str) -> None:
    raise IntegrityFailure(f"journal entry {entry.journal_index}", reason)


def _secrets(log: LogDirectory) -> tuple[bytes, ...]:
    return tuple(log.secrets[number] for number in range(1, log.secrets.newest() + 1))


def _need(source: LogDirectory, target: LogDirectory, number: int) -> None:
    """Let the target have a secret that was made since it was opened."""
    if number > target.secrets.newest():
        target.secrets.put(_secrets(source))


def _erase_missing(source: LogDirectory, target: LogDirectory) -> None:
    """Erase the hidden values there that an erasure here has deleted since they were copied."""
    erased = 0
    for stream_id, _, _ in target.events.streams():
        kept = {one.number for one in source.events.disclosures(stream_id)}
        there = {one.number for one in target.events.disclosures(stream_id)}
        for number in sorted(there - kept):
            erased += target.events.erase_disclosures(stream_id, number)
    if erased:
        target.events.purge()


def _copy_names(source: LogDirectory, target: LogDirectory) -> None:
    names = source.people.everyone()
    for pseudonym in sorted({p for p, _ in set(target.people.everyone()) - set(names)}):
        target.people.erase(pseudonym)
    if names:
        target.people.keep(names)


def _table_of(source: LogDirectory) -> bytes | None:
    """The log's table of card names, if it has one."""
    kept = source.path / KEPT_TABLE
    return read_bytes(kept, MAX_TABLE) if kept.is_file() else None


def _keep_table(path: Path, content: bytes) -> None:
    """Keep a table of card names; one that is there already stays."""
    create_once(path, lambda partial: write_new(partial, content, 0o600))


def _copy_checkpoints(signed: Sequence[StoredCheckpoint], target: LogDirectory) -> None:
    for checkpoint in signed:
        if checkpoint.path is not None:
            content = checkpoint.text().encode()
            replace_file(target.checkpoints / checkpoint.path.name, content, 0o644)
