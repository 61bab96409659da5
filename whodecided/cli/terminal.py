"""What people read: text from logs and tables of names cannot steer their terminal."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, Final, TextIO

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

__all__ = ["Terminal", "visible"]

_PIPE_WIDTH: Final = 100
_PICTURES: Final = 0x2400
_KEPT: Final = "\t\n"
_REORDERING: Final = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
_HALVES: Final = range(0xD800, 0xE000)
"""Halves of surrogate pairs: what is no UTF-8 in a file's name comes as such, and is no text."""
_SHOWN: Final[dict[int, str]] = {
    **{code: chr(_PICTURES + code) for code in range(0x20) if chr(code) not in _KEPT},
    0x7F: "\u2421",
    **dict.fromkeys((*range(0x80, 0xA0), *_REORDERING, *_HALVES), "\ufffd"),
}


def visible(text: str) -> str:
    """The text with a sign in the place of every character that would steer a terminal.

    C0 codes are shown as their pictures (ESC is U+241B), C1 codes, those that change the direction
    of text and halves of surrogate pairs as U+FFFD. Tabulators and ends of lines are kept.
    """
    return text.translate(_SHOWN)


class Terminal(Console):
    """A console that writes its own control codes only; 100 columns wide in a pipe."""

    def __init__(self, stream: TextIO) -> None:
        width = None if stream.isatty() or os.environ.get("COLUMNS") else _PIPE_WIDTH
        super().__init__(file=stream, width=width, highlight=False, emoji=False, markup=False)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Render, with signs in the place of control codes in the text."""
        return super().render(_harmless(renderable), options)


def _harmless(renderable: Any) -> Any:
    if isinstance(renderable, str):
        return visible(renderable)
    if isinstance(renderable, Text) and renderable.plain != visible(renderable.plain):
        shown = renderable.copy()
        shown.plain = visible(renderable.plain)
        return shown
    return renderable
