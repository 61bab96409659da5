"""`import --json` says of every recorded log exactly the figures that were established for it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.shared import arena_samples, needs_shared, shared_path
from tests.support.acceptance import FULL, Figure, full_only
from tests.support.commands import run_command, run_process

pytestmark = needs_shared

_ABOUT_THE_FILE = {"origin", "licence", "bytes", "sha256", "note", "notes"}
_FAST = 12


def samples() -> list[Path]:
    """All recorded logs, or the smallest of them."""
    found = sorted(arena_samples(), key=lambda path: path.stat().st_size)
    return sorted(found) if FULL else found[:_FAST]


def expected(path: Path) -> dict[str, Any]:
    """The figures of one recorded log."""
    every = json.loads(shared_path("samples", "arena", "expected.json").read_text())
    return {key: value for key, value in every[path.name].items() if key not in _ABOUT_THE_FILE}


def wrong(document: dict[str, Any], path: Path) -> dict[str, tuple[Any, Any]]:
    """Key -> (what was said, what is right), where they differ."""
    absent = object()
    return {
        key: (document.get(key), value)
        for key, value in expected(path).items()
        if document.get(key, absent) != value
    }


@pytest.mark.parametrize("sample", samples(), ids=lambda path: path.name[-60:])
def test_a_recorded_log_by_itself_has_the_figures_that_were_established(
    sample: Path, tmp_path: Path, figure: Figure
) -> None:
    run = run_command("import", sample, "--log", tmp_path / "log", "--json")
    document, last = run.documents

    assert document["file"] == sample.name
    assert document["schema_version"] == 1
    assert wrong(document, sample) == {}
    assert last["summary"]["files"] == 1
    assert run.code == (0 if document["events"] else 6)
    assert document["bad_records"] == []
    figure("figures equal", len(expected(sample)))
    figure("events", document["events"])


def test_the_recorded_logs_in_one_call_have_their_figures_too(
    tmp_path: Path, figure: Figure
) -> None:
    files = samples()
    run = run_process("import", *files, "--log", tmp_path / "log", "--json", timeout=1800)
    *documents, last = run.documents

    assert [document["file"] for document in documents] == [path.name for path in files]
    found = {path.name: wrong(d, path) for path, d in zip(files, documents, strict=True)}
    assert {name: differences for name, differences in found.items() if differences} == {}
    assert last["summary"]["files"] == len(files)
    assert last["summary"]["files_unreadable"] == 0
    assert run.code == 6  # the log without detailed entries is among them
    figure("files", len(files))
    figure("events", last["summary"]["events_added"])


def test_a_log_without_detailed_entries_gives_no_events_and_says_what_to_do(
    tmp_path: Path,
) -> None:
    [sample] = [path for path in arena_samples() if "detailed_logs_disabled" in path.name]
    run = run_process("import", sample, "--log", tmp_path / "log")

    assert run.code == 6
    assert "no events" in run.out
    assert sample.name in run.err
    assert "Detailed Logs (Plugin Support)" in run.err
    shown = run_process("status", "--log", tmp_path / "log", "--json").document
    assert (shown["events"], shown["streams"]) == (0, 0)


@full_only
def test_every_recorded_log_has_figures() -> None:
    every = json.loads(shared_path("samples", "arena", "expected.json").read_text())
    assert sorted(every) == [path.name for path in arena_samples()]
