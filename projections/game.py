"""A folded game: every question "just after event N" has its answer here."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from domain.control import ControlState
from domain.findings import Finding
from domain.rules import RuleBook
from projections.active_player import ActivePlayer, fold_turns
from projections.control_status import ControlInterval, fold_control
from projections.findings import findings_about, fold_findings
from projections.learned import Knowledge
from projections.redaction import EventSight, clear_fields, closed_fields, visible_cards
from projections.silence import reading_of_event
from projections.visibility import fold_visibility

__all__ = ["FoldedGame", "fold_game"]


class FoldedGame:
    """The events of one game and the three folds over them.

    `events[n - 1]` is event n. Every `number` may be 0 (before the first event) to `last`;
    IndexError outside.
    """

    def __init__(self, events: Sequence[Any], rules: RuleBook) -> None:
        self.events = events
        self.rules = rules
        self.control = fold_control(events, rules)
        self.turns = fold_turns(events, self.control.states)
        self.visibility = fold_visibility(events, self.control.states, rules)
        self.knowledge = Knowledge(self.visibility)

    @property
    def last(self) -> int:
        """Number of the last event, 0 for none."""
        return len(self.events)

    def event(self, number: int) -> Any:
        """Event `number`."""
        if number < 1:
            raise IndexError(f"no event has the number {number}")
        return self.events[number - 1]

    def control_at(self, number: int) -> ControlState:
        """Who decides for whom just after event `number`."""
        return self.control.at(number)

    def active_at(self, number: int) -> ActivePlayer:
        """Whose turn it is just after event `number`."""
        return self.turns.active(number)

    @cached_property
    def intervals(self) -> tuple[ControlInterval, ...]:
        """All stretches in which an effect decides for a seat."""
        return self.control.intervals

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What a machine notices about the events, in their order."""
        return fold_findings(self.events, self.control.states, self.visibility)

    def findings_at(self, number: int) -> tuple[Finding, ...]:
        """The findings about event `number`; the others are not worked out for it."""
        return findings_about(self.event(number), self.control.states, self.visibility)

    def reading_at(self, number: int) -> str | None:
        """The reading used for event `number` where the rules leave a gap; None for none."""
        return reading_of_event(self.event(number), self.control.states, self.visibility)

    def sight(self, viewer: str, number: int) -> EventSight:
        """What the viewer may see in the rendering of event `number` itself."""
        return EventSight(self.visibility, viewer, number)

    def clear_fields(self, viewer: str, number: int) -> frozenset[str]:
        """Names of the sealed fields of event `number` that the viewer may see in clear."""
        return clear_fields(self.visibility, viewer, self.event(number))

    def closed_fields(self, viewer: str, number: int) -> frozenset[str]:
        """Names of the unsealed fields of event `number` that the viewer may not see."""
        return closed_fields(self.visibility, viewer, self.event(number))

    def visible_cards(self, viewer: str, number: int) -> dict[str, tuple[int, str]]:
        """The objects whose card the viewer may see after event `number`, and what names it."""
        return visible_cards(self.visibility, viewer, number)


def fold_game(events: Sequence[Any], rules: RuleBook) -> FoldedGame:
    """Fold the events of one game, numbered from 1 without holes, under an edition of the rules.

    The edition is that of the game's day unless another is asked for (`rules_of_game`).
    """
    return FoldedGame(events, rules)
