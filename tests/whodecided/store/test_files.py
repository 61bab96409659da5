"""A file is made whole, under its own name, once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from whodecided.store.files import create_once


def write(text: str, path: Path) -> None:
    path.write_text(text)


def test_the_first_maker_wins_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = tmp_path / "file"

    create_once(path, lambda partial: write("first", partial))
    create_once(path, lambda partial: write("second", partial))

    assert path.read_text() == "first"
    assert list(tmp_path.iterdir()) == [path]


def test_a_maker_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def fail(partial: Path) -> None:
        partial.write_text("half")
        raise OSError("no space left")

    with pytest.raises(OSError, match="no space left"):
        create_once(tmp_path / "file", fail)

    assert list(tmp_path.iterdir()) == []


def test_file_systems_without_hard_links_are_no_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(source: Path, target: Path) -> None:
        raise PermissionError("links are not supported here")

    monkeypatch.setattr(os, "link", refuse)

    create_once(tmp_path / "file", lambda partial: write("first", partial))
    create_once(tmp_path / "file", lambda partial: write("second", partial))

    assert [entry.read_text() for entry in tmp_path.iterdir()] == ["first"]
