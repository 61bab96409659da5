"""Files as they come: compressed, growing, unreadable, or no logs at all."""

from __future__ import annotations

import gzip
import hashlib
import os
from pathlib import Path

import pytest

from domain.errors import BadInput
from tests.support.arena_lines import Log, full, small_game
from whodecided.importers.arena.files import BLOCK_SIZE, read_bytes
from whodecided.importers.arena.items import StateItem
from whodecided.importers.arena.reading import Reading, check_file
from whodecided.importers.arena.records import BadKind, BadRecord, SourceFile, Unfinished


def _log() -> bytes:
    return small_game(Log(end="\r\n")).data()


def _problem(reading: Reading, index: int = 0) -> str:
    problem = reading.files[index].problem
    assert problem is not None
    return problem.reason


def test_a_compressed_log_is_told_by_its_first_bytes_and_reads_like_the_plain_one(
    tmp_path: Path,
) -> None:
    plain, packed = tmp_path / "Player.log", tmp_path / "Player.bin"
    plain.write_bytes(_log())
    half = len(_log()) // 2
    packed.write_bytes(gzip.compress(_log()[:half]) + gzip.compress(_log()[half:]))
    first, second = Reading([plain]), Reading([packed])
    places = [[getattr(i, "place", None) for i in reading] for reading in (first, second)]

    assert places[0] == places[1]
    assert first.figures(0) == second.figures(0)
    assert [f.compressed for f in (first.files[0], second.files[0])] == [False, True]


@pytest.mark.parametrize("size", [0, 1, BLOCK_SIZE - 1, BLOCK_SIZE, 3 * BLOCK_SIZE + 17])
def test_compressed_data_of_any_size_is_unpacked_in_bounded_blocks(
    size: int, tmp_path: Path
) -> None:
    path = tmp_path / "zeros.gz"
    path.write_bytes(gzip.compress(bytes(size)))
    source = SourceFile(0, path)
    blocks = list(read_bytes(source))

    assert sum(map(len, blocks)) == size
    assert max(map(len, blocks), default=0) <= BLOCK_SIZE
    assert source.problem is None


def test_a_compressed_log_that_ends_early_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    path = tmp_path / "cut.log.gz"
    packed = gzip.compress(_log() * 50)
    path.write_bytes(packed[: len(packed) * 2 // 3])
    reading = Reading([path])
    items = list(reading)

    assert _problem(reading) == "the gzip data ends early"
    assert reading.figures(0)["game_states"] != 0
    assert isinstance(items[-1], BadRecord)
    assert (items[-1].kind, items[-1].place.line) == (BadKind.UNREADABLE, 0)


def test_damaged_compressed_data_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "damaged.log.gz"
    packed = bytearray(gzip.compress(os.urandom(50_000)))
    packed[200:300] = bytes(100)
    path.write_bytes(packed)
    reading = Reading([path])
    list(reading)

    assert _problem(reading).startswith("damaged gzip data")


def test_files_that_cannot_be_read_are_reported_and_the_others_are_read(tmp_path: Path) -> None:
    empty, log = tmp_path / "empty.log", tmp_path / "Player.log"
    empty.write_bytes(b"")
    log.write_bytes(_log())
    os.mkfifo(tmp_path / "pipe")
    paths = [empty, tmp_path, tmp_path / "absent.log", tmp_path / "pipe", log]
    reading = Reading(paths)
    items = list(reading)

    assert [_problem(reading, index) for index in range(4)] == [
        "the file is empty",
        "this is a directory",
        "No such file or directory",
        "this is not a regular file",
    ]
    assert reading.files[4].problem is None
    assert any(isinstance(item, StateItem) for item in items)
    bad = [item for item in items if isinstance(item, BadRecord)]
    assert [item.place.file for item in bad] == [0, 1, 2, 3]


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_without_permission_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "Player.log"
    path.write_bytes(_log())
    path.chmod(0)
    reading = Reading([path])
    list(reading)

    assert _problem(reading) == "Permission denied"


@pytest.mark.parametrize("seed", range(3))
def test_a_binary_file_is_no_text_log(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "data.bin"
    noise = hashlib.shake_128(bytes([seed])).digest(300_000)
    path.write_bytes(b"PK\x03\x04\0\0" + noise + b"\n{\n" + noise)
    reading = Reading([path])
    list(reading)

    assert _problem(reading) == "binary data, no text log"


def test_zero_bytes_between_the_lines_of_a_log_do_not_make_it_binary(tmp_path: Path) -> None:
    path = tmp_path / "Player.log"
    path.write_bytes(bytes(300) + b"\n" + _log())
    reading = Reading([path])
    list(reading)

    assert reading.files[0].problem is None
    assert reading.figures(0)["games"] == 1


def test_a_text_without_game_data_is_read_without_complaint(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Nothing to see here.\n{\n}\n{}\n[1, 2]\n")
    reading = Reading([path])

    assert list(reading) == []
    assert reading.files[0].problem is None
    assert reading.files[0].detailed_logs is None


def test_a_file_that_grows_while_it_is_read_ends_where_it_ended_at_first(tmp_path: Path) -> None:
    path = tmp_path / "Player.log"
    path.write_bytes(b"x" * (2 * BLOCK_SIZE + 5))
    source = SourceFile(0, path)
    blocks = read_bytes(source)
    first = next(blocks)
    with path.open("ab") as handle:
        handle.write(b"y" * BLOCK_SIZE)
    data = first + b"".join(blocks)

    assert data == b"x" * (2 * BLOCK_SIZE + 5)
    assert (source.size, source.problem) == (len(data), None)


def test_a_file_that_shrinks_while_it_is_read_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "Player.log"
    path.write_bytes(b"x" * (3 * BLOCK_SIZE))
    source = SourceFile(0, path)
    blocks = read_bytes(source)
    next(blocks)
    os.truncate(path, BLOCK_SIZE)
    assert b"".join(blocks) == b""
    assert source.problem is not None
    assert source.problem.reason == "it became shorter while it was read"


def test_the_last_entry_of_a_file_being_written_is_unfinished_and_nothing_else_is_lost(
    tmp_path: Path,
) -> None:
    path = tmp_path / "Player.log"
    log = Log()
    log.server(full(1))
    log.client("SelectNResp", gameStateId=1, respId=8)
    path.write_bytes(log.data()[:-30])
    kinds = [type(item).__name__ for item in Reading([path])]

    assert kinds == ["StateItem", Unfinished.__name__]


def test_checking_a_file_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="directory"):
        check_file(tmp_path)
