"""Rows of `findings`."""

from __future__ import annotations

from typing import Any

from projections.game import FoldedGame

__all__ = ["finding_rows"]

Row = tuple[Any, ...]


def finding_rows(game_id: str, game: FoldedGame) -> list[Row]:
    """One row per finding, in the order of events."""
    return [
        (
            game_id,
            found.number,
            found.code,
            str(found.severity),
            found.root,
            found.rule and found.rule.number,
            found.rule and found.rule.document,
            found.rule and found.rule.edition,
            found.message,
        )
        for found in game.findings
    ]
