"""Which edition of the rules an answer rests on, where there is something to say about it."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from domain.rules import NOTICES, Language
from queries.parts import EditionView
from whodecided.cli.render.common import stack, warning

__all__ = ["edition_note"]


def edition_note(edition: EditionView, language: Language = "en") -> RenderableType | None:
    """The edition asked for, and what there is to say about the choice; None for a plain one."""
    lines = list(_lines(edition, language))
    return stack(*lines) if lines else None


def _lines(edition: EditionView, language: Language) -> Iterator[Text]:
    if edition.by == "asked":
        section = f" {edition.section}" if edition.section else ""
        yield Text(f"CR {edition.edition}{section} ({edition.day})", "dim")
    for notice in edition.notices:
        yield warning(NOTICES[notice].get(language))
