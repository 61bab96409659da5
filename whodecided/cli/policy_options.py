"""Options of the commands that speak of rules and policy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["Infractions", "Noticed", "PolicyAsked", "PolicyName", "RulesDate", "RulesDir"]

Infractions = Annotated[
    list[str] | None,
    typer.Option("--infraction", metavar="CODE", help="Look at this infraction: GRV, or its name."),
]
Noticed = Annotated[
    int | None,
    typer.Option("--noticed", metavar="EVENT", min=1, help="Event at which it was pointed out."),
]
PolicyName = Annotated[
    str | None,
    typer.Option("--policy", metavar="WHICH", help="A date, a pack (ipg-2018) or a reading."),
]
RulesDate = Annotated[
    str | None,
    typer.Option("--rules-date", metavar="DAY", help="Rules of this day; default: the game's own."),
]
RulesDir = Annotated[
    Path | None,
    typer.Option("--rules-dir", metavar="DIR", help="Your own editions, policy packs and cards."),
]


@dataclass(frozen=True, slots=True)
class PolicyAsked:
    """What to apply: a day, pack or reading; infractions; the event of noticing; own rules.

    `rules_date` is the day of the rules of the game, which do not ask who answers.
    """

    policy: str | None = None
    infractions: Sequence[str] = ()
    noticed: int | None = None
    rules_dir: Path | None = None
    rules_date: str | None = None

    @property
    def wanted(self) -> bool:
        """Whether anything asks who answers."""
        given = (self.policy, self.noticed, self.rules_dir)
        return bool(self.infractions) or any(value is not None for value in given)
