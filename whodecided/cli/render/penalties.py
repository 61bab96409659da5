"""The answer to `penalties`."""

from __future__ import annotations

from rich.console import RenderableType

from domain.rules.counting import PenaltyCount
from queries.language import Speech
from queries.penalties import PenaltiesAnswer
from whodecided.cli.render.common import heading, listing, sections

__all__ = ["draw_penalties"]


def draw_penalties(answer: PenaltiesAnswer, speech: Speech) -> RenderableType:
    """A line per person and infraction: how many count, and what the next one would be."""
    now = answer.occasion
    title = speech.say(
        "penalties_count",
        tournament=now.tournament,
        day=now.day,
        stage=now.stage,
        policy=answer.policy,
    )
    labels = ("person", "infraction", "earlier", "next_penalty", "counting")
    table = listing(*map(speech.label, labels), right=(2,), wide=(0, 4))
    for one in answer.counts:
        table.add_row(
            one.person, one.infraction, str(one.earlier), _next(one, speech), _rule(one, speech)
        )
    return sections(heading(title), table)


def _next(one: PenaltyCount, speech: Speech) -> str:
    return "-" if one.penalty is None else speech.word("penalty", one.penalty)


def _rule(one: PenaltyCount, speech: Speech) -> str:
    rule = one.counting
    if rule is None or one.default != "warning":
        return speech.say("penalties_never")
    return speech.say(
        "upgrade",
        penalty=speech.word("penalty", rule.becomes),
        at=rule.at,
        counts=speech.word("counts", rule.counts),
        resets=speech.word("resets", rule.resets),
    )
