"""Answers in the language of the reader."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from queries.language import Speech, speech

if TYPE_CHECKING:
    from rich.console import RenderableType

    from domain.rules import Language
    from whodecided.cli.session import Session

__all__ = ["language_of", "show_spoken"]


def language_of(session: Session) -> Language:
    """The language of explanations: that of --lang where the product speaks it, else English."""
    return session.language or "en"


def show_spoken(
    session: Session, answer: Any, draw: Callable[[Any, Speech], RenderableType]
) -> None:
    """Write an answer that needs no log, for people in their language."""
    if session.json:
        session.write_answer(answer)
    else:
        session.print(draw(answer, speech(language_of(session))))
