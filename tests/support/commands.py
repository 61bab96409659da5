"""Runs commands of `whodecided`: in this process, or as a process of their own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Final

from typer.testing import CliRunner

from domain.errors import WhodecidedError
from tests.shared import PROJECT_ROOT
from whodecided.cli.app import app
from whodecided.cli.session import Session
from whodecided.cli.settings import Common

__all__ = ["COMMAND", "Commands", "Run", "run_command", "run_process"]

COMMAND: Final = (sys.executable, "-c", "from whodecided.cli import main; main()")
"""How a process runs the command without being installed."""


@dataclass(frozen=True)
class Run:
    """What a command wrote and how it ended."""

    out: str
    err: str
    code: int

    @property
    def document(self) -> dict[str, Any]:
        """The one JSON document on standard output."""
        [found] = self.documents
        return found

    @property
    def documents(self) -> list[dict[str, Any]]:
        """The JSON documents on standard output, one per line."""
        return [json.loads(line) for line in self.out.splitlines()]


def run_command(*arguments: object, env: dict[str, str] | None = None) -> Run:
    """Run a command in this process; what it did not expect is raised."""
    result = CliRunner().invoke(app, list(map(str, arguments)), env=env)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Run(result.stdout, result.stderr, result.exit_code)


def run_process(*arguments: object, timeout: float = 300, **env: str) -> Run:
    """Run a command as a process; raises TimeoutExpired, with the process ended, after `timeout`
    seconds."""
    run = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        cwd=PROJECT_ROOT,
        env=os.environ | env,
        check=False,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=timeout,
    )
    return Run(run.stdout, run.stderr, run.returncode)


class Commands:
    """Runs many commands with the same common options, with the log opened once.

    `run(who, "1", 7)` does what `whodecided who 1 7` does, `who` being the function of that name in
    `whodecided.cli.app`.
    """

    def __init__(self, common: Common) -> None:
        self._session = Session(common)
        # The session keeps its consoles, and with them the streams of the first command.
        self._streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2)]

    def __enter__(self) -> Commands:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._session.close()

    def run(self, command: Callable[..., None], *arguments: Any) -> Run:
        """Run one command; an error that commands expect is told as they tell it."""
        out, err = self._streams
        self._session.exit_codes.clear()
        with redirect_stdout(out), redirect_stderr(err):
            try:
                command(self._session, *arguments)
            except WhodecidedError as error:
                self._session.fail(error)
        return Run(_taken(out), _taken(err), min(self._session.exit_codes, default=0))


def _taken(stream: io.TextIOWrapper) -> str:
    """What was written to the stream, which is empty afterwards."""
    stream.seek(0)
    text = stream.read()
    stream.seek(0)
    stream.truncate()
    return text
