"""What the rule texts the product honours say, piece by piece, and what became of each piece."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from domain.rules.text import LocalText

__all__ = ["Provision", "ProvisionSet"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Provision:
    """A clause (`711.5a`), an example (`711.5/ex2`) or an unnumbered note (`723/n1`) of a seed.

    `family` names the editions whose section has the seed's structure. `text` is our paraphrase.
    `defect`: what the seed itself gets wrong, which is not implemented.
    Either `implemented_by` (paths `module:name`) and `tested_by` (ids of scenarios) say what became
    of it, or `not_implemented_because` says why it needs nothing.
    """

    id: str
    seed: str
    family: str
    topic: str
    text: LocalText
    defect: LocalText | None = None
    implemented_by: tuple[str, ...] = ()
    tested_by: tuple[str, ...] = ()
    not_implemented_because: str | None = None

    @property
    def clause(self) -> str | None:
        """The clause inside the section (`.5a`), also of an example of it; None for a note."""
        clause = self.id.removeprefix(self.seed).partition("/")[0]
        return clause or None


@dataclass(frozen=True, slots=True)
class ProvisionSet:
    """All provisions by id, in the order of their seeds."""

    provisions: Mapping[str, Provision] = field(repr=False)

    def seeds(self) -> tuple[str, ...]:
        """The seeds, by number."""
        return tuple(dict.fromkeys(p.seed for p in self.provisions.values()))

    def of_seed(self, seed: str) -> tuple[Provision, ...]:
        """The provisions of a seed."""
        return tuple(p for p in self.provisions.values() if p.seed == seed)

    def of_clause(self, family: str, clause: str) -> tuple[Provision, ...]:
        """The provisions of a clause (`.5a`) and of its examples in the seeds of a family."""
        return tuple(
            p for p in self.provisions.values() if p.family == family and p.clause == clause
        )
