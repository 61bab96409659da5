"""A table ready to be played at, for tests that need a log of a certain course."""

from __future__ import annotations

from datetime import UTC, datetime

from whodecided.importers.arena.synthetic.plays import Plays
from whodecided.importers.arena.synthetic.recording import VARIANTS, ControlShape, Match, Recording
from whodecided.importers.arena.synthetic.text import LogText

__all__ = ["MATCH", "seated", "text_of"]

MATCH = Match("00000000-0000-4000-8000-0000000000aa")


def seated(
    *,
    local: int = 1,
    match: Match = MATCH,
    shape: ControlShape = VARIANTS["answers-for-the-other"],
    answers: bool = True,
) -> Plays:
    """Two players at a table, nothing logged yet but the client's first lines."""
    text = LogText(match.accounts[local], datetime(2026, 3, 1, 12, tzinfo=UTC))
    text.preamble()
    return Plays(Recording(text, match, local=local, shape=shape, answers=answers))


def text_of(plays: Plays) -> str:
    """What the client has logged so far."""
    return plays.recording.text.text()
