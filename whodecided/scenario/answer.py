"""The answer to a question of a scenario."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from domain.rules import RuleRef

__all__ = ["Answer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer to a question: plain values with names, and what it rests on."""

    value: Any
    rules: tuple[RuleRef, ...] = ()
    rule_gap: bool = False
    because: str = ""
