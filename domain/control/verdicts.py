"""The answer to "who decides this": decider, authority, path, rules, gaps."""

from __future__ import annotations

from dataclasses import dataclass, field

from domain.control.chains import Walk
from domain.principals import is_stand_in, kind_of
from domain.rules import RuleRef
from domain.stamp import AuthorityKind

__all__ = ["NOBODY", "PathStep", "Verdict", "authority_of", "path_of"]

NOBODY = "nobody"
"""The decider of a seat that has left the game."""


@dataclass(frozen=True, slots=True)
class PathStep:
    """One step on the way from the seat to the final decider.

    `effect` is the label of the effect that led to this step (None at the seat itself), `ref` the
    number of its event.
    """

    seat: int | None
    player: str
    effect: str | None = None
    ref: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Who decides, why, and how sure that is.

    `decider` is a principal, `nobody` (the seat has left), `undetermined` (the rules leave a gap)
    or `unknown` (the record does; `uncertain` is then set, `gap` is the number of the gap event).
    `ref` and `ref_label` name the effect that gives the final decider the choice, the path's last.
    With `rule_gap` the rules do not settle the answer: `reading` says which reading was used and
    `candidates` who decides under one reading or another.
    """

    decider: str
    authority: AuthorityKind
    ref: int | None = None
    ref_label: str | None = None
    path: tuple[PathStep, ...] = ()
    rules: tuple[RuleRef, ...] = ()
    rule_gap: bool = False
    reading: str | None = None
    candidates: tuple[str, ...] = field(default=())
    uncertain: bool = False
    gap: int | None = None
    because: str = ""

    @property
    def alternatives(self) -> tuple[str, ...]:
        """The candidates other than the decider."""
        return tuple(who for who in self.candidates if who != self.decider)


def authority_of(decider: str, verdict: Verdict | None) -> tuple[AuthorityKind, int | None]:
    """By what right a decider that is recorded so decided, given who should have.

    The number is that of the event that granted it. `unknown` where nothing gives a right.
    """
    if verdict is not None and decider == verdict.decider:
        return verdict.authority, verdict.ref
    if is_stand_in(decider):
        return ("judge" if kind_of(decider) == "judge" else "server"), None
    return "unknown", None


def path_of(walk: Walk, seats: dict[str, int]) -> tuple[PathStep, ...]:
    """The steps of a walk; `seats` maps players to their seats."""
    first = PathStep(seats.get(walk.principals[0]), walk.principals[0])
    steps = [
        PathStep(seats.get(player), player, effect.label, effect.created)
        for player, effect in zip(walk.principals[1:], walk.effects, strict=True)
    ]
    return (first, *steps)
