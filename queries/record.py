"""A game as the questions take it: folded, with the values of its sealed fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from domain.errors import NotFound
from domain.ids import short_id
from projections.game import FoldedGame

__all__ = ["GameRecord", "Secrets"]

Secrets = Mapping[tuple[int, str], Any]
"""(event number, field) -> plain value of a sealed field; one that was erased is absent."""


@dataclass(frozen=True)
class GameRecord:
    """One game of the log. `secrets` are for the questions to redact, never for a reader.

    `rules_by` says how the day of the rules it is folded under was chosen.
    """

    game_id: str
    folded: FoldedGame
    secrets: Secrets
    rules_by: Literal["asked", "played_on", "occurred_at", "undated"] = "asked"

    @property
    def short_id(self) -> str:
        """What people type."""
        return short_id(self.game_id)

    @property
    def players(self) -> Mapping[int, str]:
        """Seat -> player, as far as the record names them."""
        return self.folded.control_at(self.folded.last).players

    @cached_property
    def start(self) -> Any:
        """The game_started event; None when the record has none."""
        return next((e for e in self.folded.events if e.NAME == "game_started"), None)

    def event(self, number: int) -> Any:
        """Event `number`; raises NotFound, with the numbers there are."""
        return self.folded.event(self.checked(number, first=1))

    def checked(self, number: int, *, first: int = 0) -> int:
        """The number, if the game has such an event (0: before the first); else NotFound."""
        if not first <= number <= self.folded.last:
            raise NotFound(
                "event",
                str(number),
                within=f"game {self.short_id}",
                advice=f"It has the events {first} to {self.folded.last}.",
            )
        return number
