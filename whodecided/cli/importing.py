"""`import` and `rebuild`: long work with a progress bar, and what came of it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rich.text import Text

from whodecided.api import open_log
from whodecided.cli.document import SCHEMA_VERSION
from whodecided.cli.labels import plural
from whodecided.cli.progress import progress_bar
from whodecided.cli.render.common import warning
from whodecided.cli.render.imported import contradictions, draw_file, gaps_in
from whodecided.cli.render.overview import draw_status
from whodecided.importers.arena.report import CONFLICT_ADVICE

if TYPE_CHECKING:
    from whodecided.api import Log
    from whodecided.cli.session import Session
    from whodecided.importers.arena.report import FileReport, ImportReport

__all__ = ["run_import", "run_rebuild"]

_MANY_EVENTS: Final = 50_000
_MOST_JOBS: Final = 4


def run_import(session: Session, files: Sequence[Path], keep_names: bool, jobs: int | None) -> None:
    """Import files into the session's log, which is made when it is not there."""
    with open_log(session.log_path, create=True) as log:
        report = import_into(log, session, files, keep_names, jobs)
        if session.json:
            session.write({"schema_version": SCHEMA_VERSION, "summary": report.to_json()})
        else:
            _summary(session, report)


def import_into(
    log: Log, session: Session, files: Sequence[Path], keep_names: bool, jobs: int | None = 1
) -> ImportReport:
    """Import files into an open log with a progress bar, and say what became of each."""
    with progress_bar(session, "Reading") as progress:
        report = log.import_files(files, keep_names=keep_names, progress=progress, jobs=jobs)
    for file in report.files:
        if session.json:
            session.write(file.to_json())
        else:
            session.console.print(draw_file(file), soft_wrap=True)
        _warn(session, file)
    _warn_of_conflicts(session, report)
    return report


def run_rebuild(session: Session, jobs: int | None) -> None:
    """Make the tables anew."""
    with progress_bar(session, "Making tables") as progress:
        session.log.rebuild(progress, jobs=jobs or _useful_jobs(session.log))
    answer: Any = session.log.status()
    if answer.tables.poison:
        session.ends_with(3)
    session.show(answer, draw_status)


def _useful_jobs(log: Log) -> int:
    """Starting a process costs as much as some ten thousand events; one writes for all."""
    few = log.directory.events.head() <= _MANY_EVENTS
    return 1 if few else min(os.cpu_count() or 1, _MOST_JOBS)


def _warn(session: Session, file: FileReport) -> None:
    """Note the exit code, and say on standard error what a person should know."""
    notes: list[str] = []
    if file.problem is not None:
        session.ends_with(2 if not file.events else 6)
        notes.append(f"{file.name}: {file.problem.reason}")
        notes += [file.problem.advice] if file.problem.advice else []
    elif not file.events:
        session.ends_with(6)
        notes.append(f"{file.name}: {file.message}")
    notes += [f"{file.name}: {damage}" for damage in _damages(file)]
    for note in notes:
        session.warnings.print(warning(note), soft_wrap=True)


def _warn_of_conflicts(session: Session, report: ImportReport) -> None:
    """Say which streams stayed as they were because the log holds another version of them."""
    for conflict in report.conflicts:
        session.ends_with(3)
        note = f"{conflict.file or 'input'}: {conflict.reason}"
        session.warnings.print(warning(note), soft_wrap=True)
    if report.conflicts:
        session.warnings.print(warning(CONFLICT_ADVICE), soft_wrap=True)


def _damages(file: FileReport) -> Iterator[str]:
    """What is wrong inside a file, each in a line."""
    bad = [line for line in file.bad if line.line]
    if bad:
        count = len(bad) + file.bad_left_out
        yield (
            f"{plural(count, 'damaged record')}, the first in line {bad[0].line}: {bad[0].reason}"
        )
    gaps = gaps_in(file)
    if gaps:
        yield f"{plural(gaps, 'gap')} in the record of its games; `show` says between which events"
    yield from contradictions(file)


def _summary(session: Session, report: ImportReport) -> None:
    games = [stream for stream in report.streams if stream.kind == "game"]
    text = Text(f"{plural(len(games), 'game')}, {plural(report.events_added, 'new event')}")
    if report.events_present:
        text.append(f", {plural(report.events_present, 'event')} were there already")
    session.console.print(text)
    session.console.print(Text(f"Log: {session.log_name}", "dim"), soft_wrap=True)
    if games:
        session.console.print(session.next_step("games"), soft_wrap=True)
