"""An import that is killed at any moment leaves a log that opens, tells the truth, goes on.

The full run kills 20 imports of recorded logs, the fast one 4 of invented matches.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.shared import PROJECT_ROOT, arena_samples
from tests.support.acceptance import FULL, Figure, empty_log, stored
from tests.support.commands import COMMAND, run_command, run_process
from whodecided.importers.arena.synthetic.random_games import Wishes, random_match

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="SIGKILL is a POSIX signal")

_KILLS = 20 if FULL else 4
_PARTS = ("standard-bo1", "trad-standard-bo3", "bo3-match", "test_log.txt", "2026-03-05_0000")


def files(folder: Path) -> list[Path]:
    """Five logs: recorded ones in the full run when they are there, else invented matches."""
    recorded = [p for p in arena_samples() if any(part in p.name for part in _PARTS)]
    if FULL and recorded:
        return recorded
    made = []
    for seed in range(5):
        path = folder / f"{seed}.log"
        path.write_text(random_match(seed, Wishes(turns=8, best_of=3)), encoding="utf-8")
        made.append(path)
    return made


def import_killed(path: Path, logs: list[Path], after: float, written: int) -> bool:
    """Import, and kill the process; whether it was still at work.

    That is when so many bytes wait in the write-ahead log, but not before so many seconds.
    """
    process = subprocess.Popen(
        [*COMMAND, "import", *map(str, logs), "--log", str(path)],
        cwd=PROJECT_ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while True:
        try:
            process.wait(timeout=after)
        except subprocess.TimeoutExpired:
            after = 0.002
            if waiting(path) >= written:
                process.kill()
        else:
            return process.returncode == -signal.SIGKILL


def waiting(path: Path) -> int:
    """Size of the write-ahead log of a log, in bytes."""
    try:
        return (path / "events.sqlite-wal").stat().st_size
    except FileNotFoundError:
        return 0


def held(path: Path) -> tuple[int, int]:
    """Events and streams in the file of a log."""
    with closing(sqlite3.connect(path / "events.sqlite")) as connection:
        [events] = connection.execute("SELECT count(*) FROM events").fetchone()
        [streams] = connection.execute("SELECT count(*) FROM streams").fetchone()
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    return events, streams


def test_a_killed_import_is_completed_by_the_next_one(tmp_path: Path, figure: Figure) -> None:
    logs = files(tmp_path)
    began = time.monotonic()
    whole = run_process("import", *logs, "--log", empty_log(tmp_path / "right"))
    took = time.monotonic() - began
    assert whole.code == 0, whole.err
    right, games = stored(tmp_path / "right"), games_of(tmp_path / "right")
    size = min((tmp_path / "right" / "events.sqlite").stat().st_size, 4_000_000)

    chance, at_work, found = Random(20), 0, []
    for number in range(_KILLS):
        path = empty_log(tmp_path / f"log-{number}")
        # Any moment of the run, in turn with any moment of its writing.
        moment = (chance.uniform(0.0, took), 0) if number % 2 else (0.0, chance.randrange(size))
        at_work += import_killed(path, logs, *moment)
        found.append(check_truth(path, right))
        if number % 4 > 1 and found[-1]:
            assert len(games_of(path)) <= len(games)
        again = run_command("import", *logs, "--log", path, "--json")
        assert again.code == 0, again.err
        assert again.documents[-1]["summary"]["events_present"] == found[-1]
        assert stored(path) == right
        assert games_of(path) == games
    assert at_work > 0
    figure("killed while at work", f"{at_work} of {_KILLS}, an import takes {took:.1f} s")
    figure("events that were there after each kill", sorted(found))


def check_truth(path: Path, right: dict[str, Any]) -> int:
    """The events of a log after a kill; whole games only, and `status` says how many."""
    status = run_command("status", "--log", path, "--json")
    if not (path / "events.sqlite").exists():
        assert status.code != 0
        assert "there is no log here" in status.err
        return 0
    assert status.code == 0, status.err
    said = status.document
    events, streams = held(path)
    assert (said["events"], said["streams"]) == (events, streams)
    tables = said["tables"]
    assert tables["poison"] == []
    assert tables["position"] + tables["behind"] == events
    assert (tables["problem"] is None) or tables["behind"] == events
    for stream, rows in stored(path).items():
        whole = right[stream]
        assert rows.events == whole.events[: len(rows.events)]
        assert rows.disclosures == whole.disclosures[: len(rows.disclosures)]
        if rows.events[0][0].startswith("game."):
            assert rows == whole, "a game is there as a whole or not at all"
    return events


def games_of(path: Path) -> Any:
    """What `games` says, which makes the tables current."""
    run = run_command("games", "--log", path, "--json")
    assert run.code == 0, run.err
    return run.document["games"]
