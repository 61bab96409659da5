"""A log with every story in it, and a way to run commands on it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.commands import Run, run_command
from tests.support.stories import STORIES

Runs = Callable[..., Run]


@pytest.fixture(scope="session")
def stories_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of a log that holds every story; nothing but reads is to be added."""
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
