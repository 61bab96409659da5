"""One policy applied to the roles in an event: who answers for an infraction, and how surely."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from domain.principals import UNDETERMINED, UNKNOWN
from domain.rules.policy import Policy, Role, Situation, Statement
from queries.roles import RolesView, persons_in

__all__ = ["Judged", "JudgedCharge", "judge"]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedCharge:
    """Whose infraction it would be, and for which roles."""

    person: str
    infraction: str
    roles: tuple[Role, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What a policy says of an infraction in an event.

    `primary` is empty where nothing says who answers, where the guide has no such infraction
    (`exists` is false), and where it is not known who had the role. `review_because` are codes:
    `before-documents`, `no-such-infraction`, `no-statement`, `nobody-in-role`, `inferred`,
    `for-a-judge` (the statement itself asks for a judge), `decider-unknown`, `decider-open`,
    `rule-gap`.
    """

    exists: bool
    statement: Statement | None
    further: tuple[Statement, ...]
    primary: tuple[str, ...]
    charges: tuple[JudgedCharge, ...]
    review_because: tuple[str, ...]

    @property
    def review_required(self) -> bool:
        """Whether a judge has to look at it."""
        return bool(self.review_because)

    @property
    def also(self) -> tuple[str, ...]:
        """Persons beside the primary ones."""
        others = (one.person for one in self.charges if one.person not in self.primary)
        return tuple(dict.fromkeys(others))


def judge(
    policy: Policy,
    infraction: str | None,
    roles: RolesView,
    situations: frozenset[Situation],
    *,
    rule_gap: bool,
) -> Judged:
    """Apply a policy; `infraction` None: whatever infraction it may be.

    `rule_gap`: who decided rests on a reading of rules that are silent.
    """
    exists = infraction is None or policy.knows(infraction)
    statement = policy.answering(infraction, situations) if exists else None
    further = policy.further(infraction, situations) if exists else ()
    primary = _primary(statement, roles)
    own = tuple(_own_charges(statement, infraction, roles))
    charges = (*own, *_further_charges(further, primary, roles))
    used = tuple(
        one for one in further if any(c.infraction == one.further_infraction for c in charges)
    )
    reasons = _reasons(policy, exists, statement, used, roles)
    gap = ("rule-gap",) if rule_gap else ()
    nobody = ("nobody-in-role",) if statement is not None and not primary else ()
    return Judged(
        exists=exists,
        statement=statement,
        further=used,
        primary=primary,
        charges=charges,
        review_because=tuple(dict.fromkeys((*reasons, *nobody, *gap))),
    )


def _primary(statement: Statement | None, roles: RolesView) -> tuple[str, ...]:
    if statement is None:
        return ()
    people = (person for role in statement.primary for person in persons_in(roles, role))
    words = (UNKNOWN, UNDETERMINED)
    return tuple(dict.fromkeys(person for person in people if person not in words))


def _own_charges(
    statement: Statement | None, infraction: str | None, roles: RolesView
) -> Iterator[JudgedCharge]:
    if statement is None or infraction is None:
        return
    for person in _primary(statement, roles):
        held = tuple(role for role in statement.primary if person in persons_in(roles, role))
        yield JudgedCharge(person=person, infraction=infraction, roles=held)


def _further_charges(
    further: tuple[Statement, ...], primary: tuple[str, ...], roles: RolesView
) -> Iterator[JudgedCharge]:
    taken = set(primary)
    for statement in further:
        code = statement.further_infraction
        for role in statement.further:
            for person in persons_in(roles, role, without=tuple(taken)):
                if code is not None and not _beside(roles, person, primary):
                    taken.add(person)
                    yield JudgedCharge(person=person, infraction=code, roles=(role,))


def _beside(roles: RolesView, person: str, primary: tuple[str, ...]) -> bool:
    """Whether the person plays on the side of somebody who answers already."""
    sides = {one.player: one.team for one in roles.could_notice if one.team is not None}
    side = sides.get(person)
    return side is not None and any(sides.get(other) == side for other in primary)


def _reasons(
    policy: Policy,
    exists: bool,
    statement: Statement | None,
    further: tuple[Statement, ...],
    roles: RolesView,
) -> Iterator[str]:
    if policy.review:
        yield "before-documents"
    if not exists:
        yield "no-such-infraction"
    elif statement is None:
        yield "no-statement"
    stated = (*(() if statement is None else (statement,)), *further)
    if any(one.status == "inferred" for one in stated):
        yield "inferred"
    if any(one.review for one in stated):
        yield "for-a-judge"
    if roles.answering == UNKNOWN:
        yield "decider-unknown"
    if roles.answering == UNDETERMINED:
        yield "decider-open"
