"""A bar for long work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from whodecided.api import Progress
    from whodecided.cli.session import Session

__all__ = ["progress_bar"]


@contextmanager
def progress_bar(session: Session, what: str) -> Iterator[Progress | None]:
    """A bar on standard error, when that is a terminal."""
    if not session.warnings.is_terminal:
        yield None
        return
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
    with Progress(*columns, TimeRemainingColumn(), console=session.warnings, transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
