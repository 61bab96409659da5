"""A process that dies, or runs out of disk, leaves whole appends and nothing else."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from domain.errors import LogUnavailable
from tests.shared import PROJECT_ROOT
from tests.whodecided.store.appender import EVENTS, game
from tests.whodecided.store.builders import LOG_ID, append, facts_of, new_sqlite_log
from whodecided.store.sqlite_log import SqliteEventLog, create_events_file

GAMES = 40


def appender(path: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.whodecided.store.appender", str(path), *arguments]
    return subprocess.Popen(command, cwd=PROJECT_ROOT, stdout=subprocess.PIPE, text=True)


def require_whole_games(path: Path, at_least: int) -> int:
    """The number of games, each of them with all its events, details and its journal entry."""
    with closing(SqliteEventLog(path, facts_of)) as log:
        streams = list(log.streams())
        assert len(streams) >= at_least
        assert log.head() == len(streams) * EVENTS
        assert [(e.stream_id, e.first, e.last) for e in log.journal()] == [
            (stream, 1, EVENTS) for stream, _, _ in streams
        ]
        for number, (stream, _, last) in enumerate(streams):
            assert (stream, last) == (f"game {number:04d}", EVENTS)
            assert log.provenance(stream) == game(number).provenance
            assert log.disclosures(stream) == game(number).disclosures
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    return len(streams)


@pytest.mark.parametrize("seed", range(10))
def test_killing_the_process_at_any_moment_leaves_whole_appends(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "events.sqlite"
    create_events_file(path, LOG_ID)
    wanted = random.Random(seed).randrange(GAMES - 5)

    with appender(path, str(GAMES)) as process:
        assert process.stdout is not None
        for _ in range(wanted):
            process.stdout.readline()
        process.kill()
    require_whole_games(path, at_least=wanted)

    with closing(SqliteEventLog(path, facts_of)) as log:
        log.append([game(number) for number in range(GAMES)])
        after = log.read_all(limit=GAMES * EVENTS + 1)
        entries = log.journal()
    other = tmp_path / "other"
    other.mkdir()
    with closing(new_sqlite_log(other)) as never_killed:
        never_killed.append([game(number) for number in range(GAMES)])
        assert after == never_killed.read_all(limit=GAMES * EVENTS + 1)
        assert entries == never_killed.journal()


@pytest.mark.parametrize("largest", [300_000, 777_777, 1_500_000])
def test_a_file_that_may_not_grow_stops_the_append_and_nothing_is_half_written(
    tmp_path: Path, largest: int
) -> None:
    path = tmp_path / "events.sqlite"
    create_events_file(path, LOG_ID)

    with appender(path, str(GAMES), str(largest)) as process:
        assert process.stdout is not None
        *done, reason = process.stdout.read().splitlines()
    assert process.returncode == 0
    assert reason == "reading or writing failed; nothing of this append was written"

    require_whole_games(path, at_least=len(done))
    with closing(SqliteEventLog(path, facts_of)) as log:
        log.append([game(number) for number in range(GAMES)])
    assert require_whole_games(path, at_least=GAMES) == GAMES


def test_a_full_disk_is_reported_and_the_log_goes_on_when_there_is_room_again(
    tmp_path: Path,
) -> None:
    with closing(new_sqlite_log(tmp_path)) as log:
        log.append([append(1, 100)])
        before = (log.read_all(), log.journal())
        limit_pages(log, 40)

        with pytest.raises(LogUnavailable, match="the disk is full") as caught:
            log.append([append(101, 3000)])
        assert caught.value.advice is not None
        assert (log.read_all(), log.journal()) == before

        limit_pages(log, 1_000_000)
        log.append([append(101, 3000)])
        assert log.head() == 3000


def limit_pages(log: SqliteEventLog, pages: int) -> None:
    with log.recorder.datastore.get_connection(commit=True) as connection:
        connection.cursor().execute(f"PRAGMA max_page_count={pages}")
