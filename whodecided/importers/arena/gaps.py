"""Gaps: what of a game is missing from its record, and what is not certain after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from whodecided.importers.arena.actions import flush_begun
from whodecided.importers.arena.desk import Desk
from whodecided.importers.arena.items import Gap, GapCause

__all__ = ["tell_gap", "tell_lost"]

_CAUSES: Final = {
    GapCause.START: "starts_in_mid_game",
    GapCause.SUMMARISED: "summarised",
    GapCause.DAMAGED: "torn",
    GapCause.RECONNECT: "reconnect",
    GapCause.UNEXPLAINED: "missing",
}


def tell_gap(desk: Desk, gap: Gap) -> None:
    """States are missing: nothing is certain until a state shows it."""
    _tell(desk, _CAUSES[gap.cause], gap.after, gap.before, ())


def tell_lost(desk: Desk, after: int | None, state_id: int) -> None:
    """A state, which follows the state `after`, could not be told in full."""
    _tell(desk, "torn", after, state_id, ())


def _tell(
    desk: Desk, cause: str, after: int | None, before: int | None, may_hide: Sequence[str]
) -> None:
    flush_begun(desk)
    stem = desk.teller.stem
    desk.teller.tell(
        "gap_found",
        "gap",
        {
            "cause": cause,
            "after_record": None if after is None else f"{stem}/gs{after}",
            "before_record": None if before is None else f"{stem}/gs{before}",
            "may_hide": tuple(may_hide),
        },
    )
    desk.answered.clear()
    desk.held.clear()
    desk.resolving = None
    desk.passed = None
    desk.uncertain = set(desk.players)
    desk.turn_shown = False
