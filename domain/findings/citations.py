"""Findings about rule numbers that somebody cited."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from domain.findings.finding import Finding
from domain.rules import RuleBook

__all__ = ["of_citations"]

_NUMBER: Final = re.compile(r"(?<![\w.])\d{3}\.\d{1,3}[a-z]?(?!\w|\.\d)")
"""A rule number of the Comprehensive Rules in a text."""


def of_citations(text: str | None, number: int, root: int, rules: RuleBook) -> Iterator[Finding]:
    """A finding for each cited number that stands for something in other editions only."""
    for cited in dict.fromkeys(_NUMBER.findall(text or "")):
        topics = rules.foreign(cited)
        if topics:
            yield Finding(
                code="citation-of-other-edition",
                number=number,
                root=root,
                rule=next(iter(rules.cite(*topics)), None),
                message=f"The rule number {cited} belongs to another edition than the game's.",
            )
