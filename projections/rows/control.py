"""Rows of `control_effects` and `control_intervals`."""

from __future__ import annotations

from typing import Any

from domain.control.effects import ChoiceEffect, Effect
from projections.game import FoldedGame

__all__ = ["effect_rows", "interval_rows"]

Row = tuple[Any, ...]


def effect_rows(game_id: str, game: FoldedGame) -> list[Row]:
    """One row per player's share of a control effect, then one per choice effect."""
    last = game.control_at(game.last)
    rows = [
        *(_control_row(game_id, effect) for effect in last.effects),
        *(_choice_row(game_id, effect) for effect in last.choices),
    ]
    return sorted(rows, key=lambda row: (row[1], row[2], row[5]))


def _control_row(game_id: str, effect: Effect) -> Row:
    return (
        game_id,
        effect.created,
        effect.label,
        "control",
        effect.controller,
        effect.affected,
        effect.scope,
        (),
        effect.source_card,
        effect.object,
        effect.extra_turn_after,
        effect.may_not,
        effect.must,
        effect.status,
        effect.began,
        effect.ended,
        effect.reason,
        effect.overwritten_by,
    )


def _choice_row(game_id: str, effect: ChoiceEffect) -> Row:
    return (
        game_id,
        effect.created,
        effect.label,
        "choice",
        effect.chooser,
        effect.affected,
        effect.lasts,
        effect.decisions,
        effect.source_card,
        effect.object,
        False,
        (),
        (),
        "in_force" if effect.ended is None else "ended",
        effect.created,
        effect.ended,
        effect.reason,
        None,
    )


def interval_rows(game_id: str, game: FoldedGame) -> list[Row]:
    """One row per stretch in which an effect decides for a seat."""
    return [
        (
            game_id,
            found.first,
            None if found.until is None else found.until - 1,
            found.seat,
            found.effect.controller,
            found.effect.label,
            found.effect.created,
            found.effect.scope,
            found.certain,
        )
        for found in game.intervals
    ]
