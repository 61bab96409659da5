"""Pieces that several drawings share."""

from __future__ import annotations

from collections.abc import Iterable

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from queries.parts import Moment
from whodecided.cli.labels import Labels, spoken

__all__ = ["Facts", "heading", "incomplete", "listing", "moment_text", "stack", "warning"]


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


def listing(*columns: str, right: Iterable[int] = ()) -> Table:
    """A table with a header; `right` are the columns of numbers."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="dim")
    numbers = frozenset(right)
    for index, name in enumerate(columns):
        table.add_column(
            name,
            justify="right" if index in numbers else "left",
            no_wrap=index in numbers,
            overflow="fold",
        )
    return table


def moment_text(moment: Moment, labels: Labels) -> str:
    """`turn 8 (extra), precombat main`."""
    if moment.turn is None:
        return "before the first turn" if moment.certain else "unknown (a gap hides it)"
    extra = " (extra turn)" if moment.extra else ""
    step = f", {spoken(moment.step)}" if moment.step else ""
    return f"turn {moment.turn}{extra}{step}"


def warning(text: str) -> Text:
    """A line that wants attention, marked without colour too."""
    return Text(f"! {text}", "yellow")


def incomplete(reasons: Iterable[str]) -> list[RenderableType]:
    """What a gap hides, one line per reason."""
    return [warning(f"incomplete: {reason}") for reason in reasons]


def stack(*parts: RenderableType | None) -> RenderableType:
    """The parts below each other, without those that are None."""
    return Group(*(part for part in parts if part is not None))
