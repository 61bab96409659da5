"""`copy`: what it does."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from whodecided.cli.labels import plural
from whodecided.cli.progress import progress_bar
from whodecided.copying import copy_log

if TYPE_CHECKING:
    from whodecided.cli.session import Session

__all__ = ["run_copy"]


def run_copy(session: Session, target: str, with_key: bool) -> None:
    """Copy the log, and say what is there now."""
    with progress_bar(session, "Copying") as progress:
        done = copy_log(session.log.directory, target, with_key=with_key, progress=progress)
    if session.json:
        session.write({"schema_version": 1} | dataclasses.asdict(done))
        return
    what = f"{plural(done.added, 'event')} copied, {plural(done.present, 'event')} there before"
    session.console.print(f"{done.target}: {what}", soft_wrap=True)
    signed = f"; signed up to entry {done.signed}" if done.signed else "; unsigned"
    session.console.print(
        f"{done.entries} journal entries, root {done.root}{signed}", soft_wrap=True
    )
    if done.can_sign:
        session.warnings.print(
            "The copy can sign. Go on in one place only: two histories of one log are a fork.",
            style="yellow",
            soft_wrap=True,
        )
