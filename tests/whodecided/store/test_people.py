"""Names are kept only when asked for, found both ways, and gone when erased."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from domain.errors import LogUnavailable
from whodecided.store.people import People


def test_no_file_is_made_before_a_name_is_kept(tmp_path: Path) -> None:
    people = People(tmp_path / "people.sqlite")

    assert people.names("p1") == []
    assert people.pseudonyms("Ada#12345") == []
    assert people.erase("p1") == 0
    assert list(tmp_path.iterdir()) == []


def test_names_are_found_by_pseudonym_and_back(tmp_path: Path) -> None:
    people = People(tmp_path / "people.sqlite")
    people.keep([("p1", "Ada#12345"), ("p2", "Grace#1"), ("p1", "Ada#9")])
    people.keep([("p1", "Ada#9")])

    again = People(tmp_path / "people.sqlite")

    assert again.names("p1") == ["Ada#12345", "Ada#9"]
    assert again.pseudonyms("Grace#1") == ["p2"]
    assert again.pseudonyms("Grace") == []


def test_erased_names_are_gone_from_the_bytes_of_the_file(tmp_path: Path) -> None:
    people = People(tmp_path / "people.sqlite")
    people.keep([("p1", "Ada#12345"), ("p2", "Grace#1")])

    assert people.erase("p1") == 1
    assert people.names("p1") == []
    assert people.names("p2") == ["Grace#1"]
    assert b"Ada" not in b"".join(file.read_bytes() for file in tmp_path.iterdir())


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_only_the_owner_may_read_the_names(tmp_path: Path) -> None:
    people = People(tmp_path / "people.sqlite")
    people.keep([("p1", "Ada#12345")])

    assert stat.S_IMODE(people.path.stat().st_mode) == 0o600


def test_a_file_that_is_no_database_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "people.sqlite"
    path.write_text("not a database " * 100)

    with pytest.raises(LogUnavailable):
        People(path).names("p1")
    with pytest.raises(LogUnavailable):
        People(path).keep([("p1", "Ada#12345")])


def test_a_directory_in_the_place_of_the_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "people.sqlite").mkdir()

    with pytest.raises(LogUnavailable):
        People(tmp_path / "people.sqlite").keep([("p1", "Ada#12345")])
