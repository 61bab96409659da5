"""Findings about rule numbers that somebody cited."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from domain.findings.finding import Finding
from domain.rules import RuleBook, RuleRef

__all__ = ["of_citations"]

_NUMBER: Final = re.compile(r"(?<![\w.])\d{3}\.\d{1,3}[a-z]?(?!\w|\.\d)")
"""A rule number of the Comprehensive Rules in a text."""


def of_citations(text: str | None, number: int, root: int, rules: RuleBook) -> Iterator[Finding]:
    """A finding for each cited number that stands for something in other editions only.

    Its rule is the one meant, as the edition numbers it, where no two could be meant.
    """
    for cited in dict.fromkeys(_NUMBER.findall(text or "")):
        topics = rules.foreign(cited)
        if topics:
            yield Finding(
                code="citation-of-other-edition",
                number=number,
                root=root,
                rule=_right(rules, topics),
                message=f"The rule number {cited} belongs to another edition than the game's.",
            )


def _right(rules: RuleBook, topics: tuple[str, ...]) -> RuleRef | None:
    found = {rule.number: rule for rule in reversed(rules.cite(*topics))}
    return next(iter(found.values())) if len(found) == 1 else None
