"""`demo`: a real import of an invented game, and the questions about its decisive event."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Runs = Callable[..., Any]


def test_the_demo_asks_who_control_sees_and_findings(run: Runs) -> None:
    result = run("demo")

    assert result.code == 0
    for command in ("import", "who", "control", "sees", "findings"):
        assert f"$ whodecided {command} " in result.out
    assert "acting seat    Seat 2 · Bob" in result.out
    assert "decided by     Seat 1 · Alice" in result.out
    assert "Seat 2 casts Murder" in result.out


def test_the_demo_in_a_log_of_ones_own_can_be_asked_further(run: Runs, tmp_path: Path) -> None:
    out = run("demo", "--log", tmp_path / "log").out
    [command] = [line for line in out.splitlines() if line.startswith("$ whodecided who")]

    result = run(*command.split()[2:], "--log", tmp_path / "log")
    assert "decided by     Seat 1 · Alice" in result.out


def test_the_demo_for_programs_is_a_stream_of_documents(run: Runs) -> None:
    documents = [json.loads(line) for line in run("demo", "--json").out.splitlines()]

    assert all(document["schema_version"] == 1 for document in documents)
    who = documents[1]
    assert (who["acting_seat"], who["acting_player"]) != (1, who["deciding_player"])


def test_the_demo_leaves_the_users_own_log_alone(run: Runs, tmp_path: Path) -> None:
    run("demo", env={"XDG_DATA_HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path)})

    assert list(tmp_path.iterdir()) == []


def test_the_demo_leaves_the_log_of_the_environment_alone(run: Runs, tmp_path: Path) -> None:
    result = run("demo", env={"WHODECIDED_LOG": str(tmp_path / "log")})

    assert "This log was temporary." in result.out
    assert list(tmp_path.iterdir()) == []
