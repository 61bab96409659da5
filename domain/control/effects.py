"""Control effects and choice effects as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Effect", "Status"]

Status = Literal["pending", "in_force", "suspended", "ended"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """One player's share of a player-controlling effect (CR 723.1, 723.2).

    An effect that affects several players is one record for each of them (for each team that takes its
    turns together), all with the same `label` and `created`. `created`, `began` and `ended` are event
    numbers; `began` is when its window opened, also if it was suspended then.
    """

    label: str
    created: int
    controller: str
    affected: tuple[int, ...]
    scope: str
    source_card: str | None = None
    object: str | None = None
    extra_turn_after: bool = False
    may_not: tuple[str, ...] = ()
    must: tuple[str, ...] = ()
    status: Status = "pending"
    began: int | None = None
    ended: int | None = None
    reason: str | None = None
    overwritten_by: str | None = None
