"""How many penalties of a kind a person has, and what the next one would be."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from domain.rules.counting import AssessedPenalty, Occasion, PenaltyCount, count_penalty
from domain.rules.policy import Policy

__all__ = ["PenaltiesAnswer", "penalties"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltiesAnswer:
    """The count under one policy at one moment of a tournament.

    `counts` has a line per person and infraction, in the order in which they first occur.
    """

    policy: str
    pack: str
    occasion: Occasion
    counts: tuple[PenaltyCount, ...]


def penalties(
    policy: Policy, assessed: Iterable[AssessedPenalty], occasion: Occasion
) -> PenaltiesAnswer:
    """Count the penalties given so far; each line tells what the next one would become.

    Penalties of other tournaments, or from before the count began anew, have a line and do not
    count.
    """
    given = tuple(assessed)
    people = dict.fromkeys((one.person, one.infraction) for one in given)
    return PenaltiesAnswer(
        policy=policy.id,
        pack=policy.pack.id,
        occasion=occasion,
        counts=tuple(
            count_penalty(policy, person, infraction, occasion, given)
            for person, infraction in people
        ),
    )
