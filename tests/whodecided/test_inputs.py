"""Files that a user names are read whole, or refused with file, reason and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from domain.errors import BadInput
from whodecided.inputs import read_bytes, read_text


def refused(path: Path, most: int = 1 << 20) -> BadInput:
    with pytest.raises(BadInput) as caught:
        read_text(path, most)
    assert caught.value.where == str(path)
    return caught.value


def test_text_is_read_with_or_without_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"\xef\xbb\xbfcaf\xc3\xa9")

    assert read_text(path, 8) == "café"
    assert read_bytes(path, 8) == path.read_bytes()


def test_a_file_may_have_the_size_that_is_allowed_and_no_more(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * 2000)

    assert len(read_text(path, 2000)) == 2000
    assert refused(path, 1999).reason == "the file is larger than 1,999 bytes"
    path.write_bytes(b"x" * ((1 << 20) + 1))
    assert refused(path).reason == "the file is larger than 1 MiB"


def test_what_is_no_text_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"one\ntwo\nth\xff\n")

    error = refused(path)
    assert (error.reason, error.line) == ("the file is not UTF-8 text", 3)


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    assert refused(tmp_path).reason == "Is a directory"
    assert refused(tmp_path / "absent").reason == "No such file or directory"
    assert refused(tmp_path / "file" / "inside").reason == "Not a directory"
