"""The answer to `responsible`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from queries.naming import Naming
from queries.responsible import CandidateView, PenaltyView, ResponsibleAnswer, StatementView
from queries.roles import NoticeView
from whodecided.cli.render.common import Facts, heading, listing, sections, stack, warning

__all__ = ["draw_responsibility", "draw_responsible"]


def draw_responsible(answer: ResponsibleAnswer, naming: Naming) -> RenderableType:
    """The event and the roles in it, then who answers for what."""
    title = naming.speech.say(
        "game_event",
        game=answer.short_id,
        number=answer.event.number,
        event=naming.event(answer.event),
    )
    roles, facts = answer.roles, Facts()
    label = naming.speech.label
    facts.add(label("acting_seat"), naming.seat(roles.acting_seat), "bold")
    facts.add(label("decided_by"), _decided(answer, naming))
    if roles.performer is not None:
        facts.add(label("performed_by"), naming.principal(roles.performer))
    return sections(heading(title), facts.drawn(), draw_responsibility(answer, naming))


def draw_responsibility(answer: ResponsibleAnswer, naming: Naming) -> RenderableType:
    """What was to be noticed, the policy applied, and a block per candidate."""
    speech = naming.speech
    facts = Facts()
    facts.add(speech.label("instruction"), _instruction(answer, naming))
    facts.add_all(
        speech.label("could_notice"), (_notice(one, naming) for one in answer.roles.could_notice)
    )
    facts.add(speech.label("noticed"), _noticed(answer, naming))
    situations = ", ".join(speech.word("situation", one) for one in answer.situations)
    facts.add(speech.label("situation"), situations or None)
    facts.add_all(speech.label("policy"), _policy(answer, naming))
    facts.add_all(
        speech.label("caution"), (speech.word("caution", one) for one in answer.cautions), "yellow"
    )
    blocks = [_candidate(one, naming) for one in answer.candidates]
    last = Facts()
    last.add_all(speech.label("sources"), _sources(answer, naming))
    last.add(speech.label("not_decided"), speech.say("not_decided_list"))
    last.add("", Text(speech.say("restrained"), "dim"))
    title = Text(speech.say("responsibility"), "bold")
    return sections(stack(title, facts.drawn()), *blocks, last.drawn())


def _decided(answer: ResponsibleAnswer, naming: Naming) -> str:
    roles = answer.roles
    if roles.deciding_player is None:
        return naming.speech.say("decided_none")
    person = naming.principal(roles.deciding_player)
    authority = naming.speech.word("authority", roles.authority or "unknown")
    return naming.speech.say("by_authority", person=person, authority=authority)


def _instruction(answer: ResponsibleAnswer, naming: Naming) -> str | None:
    told = answer.roles.instruction
    if told is None:
        return None
    by, to = naming.short(told.by), naming.short(told.to)
    said = naming.speech.say("instructed", number=told.number, by=by, to=to)
    return (
        said if not told.text else naming.speech.say("instruction_text", said=said, text=told.text)
    )


def _notice(one: NoticeView, naming: Naming) -> str:
    could = naming.speech.word("notice", one.could).format(hidden=naming.fields(one.hidden))
    return naming.speech.say("person_infraction", person=naming.seat(one.seat), infraction=could)


def _noticed(answer: ResponsibleAnswer, naming: Naming) -> str | None:
    roles = answer.roles
    if roles.noticed is None:
        return None
    return naming.speech.say("noticed_after", number=roles.noticed, decisions=roles.decisions_since)


def _policy(answer: ResponsibleAnswer, naming: Naming) -> Iterator[str]:
    chosen, say = answer.policy, naming.speech.say
    policy = chosen.asked or chosen.day
    yield say("policy_chosen", policy=policy, how=say(f"chosen_{chosen.by}"))
    readings = ", ".join(chosen.readings)
    key = "packs_and_readings" if readings else "packs_only"
    yield say(key, pack=chosen.pack, readings=readings)


def _candidate(one: CandidateView, naming: Naming) -> RenderableType:
    """One infraction: who answers, with what, why, how surely, and who says otherwise."""
    speech = naming.speech
    name = (
        speech.say("any_infraction") if one.infraction is None else f"{one.infraction}  {one.name}"
    )
    why = speech.word("why", one.because).format(number=one.number)
    title = heading(name, f"({why})")
    facts = Facts()
    facts.add(f"  {speech.label('answers')}", _persons(one.primary, naming), "bold")
    if one.charges:
        said = ", ".join(
            speech.say("person_infraction", person=naming.short(c.person), infraction=c.infraction)
            for c in one.charges
        )
        facts.add(f"  {speech.label('would_be')}", said)
    facts.add_all(f"  {speech.label('penalty')}", _penalties(one.penalties, naming))
    facts.add_all(f"  {speech.label('because')}", _statements(one, naming))
    facts.add_all(f"  {speech.label('review')}", _review(one, naming))
    return stack(title, facts.drawn(), _differing(one, naming))


def _persons(persons: Sequence[str], naming: Naming) -> str:
    return ", ".join(map(naming.principal, persons)) or naming.principal(None)


def _penalties(penalties: Sequence[PenaltyView], naming: Naming) -> Iterator[str]:
    speech = naming.speech
    for one in penalties:
        default = speech.word("penalty", one.default)
        special = (
            speech.say("penalty_special", penalty=speech.word("penalty", penalty), when=when)
            for penalty, when in one.special
        )
        told = default
        for part in (*special, _upgrade(one, naming)):
            told = speech.say("either", one=told, other=part)
        yield speech.say("penalty_line", code=one.infraction, number=one.number, penalty=told)


def _upgrade(one: PenaltyView, naming: Naming) -> str:
    speech, rule = naming.speech, one.upgrade
    if rule is None:
        return speech.say("upgrade_never")
    return speech.say(
        "upgrade",
        penalty=speech.word("penalty", rule.becomes),
        at=rule.at,
        counts=speech.word("counts", rule.counts),
        resets=speech.word("resets", rule.resets),
    )


def _stated(one: CandidateView) -> Iterator[StatementView]:
    if one.statement is not None:
        yield one.statement
    yield from one.further


def _statements(one: CandidateView, naming: Naming) -> Iterator[str]:
    for statement in _stated(one):
        yield _statement(statement, naming)


def _sources(answer: ResponsibleAnswer, naming: Naming) -> Iterator[Text]:
    """What the codes of sources mean, each once, and how surely a statement can be known."""
    stated = [statement for one in answer.candidates for statement in _stated(one)]
    pairs = (zip(one.sources, one.source_texts, strict=True) for one in stated)
    for code, text in dict.fromkeys(pair for both in pairs for pair in both):
        yield Text(f"{code}: {text}")
    if stated:
        yield Text(naming.speech.say("status_legend"), "dim")


def _statement(one: StatementView, naming: Naming) -> str:
    place = one.clause or one.reading
    text = (
        one.text
        if place is None
        else naming.speech.say("person_infraction", person=place, infraction=one.text)
    )
    return naming.speech.say(
        "stated_status",
        text=text,
        status=naming.speech.word("status", one.status),
        sources=", ".join(one.sources),
    )


def _review(one: CandidateView, naming: Naming) -> Iterator[Text]:
    speech = naming.speech
    if not one.review_required:
        yield Text(speech.say("review_no"))
        return
    for place, reason in enumerate(one.review_because):
        said = speech.word("reason", reason)
        first = speech.say("person_infraction", person=speech.say("review_yes"), infraction=said)
        yield Text(said if place else first, "yellow")


def _differing(one: CandidateView, naming: Naming) -> RenderableType:
    """The different answers side by side."""
    speech = naming.speech
    if not one.policies_differ:
        return Text(f"  {speech.say('differ_not')}", "dim")
    columns = [speech.label("policy"), speech.label("answers")]
    if one.charges or any(answer.charges for answer in one.answers):
        columns.append(speech.label("would_be"))
    table = listing(*columns, wide=range(len(columns)))
    for answer in one.answers:
        charges = ", ".join(f"{naming.short(c.person)} {c.infraction}" for c in answer.charges)
        who = ", ".join(map(naming.short, answer.primary)) or speech.say("answers_nobody")
        table.add_row(*(", ".join(answer.policies), who, charges or "-")[: len(columns)])
    return stack(warning(speech.say("differ")), Padding(table, (0, 0, 0, 2)))
