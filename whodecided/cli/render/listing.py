"""A table whose columns share the line so that words stay whole as long as there is room."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.table import Column, Table
from rich.text import Text

__all__ = ["Listing", "Rows", "shared_out"]

_BETWEEN = 2
"""Blanks between two columns."""


class Listing(Table):
    """A table with a header. Columns that may wrap are narrowed first, the widest before others.

    A column becomes narrower than its longest word, or one that may not wrap is folded, only where
    the line has no room otherwise.
    """

    def __init__(self) -> None:
        padding = (0, _BETWEEN - 1, 0, 0)
        super().__init__(
            box=SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=padding, header_style="dim"
        )

    def keeps_words(self, console: Console, options: ConsoleOptions) -> bool:
        """Whether the line has room for the longest word of every column."""
        words = [_size(column, console, options).minimum for column in self.columns]
        return sum(words) + _BETWEEN * (len(words) - 1) <= options.max_width

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Fix the widths of the columns, then draw the table."""
        sizes = [_size(column, console, options) for column in self.columns]
        room = options.max_width - _BETWEEN * (len(sizes) - 1)
        free = [not column.no_wrap for column in self.columns]
        widths = shared_out(sizes, free, room)
        for column, width, size in zip(self.columns, widths, sizes, strict=True):
            column.width = width
            column.no_wrap = column.no_wrap and width >= size.maximum
        yield from super().__rich_console__(console, options)


class Rows:
    """Rows as a table; where that would cut words, each row as lines of `column  value`."""

    def __init__(
        self, table: Listing, columns: Sequence[str], rows: Sequence[Sequence[str]]
    ) -> None:
        self._table = table
        self._columns = columns
        self._rows = rows
        for row in rows:
            table.add_row(*row)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw the table, or the rows one below the other."""
        if len(self._columns) == 1 or self._table.keeps_words(console, options):
            yield self._table
            return
        for number, row in enumerate(self._rows, 1):
            yield Text(f"row {number}", "bold")
            grid = Table.grid(padding=(0, _BETWEEN, 0, 0))
            grid.add_column(style="dim", no_wrap=True)
            grid.add_column(overflow="fold")
            for name, value in zip(self._columns, row, strict=True):
                grid.add_row(name, Text(value))
            yield grid


def shared_out(sizes: Sequence[Measurement], free: Sequence[bool], room: int) -> list[int]:
    """The widths of columns on a line of `room` cells; `free` are those that may wrap."""
    widths = [size.maximum for size in sizes]
    whole_words = [s.minimum if may else s.maximum for s, may in zip(sizes, free, strict=True)]
    folded = [1 if may else s.maximum for s, may in zip(sizes, free, strict=True)]
    for floors in (whole_words, folded, [1] * len(widths)):
        _narrow(widths, floors, room)
    return widths


def _narrow(widths: list[int], floors: Sequence[int], room: int) -> None:
    """Narrow the widest columns, none below its floor, until all fit."""
    while sum(widths) > room:
        above = [index for index, width in enumerate(widths) if width > floors[index]]
        if not above:
            return
        widths[max(above, key=lambda index: widths[index])] -= 1


def _size(column: Column, console: Console, options: ConsoleOptions) -> Measurement:
    """The longest word and the longest line of a column, header included, in cells."""
    cells = [Measurement.get(console, options, cell) for cell in (column.header, *column.cells)]
    return Measurement(max(1, *(c.minimum for c in cells)), max(1, *(c.maximum for c in cells)))
