"""Runs commands of `whodecided`: in this process, or as a process of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import Any, Final

from typer.testing import CliRunner

from tests.shared import PROJECT_ROOT
from whodecided.cli.app import app

__all__ = ["COMMAND", "Run", "run_command", "run_process"]

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
