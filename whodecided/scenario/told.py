"""A scenario as a checked value: who plays, what happens, what is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Question", "Scenario", "Told"]


@dataclass(frozen=True, slots=True)
class Told:
    """One event as it is told: its name and its keys, typed (flags, numbers, lists of names)."""

    number: int
    name: str
    keys: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Question:
    """One question; `asked` is its text as written, `expects` whether it has an `expect`."""

    number: int
    ask: str
    keys: Mapping[str, Any]
    asked: Mapping[str, Any]
    expects: bool
    expect: Any = None


@dataclass(frozen=True, slots=True)
class Scenario:
    """A game told as a list of events, and questions about it."""

    file: str
    id: str
    title: str
    rules_date: str
    confidence: str
    players: tuple[str, ...]
    people: tuple[str, ...]
    teams: tuple[tuple[str, ...], ...]
    events: tuple[Told, ...]
    questions: tuple[Question, ...]
    labels: Mapping[str, int]
