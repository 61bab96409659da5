"""`penalties`: what earlier penalties make of the next one."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from whodecided.cli.policy_options import PolicyName, RulesDir
from whodecided.cli.session import Session

__all__ = ["count_penalties"]


def count_penalties(
    session: Session,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", show_default=False, help="The penalties given so far (TOML)."
        ),
    ],
    policy: PolicyName = None,
    tournament: Annotated[
        str | None,
        typer.Option("--tournament", metavar="NAME", help="Where the next one is given."),
    ] = None,
    day: Annotated[
        int | None,
        typer.Option("--day", metavar="N", min=1, help="On which day; default: the last in FILE."),
    ] = None,
    stage: Annotated[
        int | None,
        typer.Option("--stage", metavar="N", min=1, help="After which cut; default: as in FILE."),
    ] = None,
    rules_dir: RulesDir = None,
) -> None:
    """What the next penalty would be, after those given so far."""
    from dataclasses import replace

    from domain.errors import BadInput
    from queries.penalties import penalties
    from whodecided.cli.render.penalties import draw_penalties
    from whodecided.cli.speaking import show_spoken
    from whodecided.penalties import read_penalties
    from whodecided.policy import load_policies

    today = datetime.now(UTC).date().isoformat()
    asked = load_policies(rules_dir).policy(policy or today)
    given = read_penalties(file, asked)
    if not given:
        raise BadInput(str(file), "no penalty stands in it")
    last = given[-1].occasion
    occasion = replace(
        last,
        tournament=tournament or last.tournament,
        day=day or last.day,
        stage=stage or last.stage,
    )
    show_spoken(session, penalties(asked, given, occasion), draw_penalties)
