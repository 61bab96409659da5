"""Tables made anew equal, row for row, the tables that grew import by import."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from tests.shared import arena_samples, needs_shared
from tests.support.acceptance import FULL, Figure, empty_log
from tests.support.commands import run_process
from tests.support.tables import contents
from whodecided.api import open_log

pytestmark = needs_shared

_FAST = ("bo3-match", "test_log.txt")


def tables(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every table of a log with all its rows."""
    with open_log(path) as log, log.views.reader() as connection:
        return contents(connection)


def test_tables_made_anew_equal_those_that_grew_file_by_file(
    tmp_path: Path, figure: Figure
) -> None:
    samples = [p for p in arena_samples() if FULL or any(part in p.name for part in _FAST)]
    path = empty_log(tmp_path / "log")
    began = time.monotonic()
    for sample in samples:
        run = run_process("import", sample, "--log", path)
        assert run.code in (0, 6), run.err
    grown_in = time.monotonic() - began
    grown = tables(path)
    status = run_process("status", "--log", path, "--json").document["tables"]
    generation = status["generation"]
    assert (status["behind"], status["poison"], status["problem"]) == (0, [], None)

    began = time.monotonic()
    rebuilt = run_process("rebuild", "--log", path, "--json")
    figure("seconds", f"{grown_in:.1f} growing, {time.monotonic() - began:.1f} rebuilding")
    assert rebuilt.code == 0, rebuilt.err
    assert rebuilt.document["tables"]["generation"] > generation

    anew = tables(path)
    assert {name: len(rows) for name, rows in anew.items()} == {
        name: len(rows) for name, rows in grown.items()
    }
    assert [name for name in grown if grown[name] != anew[name]] == []
    assert len(grown["events"]) == status["position"]
    figure("files", len(samples))
    figure("rows", sum(map(len, grown.values())))
    figure("rows by table", {name: len(rows) for name, rows in grown.items()})
