"""The answer to `who`."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from queries.effects import EffectView
from queries.who import AuthorityView, WhoAnswer
from whodecided.cli.labels import Labels, event_range, spoken
from whodecided.cli.phrases import phrase
from whodecided.cli.render.common import (
    Facts,
    heading,
    incomplete,
    moment_text,
    sections,
    stack,
    time_text,
)
from whodecided.cli.render.edition import edition_note

__all__ = ["draw_who", "effect_text", "in_force"]

_AUTHORITIES = {
    "choice_effect": "choice effect",
    "control_effect": "control effect",
    "judge": "a judge decides in the seat's name",
    "observed": "observation",
    "rule_substitution": "the rules name a substitute",
    "rules": "the rules: nobody chooses",
    "self": "own decision: nobody controls the player",
    "server": "the server answers in the seat's name",
    "tournament_rule": "own person: nobody decides this for another",
    "unknown": "unknown",
}
_CONSEQUENCE = "not in this event: a consequence, the choice is not recorded here"
_UNEXPLAINED = "no effect on record explains it"
_SEVERITY = {"info": "", "serious": "bold red", "warning": "yellow"}


def draw_who(answer: WhoAnswer, labels: Labels) -> RenderableType:
    """The event, then acting seat, decider, authority, rules and proof."""
    view = answer.event
    title = heading(
        f"Game {answer.short_id}  event {view.number}  {spoken(view.event)}",
        time_text(view.occurred_at, view.clock),
    )
    said = stack(title, Text(phrase(view, labels)))
    note = edition_note(answer.edition)
    return sections(said, _facts(answer, labels), note, incomplete(answer.incomplete))


def _facts(answer: WhoAnswer, labels: Labels) -> RenderableType:
    facts = Facts()
    facts.add("active player", _active(answer, labels))
    if answer.event.hidden:
        facts.add("hidden", f"{', '.join(answer.event.hidden)}, from viewer {answer.viewer}")
    facts.add("moment", moment_text(answer.moment, labels))
    facts.add("acting seat", _acting(answer, labels), "bold")
    facts.add("decided by", _decided(answer, labels))
    if answer.performer is not None:
        facts.add("performed by", labels.principal(answer.performer))
    if answer.authority is not None:
        authority = [_CONSEQUENCE] if answer.consequence else _authority(answer.authority, labels)
        facts.add_all("authority", authority)
        facts.add("class", f"{answer.decision_class} decision")
        facts.add("basis", _basis(answer))
        facts.add_all("computed", _computed(answer, labels))
    facts.add("rule gap", answer.rule_gap, "yellow")
    others = ", ".join(map(labels.principal, answer.alternatives))
    facts.add("alternatives", others or None, "yellow")
    facts.add_all("rules", map(labels.citation, answer.rules))
    facts.add_all("proof", (f"event {p.number} {spoken(p.event)}: {p.why}" for p in answer.proof))
    facts.add_all("findings", _findings(answer))
    facts.add_all("disputed", _disputes(answer, labels), "yellow")
    facts.add_all("notes", (f"event {n.number}: {n.text}" for n in answer.notes))
    return facts.drawn()


def _active(answer: WhoAnswer, labels: Labels) -> str:
    if not answer.moment.certain:
        return "unknown (a gap hides it)"
    return " and ".join(map(labels.seat, answer.moment.active_seats)) or "none"


def _acting(answer: WhoAnswer, labels: Labels) -> str:
    if answer.team_seats:
        return f"{labels.seat(answer.acting_seat)}, for the team of seats {answer.team_seats}"
    return (
        "none: it is nobody's action"
        if answer.acting_seat is None
        else labels.seat(answer.acting_seat)
    )


def _decided(answer: WhoAnswer, labels: Labels) -> Text:
    if answer.deciding_player is None:
        return Text("nobody: this event records no decision")
    if answer.consequence:
        return Text(_CONSEQUENCE)
    other = answer.acting_player not in (None, answer.deciding_player)
    person = other and answer.deciding_player not in ("rules", "unknown", "undetermined")
    text = Text(labels.principal(answer.deciding_player), "bold magenta" if person else "bold")
    if person:
        text.append("   <- not the acting seat's own player", "magenta")
    return text


def _authority(authority: AuthorityView, labels: Labels) -> Iterator[str]:
    effect = authority.effect
    if effect is None:
        at = f" (event {authority.ref})" if authority.ref is not None else ""
        yield _AUTHORITIES[authority.kind] + at
        return
    yield f"{_AUTHORITIES[authority.kind]} {effect_text(effect)}"
    yield f"made by event {effect.created}, {in_force(effect)}"
    if effect.scope == "observed":
        known = f"effect {effect.confirms} explains it" if effect.confirms else _UNEXPLAINED
        yield f"somebody else answers for the seat; {known}"


def effect_text(effect: EffectView) -> str:
    """`mindslaver (Mindslaver, next turn)`; an observation has no scope of its own."""
    scope = None if effect.scope == "observed" else spoken(effect.scope)
    details = ", ".join(filter(None, (effect.source_card, scope)))
    return f"{effect.label} ({details})" if details else effect.label


def in_force(effect: EffectView) -> str:
    """When the effect was in force, and why no more."""
    if effect.began is None:
        ended = f", ended by event {effect.ended}" if effect.ended is not None else ""
        return f"never in force{ended}" if effect.ended is not None else "still waiting"
    if effect.ended is None:
        return f"in force since event {effect.began}"
    return f"in force {event_range(effect.began, effect.ended)} ({spoken(effect.reason or '?')})"


def _basis(answer: WhoAnswer) -> str:
    said = {
        "derived": "derived from the rules",
        "presumed": "presumed: the source cannot say",
        "stated": "stated by the source",
        "unknown": "unknown: the record does not say",
    }
    reading = answer.recorded.reading if answer.recorded is not None else None
    text = said[answer.basis or "unknown"]
    return f"{text} ({reading})" if reading else text


def _computed(answer: WhoAnswer, labels: Labels) -> Iterator[Text]:
    """What the rules give today, beside what is recorded."""
    computed = answer.computed
    if computed is None:
        return
    if answer.agrees:
        yield Text(f"agrees with the record ({computed.reading})", "green")
    elif answer.agrees is False and answer.recorded is not None:
        recorded = labels.principal(answer.recorded.deciding_player)
        computed_name = labels.principal(computed.deciding_player)
        yield Text(f"{computed_name}, recorded is {recorded}", "yellow")
    else:
        yield Text(f"{labels.principal(computed.deciding_player)} ({computed.reading})")
    yield Text(computed.because)
    if computed.stand_in is not None:
        yield Text(f"the decision belongs to {labels.principal(computed.should_decide)}")


def _findings(answer: WhoAnswer) -> Iterator[Text]:
    for finding in answer.findings:
        mark = "!" if finding.severity != "info" else "-"
        yield Text(f"{mark} {finding.code}: {finding.message}", _SEVERITY[finding.severity])
    if not answer.findings:
        yield Text("none")


def _disputes(answer: WhoAnswer, labels: Labels) -> Iterator[str]:
    for one in answer.disputes:
        claimed, by = labels.principal(one.claimed), labels.principal(one.by)
        grounds = f": {one.grounds}" if one.grounds else ""
        yield f"event {one.number}: {by} says {claimed} decided{grounds}"
