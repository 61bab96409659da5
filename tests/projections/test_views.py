"""Views are complete for every reader at every moment, and whatever happens to them is repaired."""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.errors import LogUnavailable
from domain.ports import EventLog
from projections.database import PROJECTION
from projections.lock import writer_lock
from projections.runner import run
from projections.views import ViewSet, ViewStatus
from tests.support.games import LIBRARY, Told, act, tell, turn
from tests.support.tables import contents, fresh_tables, memory_log
from whodecided.store.directory import open_directory


def _game(name: str) -> Told:
    return tell(turn(1), act("spell_cast", 1, card="7"), match=name)


def _files(views: ViewSet) -> set[str]:
    return {path.name for path in views.path.iterdir()}


def _count(views: ViewSet, table: str = "games") -> int:
    with views.reader() as connection:
        return int(connection.execute(f"SELECT count(*) FROM {table}").fetchall()[0][0])


@pytest.fixture
def views(tmp_path: Path) -> ViewSet:
    return ViewSet(tmp_path / "views", writer_timeout=30)


def test_there_are_no_views_before_the_first_run(views: ViewSet) -> None:
    status = views.status(memory_log(_game("a")), LIBRARY)
    assert status == ViewStatus(None, 0, 3, (), "no tables have been made yet", status.advice)
    assert "whodecided rebuild" in str(status.advice)
    with pytest.raises(LogUnavailable, match="no tables") as caught, views.reader():
        pass
    assert "rebuild" in str(caught.value.advice)


def test_views_of_an_empty_log_are_empty_and_usable(views: ViewSet) -> None:
    log = memory_log()
    assert views.catch_up(log, LIBRARY) == ViewStatus(1, 0, 0, (), None)
    assert _count(views) == 0
    log.append([_game("a").append()])
    assert views.catch_up(log, LIBRARY) == ViewStatus(2, 3, 0, (), None)
    assert _count(views) == 1


def test_catching_up_reads_what_the_log_has_gained_and_leaves_one_generation(
    views: ViewSet,
) -> None:
    log = memory_log(_game("a"))
    views.catch_up(log, LIBRARY)
    log.append([_game("b").append()])
    assert views.status(log, LIBRARY) == ViewStatus(1, 3, 3, (), None)
    assert _count(views) == 1
    assert views.catch_up(log, LIBRARY) == ViewStatus(2, 6, 0, (), None)
    assert _count(views) == 2
    assert _files(views) == {"current", "lock", "2.duckdb"}


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_the_tables_are_for_their_owner_alone(views: ViewSet) -> None:
    before = os.umask(0o022)
    try:
        views.catch_up(memory_log(_game("a")), LIBRARY)
        views.catch_up(memory_log(_game("a"), _game("b")), LIBRARY)
    finally:
        os.umask(before)

    assert "2.duckdb" in _files(views)
    wide = [p.name for p in (views.path, *views.path.iterdir()) if p.stat().st_mode & 0o077]
    assert wide == []


def test_catching_up_with_nothing_new_writes_nothing(views: ViewSet) -> None:
    log = memory_log(_game("a"))
    views.catch_up(log, LIBRARY)
    before = (views.path / "current").stat().st_mtime_ns
    assert views.catch_up(log, LIBRARY).generation == 1
    assert (views.path / "current").stat().st_mtime_ns == before


def test_a_rebuild_gives_the_same_rows_as_catching_up(views: ViewSet) -> None:
    log = memory_log()
    for name in ("a", "b", "c"):
        log.append([_game(name).append()])
        views.catch_up(log, LIBRARY)
    with views.reader() as connection:
        stepwise = contents(connection)
    assert views.rebuild(log, LIBRARY).generation == 4
    with views.reader() as connection:
        assert contents(connection) == stepwise


def _deleted(file: Path) -> None:
    file.unlink()


def _truncated(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def _emptied(file: Path) -> None:
    file.write_bytes(b"")


def _overwritten(file: Path) -> None:
    file.write_bytes(b"\xff" * file.stat().st_size)


def _with_a_stale_log(file: Path) -> None:
    file.with_name(f"{file.name}.wal").write_bytes(b"left over")


def _of_another_version(file: Path) -> None:
    with closing(duckdb.connect(str(file))) as connection:
        connection.execute("UPDATE generation SET projection = '0-other'")
        connection.execute("CHECKPOINT")
    _renamed_size(file)


def _of_another_duckdb(file: Path) -> None:
    with closing(duckdb.connect(str(file))) as connection:
        connection.execute("UPDATE generation SET duckdb = '1.0.0'")
        connection.execute("CHECKPOINT")
    _renamed_size(file)


def _of_another_storage_version(file: Path) -> None:
    """The version number stands in the file's first header, behind its name."""
    content = bytearray(file.read_bytes())
    assert content[8:12] == b"DUCK"
    content[12:20] = (1000).to_bytes(8, "little")
    file.write_bytes(content)


def _of_an_older_storage_version(file: Path) -> None:
    file.unlink()
    with closing(duckdb.connect(":memory:")) as connection:
        connection.execute(f"ATTACH '{file}' AS old (STORAGE_VERSION 'v1.0.0')")
        connection.execute("CREATE TABLE old.games (game_id VARCHAR)")
    _renamed_size(file)


def _without_tables(file: Path) -> None:
    file.unlink()
    duckdb.connect(str(file)).close()
    _renamed_size(file)


def _renamed_size(file: Path) -> None:
    """Let `current` name the file as it is now."""
    named = {"generation": int(file.stem), "bytes": file.stat().st_size}
    (file.parent / "current").write_text(json.dumps(named))


def _unnamed(file: Path) -> None:
    (file.parent / "current").write_text("{")


DAMAGE = {
    _deleted: "missing",
    _truncated: "bytes instead of",
    _emptied: "bytes instead of",
    _overwritten: "not a valid DuckDB",
    _with_a_stale_log: "write-ahead log",
    _of_another_version: "another version",
    _of_another_duckdb: "DuckDB 1.0.0",
    _of_another_storage_version: "checksum|newer version|version number",
    _of_an_older_storage_version: "does not hold the tables",
    _without_tables: "does not hold the tables",
    _unnamed: "damaged",
}


@pytest.mark.parametrize("repair", ["catch_up", "rebuild"])
@pytest.mark.parametrize(("damage", "says"), DAMAGE.items(), ids=[d.__name__ for d in DAMAGE])
def test_damaged_views_are_told_refused_and_repaired(
    views: ViewSet, damage: Callable[[Path], None], says: str, repair: str
) -> None:
    log = memory_log(_game("a"))
    views.catch_up(log, LIBRARY)
    damage(views.path / "1.duckdb")
    status = views.status(log, LIBRARY)
    assert re.search(says, str(status.problem))
    assert "whodecided rebuild" in str(status.advice)
    assert (status.position, status.behind) == (0, 3)
    with pytest.raises(LogUnavailable, match=says) as caught, views.reader():
        pass
    assert "rebuild" in str(caught.value.advice)
    repaired = getattr(views, repair)(log, LIBRARY)
    assert (repaired.problem, repaired.position, repaired.behind) == (None, 3, 0)
    assert _count(views) == 1
    assert len(_files(views)) == 3


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
def test_a_changed_bit_gives_the_same_rows_or_an_error_with_advice(
    views: ViewSet, place: float, bit: int
) -> None:
    log = memory_log(_game("a"), _game("b"))
    right = _intact(views, log)
    file = views.path / "1.duckdb"
    whole = file.read_bytes()
    changed = bytearray(whole)
    changed[int(place * len(whole))] ^= 1 << bit
    file.write_bytes(changed)
    try:
        with views.reader() as connection:
            found, advice = contents(connection), "rebuild"
    except LogUnavailable as error:
        found, advice = right, str(error.advice)
    file.write_bytes(whole)
    assert found == right
    assert "rebuild" in advice


def _intact(views: ViewSet, log: EventLog) -> dict[str, list[tuple[object, ...]]]:
    if views.status(log, LIBRARY).problem is not None:
        views.rebuild(log, LIBRARY)
    with views.reader() as connection:
        return contents(connection)


def test_what_cannot_be_completed_is_not_tried_for_ever(views: ViewSet) -> None:
    log = memory_log(_game("a"), _game("b"))

    def damage(position: int, head: int) -> None:
        raise duckdb.IOException("No space left on device")

    with pytest.raises(LogUnavailable, match="No space left") as caught:
        ViewSet(views.path, page=3).catch_up(log, LIBRARY, damage)
    assert "free space" in str(caught.value.advice)
    assert _files(views) == {"lock"}
    assert views.catch_up(log, LIBRARY).problem is None


def test_views_of_another_reading_of_the_rules_are_made_anew(views: ViewSet) -> None:
    log = memory_log(_game("a"))
    views.catch_up(log, LIBRARY)
    with closing(duckdb.connect(str(views.path / "1.duckdb"))) as connection:
        connection.execute("UPDATE generation SET rules = 'other/kernel-0'")
        connection.execute("CHECKPOINT")
    _renamed_size(views.path / "1.duckdb")
    assert "other/kernel-0" in str(views.status(log, LIBRARY).problem)
    assert views.catch_up(log, LIBRARY) == ViewStatus(2, 3, 0, (), None)


def test_views_of_another_log_are_made_anew(views: ViewSet) -> None:
    views.catch_up(memory_log(_game("a"), _game("b")), LIBRARY)
    for other in (memory_log(_game("a"), _game("c")), memory_log(_game("b")), memory_log()):
        assert "another log" in str(views.status(other, LIBRARY).problem)
        assert views.catch_up(other, LIBRARY).problem is None
        assert _count(views, "events") == other.head()
        views.catch_up(memory_log(_game("a"), _game("b")), LIBRARY)


def test_work_that_a_killed_writer_left_is_continued(views: ViewSet) -> None:
    class Killed(Exception):
        pass

    def die(position: int, head: int) -> None:
        raise Killed

    log = memory_log(*(_game(name) for name in "abcd"))
    small = ViewSet(views.path, page=3)
    with pytest.raises(Killed):
        small.catch_up(log, LIBRARY, die)
    told: list[tuple[int, int]] = []
    assert "no tables" in str(small.status(log, LIBRARY).problem)
    status = small.catch_up(log, LIBRARY, lambda position, head: told.append((position, head)))
    assert status == ViewStatus(1, 12, 0, (), None)
    assert told == [(6, 12), (9, 12), (12, 12)]
    with fresh_tables() as anew, small.reader() as connection:
        run(anew, log, LIBRARY)
        assert contents(connection) == contents(anew)


def test_a_rebuild_that_is_killed_leaves_the_old_tables(views: ViewSet) -> None:
    log = memory_log(_game("a"), _game("b"))
    small = ViewSet(views.path, page=3)
    small.catch_up(log, LIBRARY)

    def die(position: int, head: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        small.rebuild(log, LIBRARY, die)
    assert small.status(log, LIBRARY) == ViewStatus(1, 6, 0, (), None)
    assert _count(small) == 2
    assert "2.duckdb" in _files(small)
    assert small.rebuild(log, LIBRARY) == ViewStatus(2, 6, 0, (), None)
    assert _files(small) == {"current", "lock", "2.duckdb"}


def test_a_reader_sees_whole_old_tables_while_they_are_rebuilt(views: ViewSet) -> None:
    log = memory_log(_game("a"), _game("b"))
    small = ViewSet(views.path, page=3)
    small.catch_up(log, LIBRARY)
    log.append([_game("c").append()])
    seen: list[int] = []
    small.rebuild(log, LIBRARY, lambda position, head: seen.append(_count(small)))
    assert seen == [2, 2, 2]
    assert _count(small) == 3


def test_a_reader_that_stays_open_keeps_its_tables_when_they_are_replaced(views: ViewSet) -> None:
    log = memory_log(_game("a"))
    views.catch_up(log, LIBRARY)
    with views.reader() as connection:
        log.append([_game("b").append()])
        views.catch_up(log, LIBRARY)
        assert len(contents(connection)["events"]) == 3
    assert _count(views, "events") == 6


def test_readers_and_writers_in_threads_never_see_half_a_game(views: ViewSet) -> None:
    log = memory_log(_game("start"))
    views.catch_up(log, LIBRARY)
    seen: list[tuple[int, int]] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            with views.reader() as connection:
                counts = connection.execute(
                    "SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM events)"
                ).fetchall()
            seen.append(counts[0])

    reader = threading.Thread(target=read)
    reader.start()
    for name in "abcdefgh":
        log.append([_game(name).append()])
        views.catch_up(log, LIBRARY)
    done.set()
    reader.join()
    assert seen
    assert all(events == 3 * games for games, events in seen)


def _catch_up(path: str) -> None:
    directory = open_directory(Path(path), create=False)
    try:
        ViewSet(directory.views, page=4).catch_up(directory.events, LIBRARY)
    finally:
        directory.close()


def _die_while_building(path: str) -> None:
    directory = open_directory(Path(path), create=False)
    ViewSet(directory.views, page=4).catch_up(
        directory.events, LIBRARY, lambda position, head: os._exit(9) if position > 8 else None
    )


def test_a_writer_process_that_is_killed_leaves_work_that_is_continued(tmp_path: Path) -> None:
    path = tmp_path / "log"
    for name in "abcdef":
        _game(name).in_directory(path)
    killed = multiprocessing.get_context("spawn").Process(
        target=_die_while_building, args=(str(path),)
    )
    killed.start()
    killed.join()
    assert killed.exitcode == 9
    directory = open_directory(path, create=False)
    try:
        views = ViewSet(directory.views, page=4)
        assert "no tables" in str(views.status(directory.events, LIBRARY).problem)
        told: list[int] = []
        status = views.catch_up(directory.events, LIBRARY, lambda at, head: told.append(at))
        assert status == ViewStatus(1, 18, 0, (), None)
        assert told == [16, 18]
        with views.reader() as connection, fresh_tables() as anew:
            run(anew, directory.events, LIBRARY)
            assert contents(connection) == contents(anew)
    finally:
        directory.close()


def test_two_runners_at_once_write_every_row_once(tmp_path: Path) -> None:
    path = tmp_path / "log"
    for name in "abcdef":
        _game(name).in_directory(path)
    spawn = multiprocessing.get_context("spawn")
    runners = [spawn.Process(target=_catch_up, args=(str(path),)) for _ in range(2)]
    for runner in runners:
        runner.start()
    for runner in runners:
        runner.join()
    assert [runner.exitcode for runner in runners] == [0, 0]
    directory = open_directory(path, create=False)
    try:
        views = ViewSet(directory.views)
        assert views.status(directory.events, LIBRARY) == ViewStatus(1, 18, 0, (), None)
        assert _count(views, "events") == 18
    finally:
        directory.close()


def test_a_writer_gives_up_when_another_one_does_not_end(views: ViewSet) -> None:
    views.path.mkdir()
    impatient = ViewSet(views.path, writer_timeout=0)
    with (
        writer_lock(views.path / "lock"),
        pytest.raises(LogUnavailable, match="another process is writing"),
    ):
        impatient.catch_up(memory_log(), LIBRARY)
    assert impatient.catch_up(memory_log(), LIBRARY).problem is None


def test_a_directory_that_is_a_file_is_told_with_advice(tmp_path: Path) -> None:
    (tmp_path / "views").write_text("")
    with pytest.raises(LogUnavailable) as caught:
        ViewSet(tmp_path / "views").catch_up(memory_log(), LIBRARY)
    assert caught.value.advice


def test_the_status_names_poisoned_games(views: ViewSet) -> None:
    bad = tell(turn(1), match="bad").append()
    events = [*bad.events[:1], bad.events[1]._replace(state=b"{}")]
    log = memory_log()
    log.append([bad._replace(events=events)])
    views.catch_up(log, LIBRARY)
    status = views.status(log, LIBRARY)
    (poisoned,) = status.poison
    assert (poisoned.stream_id, poisoned.number) == (bad.stream_id, 2)
    assert "whodecided verify" in str(status.advice)


def test_ctrl_c_while_tables_are_made_is_what_it_is(
    views: ViewSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(error: Exception) -> None:
        def fail(*_: object, **__: object) -> None:
            raise error

        monkeypatch.setattr("projections.views.run", fail)

    # As DuckDB says it: in its own work, and in that of Python it calls.
    for error in (RuntimeError("Query interrupted"), duckdb.Error("called: KeyboardInterrupt")):
        interrupted(error)
        with pytest.raises(KeyboardInterrupt):
            views.rebuild(memory_log(), LIBRARY)
        assert views.status(memory_log(), LIBRARY).generation is None
    interrupted(RuntimeError("something else"))
    with pytest.raises(RuntimeError, match="something else"):
        views.rebuild(memory_log(), LIBRARY)


def test_the_version_of_the_tables_depends_on_their_columns() -> None:
    assert PROJECTION.partition("-")[0].isdecimal()
    assert len(PROJECTION.partition("-")[2]) == 12
