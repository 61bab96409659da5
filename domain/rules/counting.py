"""Earlier penalties upgrade a later one, by the rule that holds on the day (IPG 1.1, 2 and 3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from domain.rules.policy import Counting, Penalty, Policy

__all__ = ["AssessedPenalty", "Occasion", "PenaltyCount", "count_penalty"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """When in a tournament: its `day` from 1, and its `stage`, which each cut makes one larger."""

    tournament: str
    day: int = 1
    stage: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class AssessedPenalty:
    """A penalty that a judge gave a person for an infraction."""

    person: str
    infraction: str
    penalty: Penalty
    occasion: Occasion


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyCount:
    """How earlier penalties count towards the next one for the same infraction.

    `earlier` of them count and the next is the `place`-th; both are 0 where none are ever counted.
    `default` is the guide's penalty, None for an infraction it does not have that day; `penalty`
    what it becomes.
    """

    person: str
    infraction: str
    earlier: int
    place: int
    default: Penalty | None
    penalty: Penalty | None
    counting: Counting | None

    @property
    def upgraded(self) -> bool:
        """Whether earlier penalties made it a harder one."""
        return self.penalty != self.default


def count_penalty(
    policy: Policy,
    person: str,
    infraction: str,
    occasion: Occasion,
    earlier: Iterable[AssessedPenalty],
) -> PenaltyCount:
    """What the guide gives a person for an infraction after the earlier penalties.

    Only the same infraction of the same tournament counts, and only since the count began anew.
    A default that is no Warning is never upgraded. A judge may deviate; nothing is decided here.
    """
    form, counting = policy.penalty(infraction), policy.upgrade(infraction)
    default = None if form is None else form.penalty
    counted = 0
    if counting is not None:
        counted = sum(
            _counts(one, counting, occasion)
            for one in earlier
            if (one.person, one.infraction) == (person, infraction)
        )
    place = counted + 1 if counting is not None and default == "warning" else 0
    harder = counting is not None and place >= counting.at
    return PenaltyCount(
        person=person,
        infraction=infraction,
        earlier=counted,
        place=place,
        default=default,
        penalty=counting.becomes if counting is not None and harder else default,
        counting=counting,
    )


def _counts(one: AssessedPenalty, counting: Counting, now: Occasion) -> bool:
    then = one.occasion
    if then.tournament != now.tournament or one.penalty == "none":
        return False
    if counting.counts == "warnings" and one.penalty != "warning":
        return False
    return then.day == now.day if counting.resets == "days" else then.stage == now.stage
