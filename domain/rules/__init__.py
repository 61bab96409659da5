"""The rules of the game as dated values: editions, clauses, behaviour switches."""

from __future__ import annotations

from domain.rules.book import KERNEL, RuleBook, RuleRef

__all__ = ["KERNEL", "RuleBook", "RuleRef"]
