"""The penalties of a tournament, as a judge writes them down in a TOML file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

from pydantic import Field

from domain.errors import BadInput
from domain.rules.counting import AssessedPenalty, Occasion
from domain.rules.policy import Penalty, Policy
from whodecided.tomlfiles import Entry, Text, read_file

__all__ = ["read_penalties"]

_Place = Annotated[int, Field(ge=1, le=99)]
_UNNAMED: Final = "this tournament"


class _PenaltyEntry(Entry):
    person: Text
    infraction: Text
    penalty: Penalty = "warning"
    tournament: Text = _UNNAMED
    day: _Place = 1
    stage: _Place = 1


class _PenaltyFile(Entry):
    penalty: list[_PenaltyEntry]


def read_penalties(path: Path, policy: Policy) -> tuple[AssessedPenalty, ...]:
    """The penalties of a file, in its order; they are for infractions that the policy knows.

    Each is a table `[[penalty]]` with `person` and `infraction` (its code), and `penalty`,
    `tournament`, `day` and `stage` where they are not a Warning on the first day of the one
    tournament. Raises BadInput with file, key and reason.
    """
    file = read_file(path, _PenaltyFile)
    for place, entry in enumerate(file.penalty, 1):
        if not policy.knows(entry.infraction):
            raise BadInput(
                str(path),
                f"penalty[{place}].infraction: {policy.id} has no infraction {entry.infraction!r}",
                advice=f"It has: {', '.join(sorted(policy.infractions))}.",
            )
    return tuple(
        AssessedPenalty(
            person=entry.person,
            infraction=entry.infraction,
            penalty=entry.penalty,
            occasion=Occasion(tournament=entry.tournament, day=entry.day, stage=entry.stage),
        )
        for entry in file.penalty
    )
