"""A log with every story in it, and a way to run commands on it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.support.stories import STORIES
from whodecided.cli.app import app


@dataclass(frozen=True)
class Run:
    """What a command wrote and how it ended."""

    out: str
    err: str
    code: int

    @property
    def document(self) -> dict[str, Any]:
        """The one JSON document on standard output."""
        [line] = self.out.splitlines()
        found: dict[str, Any] = json.loads(line)
        return found


Runs = Callable[..., Run]


def run_command(*arguments: object, env: dict[str, str] | None = None) -> Run:
    result = CliRunner().invoke(app, list(map(str, arguments)), env=env)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Run(result.stdout, result.stderr, result.exit_code)


@pytest.fixture(scope="session")
def stories_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of a log that holds every story; not to be changed."""
    path = tmp_path_factory.mktemp("stories") / "log"
    for story in STORIES:
        story().in_directory(path)
    return path


@pytest.fixture
def run() -> Runs:
    """Run a command without naming a log."""
    return run_command


@pytest.fixture
def ask(stories_log: Path) -> Runs:
    """Run a command on the log with every story."""

    def on_log(*arguments: object, env: dict[str, str] | None = None) -> Run:
        return run_command("--log", stories_log, *arguments, env=env)

    return on_log
