"""What a verification found, for people."""

from __future__ import annotations

from typing import Final

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from whodecided.cli.render.common import stack
from whodecided.evidence.report import Failure, Verification

__all__ = ["draw_verification"]

_STYLES: Final = {"ok": "green", "failed": "bold red", "skipped": "dim", "unfinished": "yellow"}
_ONE: Final = {
    "checkpoints": "checkpoint",
    "disclosures": "disclosure",
    "entries": "entry",
    "events": "event",
    "streams": "stream",
}
"""What one of the counted things is called."""
_WORDS: Final = {"ok": "OK", "failed": "FAIL", "skipped": "-", "unfinished": "?"}


def draw_verification(found: Verification) -> RenderableType:
    """The numbered steps, what is wrong, and what the result means."""
    counted = ((name, number) for name, number in found.counts.items() if number)
    counts = ", ".join(
        f"{number:,} {_ONE.get(name, name) if number == 1 else name}" for name, number in counted
    )
    steps = Table.grid(padding=(0, 1, 0, 0))
    steps.add_column(justify="right", style="dim", no_wrap=True)
    steps.add_column(no_wrap=True)
    steps.add_column(no_wrap=True)
    steps.add_column(overflow="fold")
    for step in found.steps:
        text = step.title if step.status in ("ok", "skipped") else ""
        detail = f"{text}: {step.detail}" if text and step.detail else text or step.detail
        steps.add_row(
            str(step.number),
            Text(_WORDS[step.status], _STYLES[step.status]),
            Text(step.name),
            Text(detail, _STYLES[step.status] if step.status == "failed" else ""),
        )
    drawn: list[RenderableType] = [
        Text.assemble((found.subject, "bold"), f"  {counts}" if counts else "", overflow="fold"),
        steps,
    ]
    if found.failure is not None:
        drawn.append(_failure(found.failure))
    drawn.append(Text(found.claim, "green" if found.trusted else "yellow", overflow="fold"))
    return stack(*drawn)


def _failure(failure: Failure) -> RenderableType:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row("first fault", Text(f"{failure.what}: {failure.reason}", "bold red"))
    grid.add_row("reason", failure.code)
    if failure.stored is not None:
        grid.add_row("stored", failure.stored)
        grid.add_row("computed", failure.computed or "none")
    if failure.good is not None:
        grid.add_row("still good", failure.good)
    return grid
