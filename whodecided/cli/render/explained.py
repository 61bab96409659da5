"""The answer to `who` in the reader's language."""

from __future__ import annotations

from rich.console import RenderableType
from rich.text import Text

from queries.explain import Explanation, RuleText
from queries.language import speech
from whodecided.cli.render.common import Facts, heading, sections, stack, warning

__all__ = ["draw_explanation"]


def draw_explanation(reason: Explanation) -> RenderableType:
    """All lines, with the rules before the proof."""
    facts = Facts()
    for line in reason.lines:
        if line.key == "proof":
            _add_rules(facts, reason)
        style = "yellow" if line.attention else "bold" if line.key == "acting_seat" else ""
        facts.add_all(line.label, line.texts, style)
    gaps = [warning(one) for one in reason.incomplete]
    return sections(heading(reason.heading), facts.drawn(), stack(*gaps) if gaps else None)


def _add_rules(facts: Facts, reason: Explanation) -> None:
    name = speech(reason.language).label("rules")
    for rule in reason.rules:
        facts.add(name, _rule(rule))
        name = ""


def _rule(rule: RuleText) -> Text:
    text = Text(f"{rule.document} {rule.number} ({rule.edition}) {rule.name}")
    if rule.paraphrase is not None:
        text.append(f"\n{rule.paraphrase}", "dim")
    return text
