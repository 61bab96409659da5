"""The answers to `rules`, `rules diff` and `rules cite`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rich.console import RenderableType
from rich.text import Text

from queries.language import Speech
from queries.rules import (
    ClauseView,
    EditionAnswer,
    NumberAnswer,
    NumberView,
    RulesDiff,
    SwitchView,
)
from whodecided.cli.render.common import Facts, heading, listing, sections, stack, warning

__all__ = ["draw_citation", "draw_diff", "draw_edition"]


def draw_edition(answer: EditionAnswer, speech: Speech) -> RenderableType:
    """The edition, its rules in their order, then the rules outside its section, and behaviour."""
    own = [one for one in answer.clauses if _in_section(one, answer)]
    others = [one for one in answer.clauses if not _in_section(one, answer)]
    others.sort(key=_printed)
    title = None
    if answer.section:
        title = Text(speech.say("section_heading", section=answer.section, title=answer.title))
        title.stylize("bold")
    behaviour = stack(Text(speech.label("behaviour"), "bold"), _switches(answer.switches, speech))
    return sections(
        heading(speech.say("edition_heading", date=answer.date)),
        _edition(answer, speech),
        stack(title, _clauses(own, speech)) if own else None,
        stack(Text(speech.say("outside_section"), "bold"), _clauses(others, speech)),
        Text(speech.say("status_legend"), "dim"),
        behaviour,
        stack(*map(warning, answer.notices)) if answer.notices else None,
    )


def _in_section(one: ClauseView, answer: EditionAnswer) -> bool:
    return bool(answer.section) and one.number.partition(".")[0] == answer.section


def _printed(one: ClauseView) -> tuple[str, tuple[int, ...], str]:
    """The order of numbers: 101.4 before 101.10, the documents apart."""
    numbers = tuple(map(int, re.findall(r"\d+", one.number)))
    return one.document, numbers, one.number


def _edition(answer: EditionAnswer, speech: Speech) -> RenderableType:
    facts, say = Facts(), speech.say
    known = speech.word("status", answer.day)
    facts.add(speech.label("edition"), f"{answer.edition} ({known})")
    facts.add(speech.label("days"), _days(answer.first_day, answer.last_day, speech))
    if answer.in_play_from is not None:
        facts.add("", say("in_play_from", day=answer.in_play_from))
    status = speech.word("status", answer.status)
    section = f"{answer.section} ({status})" if answer.section else say("section_none")
    facts.add(speech.label("section"), section)
    facts.add(speech.label("sets"), ", ".join(answer.sets) or None)
    facts.add(speech.label("tournament_rules"), answer.tournament_rules)
    facts.add(speech.label("changed"), answer.changed)
    facts.add(speech.label("note"), answer.note)
    told = zip(answer.sources, answer.source_texts, strict=True)
    facts.add_all(speech.label("sources"), (f"{code}: {text}" for code, text in told))
    return facts.drawn()


def _days(first: str, last: str | None, speech: Speech) -> str:
    if last is None:
        return speech.say("edition_since", first=first)
    return speech.say("edition_to", first=first, last=last)


def _clauses(clauses: Iterable[ClauseView], speech: Speech) -> RenderableType:
    table = listing(
        speech.label("number"), speech.label("meaning"), speech.label("status"), wide=(1,)
    )
    for one in clauses:
        number = one.number if one.document == "CR" else f"{one.document} {one.number}"
        table.add_row(number, one.name, speech.word("status", one.status))
    return table


def _switches(switches: Iterable[SwitchView], speech: Speech) -> RenderableType:
    facts = Facts()
    for one in switches:
        yes = speech.say("switch_yes" if one.value else "switch_no")
        facts.add(yes, one.meaning)
        if one.disputed is not None:
            facts.add("", f"! {speech.sentence(one.disputed)}", "yellow")
    return facts.drawn()


def draw_diff(answer: RulesDiff, speech: Speech) -> RenderableType:
    """New editions that changed something, then numbers and behaviour side by side."""
    title = heading(speech.say("diff_heading", before=answer.before, after=answer.after))
    facts = Facts()
    facts.add(
        speech.label("edition"),
        f"{answer.before_edition} -> {answer.after_edition}",
    )
    sides = (answer.before_section, answer.after_section)
    none = speech.say("section_none")
    facts.add(speech.label("section"), " -> ".join(one or none for one in sides))
    facts.add_all(speech.label("changed"), _editions(answer))
    if not answer.clauses and not answer.switches:
        return sections(title, facts.drawn(), Text(speech.say("nothing_changed")))
    return sections(
        title,
        facts.drawn(),
        _numbers(answer, speech) if answer.clauses else None,
        _behaviour(answer, speech) if answer.switches else None,
    )


def _editions(answer: RulesDiff) -> Iterator[str]:
    for one in answer.editions:
        if one.changed is not None:
            yield f"{one.edition} ({one.section or '-'}): {one.changed}"


def _numbers(answer: RulesDiff, speech: Speech) -> RenderableType:
    table = listing(speech.label("then"), speech.label("now"), speech.label("meaning"), wide=(2,))
    for one in answer.clauses:
        table.add_row(one.before or "-", one.after or "-", one.name)
    return table


def _behaviour(answer: RulesDiff, speech: Speech) -> RenderableType:
    words = {True: speech.say("switch_yes"), False: speech.say("switch_no")}
    table = listing(speech.label("then"), speech.label("now"), speech.label("behaviour"), wide=(2,))
    for one in answer.switches:
        table.add_row(words[one.before], words[one.after], one.meaning)
    return table


def draw_citation(answer: NumberAnswer, speech: Speech) -> RenderableType:
    """Whether the number is right, and what it stands for on which days."""
    said = answer.because if answer.valid else f"! {answer.because}"
    facts = Facts()
    facts.add(speech.label("edition"), answer.edition)
    facts.add(speech.label("section"), answer.section or speech.say("section_none"))
    views = (*answer.stands_for, *answer.belongs_to)
    return sections(
        heading(speech.say("cite_heading", number=answer.number, date=answer.date)),
        Text(said, "" if answer.valid else "yellow"),
        facts.drawn(),
        _uses(views, answer, speech) if views else None,
        stack(*map(warning, answer.notices)) if answer.notices else None,
    )


def _uses(views: Iterable[NumberView], answer: NumberAnswer, speech: Speech) -> RenderableType:
    table = listing(speech.label("topic"), speech.label("days"), answer.date, wide=(0, 1))
    for one in views:
        days = _days(one.first_day, one.last_day, speech)
        table.add_row(one.name, days, one.here or "-")
    return table
