"""A rule book: one edition of the rules as a value the kernel takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["KERNEL", "RuleBook", "RuleRef"]

KERNEL = "kernel-1"
"""Version of the derivation; part of every derived stamp's `reading`."""


@dataclass(frozen=True, slots=True)
class RuleRef:
    """A citation: which rule of which document, as it was numbered in which edition.

    `topic` is stable across editions, `number` is the edition's own. `name` is our paraphrase.
    """

    document: str
    topic: str
    number: str
    edition: str
    name: str


@dataclass(frozen=True, slots=True)
class RuleBook:
    """One edition: its id is its effective date (YYYY-MM-DD), `section` the one about player control.

    `clauses` maps a topic to its rule, only where the number was seen. `switches` say how the edition
    behaves. `reading` is the text that derived stamps name.
    """

    edition: str
    section: str
    clauses: Mapping[str, RuleRef] = field(repr=False)
    switches: Mapping[str, bool] = field(repr=False)
    reading: str = ""

    def __post_init__(self) -> None:
        if not self.reading:
            object.__setattr__(self, "reading", f"{self.edition}/{KERNEL}")

    def cite(self, *topics: str) -> tuple[RuleRef, ...]:
        """The rules of these topics, in this order, without those the edition does not number."""
        return tuple(self.clauses[topic] for topic in topics if topic in self.clauses)
