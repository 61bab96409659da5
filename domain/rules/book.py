"""A rule book: one edition of the rules as a value the kernel takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["KERNEL", "RuleBook", "RuleRef"]

KERNEL = "kernel-1"
"""Version of the derivation; part of every derived stamp's `reading`."""


@dataclass(frozen=True, slots=True)
class RuleRef:
    """A citation: a rule of a document by the number it has in one edition.

    `topic` is stable across editions. `edition` is the date of the document, `name` says in our
    words what the rule is about.
    """

    document: str
    topic: str
    number: str
    edition: str
    name: str


@dataclass(frozen=True, slots=True)
class RuleBook:
    """One edition on one day: its id is its effective date (YYYY-MM-DD).

    `section` is the one on player control. `clauses` maps a topic to its rule, only where the
    number was seen. `switches` say how games behave; `disputed` gives the reason for those whose
    value is disputed on the day. `date` is the day asked for; games have behaved like this since
    the day `since`. `notices` are codes of what there is to say about the choice of the edition.
    `numbers` maps every rule number of any edition to the topics it stood for. `reading` is the
    text that derived stamps carry: edition, `since` where it is later, kernel.
    """

    edition: str
    section: str
    clauses: Mapping[str, RuleRef] = field(repr=False)
    switches: Mapping[str, bool] = field(repr=False)
    date: str = ""
    since: str = ""
    disputed: Mapping[str, str] = field(default_factory=dict, repr=False)
    notices: tuple[str, ...] = ()
    numbers: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    reading: str = field(init=False)

    def __post_init__(self) -> None:
        later = f"@{self.since}" if self.since > self.edition else ""
        object.__setattr__(self, "reading", f"{self.edition}{later}/{KERNEL}")

    def cite(self, *topics: str) -> tuple[RuleRef, ...]:
        """The rules of these topics in this order, without those the edition does not number."""
        return tuple(self.clauses[topic] for topic in topics if topic in self.clauses)

    def foreign(self, number: str) -> tuple[str, ...]:
        """The topics that a number stands for in other editions only.

        There are none for a number of this edition, and none for a number that no edition known
        here uses.
        """
        here = {rule.number for rule in self.clauses.values() if rule.document == "CR"}
        return () if number in here else self.numbers.get(number, ())
