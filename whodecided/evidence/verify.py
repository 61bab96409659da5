"""Verify a whole log: recompute all evidence from the stored bytes, step by step."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from typing import Final

from domain.errors import BadInput, IntegrityFailure, LogUnavailable, LogUnreachable
from domain.rules import RuleLibrary
from whodecided.evidence.checkpoint import origin_of
from whodecided.evidence.checkpoints import StoredCheckpoint, stored_checkpoints
from whodecided.evidence.keys import known_keys
from whodecided.evidence.report import (
    SELF_CONSISTENT,
    Failure,
    Progress,
    StepList,
    Verification,
    counted,
    disagreement,
)
from whodecided.evidence.sealing import absent_secrets, check_secrets
from whodecided.evidence.trust import Trust, check_against, check_keys, check_signatures
from whodecided.evidence.walk import Walk, walk
from whodecided.store.directory import LogDirectory
from whodecided.store.sql_log import SqlEventLog

__all__ = ["verify_log"]

_STEPS: Final = {
    "storage": "the storage is whole, its tables and guards are as made",
    "events": "every event is in its place and can be read by its schema",
    "leaves": "every leaf hash is that of the stored bytes",
    "journal": "every journal entry and stream root follows from the events",
    "streams": "the list of streams is that of the journal",
    "disclosures": "every disclosed value fits its digest, and the log secret its stream names",
    "checkpoints": "every signed checkpoint is a state of the journal",
    "signatures": "every checkpoint is signed by a key of the log",
    "elsewhere": "keys and checkpoints kept elsewhere agree",
    "tables": "the tables have read this log and nothing else",
}
_MANY_EVENTS: Final = 100_000
_NO_TRUST: Final = Trust()


def verify_log(
    log: LogDirectory,
    trust: Trust = _NO_TRUST,
    *,
    from_scratch: bool = False,
    rules: RuleLibrary | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Verification:
    """Recompute every leaf, tree, root, entry, checkpoint and signature; what was found.

    `from_scratch` also encodes every event again and, with `rules`, makes all tables anew and
    compares them. `jobs` is the number of processes, by default as many as there are processors for
    a large log. Nothing is written. Raises LogUnavailable when a process dies or the server does
    not answer, since that says nothing about the log.
    """
    check = _LogCheck(log, trust)
    try:
        check.run(from_scratch, rules if from_scratch else None, jobs, progress)
    except BrokenProcessPool as error:
        raise LogUnavailable(
            log.place,
            "a process that was to verify it ended unexpectedly or could not be started; nothing is"
            " known yet",
            advice="Check the free memory, or use one process: `whodecided verify --jobs 1`.",
        ) from error
    counts = {"streams": 0, "events": 0, "entries": 0, "disclosures": 0, "checkpoints": 0}
    if check.walked is not None:
        found = check.walked
        counts |= {
            "streams": len(found.streams),
            "events": found.events,
            "entries": found.journal.size,
            "disclosures": found.disclosures,
            "checkpoints": len(check.checkpoints),
        }
    failure = check.steps.failure
    trusted = bool(trust) and failure is None
    return Verification(
        log.place, check.steps.steps(), failure, counts, trusted, check.claim(trusted)
    )


def _useful_jobs(events: int) -> int:
    """A process costs as much as some ten thousand events."""
    return (os.cpu_count() or 1) if events > _MANY_EVENTS else 1


def _fault(log: SqlEventLog) -> str | None:
    """What is wrong with the storage."""
    try:
        return log.inspect()
    except LogUnreachable:
        raise
    except (IntegrityFailure, LogUnavailable) as error:
        return str(error)


class _LogCheck:
    """The steps one after the other; a step that fails ends it."""

    def __init__(self, log: LogDirectory, trust: Trust) -> None:
        self.log = log
        self.trust = trust
        self.steps = StepList(_STEPS)
        self.walked: Walk | None = None
        self.checkpoints: list[StoredCheckpoint] = []
        self.spoiled: Failure | None = None
        self.absent: list[int] = []

    def run(
        self, thorough: bool, rules: RuleLibrary | None, jobs: int | None, progress: Progress | None
    ) -> None:
        """Take the steps until one fails."""
        self._read_checkpoints()
        jobs = jobs or _useful_jobs(self.log.events.head())
        self._file(thorough, jobs, progress)
        for step in (self._checkpoints, self._signatures, self._elsewhere):
            if self.steps.failure is None:
                step()
        if self.steps.failure is None:
            self._tables(rules)

    def claim(self, trusted: bool) -> str:
        """What the result means."""
        if self.steps.failure is not None:
            if self.steps.failed == "elsewhere":
                return disagreement(self.steps.failure, bool(self.checkpoints))
            return f"not intact; still good: {self.steps.failure.good or 'nothing was shown to be'}"
        if not trusted:
            unsigned = "" if self.checkpoints else "unsigned and "
            return unsigned + SELF_CONSISTENT
        return self.trust.agreement

    def _read_checkpoints(self) -> None:
        try:
            self.checkpoints = stored_checkpoints(self.log)
        except IntegrityFailure as error:
            self.spoiled = Failure("checkpoint-unreadable", error.what, error.reason)

    def _file(self, thorough: bool, jobs: int, progress: Progress | None) -> None:
        """Inspect the file and walk the log, at once where there are processors for both.

        A damaged file is the first fault, whatever the walk has stumbled over.
        """
        events = self.log.events
        found: Walk | Failure | None = None
        if jobs == 1:
            fault = _fault(events)
            if fault is None:
                found = self._walk(thorough, jobs, progress)
        else:
            with ThreadPoolExecutor(1) as aside:
                inspected = aside.submit(_fault, events)
                try:
                    found = self._walk(thorough, jobs, progress)
                except Exception:
                    if inspected.result() is None:
                        raise
                fault = inspected.result()
        if fault is not None:
            self.steps.fail("storage", Failure("file-damaged", events.name, fault))
            return
        self.steps.ok("storage", events.name)
        if isinstance(found, Failure):
            self.steps.fail("events", found)
        elif found is not None:
            self._note_walk(found)

    def _walk(self, thorough: bool, jobs: int, progress: Progress | None) -> Walk | Failure:
        sizes = {c.checkpoint.size for c in self.checkpoints} | {c.size for c in self.trust.against}
        try:
            found = walk(self.log.events, sizes, thorough=thorough, jobs=jobs, progress=progress)
            failure = None if found.failure else check_secrets(self.log, found.salts)
            self.absent = [] if found.failure or failure else absent_secrets(self.log)
        except LogUnreachable:
            raise
        except (IntegrityFailure, LogUnavailable) as error:
            return Failure("row-unreadable", self.log.events.name, str(error))
        if failure is not None:
            found.fail("disclosures", failure)
        return found

    def _note_walk(self, found: Walk) -> None:
        self.walked = found
        if found.failure is not None:
            step, failure = found.failure
            self.steps.fail(step, replace(failure, good=self._good(failure.good)))
            return
        streams = counted(len(found.streams), "stream")
        self.steps.ok("events", f"{counted(found.events, 'event')} in {streams}")
        self.steps.ok("leaves", counted(found.events, "leaf hash", "leaf hashes"))
        entries = counted(found.journal.size, "entry", "entries")
        self.steps.ok("journal", f"{entries}, root {found.journal.root().hex()}")
        self.steps.ok("streams", streams)
        numbers = ", ".join(map(str, self.absent))
        rest = f"; not at hand, so known by number only: log secret {numbers}" if numbers else ""
        values = counted(found.disclosures, "disclosed value")
        self.steps.ok("disclosures", f"{values}{rest}")

    def _good(self, good: str | None = None) -> str | None:
        """What still holds, with the last signed checkpoint of anything that is part of it."""
        roots = {} if self.walked is None else self.walked.roots
        held = [c for c, *_ in self.checkpoints if c.size and roots.get(c.size) == c.root]
        signed = f"the signed checkpoint of size {held[-1].size} holds" if held else None
        return "; ".join(filter(None, (good, signed))) or None

    def _checkpoints(self) -> None:
        found, origin = self._found, origin_of(self.log.events.log_id)
        if self.spoiled is not None:
            self.steps.fail("checkpoints", self.spoiled)
            return
        if not self.checkpoints:
            self.steps.skip("checkpoints", "no signed one is here")
            return
        for checkpoint, _, _ in self.checkpoints:
            failure = check_against(
                checkpoint, origin, found.journal.size, found.roots.get(checkpoint.size)
            )
            if failure is not None:
                what = f"signed checkpoint {checkpoint.size}"
                self.steps.fail("checkpoints", replace(failure, what=what, good=self._good()))
                return
        last = self.checkpoints[-1].checkpoint.size
        rest = found.journal.size - last
        detail = f"{counted(len(self.checkpoints), 'checkpoint')}, the last of size {last}"
        self.steps.ok("checkpoints", detail + (f"; newer entries: {rest}" if rest else ""))

    def _signatures(self) -> None:
        if not self.checkpoints:
            self.steps.skip("signatures", "no signed one is here")
            return
        try:
            keys = (*known_keys(self.log.keys), *self.trust.keys)
        except BadInput as error:
            failure = Failure("keys-unreadable", error.where, error.reason)
            self.steps.fail("signatures", failure)
            return
        for checkpoint, note, _ in self.checkpoints:
            failure_found = check_signatures(f"signed checkpoint {checkpoint.size}", note, keys)
            if failure_found is not None:
                self.steps.fail("signatures", failure_found)
                return
        self.steps.ok("signatures", f"{counted(len(self.checkpoints), 'checkpoint')} signed")

    def _elsewhere(self) -> None:
        if not self.trust:
            self.steps.skip("elsewhere", "none was given")
            return
        origin = origin_of(self.log.events.log_id)
        notes = [(checkpoint, note) for checkpoint, note, _ in self.checkpoints]
        failure, said = check_keys(origin, notes, self.trust)
        for known in self.trust.against:
            root = self._found.roots.get(known.size)
            failure = failure or check_against(known, origin, self._found.journal.size, root)
            said += (
                f"; size {known.size} is as it was" if said else f"size {known.size} is as it was"
            )
        if failure is None:
            self.steps.ok("elsewhere", said)
        else:
            self.steps.fail("elsewhere", failure)

    def _tables(self, rules: RuleLibrary | None) -> None:
        if not (self.log.views / "current").exists():
            self.steps.skip("tables", "none were made")
            return
        from whodecided.evidence.derived import check_tables  # DuckDB is slow to import

        failure, detail = check_tables(self.log.views, self.log.events, rules)
        if failure is None:
            self.steps.ok("tables", detail)
        else:
            self.steps.fail("tables", failure)

    @property
    def _found(self) -> Walk:
        if self.walked is None:
            raise RuntimeError("the log was not walked")
        return self.walked
