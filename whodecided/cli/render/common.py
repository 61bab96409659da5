"""Pieces that several drawings share."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from queries.parts import Moment
from whodecided.cli.labels import Labels, spoken
from whodecided.cli.render.listing import Listing

__all__ = [
    "Facts",
    "heading",
    "incomplete",
    "listing",
    "moment_text",
    "sections",
    "stack",
    "time_text",
    "warning",
]


class Facts:
    """Lines of `name  value`, the names in one column."""

    def __init__(self) -> None:
        self._grid = Table.grid(padding=(0, 2, 0, 0))
        self._grid.add_column(style="dim", no_wrap=True)
        self._grid.add_column(overflow="fold")

    def add(self, name: str, value: str | Text | None, style: str = "") -> None:
        """Add a line, unless there is no value."""
        if value is not None:
            self._grid.add_row(name, value if isinstance(value, Text) else Text(value, style))

    def add_all(self, name: str, values: Iterable[str | Text], style: str = "") -> None:
        """Add a line per value, the first with the name."""
        for value in values:
            self.add(name, value, style)
            name = ""

    def drawn(self) -> RenderableType:
        """All lines."""
        return self._grid


def heading(*parts: str | None) -> Text:
    """A heading: the first part bold, then the others."""
    first, *others = [part for part in parts if part]
    return Text.assemble((first, "bold"), *((f"  {part}", "") for part in others))


def listing(*columns: str, right: Iterable[int] = (), wide: Iterable[int] = ()) -> Listing:
    """A table with a header; `right` are columns of numbers, `wide` those whose text may wrap."""
    table = Listing()
    numbers, texts = frozenset(right), frozenset(wide)
    for index, name in enumerate(columns):
        table.add_column(
            name,
            justify="right" if index in numbers else "left",
            no_wrap=index not in texts,
            overflow="fold",
        )
    return table


def moment_text(moment: Moment, labels: Labels) -> str:
    """`turn 8 (extra), precombat main`."""
    if moment.turn is None:
        return "before the first turn" if moment.certain else "unknown (a gap hides it)"
    extra = " (extra turn)" if moment.extra else ""
    gap = "" if moment.turn_counted else " (not counted: a gap may hide turns)"
    step = f", {spoken(moment.step)}" if moment.step else ""
    return f"turn {moment.turn}{extra}{gap}{step}"


def warning(text: str) -> Text:
    """A line that wants attention, marked without colour too."""
    return Text(f"! {text}", "yellow")


def incomplete(reasons: Iterable[str]) -> RenderableType | None:
    """What a gap hides, one line per reason; None where nothing is hidden."""
    lines = [warning(f"incomplete: {reason}") for reason in reasons]
    return Group(*lines) if lines else None


def stack(*parts: RenderableType | None) -> RenderableType:
    """The parts below each other, without those that are None."""
    return Group(*(part for part in parts if part is not None))


def sections(*parts: RenderableType | None) -> RenderableType:
    """The parts below each other with an empty line between, without those that are None."""
    kept = [part for part in parts if part is not None]
    spaced = [piece for part in kept for piece in (Text(), part)]
    return Group(*spaced[1:])


def time_text(occurred_at: str | None, clock: str | None) -> str | None:
    """`2026-07-04 18:00:20.659 UTC`; a wall clock whose zone nobody knows is called local."""
    if occurred_at is None:
        return None
    zone = "local time" if clock == "local" else "UTC"
    return f"{occurred_at[:10]} {occurred_at[11:23]} {zone}"
