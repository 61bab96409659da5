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


def test_the_invented_cards_keep_their_names_with_the_log(run: Runs, tmp_path: Path) -> None:
    log = tmp_path / "log"
    out = run("demo", "--log", log).out
    next_step = out.splitlines()[-1]
    [asked] = [line for line in out.splitlines() if line.startswith("$ whodecided who")]

    assert next_step.startswith(f"Next: whodecided --log {log} show ")
    assert run("--log", log, *next_step.split()[4:]).code == 0
    assert "Seat 2 casts Murder (object 232)" in run("--log", log, *asked.split()[2:]).out
    document = run("--log", log, *asked.split()[2:], "--json").document
    assert document["card_names"] == {"700203": "Murder"}


def test_a_table_that_is_named_counts_more_than_the_one_kept_with_the_log(
    run: Runs, tmp_path: Path
) -> None:
    log, own = tmp_path / "log", tmp_path / "own.csv"
    out = run("demo", "--log", log).out
    [asked] = [line for line in out.splitlines() if line.startswith("$ whodecided who")]
    own.write_text("id,name\n700203,Killing\n", encoding="utf-8")

    told = run("--log", log, *asked.split()[2:], "--card-names", own).out
    assert "Seat 2 casts Killing (object 232)" in told


def test_a_table_that_the_log_has_already_is_not_replaced_by_the_demo(
    run: Runs, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    run("demo", "--log", log)
    (log / "card-names.csv").write_text("id,name\n700203,Killing\n", encoding="utf-8")

    assert run("demo", "--log", log).code == 0
    assert (log / "card-names.csv").read_text(encoding="utf-8").endswith("Killing\n")


def test_a_kept_table_that_cannot_be_read_is_named(run: Runs, tmp_path: Path) -> None:
    log = tmp_path / "log"
    run("demo", "--log", log)
    (log / "card-names.csv").write_text("id,name\nx,y\n", encoding="utf-8")

    done = run("--log", log, "games")
    assert (done.code, done.out) == (2, "")
    assert "card-names.csv, line 2: id 'x' is not a number" in done.err


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
