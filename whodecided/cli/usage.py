"""Wrong usage: told to people as Typer does, to programs as the document of every other error."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import typer
from typer.core import TyperGroup

from domain.errors import BadInput

__all__ = ["ToldAsAsked"]

_JSON: Final = "--json"
# Typer names only this subclass of the error of every wrong usage.
_UsageError: Final[type[BaseException]] = typer.BadParameter.__mro__[1]


class ToldAsAsked(TyperGroup):
    """The group of all commands; with `--json` anywhere, wrong usage is a JSON document."""

    def make_context(self, info_name: Any, args: list[str], *rest: Any, **extra: Any) -> Any:
        """Read the options before the command."""
        as_json = _JSON in itertools.takewhile(lambda arg: arg != "--", args)
        with _told(as_json):
            context = super().make_context(info_name, args, *rest, **extra)
        context.meta[_JSON] = as_json
        return context

    def invoke(self, ctx: Any) -> Any:
        """Read what follows, and run the command."""
        with _told(ctx.meta[_JSON]):
            return super().invoke(ctx)


@contextmanager
def _told(as_json: bool) -> Iterator[None]:
    try:
        yield
    except _UsageError as error:
        if not as_json:
            raise
        _write(error)
        raise typer.Exit(BadInput.exit_code) from None


def _write(error: Any) -> None:
    from whodecided.cli.document import encoded, error_document

    place = "whodecided" if error.ctx is None else error.ctx.command_path
    told = BadInput(place, error.format_message(), advice=f"Try `{place} --help`.")
    sys.stderr.write(encoded(error_document(told)).decode())
