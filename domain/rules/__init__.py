"""The rules of the game as dated values: editions, clauses, behaviour switches."""

from __future__ import annotations

from domain.rules.book import KERNEL, RuleBook, RuleRef
from domain.rules.library import NOTICES, RuleLibrary
from domain.rules.text import LANGUAGES, Language, LocalText

__all__ = [
    "KERNEL",
    "LANGUAGES",
    "NOTICES",
    "Language",
    "LocalText",
    "RuleBook",
    "RuleLibrary",
    "RuleRef",
]
