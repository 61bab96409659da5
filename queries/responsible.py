"""Who answers for an infraction in an event, by the policy of a day, and where policies differ.

The answer is what documents and opinions say about the roles in the event. It never says that an
infraction was committed on purpose, or that it was one at all: that is for a judge.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from domain.errors import BadInput
from domain.rules import day_of_game
from domain.rules.policy import (
    Counting,
    InfractionForm,
    Penalty,
    Policy,
    PolicyLibrary,
    Role,
    Situation,
    Statement,
)
from domain.rules.text import Language, Status
from queries.judged import Judged, judge
from queries.named import Named, Why, named_infractions
from queries.parts import EventView, SeatView, event_view, seats_of
from queries.record import GameRecord
from queries.roles import RolesView, roles_in, situations_in
from queries.viewers import named_viewer
from queries.who import who

__all__ = [
    "CandidateView",
    "Charge",
    "ChosenPolicy",
    "PenaltyView",
    "PolicyAnswer",
    "ResponsibleAnswer",
    "StatementView",
    "responsible",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenPolicy:
    """The policy applied, and how it was chosen; `asked` is the day, pack or reading asked for.

    `by` is `asked`, `played_on` (the day stated for the game) or `occurred_at` (the UTC day of its
    first event with a time). `review` is true for a day before the oldest documents known.
    """

    id: str
    asked: str | None
    by: Literal["asked", "played_on", "occurred_at"]
    day: str
    pack: str
    pack_status: Status
    pack_note: str | None
    readings: tuple[str, ...]
    review: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementView:
    """A sentence of a document or an opinion, in our words; `clause` is None where it has none.

    `reading` is the opinion it belongs to, None for the documents. `status` says how it is known,
    `source_texts` what the codes in `sources` mean, in the same order.
    """

    id: str
    text: str
    clause: str | None
    reading: str | None
    status: Status
    sources: tuple[str, ...]
    source_texts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """A person and the infraction that would be theirs; `roles` are why. Never a verdict."""

    person: str
    infraction: str
    roles: tuple[Role, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyView:
    """The guide's penalty for an infraction that day: `number` in the guide, default, exceptions.

    `upgrade` says how earlier penalties upgrade it, None where they never do.
    """

    infraction: str
    name: str
    number: str
    default: Penalty
    special: tuple[tuple[Penalty, str], ...]
    upgrade: Counting | None
    status: Status


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyAnswer:
    """What one pack or reading, or several of them alike, say: who answers, and with what."""

    policies: tuple[str, ...]
    primary: tuple[str, ...]
    charges: tuple[Charge, ...]
    clause: str | None
    review_required: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateView:
    """One infraction that may be meant; `infraction` is None where nobody has named one.

    `exists`: the guide of the policy has it. `primary` answer for it, `also` are further persons,
    `charges` say which infraction would be whose. `statement` says why, `further` why more persons.
    `review_required`: a judge has to look at it, for the reasons in `review_because`.
    `policies_differ` compares `primary` and the charges over all packs and readings that have the
    infraction; `answers` are their different answers, in order of time.
    """

    infraction: str | None
    name: str | None
    because: Why
    number: int | None
    exists: bool
    primary: tuple[str, ...]
    also: tuple[str, ...]
    charges: tuple[Charge, ...]
    penalties: tuple[PenaltyView, ...]
    statement: StatementView | None
    further: tuple[StatementView, ...]
    review_required: bool
    review_because: tuple[str, ...]
    policies_differ: bool
    answers: tuple[PolicyAnswer, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponsibleAnswer:
    """Roles in an event, and who would answer for an infraction in it.

    `not_decided` names what a machine cannot know. `cautions` are codes of what to look at:
    `noticing-unknown` (nobody said when it was noticed, so nobody is held to have let it pass),
    `known-to-both` (a hidden card that several players may see), `carried-out-for-another` (the
    performer acted for the decider and no instruction is on record).
    """

    game_id: str
    short_id: str
    viewer: str
    seats: tuple[SeatView, ...]
    event: EventView
    roles: RolesView
    situations: tuple[Situation, ...]
    policy: ChosenPolicy
    candidates: tuple[CandidateView, ...]
    policies_differ: bool
    review_required: bool
    cautions: tuple[str, ...]
    not_decided: tuple[str, ...]
    incomplete: tuple[str, ...]


def responsible(
    record: GameRecord,
    number: int,
    library: PolicyLibrary,
    *,
    policy: str | None = None,
    infractions: Sequence[str | None] = (),
    noticed: int | None = None,
    viewer: str = "spectator",
    language: Language = "en",
) -> ResponsibleAnswer:
    """Who answers for what in event `number`.

    `policy` is a day, a pack or a reading; without one it is that of the day of the game.
    `infractions` are codes or names to look at (None: whatever infraction it may be); without them
    those that a note of a judge or a finding names are. `noticed` is the event at which the error
    was pointed out. An event that notes an infraction in another one stands for that one. Raises
    NotFound for an event that is not there, BadInput for a policy or infraction that nobody knows,
    and where the day of the game is not on record.
    """
    viewer = named_viewer(viewer, record)
    number, named, noticed = named_infractions(record, number, library, infractions, noticed)
    chosen, by = _chosen(record, library, policy)
    roles = roles_in(record, number, noticed=noticed, viewer=viewer)
    situations = situations_in(record, number, roles)
    answer = who(record, number, viewer)
    candidates = tuple(
        _candidate(one, chosen, library, roles, situations, answer.rule_gap is not None, language)
        for one in named
    )
    return ResponsibleAnswer(
        game_id=record.game_id,
        short_id=record.short_id,
        viewer=viewer,
        seats=seats_of(record),
        event=event_view(record, number, viewer),
        roles=roles,
        situations=tuple(sorted(situations)),
        policy=_policy_view(chosen, by, policy),
        candidates=candidates,
        policies_differ=any(one.policies_differ for one in candidates),
        review_required=any(one.review_required for one in candidates),
        cautions=tuple(_cautions(named, roles, situations, chosen)),
        not_decided=("awareness", "intent", "remedy"),
        incomplete=answer.incomplete,
    )


def _chosen(
    record: GameRecord, library: PolicyLibrary, policy: str | None
) -> tuple[Policy, Literal["asked", "played_on", "occurred_at"]]:
    if policy is not None:
        return library.policy(policy), "asked"
    found = day_of_game(record.folded.events)
    if found.day is None or found.by == "undated":
        advice = "Name a day, a pack or a reading with --policy."
        raise BadInput("policy", "the record does not say when the game was played", advice=advice)
    return library.policy(found.day), found.by


def _policy_view(
    policy: Policy, by: Literal["asked", "played_on", "occurred_at"], asked: str | None
) -> ChosenPolicy:
    return ChosenPolicy(
        id=policy.id,
        asked=asked,
        by=by,
        day=policy.day,
        pack=policy.pack.id,
        pack_status=policy.pack.status,
        pack_note=policy.pack.note,
        readings=tuple(reading.id for reading in policy.readings),
        review=policy.review,
    )


def _candidate(
    named: Named,
    policy: Policy,
    library: PolicyLibrary,
    roles: RolesView,
    situations: frozenset[Situation],
    rule_gap: bool,
    language: Language,
) -> CandidateView:
    code = named.infraction
    judged = judge(policy, code, roles, situations, rule_gap=rule_gap)
    everywhere = [
        (each.id, judge(each, code, roles, situations, rule_gap=rule_gap))
        for each in library.all()
        if code is None or each.knows(code)
    ]
    answers = tuple(_alike(everywhere))
    info = None if code is None else library.infractions[code]
    return CandidateView(
        infraction=code,
        name=None if info is None else info.name.get(language),
        because=named.because,
        number=named.number,
        exists=judged.exists,
        primary=judged.primary,
        also=judged.also,
        charges=_charges(judged),
        penalties=_penalties(policy, judged, language),
        statement=None if judged.statement is None else _view(judged.statement, library, language),
        further=tuple(_view(one, library, language) for one in judged.further),
        review_required=judged.review_required,
        review_because=judged.review_because,
        policies_differ=len({_said(one) for _, one in everywhere}) > 1,
        answers=answers,
    )


def _said(judged: Judged) -> tuple[frozenset[str], frozenset[tuple[str, str]]]:
    """What is compared between policies."""
    return frozenset(judged.primary), frozenset((c.person, c.infraction) for c in judged.charges)


def _alike(everywhere: Sequence[tuple[str, Judged]]) -> Iterable[PolicyAnswer]:
    """The different answers, each with the policies that give it."""
    groups: dict[tuple[frozenset[str], frozenset[tuple[str, str]]], list[str]] = {}
    first: dict[tuple[frozenset[str], frozenset[tuple[str, str]]], Judged] = {}
    for name, judged in everywhere:
        groups.setdefault(_said(judged), []).append(name)
        first.setdefault(_said(judged), judged)
    for said, names in groups.items():
        alike = [judged for name, judged in everywhere if name in names]
        clauses = {one.statement.clause for one in alike if one.statement is not None}
        yield PolicyAnswer(
            policies=tuple(names),
            primary=first[said].primary,
            charges=_charges(first[said]),
            clause=next(iter(clauses)) if len(clauses) == 1 else None,
            review_required=any(one.review_required for one in alike),
        )


def _charges(judged: Judged) -> tuple[Charge, ...]:
    return tuple(
        Charge(person=one.person, infraction=one.infraction, roles=one.roles)
        for one in judged.charges
    )


def _view(statement: Statement, library: PolicyLibrary, language: Language) -> StatementView:
    return StatementView(
        id=statement.id,
        text=statement.text.get(language),
        clause=statement.clause,
        reading=statement.reading,
        status=statement.status,
        sources=statement.sources,
        source_texts=tuple(library.sources[code] for code in statement.sources),
    )


def _penalties(policy: Policy, judged: Judged, language: Language) -> tuple[PenaltyView, ...]:
    codes = dict.fromkeys(charge.infraction for charge in judged.charges)
    forms = ((code, policy.penalty(code)) for code in codes)
    return tuple(_penalty(policy, code, form, language) for code, form in forms if form is not None)


def _penalty(policy: Policy, code: str, form: InfractionForm, language: Language) -> PenaltyView:
    return PenaltyView(
        infraction=code,
        name=policy.infractions[code].name.get(language),
        number=form.number,
        default=form.penalty,
        special=tuple((one.penalty, one.when.get(language)) for one in form.special),
        upgrade=policy.upgrade(code),
        status=form.status,
    )


def _cautions(
    named: Sequence[Named], roles: RolesView, situations: frozenset[Situation], policy: Policy
) -> Iterable[str]:
    """What a judge should look at besides, by code."""
    late: frozenset[Situation] = situations | {"noticed_late"}
    if roles.noticed is None and any(policy.further(one.infraction, late) for one in named):
        yield "noticing-unknown"
    seeing = [one for one in roles.could_notice if one.could == "yes"]
    if any(one.infraction == "HCE" for one in named) and len(seeing) > 1:
        yield "known-to-both"
    carried_out = roles.performer not in (None, roles.answering)
    if carried_out and roles.instruction is None:
        yield "carried-out-for-another"
