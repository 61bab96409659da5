"""Principals: whoever can decide.

A principal is a text: `player:<id>` (holds or held a seat), `person:<id>` (no seat: a bystander),
`judge:<id>`, `server:<system>`, `program:<id>` (a bot or an AI), or one of the words `rules`
(nobody decides), `undetermined` (the rules leave a gap) and `unknown` (the record does).
"""

from __future__ import annotations

import re
from typing import Annotated, Final

from pydantic import Field

__all__ = [
    "PRINCIPAL_PATTERN",
    "RULES",
    "STAND_IN_KINDS",
    "UNDETERMINED",
    "UNKNOWN",
    "Principal",
    "is_stand_in",
    "kind_of",
]

PRINCIPAL_PATTERN: Final = (
    r"^(?:(?:player|person|judge|server|program):[A-Za-z0-9_.\-/]+|rules|undetermined|unknown)$"
)
Principal = Annotated[str, Field(pattern=PRINCIPAL_PATTERN)]

RULES: Final = "rules"
UNDETERMINED: Final = "undetermined"
UNKNOWN: Final = "unknown"
STAND_IN_KINDS: Final = frozenset({"server", "judge", "program"})

_VALID = re.compile(PRINCIPAL_PATTERN)


def kind_of(principal: str) -> str:
    """`player`, `person`, `judge`, `server`, `program`, `rules`, `undetermined` or `unknown`.

    Raises ValueError for a text that is no principal.
    """
    if not _VALID.match(principal):
        raise ValueError(f"not a principal: {principal!r}")
    return principal.partition(":")[0]


def is_stand_in(principal: str) -> bool:
    """Whether a server, a judge or a program would be deciding."""
    return principal.partition(":")[0] in STAND_IN_KINDS
