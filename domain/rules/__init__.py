"""The rules of the game as dated values: editions, clauses, behaviour switches."""

from __future__ import annotations

from domain.rules.book import KERNEL, RuleBook, RuleRef
from domain.rules.dating import ChosenRules, GameDay, day_of_game, rules_of_game
from domain.rules.library import NOTICES, RuleLibrary
from domain.rules.text import LANGUAGES, Language, LocalText

__all__ = [
    "KERNEL",
    "LANGUAGES",
    "NOTICES",
    "ChosenRules",
    "GameDay",
    "Language",
    "LocalText",
    "RuleBook",
    "RuleLibrary",
    "RuleRef",
    "day_of_game",
    "rules_of_game",
]
