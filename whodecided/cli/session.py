"""One run of a command: its log, its viewer, its output, and how it ends."""

from __future__ import annotations

import functools
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

import typer

from domain.errors import WhodecidedError
from whodecided.cli.settings import Common, default_log, from_environment
from whodecided.store.postgres.settings import is_address, read_settings

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

    from domain.rules import Language
    from whodecided.api import Log
    from whodecided.cardnames import CardNames
    from whodecided.cli.labels import Labels

__all__ = ["PRECEDENCE", "Session", "reported"]

PRECEDENCE: Final = (3, 2, 5, 4, 6, 1)
"""Which exit code counts when there are several reasons."""

_FILLING: Final = re.compile(r" +((?:\x1b\[[0-9;]*m)*)$")


class Session:
    """The common options at work. Nothing is opened before it is used.

    `named_log` is the log of `--log` alone, not of the environment; `rules_dir` is a folder of
    editions of the user's own, for commands that take one.
    """

    def __init__(self, common: Common) -> None:
        self.named_log = common.log
        self.common = common.over(from_environment())
        self.json = bool(self.common.json)
        self.viewer = self.common.viewer or "spectator"
        self.rules_dir: Path | None = None
        self.exit_codes: set[int] = set()
        self._log: Log | None = None

    @property
    def log_path(self) -> Path | str:
        """The directory of the log, or its address on a server."""
        return self.common.log or default_log()

    @property
    def log_name(self) -> str:
        """The log for people: an address is shown without its password."""
        path = self.log_path
        if isinstance(path, str) and is_address(path):
            return read_settings(path, os.environ).place
        return str(path)

    def next_step(self, command: str) -> Text:
        """The hint to go on with a command of the same log."""
        from rich.text import Text

        place = f" --log {shlex.quote(self.log_name)}" if self.named_log is not None else ""
        return Text(f"Next: whodecided{place} {command}", "dim")

    @property
    def log(self) -> Log:
        """The log, which must exist."""
        if self._log is None:
            from whodecided.api import open_log

            self._log = open_log(
                self.log_path,
                rules_dir=self.rules_dir,
                by=self.common.by,
                reason=self.common.reason,
                on_unrecorded=self._unrecorded,
                on_unnamed=self._unnamed,
            )
        return self._log

    @functools.cached_property
    def names(self) -> CardNames:
        """Card names as asked for, else those kept with the log that was asked; else numbers."""
        from whodecided.cardnames import KEPT_TABLE, CardNames, load_card_names

        if self.common.card_names is not None:
            return load_card_names(self.common.card_names, self.common.lang or "en")
        kept = None if self._log is None else self._log.directory.path / KEPT_TABLE
        return CardNames() if kept is None or not kept.exists() else load_card_names(kept)

    @functools.cached_property
    def language(self) -> Language | None:
        """The language of explanations that is asked for; None without one.

        Of a language the product does not speak it is said once that explanations are in English.
        """
        from domain.rules import LANGUAGES
        from whodecided.cardnames import language_known
        from whodecided.cli.render.common import warning

        if self.common.lang is None:
            return None
        wanted = language_known(self.common.lang)
        spoken = next((known for known in LANGUAGES if known == wanted), None)
        if spoken is None:
            known = ", ".join(LANGUAGES)
            said = f"explanations are in English: there are none in {wanted} (there are in {known})"
            self.warnings.print(warning(said), soft_wrap=True)
        return spoken

    @functools.cached_property
    def console(self) -> Console:
        """Standard output, for people."""
        return _terminal(sys.stdout)

    @functools.cached_property
    def warnings(self) -> Console:
        """Standard error, for people."""
        return _terminal(sys.stderr)

    def show(self, answer: Any, draw: Callable[[Any, Labels], RenderableType]) -> None:
        """Write an answer as JSON, or as `draw` draws it for people; note what is incomplete."""
        if getattr(answer, "incomplete", ()):
            self.ends_with(6)
        if self.json:
            self.write_answer(answer)
        else:
            self.print(draw(answer, self.labels(answer)))

    def print(self, drawing: RenderableType) -> None:
        """Write for people to standard output; the blanks that fill a line up are left out."""
        with self.console.capture() as drawn:
            self.console.print(drawing)
        lines = (_FILLING.sub(r"\1", line) for line in drawn.get().split("\n"))
        self.console.file.write("\n".join(lines))
        self.console.file.flush()

    def write_answer(self, answer: Any) -> None:
        """Write an answer as JSON."""
        from whodecided.cli.document import document

        self.write(document(answer, self.names))

    def labels(self, answer: Any) -> Labels:
        """What seats, players and cards of an answer are called."""
        from whodecided.cli.labels import Labels

        seats = list(getattr(answer, "seats", ()))
        seats_of_all = [seat for game in getattr(answer, "games", ()) for seat in game.seats]
        players = {seat.player for seat in (*seats, *seats_of_all)}
        players |= set(getattr(answer, "readers", ()))
        return Labels.of(seats, self.names, self.log.names(players))

    def write(self, plain: dict[str, Any]) -> None:
        """Write one JSON document in one line to standard output."""
        from whodecided.cli.document import encoded

        sys.stdout.buffer.write(encoded(plain))
        sys.stdout.buffer.flush()

    def ends_with(self, exit_code: int) -> None:
        """Note a reason for the exit code of the process."""
        self.exit_codes.add(exit_code)

    def fail(self, error: WhodecidedError) -> None:
        """Say on standard error what went wrong and what to do about it."""
        self.ends_with(error.exit_code)
        if self.json:
            from whodecided.cli.document import encoded, error_document

            sys.stderr.write(encoded(error_document(error)).decode())
            return
        from rich.text import Text

        self.warnings.print(Text.assemble(("error ", "bold red"), str(error)), soft_wrap=True)
        if error.advice:
            self.warnings.print(Text(error.advice, "yellow"), soft_wrap=True)

    def _unrecorded(self, error: WhodecidedError) -> None:
        """Say that somebody reads what is hidden and that the log cannot tell so later."""
        from whodecided.cli.render.common import warning

        said = f"this read is not in the access log: {error}"
        self.warnings.print(warning(said), soft_wrap=True)

    def _unnamed(self, error: WhodecidedError) -> None:
        """Say that the access log cannot name who reads, and what it could record."""
        from whodecided.cli.render.common import warning

        said = f"the access log calls the reader of this read unknown: {error}"
        self.warnings.print(warning(said), soft_wrap=True)
        self.warnings.print("Give --by as judge:<id> or person:<id>.", soft_wrap=True)

    def close(self) -> None:
        """Close what was opened."""
        if self._log is not None:
            self._log.close()


@contextmanager
def reported(session: Session) -> Iterator[None]:
    """Turn expected errors into messages, and end the process with the exit code that counts."""
    try:
        yield
    except WhodecidedError as error:
        session.fail(error)
    except BrokenPipeError:
        # The reader (`head`, a pager) has enough; Python would complain when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    finally:
        session.close()
    for code in PRECEDENCE:
        if code in session.exit_codes:
            raise typer.Exit(code)


def _terminal(stream: TextIO) -> Console:
    from whodecided.cli.terminal import Terminal

    return Terminal(stream)
