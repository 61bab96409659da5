"""A finding: a machine-made observation about one event. Never a verdict of guilt or intent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from domain.rules import RuleRef

__all__ = ["CODES", "UNLAWFUL", "Finding", "Severity", "in_order"]

Severity = Literal["info", "warning", "serious"]

CODES: Final[dict[str, Severity]] = {
    "not-called-for": "serious",
    "stamp-superseded": "info",
    "decider-not-entitled": "serious",
    "tournament-decision-by-other": "serious",
    "wrong-resources": "serious",
    "effect-not-in-force": "serious",
    "restriction-broken": "serious",
    "information-leak": "serious",
    "outside-game-choice": "serious",
    "active-player-changed": "warning",
    "object-controller-changed": "warning",
    "stated-derived-differ": "warning",
    "citation-of-other-edition": "info",
    "controller-left": "serious",
    "gap-before-decision": "info",
    "control-window-suspected": "warning",
    "parts-decided-apart": "info",
    "stamp-disputed": "warning",
}
"""Every code with its severity, in the order in which the findings of one event are given."""

UNLAWFUL: Final = frozenset(
    {
        "controller-left",
        "decider-not-entitled",
        "effect-not-in-force",
        "not-called-for",
        "outside-game-choice",
        "restriction-broken",
        "tournament-decision-by-other",
        "wrong-resources",
    }
)
"""Codes that make a recorded decision one the rules do not allow."""

_PLACE: Final = {code: place for place, code in enumerate(CODES)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a machine noticed about event `number`.

    `root` is the number of the event from which it follows (the effect, the departure, the gap), or
    that of the event itself; findings of one root cause have the same root. `rule` is the rule it
    rests on, if one says so. `message` is a sentence without names.
    """

    code: str
    number: int
    root: int
    rule: RuleRef | None
    message: str

    @property
    def severity(self) -> Severity:
        """How much the finding matters to a reader."""
        return CODES[self.code]


def in_order(findings: list[Finding]) -> tuple[Finding, ...]:
    """The findings of one event in the order of the list of codes."""
    return tuple(sorted(findings, key=lambda finding: _PLACE[finding.code]))
