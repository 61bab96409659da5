"""Commands share options, and say what went wrong in the same way."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from whodecided.cli.settings import Common

__all__ = ["command", "options_before_commands"]

_PANEL: Final = "Common options (before or after the command)"


def _option(*names: str, env: str | None = None, **details: Any) -> Any:
    """A common option. The environment is read elsewhere: it counts less than any place."""
    if env:
        details["help"] += f" [{env}]"
    return typer.Option(*names, rich_help_panel=_PANEL, show_default=False, **details)


_LOG = _option(
    "--log",
    metavar="DIR",
    env="WHODECIDED_LOG",
    help="Directory of the log, or postgres://...; default: your own.",
)
_VIEWER = _option(
    "--viewer",
    metavar="WHO",
    env="WHODECIDED_VIEWER",
    help="For whom: a seat (2), a player's id, spectator (default) or judge.",
)
_JSON = _option("--json", help="Write JSON to standard output.")
_CARD_NAMES = _option(
    "--card-names",
    metavar="FILE",
    env="WHODECIDED_CARD_NAMES",
    help="CSV or JSON table (id, name), or Arena's Raw_CardDatabase_*.mtga.",
)
_LANG = _option(
    "--lang",
    metavar="CODE",
    env="WHODECIDED_LANG",
    help="Language of explanations (en, fr, ja) and of Arena's card database.",
)
_COMMON: Final[dict[str, Any]] = {
    "log": Annotated[str | None, _LOG],
    "viewer": Annotated[str | None, _VIEWER],
    "json": Annotated[bool | None, _JSON],
    "card_names": Annotated[Path | None, _CARD_NAMES],
    "lang": Annotated[str | None, _LANG],
}
_READING: Final[dict[str, Any]] = {
    "by": Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="WHO",
            show_default=False,
            help="Who reads as judge: a name, judge:<id> or person:<id>; default: the user of the"
            " system. [WHODECIDED_BY]",
        ),
    ],
    "reason": Annotated[
        str | None,
        typer.Option(
            "--reason",
            metavar="TEXT",
            show_default=False,
            help="Why it is read as judge; kept in the access log. [WHODECIDED_REASON]",
        ),
    ],
}
_KEYWORD: Final = inspect.Parameter.KEYWORD_ONLY


def options_before_commands(app: typer.Typer) -> None:
    """Let the common options, and `--version`, stand before the command."""

    def before(ctx: typer.Context, **values: Any) -> None:
        if values.pop("version"):
            from importlib.metadata import version

            typer.echo(f"whodecided {version('whodecided')}")
            raise typer.Exit
        ctx.obj = Common(**values)
        if ctx.invoked_subcommand is None:
            typer.echo(ctx.get_help())

    shown = Annotated[bool, typer.Option("--version", help="Print the version.")]
    own = [inspect.Parameter("version", _KEYWORD, default=False, annotation=shown)]
    before.__signature__ = _signature(own)  # type: ignore[attr-defined]  # read by Typer
    before.__annotations__ = {}
    app.callback(invoke_without_command=True)(before)


def command(
    app: typer.Typer, name: str | None, *, reads: bool = False
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Register a function as a command: `function(session, own arguments ...)`.

    The common options are added to its own; expected errors end the process with their exit code.
    Without a name the function is what a group of commands does when none of them is named.
    `reads` says that it can show hidden information to a judge; the options for that are added.
    """
    options = _COMMON | _READING if reads else _COMMON

    def register(function: Callable[..., None]) -> Callable[..., None]:
        def run(ctx: typer.Context, **values: Any) -> None:
            from whodecided.cli.session import Session, reported
            from whodecided.cli.validating import check_options, check_values

            given = Common(**{option: values.pop(option) for option in options})
            common = ctx.obj = given.over(ctx.obj)
            if ctx.invoked_subcommand is not None:
                return
            session = Session(common)
            with reported(session):
                check_options(session)
                check_values(values)
                function(session, **values)

        functools.update_wrapper(run, function)
        own = list(inspect.signature(function, eval_str=True).parameters.values())[1:]
        run.__signature__ = _signature(own, options)  # type: ignore[attr-defined]  # read by Typer
        run.__annotations__ = {}
        if name is None:
            app.callback(invoke_without_command=True)(run)
        else:
            app.command(name)(run)
        return function

    return register


def _signature(
    own: list[inspect.Parameter], options: dict[str, Any] = _COMMON
) -> inspect.Signature:
    common = [
        inspect.Parameter(name, _KEYWORD, default=None, annotation=kind)
        for name, kind in options.items()
    ]
    context = inspect.Parameter("ctx", _KEYWORD, annotation=typer.Context)
    return inspect.Signature([context, *(p.replace(kind=_KEYWORD) for p in own), *common])
