"""The stamp: whose action it was, who chose it, and by what right."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from domain.principals import Principal

__all__ = ["Authority", "AuthorityKind", "Basis", "DecisionClass", "Seat", "Stamp"]

Seat = Annotated[int, Field(ge=1, le=64)]
"""Position in a game, 1..n in turn order."""

AuthorityKind = Literal[
    "self",
    "control_effect",
    "choice_effect",
    "observed",
    "tournament_rule",
    "rule_substitution",
    "judge",
    "server",
    "rules",
    "unknown",
]


class DecisionClass(StrEnum):
    """Whether a decision belongs to the game, to the tournament, or to a penalty's remedy."""

    GAME = "game"
    TOURNAMENT = "tournament"
    REMEDY = "remedy"


class Basis(StrEnum):
    """How the deciding player is known."""

    STATED = "stated"
    DERIVED = "derived"
    PRESUMED = "presumed"
    UNKNOWN = "unknown"


class Authority(BaseModel):
    """Why the deciding player was entitled to decide."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=True, defer_build=True
    )

    kind: AuthorityKind
    """The sort of right."""
    ref: int | None
    """Number of the event that granted it, in the same stream; null where none did."""


class Stamp(BaseModel):
    """Acting seat and deciding player of one event."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=True, defer_build=True
    )

    acting_seat: Seat | None
    """The seat whose action the rules say it is; null where it is nobody's."""
    team_seats: tuple[Seat, ...] | None
    """All seats of a team that acts as one; null otherwise."""
    deciding_player: Principal
    """Who made the choice."""
    performer: Principal | None
    """Whose hands or client carried the choice out, where known."""
    authority: Authority
    """Why the decider was entitled."""
    decision_class: Literal["game", "tournament", "remedy"]
    """The class of the decision."""
    basis: Literal["stated", "derived", "presumed", "unknown"]
    """How the decider is known."""
    reading: str | None
    """Edition and kernel version that derived the decider; null where the source stated it."""
