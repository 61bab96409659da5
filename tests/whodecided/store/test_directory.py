"""A log is a directory that is made whole, opened again, and never mistaken for something else."""

from __future__ import annotations

import os
import stat
from contextlib import closing
from pathlib import Path

import pytest

from domain.errors import LogUnavailable
from tests.whodecided.store.builders import append, facts_of
from whodecided.store.directory import LogDirectory, open_directory


def make(path: Path) -> LogDirectory:
    return open_directory(path, create=True, facts_of=facts_of)


def reopen(path: Path) -> LogDirectory:
    return open_directory(path, create=False, facts_of=facts_of)


def test_a_new_log_has_everything_a_log_needs(tmp_path: Path) -> None:
    with closing(make(tmp_path / "deep" / "log")) as log:
        assert {entry.name for entry in log.path.iterdir()} >= {
            "checkpoints",
            "events.sqlite",
            "keys",
            "views",
        }
        assert log.events.head() == 0
        assert (log.keys / "log.secret").read_bytes() == log.secrets[1]
        assert len(log.secrets[1]) == 32
        assert not [entry for entry in log.path.rglob("*") if entry.name.endswith(".partial")]


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_the_secret_can_be_read_by_its_owner_only(tmp_path: Path) -> None:
    with closing(make(tmp_path / "log")) as log:
        assert stat.S_IMODE(log.keys.stat().st_mode) == 0o700
        assert stat.S_IMODE((log.keys / "log.secret").stat().st_mode) == 0o600


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_everything_in_a_log_is_for_its_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        with closing(make(tmp_path / "log")) as log:
            log.events.append([append(1, 3)])
            found = {entry.name: entry for entry in (log.path, *log.path.rglob("*"))}
            assert {
                "log",
                "events.sqlite",
                "events.sqlite-wal",
                "events.sqlite-shm",
            } <= found.keys()
            wide = [name for name, entry in found.items() if entry.stat().st_mode & 0o077]
            assert wide == []
    finally:
        os.umask(before)


def test_the_secret_is_never_shown_with_the_log(tmp_path: Path) -> None:
    with closing(make(tmp_path / "log")) as log:
        assert repr(log.secrets[1]) not in repr(log)


def test_a_log_that_is_opened_again_keeps_its_secret_and_its_events(tmp_path: Path) -> None:
    with closing(make(tmp_path)) as log:
        log.events.append([append(1, 3)])

    for opened in (reopen(tmp_path), make(tmp_path)):
        with closing(opened):
            assert opened.secrets[1] == log.secrets[1]
            assert opened.events.head() == 3
            assert opened.sealer()("g", 1, "card", "1") == log.sealer()("g", 1, "card", "1")


def test_two_logs_have_different_secrets(tmp_path: Path) -> None:
    with closing(make(tmp_path / "a")) as a, closing(make(tmp_path / "b")) as b:
        assert a.secrets[1] != b.secrets[1]


def test_unusual_characters_in_the_path_are_no_problem(tmp_path: Path) -> None:
    path = tmp_path / "log ?a=b#c %20 ü"
    with closing(make(path)) as log:
        log.events.append([append(1, 1)])
        log.people.keep([("p1", "Ada#12345")])

    with closing(reopen(path)) as log:
        assert log.events.head() == 1
        assert log.people.names("p1") == ["Ada#12345"]
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def test_opening_a_missing_log_makes_nothing(tmp_path: Path) -> None:
    with pytest.raises(LogUnavailable, match="there is no log here") as caught:
        reopen(tmp_path / "log")

    assert caught.value.advice is not None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("create", [True, False])
def test_a_file_is_not_a_log(tmp_path: Path, create: bool) -> None:
    (tmp_path / "log").write_text("text")

    with pytest.raises(LogUnavailable, match="this is a file") as caught:
        open_directory(tmp_path / "log", create=create)
    assert caught.value.advice is not None


@pytest.mark.parametrize("create", [True, False])
def test_a_directory_with_other_things_is_not_taken_over(tmp_path: Path, create: bool) -> None:
    (tmp_path / "letters.txt").write_text("text")

    with pytest.raises(LogUnavailable, match=r"not a log; it holds 'letters.txt'"):
        open_directory(tmp_path, create=create)
    assert [entry.name for entry in tmp_path.iterdir()] == ["letters.txt"]


def test_a_creation_that_was_cut_short_is_completed_with_the_same_secret(tmp_path: Path) -> None:
    with closing(make(tmp_path)) as log:
        secret = log.secrets[1]
    (tmp_path / "events.sqlite").unlink()
    for ending in ("", "-journal", "-shm", "-wal"):
        name = f".events.sqlite.0123456789abcdef.partial{ending}"
        (tmp_path / name).write_bytes(b"half")
    (tmp_path / "views").rmdir()

    with closing(make(tmp_path)) as log:
        assert log.secrets[1] == secret
        assert log.events.head() == 0
        assert log.views.is_dir()


def test_a_missing_secret_is_an_error_once_there_are_events(tmp_path: Path) -> None:
    with closing(make(tmp_path)) as log:
        log.events.append([append(1, 1)])
    (tmp_path / "keys" / "log.secret").unlink()

    for open_it in (reopen, make):
        with pytest.raises(LogUnavailable, match="the log secret is missing") as caught:
            open_it(tmp_path)
        assert caught.value.advice is not None
    assert list((tmp_path / "keys").iterdir()) == []


def test_a_missing_secret_is_made_while_there_are_no_events(tmp_path: Path) -> None:
    make(tmp_path).close()
    (tmp_path / "keys" / "log.secret").unlink()

    with closing(reopen(tmp_path)) as log:
        assert len(log.secrets[1]) == 32


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_secret_of_the_wrong_size_is_an_error(tmp_path: Path, size: int) -> None:
    make(tmp_path).close()
    (tmp_path / "keys" / "log.secret").write_bytes(bytes(size))

    with pytest.raises(LogUnavailable, match=f"has {size} bytes instead of 32"):
        reopen(tmp_path)


@pytest.mark.parametrize("name", ["keys", "views"])
def test_a_file_in_the_place_of_a_directory_is_reported(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("text")

    with pytest.raises(LogUnavailable) as caught:
        make(tmp_path)
    assert caught.value.advice is not None
    assert not (tmp_path / "events.sqlite").exists()
