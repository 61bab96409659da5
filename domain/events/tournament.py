"""Tournament decisions belong to the person, whoever controls the player (CR 723.5b, 723.6)."""

from __future__ import annotations

from typing import ClassVar

from domain.events.base import DecisionEvent, StampedGameEvent
from domain.stamp import Seat

__all__ = [
    "Conceded",
    "DrawAgreed",
    "DrawDeclined",
    "DrawOffered",
    "JudgeCalled",
    "Sideboarded",
    "TableLeft",
    "TimeExtended",
    "TradeAgreed",
]


class TournamentDecision(DecisionEvent):
    """A decision of the person at the table."""

    DECISION_CLASS: ClassVar[str] = "tournament"


class Conceded(TournamentDecision):
    """A player concedes (CR 104.3a)."""

    TOPIC: ClassVar[str] = "game.conceded/v1"

    scope: str | None = None
    """`game` or `match`, where stated."""
    observed: bool = False
    """Known only from the result, not from the request to concede."""


class DrawOffered(TournamentDecision):
    """A draw is offered."""

    TOPIC: ClassVar[str] = "game.draw_offered/v1"


class DrawAgreed(TournamentDecision):
    """A draw is agreed to."""

    TOPIC: ClassVar[str] = "game.draw_agreed/v1"


class DrawDeclined(TournamentDecision):
    """A draw is declined."""

    TOPIC: ClassVar[str] = "game.draw_declined/v1"


class JudgeCalled(TournamentDecision):
    """A judge is called."""

    TOPIC: ClassVar[str] = "game.judge_called/v1"


class TableLeft(TournamentDecision):
    """A player leaves the table."""

    TOPIC: ClassVar[str] = "game.table_left/v1"


class TradeAgreed(TournamentDecision):
    """A trade is agreed to."""

    TOPIC: ClassVar[str] = "game.trade_agreed/v1"


class Sideboarded(TournamentDecision):
    """A deck is changed between games (or that is declined), recorded in the game it follows."""

    TOPIC: ClassVar[str] = "game.sideboarded/v1"


class TimeExtended(StampedGameEvent):
    """A judge gives extra time."""

    TOPIC: ClassVar[str] = "game.time_extended/v1"

    minutes: int
    """How many minutes."""
    seats: tuple[Seat, ...] = ()
    """To whom; empty for the match."""
