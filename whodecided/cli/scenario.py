"""`scenario`: ask about games that are written down, begin such a file, put one into a log."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from whodecided.cli.command import command
from whodecided.cli.policy_options import RulesDir
from whodecided.cli.session import Session

__all__ = ["scenario_app"]


class _Scenarios(TyperGroup):
    """Runs the files that are named when no command of the group is."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the command first; common options may stand before it."""
        named = next((arg for arg in args if not arg.startswith("-")), None)
        if named is not None and named in self.commands:
            args.remove(named)
            args.insert(0, named)
        elif named is not None:
            args.insert(0, "run")
        return super().parse_args(ctx, args)


scenario_app = typer.Typer(
    cls=_Scenarios,
    help="Ask about games that are written down; begin or import one.",
    no_args_is_help=True,
    rich_markup_mode=None,
    subcommand_metavar="FILES...|new|import",
)


@command(scenario_app, "run")
def run(
    session: Session,
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILES...", show_default=False, help="Scenarios (YAML)."),
    ],
    rules_dir: RulesDir = None,
) -> None:
    """Answer the questions of scenarios (the word may be left out)."""
    from whodecided.cli.scenarios import run_scenarios

    run_scenarios(session, files, rules_dir)


@command(scenario_app, "new")
def new(
    session: Session,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", show_default=False, help="Default: standard output."),
    ] = None,
) -> None:
    """Write a commented template to a new file."""
    from whodecided.cli.scenarios import write_template

    write_template(session, file)


@command(scenario_app, "import")
def import_scenario(
    session: Session,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", show_default=False, help="A scenario (YAML).")
    ],
    name: Annotated[
        str, typer.Option("--as", metavar="GAME", help="What the game is called in the log.")
    ],
    scenario: Annotated[
        str | None,
        typer.Option("--id", metavar="ID", help="Which scenario of a file that holds several."),
    ] = None,
    keep_names: Annotated[
        bool, typer.Option("--keep-names", help="Keep players' names, apart and erasable.")
    ] = False,
    rules_dir: RulesDir = None,
) -> None:
    """Put a scenario into the log as a game."""
    from whodecided.cli.scenarios import import_into_log

    import_into_log(session, file, name, scenario, keep_names, rules_dir)
