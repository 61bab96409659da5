"""Files read in several processes give the same log and the same report as read in one."""

from __future__ import annotations

import errno
import gc
import os
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

from domain.errors import LogUnavailable
from tests.support.arena_importing import opened, write_log
from whodecided.importers.arena import importer, lanes, strand
from whodecided.importers.arena.importer import import_arena, useful_jobs
from whodecided.importers.arena.report import ImportReport
from whodecided.importers.arena.strand import read_strand
from whodecided.importers.arena.synthetic.demo import demo_log
from whodecided.importers.arena.synthetic.random_games import CALM, random_match
from whodecided.store.directory import LogDirectory
from whodecided.store.opening import open_store


@pytest.fixture
def paths(tmp_path: Path) -> list[Path]:
    """Runs of the client, one in two files, one with damage, one twice, and files that are none."""
    texts = [random_match(seed, CALM) for seed in (1, 2, 3)]
    half = len(texts[1]) // 2
    parts = {
        "first.log": texts[0],
        "second-1.log": texts[1][:half],
        "second-2.log": texts[1][half:],
        "empty.log": "",
        "damaged.log": texts[2].replace('"gameStateMessage": {', '"gameStateMessage": [', 1),
        "again.log": texts[0],
        "demo.log": demo_log(),
        "cut.log": random_match(4, CALM)[:-2000],
    }
    return [*(write_log(tmp_path, text, name=name) for name, text in parts.items()), tmp_path]


def held(log: LogDirectory) -> list[tuple[Any, ...]]:
    """All events in the order of the log, and what each append said but for its time."""
    events = [tuple(event) for event in log.events.read_all(limit=100_000)]
    entries = [
        (one.stream_id, one.first, one.last, one.root, one.origin.file_name, one.origin.file_digest)
        for one in log.events.journal(limit=10_000)
    ]
    return [*events, *entries, *log.people.everyone()]


def said(report: ImportReport) -> list[Any]:
    """The whole report; an error is compared by its words."""
    files = [asdict(file) | {"problem": str(file.problem)} for file in report.files]
    return [files, report.streams, report.conflicts, report.held_states]


def imported(folder: Path, paths: Sequence[Path], jobs: int) -> tuple[list[Any], list[Any]]:
    with closing(opened(folder)) as log:
        report = import_arena(paths, log, keep_names=True, jobs=jobs)
        return held(log), said(report)


@pytest.fixture
def alone(paths: list[Path], tmp_path: Path) -> tuple[list[Any], list[Any]]:
    return imported(tmp_path / "alone", paths, 1)


@pytest.mark.parametrize("jobs", [2, 3, 64])
def test_the_log_and_the_report_are_those_of_one_process(
    paths: list[Path], tmp_path: Path, alone: tuple[list[Any], list[Any]], jobs: int
) -> None:
    assert imported(tmp_path / "several", paths, jobs) == alone


def test_a_process_that_is_far_ahead_waits_and_the_result_is_the_same(
    paths: list[Path],
    tmp_path: Path,
    alone: tuple[list[Any], list[Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lanes, "_AHEAD", 1)
    monkeypatch.setattr(lanes, "_ASKED", 1)
    assert imported(tmp_path / "several", paths, 3) == alone


def test_nothing_of_a_strand_that_was_read_stays_in_memory(
    paths: list[Path], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    gc.collect()
    gc.disable()  # as while importing
    request.addfinalizer(gc.enable)
    with closing(opened(tmp_path / "log")) as log:
        assert [*read_strand(paths, log.sealer, False)]

    assert [one for one in gc.get_objects() if type(one) is strand._Strand] == []


def test_progress_goes_from_file_to_file_in_order(paths: list[Path], tmp_path: Path) -> None:
    steps: list[tuple[int, int]] = []
    with closing(opened(tmp_path / "log")) as log:
        import_arena(paths, log, progress=lambda *step: steps.append(step), jobs=2)
    done, totals = zip(*steps, strict=True)

    assert list(done) == sorted(done)
    assert {done[-1]} == set(totals)


def test_a_game_keeps_the_secret_it_began_with(paths: list[Path], tmp_path: Path) -> None:
    with closing(opened(tmp_path / "log")) as log:
        import_arena(paths[:1], log)
        log.secrets.rotate()
        report = import_arena(paths, log, jobs=2)
        numbers = {log.events.secret_of(stream.stream_id) for stream in report.streams}

    assert report.conflicts == []
    assert report.events_present > 0
    assert numbers == {1, 2}


def test_a_process_that_dies_is_told_and_importing_again_completes_it(
    paths: list[Path],
    tmp_path: Path,
    alone: tuple[list[Any], list[Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    take = lanes._Lane.take

    def kill(lane: lanes._Lane) -> Any:
        lane._pool._kill()
        return take(lane)

    with closing(opened(tmp_path / "log")) as log:
        with monkeypatch.context() as patched:
            patched.setattr(lanes._Lane, "take", kill)
            with pytest.raises(LogUnavailable) as caught:
                import_arena(paths, log, keep_names=True, jobs=2)
        import_arena(paths, log, keep_names=True, jobs=2)
        assert "--jobs 1" in str(caught.value.advice)
        assert held(log) == alone[0]


def test_a_process_that_cannot_be_started_is_told(
    paths: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*beginning: object) -> None:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    monkeypatch.setattr("projections.processes._Worker", refuse)
    with (
        closing(opened(tmp_path / "log")) as log,
        pytest.raises(LogUnavailable, match="could not be started"),
    ):
        import_arena(paths, log, jobs=2)


def test_what_a_process_cannot_open_is_said(paths: list[Path], tmp_path: Path) -> None:
    with closing(opened(tmp_path / "log")) as log:
        import_arena(paths[-3:], log)
        (log.keys / "log.secret").unlink()  # this process knows it
        before = log.events.head()
        with pytest.raises(LogUnavailable, match="log secret is missing"):
            import_arena(paths, log, jobs=2)
        assert log.events.head() == before > 0


def test_names_that_cannot_be_kept_stop_the_import_and_its_processes(
    paths: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(people: object, names: object) -> None:
        raise LogUnavailable("people.sqlite", "the disk is full")

    with closing(opened(tmp_path / "log")) as log:
        monkeypatch.setattr(type(log.people), "keep", refuse)
        with pytest.raises(LogUnavailable):
            import_arena(paths, log, keep_names=True, jobs=2)
        assert active_children() == []


def test_a_log_on_a_server_is_read_for_by_several_processes(
    postgres_address: str, paths: list[Path], tmp_path: Path
) -> None:
    with closing(open_store(postgres_address, create=True)) as log:
        report = import_arena(paths, log, keep_names=True, jobs=2)
        again = import_arena(paths, log, keep_names=True)

    assert report.events_added > 0
    assert (again.events_added, again.conflicts) == (0, [])


@pytest.mark.parametrize(
    ("much", "processors", "wanted"),
    [(0, 1, 1), (0, 2, 2), (0, 64, 2), (0, None, 1), (55, 64, 2), (56, 64, 1)],
)
def test_only_much_is_worth_several_processes(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    much: int,
    processors: int | None,
    wanted: int,
) -> None:
    monkeypatch.setattr(importer, "_MUCH", much)
    monkeypatch.setattr(os, "cpu_count", lambda: processors)

    paths = [write_log(tmp_path, "log", name="a"), write_log(tmp_path, "small", name="b.gz")]
    paths += [tmp_path / "missing.log", tmp_path / "c.log"]
    paths[-1].write_text("zz")

    assert useful_jobs(paths) == wanted


def test_what_waits_is_measured_by_the_bytes_of_its_events(
    paths: list[Path], tmp_path: Path
) -> None:
    with closing(opened(tmp_path / "log")) as log:
        parts = [*read_strand(paths[:1], log.sealer, False)]
        import_arena(paths[:1], log)
        stored = sum(len(event.state) for event in log.events.read_all(limit=100_000))

    assert sum(map(lanes._size, parts)) == stored > 0


def test_while_much_waits_only_the_strand_that_is_due_is_read_on() -> None:
    both = lanes._Lanes([[Path("due.log")], [Path("next.log")]], [])
    both._size = lanes._AHEAD - 1
    assert (both._may_read(0), both._may_read(1)) == (True, True)
    both._size += 1
    assert (both._may_read(0), both._may_read(1)) == (True, False)
