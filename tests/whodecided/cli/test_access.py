"""`access`, and the options that say who reads as judge and why."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from domain.errors import LogUnavailable
from tests.support.commands import run_command
from whodecided.store.sqlite_log import SqliteEventLog

Runs = Callable[..., Any]
READING = {
    "show": ("show", 1),
    "who": ("who", 1, 16),
    "who --policy": ("who", 1, 16, "--policy", "2018-06-01"),
    "responsible": ("responsible", 1, 16),
    "control": ("control", 1),
    "active": ("active", 1, 16),
    "sees": ("sees", 1, 16),
    "replay": ("replay", 1, "--at", 16),
    "findings": ("findings", 1),
    "sql": ("sql", "SELECT 1"),
}
BY_HANA = ("--viewer", "judge", "--by", "judge:hana", "--reason", "complaint 7")


@pytest.fixture
def path(stories_log: Path, tmp_path: Path) -> Path:
    """A log of its own, with every story and no read."""
    return Path(shutil.copytree(stories_log, tmp_path / "log"))


@pytest.fixture
def on_log(path: Path) -> Runs:
    return lambda *arguments, **options: run_command("--log", path, *arguments, **options)


def reads(on_log: Runs) -> list[dict[str, Any]]:
    """The reads that are in the access log, as a judge is told of them."""
    found: list[dict[str, Any]] = on_log("access", "--json", "--viewer", "judge").document["reads"]
    return found


def new_reads(on_log: Runs, before: int) -> list[dict[str, Any]]:
    return reads(on_log)[before:]


@pytest.mark.parametrize("command", READING)
def test_every_command_that_shows_hidden_information_records_who_and_why(
    on_log: Runs, command: str
) -> None:
    before = len(reads(on_log)) + 1  # with the read of the access log itself
    assert on_log(*READING[command], *BY_HANA).code in (0, 6)

    found = new_reads(on_log, before)
    assert {read["command"] for read in found} - {"responsible"} <= {command.partition(" ")[0]}
    assert found
    for read in found:
        assert (read["reader"], read["basis"], read["reason"]) == (
            "judge:hana",
            "stated",
            "complaint 7",
        )


def test_a_bundle_for_a_judge_is_recorded_with_its_events(on_log: Runs, tmp_path: Path) -> None:
    before = len(reads(on_log)) + 1
    file = tmp_path / "case.zip"
    assert (
        on_log("bundle", 1, "--as", "judge", "--events", "3-9", "-o", file, "--by", "x").code == 0
    )
    assert on_log("bundle", 1, "--as", "judge", "-o", file).code == 2
    assert on_log("bundle", 1, "--as", "spectator", "-o", file, "--force").code == 0
    assert on_log("bundle", 1, "-o", file, "--force", "--viewer", "judge").code == 0

    found = new_reads(on_log, before)
    assert [(r["command"], r["first"], r["last"], r["reason"]) for r in found] == [
        ("bundle", 3, 9, None),
        ("bundle", None, None, None),
    ]


def test_the_environment_can_say_who_and_why(on_log: Runs) -> None:
    env = {
        "WHODECIDED_BY": "person:anna",
        "WHODECIDED_REASON": "audit",
        "WHODECIDED_VIEWER": "judge",
    }
    before = len(reads(on_log)) + 1
    on_log("who", 1, 16, env=env)
    on_log("who", 1, 16, "--by", "person:ben", env=env)

    assert [(read["reader"], read["reason"]) for read in new_reads(on_log, before)] == [
        ("person:anna", "audit"),
        ("person:ben", "audit"),
    ]


def test_access_tells_people_who_read_what(on_log: Runs) -> None:
    on_log("who", 1, 16, "--viewer", "judge", "--by", "Hana M.")
    on_log("sql", "SELECT 42", *BY_HANA)

    run = on_log("access")
    assert run.code == 0
    assert "Hana M." in run.out
    assert "judge hana" in run.out
    assert "none given" in run.out
    assert "reason: for judges" in " ".join(run.out.split())
    assert "complaint 7" not in run.out
    assert "complaint 7" in " ".join(on_log("access", "--viewer", "judge").out.split())
    assert len(on_log("access", "--newest", 2, "--json").document["reads"]) == 2
    assert on_log("access", 99).code == 4


def test_a_log_that_nobody_read_says_so(run: Runs, tmp_path: Path) -> None:
    run("--log", tmp_path / "new", "demo")

    assert "Nobody has read" in run("--log", tmp_path / "new", "access").out


def test_a_read_that_cannot_be_recorded_is_answered_and_said(
    on_log: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise LogUnavailable("here", "it cannot be written")

    monkeypatch.setattr(SqliteEventLog, "append", refuse)
    result = on_log("who", 1, 16, *BY_HANA)

    assert result.code == 0
    assert "Seat 2 casts" in result.out
    assert "this read is not in the access log: log here: it cannot be written" in " ".join(
        result.err.split()
    )
