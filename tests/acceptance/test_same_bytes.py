"""The same records give the same stored bytes, however often, in whatever parts and order.

The full run cuts every recorded log at 50 random offsets; the fast one cuts three small ones.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest

from tests.shared import arena_samples, needs_shared
from tests.support.acceptance import FULL, Figure, Stored, empty_log, import_into, plain, stored
from tests.support.commands import run_process

pytestmark = needs_shared

_CUTS = 50 if FULL else 4
_FAST = ("gre_game_state_phase_changed", "gre_to_client_event_connect_resp", "test_log.txt")


def samples(*fast: str) -> list[Path]:
    """All recorded logs, or those that are named."""
    return [p for p in arena_samples() if FULL or any(part in p.name for part in fast)]


def differing(found: dict[str, Stored], right: dict[str, Stored]) -> list[str]:
    """The streams that are missing, too many, or have other bytes."""
    return [name for name in found.keys() | right.keys() if found.get(name) != right.get(name)]


@pytest.mark.parametrize("sample", samples(*_FAST), ids=lambda path: path.name[-60:])
def test_a_log_cut_at_any_byte_gives_the_same_bytes(
    sample: Path, tmp_path: Path, figure: Figure
) -> None:
    began, data, chance = time.monotonic(), plain(sample), Random(sample.name)
    whole = write(tmp_path / "whole.log", data)
    right = import_into(tmp_path / "right", [whole])
    assert differing(import_into(tmp_path / "twice", [whole], [whole]), right) == []
    assert differing(import_into(tmp_path / "zipped", [sample]), right) == []

    wrong: list[tuple[int, str, list[str]]] = []
    for cut in sorted(chance.randrange(len(data) + 1) for _ in range(_CUTS)):
        first = write(tmp_path / "first.log", data[:cut])
        second = write(tmp_path / "second.log", data[cut:])
        for what, calls in (("grown", ([first], [whole])), ("parts", ([first, second],))):
            found = import_into(tmp_path / what, *calls)
            shutil.rmtree(tmp_path / what)
            if different := differing(found, right):
                wrong.append((cut, what, different))
    assert wrong == []
    figure("offsets", f"{_CUTS} of {len(data):,} bytes, {len(right)} streams")
    figure("seconds", round(time.monotonic() - began, 1))


def write(path: Path, data: bytes) -> Path:
    """A file with these bytes."""
    path.write_bytes(data)
    return path


def test_logs_that_share_no_game_may_come_in_any_order(tmp_path: Path, figure: Figure) -> None:
    # Four of the excerpts are of one game, and each goes on where another ends.
    files = [
        file
        for file in samples("scry-2", "sample.json", "bo3-match", "test_log.txt")
        if not any(part in file.name for part in ("_tap", "phase_changed", "priority_assigned"))
    ]
    chance = Random(1)
    right = union(import_into(tmp_path / f"alone-{i}", [file]) for i, file in enumerate(files))
    for number, order in enumerate((files, files[::-1], chance.sample(files, len(files)))):
        found = import_into(tmp_path / f"calls-{number}", *([file] for file in order))
        assert differing(found, right) == [], number
        assert differing(import_into(tmp_path / f"call-{number}", order), right) == [], number
    figure("files", f"{len(files)}, in three orders, in calls of their own and in one call")
    figure("streams", len(right))


def union(logs: Iterable[dict[str, Stored]]) -> dict[str, Stored]:
    """The streams of several logs, which share none."""
    every: dict[str, Stored] = {}
    for one in logs:
        assert not every.keys() & one.keys()
        every |= one
    return every


def test_the_log_of_the_run_before_and_the_log_of_this_run_give_what_each_gives(
    tmp_path: Path,
) -> None:
    names = ("test_log.txt", "deck-management-store")
    before, now = (plain(path) for name in names for path in arena_samples() if name in path.name)
    previous = write(tmp_path / "Player-prev.log", before)
    current = write(tmp_path / "Player.log", now)
    right = union(import_into(tmp_path / path.stem, [path], [path]) for path in (previous, current))
    for number, calls in enumerate(([previous, current], [current, previous])):
        path = empty_log(tmp_path / f"log-{number}")
        run = run_process("import", *calls, "--log", path)
        assert run.code == 0, run.err
        assert differing(stored(path), right) == []


def test_a_part_that_starts_in_mid_game_does_not_touch_what_is_there(
    tmp_path: Path,
) -> None:
    [sample] = [path for path in arena_samples() if "test_log.txt" in path.name]
    data = plain(sample)
    whole = write(tmp_path / "whole.log", data)
    rest = write(tmp_path / "rest.log", data[len(data) // 2 :])
    right = import_into(tmp_path / "right", [whole])
    part = import_into(tmp_path / "part", [rest])
    found = import_into(tmp_path / "both", [rest], [whole])

    assert part.keys() - right.keys(), "a part has its own stream"
    assert differing(found, right | part) == []
    assert differing(import_into(tmp_path / "other", [whole], [rest]), right | part) == []
