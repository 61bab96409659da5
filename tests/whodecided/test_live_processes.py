"""Live append by several processes at once, and by processes that are killed."""

from __future__ import annotations

import multiprocessing
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from domain.codec import decode_all
from domain.errors import VersionConflict
from domain.ids import live_stream
from tests.shared import PROJECT_ROOT
from tests.support.live import GAME, casts, passes, starts
from whodecided import Log, open_log
from whodecided.evidence.verify import verify_log

WRITERS = 3
EACH = 12
KILLED = 6
Work = Callable[[str, int], list[int]]
_start: Barrier


def _wait_with(barrier: Barrier) -> None:
    global _start
    _start = barrier


def in_writers(work: Work, place: str) -> Iterator[list[int]]:
    """Run work(place, writer) in processes that start together."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(
        WRITERS, mp_context=context, initializer=_wait_with, initargs=(context.Barrier(WRITERS),)
    ) as pool:
        yield from pool.map(work, [place] * WRITERS, range(WRITERS))


@pytest.fixture(params=["file", "server"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where the log is."""
    if request.param == "file":
        return str(tmp_path / "log")
    return str(request.getfixturevalue("postgres_address"))


def append_at_the_end(place: str, writer: int) -> list[int]:
    """Append whoever comes between; the numbers that were acknowledged."""
    with open_log(place) as log:
        _start.wait()
        log.record(GAME, starts())
        return [log.record(GAME, casts(f"{writer}/{n}"))[0].number for n in range(EACH)]


def append_after_what_is_known(place: str, writer: int) -> list[int]:
    """Append after the number that is known, learning of others by conflicts only."""
    done: list[int] = []
    with open_log(place) as log:
        _start.wait()
        known = 0
        while len(done) < EACH:
            seen = starts() if known == 0 else casts(f"{writer}/{len(done)}")
            try:
                [one] = log.record(GAME, seen, expected=known)
            except VersionConflict as conflict:
                known = conflict.actual
                continue
            known = max(known, one.number)
            if one.number > 1:
                done.append(one.number)
    return done


def append_the_same(place: str, writer: int) -> list[int]:
    """Every process appends the same records, as after a lost acknowledgement."""
    with open_log(place) as log:
        _start.wait()
        log.record(GAME, starts())
        batches = [[casts(f"{n}/a"), passes(f"{n}/b", 2)] for n in range(EACH)]
        return [one.number for batch in batches for one in log.record(GAME, batch)]


def records(log: Log) -> list[str]:
    """The records of the game in order, after everything has been verified."""
    assert verify_log(log.directory).ok
    events = decode_all(log.directory.events.read(live_stream(GAME)))
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    assert [number for number, *_ in log.directory.events.disclosures(live_stream(GAME))] == [
        event.number for event in events if event.NAME == "spell_cast"
    ]
    return [event.source.record for event in events]


@pytest.mark.parametrize("work", [append_at_the_end, append_after_what_is_known])
def test_processes_that_race_store_every_event_once(place: str, work: Work) -> None:
    with open_log(place, create=True) as log:
        done = list(in_writers(work, place))

        found = records(log)
        assert sorted(found[1:]) == sorted(
            f"{writer}/{n}" for writer in range(WRITERS) for n in range(EACH)
        )
        for writer, numbers in enumerate(done):
            assert [found[number - 1] for number in numbers] == [
                f"{writer}/{n}" for n in range(EACH)
            ]


def test_processes_that_append_the_same_records_get_the_same_numbers(place: str) -> None:
    with open_log(place, create=True) as log:
        done = list(in_writers(append_the_same, place))

        assert records(log) == ["start", *(f"{n}/{part}" for n in range(EACH) for part in "ab")]
        assert done == [list(range(2, 2 + 2 * EACH))] * WRITERS


def test_what_a_killed_process_had_acknowledged_is_there_and_nothing_twice(place: str) -> None:
    random_ = random.Random(4)
    acknowledged: dict[str, int] = {}
    command = [sys.executable, "-m", "tests.whodecided.live_appender", place, "w", "400"]
    for _ in range(KILLED):
        with subprocess.Popen(command, cwd=PROJECT_ROOT, stdout=subprocess.PIPE, text=True) as run:
            assert run.stdout is not None
            wanted = random_.randrange(1, 60)
            said = [run.stdout.readline() for _ in range(wanted)]
            run.kill()
            said += run.stdout.readlines()
        for turn, line in enumerate(line for line in said if line.endswith("\n")):
            number = acknowledged.setdefault(f"w-{turn}", int(line))
            assert number == int(line)
        with open_log(place) as log:
            found = records(log)
            assert [found[number - 1] for number in acknowledged.values()] == list(acknowledged)
            assert len(set(found)) == len(found)
