"""The same records give the same stored bytes, however often and in whatever parts they come.

`WHODECIDED_CUTS` sets how many byte offsets are tried per recorded log (3 unless set; 50 for a full
run), `WHODECIDED_CUT_BYTES` the size above which recorded logs are left out (4 MB unless set).
"""

from __future__ import annotations

import gzip
import os
import random
import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.shared import arena_samples, needs_shared
from tests.support.arena_importing import Streams, import_into, write_log
from whodecided.importers.arena.synthetic.demo import demo_log
from whodecided.importers.arena.synthetic.random_games import Wishes, random_match

_CUTS = int(os.environ.get("WHODECIDED_CUTS", "3"))
_LARGEST = int(os.environ.get("WHODECIDED_CUT_BYTES", "4000000"))


def stored(folder: Path, *calls: Sequence[Path]) -> Streams:
    """What a new log in the folder holds after these calls."""
    return import_into(folder, *calls)[0]


def require_same_however_cut(folder: Path, data: bytes, cuts: Sequence[int]) -> None:
    """Whole, twice, a beginning and then the whole, and two parts in one call."""
    whole = folder / "whole.log"
    whole.write_bytes(data)
    expected = stored(folder / "whole", [whole])
    assert stored(folder / "twice", [whole], [whole]) == expected
    assert stored(folder / "both", [whole, whole]) == expected
    for cut in cuts:
        first, second = folder / "first.log", folder / "second.log"
        first.write_bytes(data[:cut])
        second.write_bytes(data[cut:])
        beginning = stored(folder / f"beginning-{cut}", [first])
        for stream, events in beginning.items():
            assert expected[stream][: len(events)] == events, cut
        assert stored(folder / f"grown-{cut}", [first], [whole]) == expected, cut
        assert stored(folder / f"parts-{cut}", [first, second]) == expected, cut


def test_the_demo_log_gives_the_same_bytes_however_it_is_cut(tmp_path: Path) -> None:
    data = demo_log(newline="\r\n").encode()
    rng = random.Random(2026)
    require_same_however_cut(tmp_path, data, sorted(rng.randrange(len(data)) for _ in range(8)))


def test_a_state_that_comes_late_at_the_cut_is_of_the_same_game(tmp_path: Path) -> None:
    text = random_match(4, Wishes(swapped=0.3)).encode()
    states = re.finditer(rb'\n.*"gameStateMessage": \{[^\n]*?"gameStateId": (\d+)', text)
    late = [
        after.start()
        for before, after in pairwise(states)
        if int(after.group(1)) < int(before.group(1))
    ]
    assert late
    require_same_however_cut(tmp_path, text, late)


@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 10**6), data=st.data())
def test_random_matches_give_the_same_bytes_however_they_are_cut(
    tmp_path_factory: pytest.TempPathFactory, seed: int, data: st.DataObject
) -> None:
    wishes = Wishes(turns=4, swapped=data.draw(st.sampled_from((0.0, 0.4))))
    text = random_match(seed, wishes).encode()
    cut = data.draw(st.integers(0, len(text)))
    require_same_however_cut(tmp_path_factory.mktemp("cut"), text, [cut])


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_batches_in_the_wrong_order_tell_the_same(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    folder = tmp_path_factory.mktemp("order")
    calm = Wishes(turns=4, gap=0, reconnect=0)
    mixed = Wishes(turns=4, gap=0, reconnect=0, swapped=0.5)
    straight = write_log(folder, random_match(seed, calm), name="straight.log")
    swapped = write_log(folder, random_match(seed, mixed), name="swapped.log")
    assert stored(folder / "a", [straight]) == stored(folder / "b", [swapped])


@settings(max_examples=5, deadline=None)
@given(seeds=st.lists(st.integers(0, 10**6), min_size=2, max_size=4, unique=True), data=st.data())
def test_files_that_share_no_game_may_come_in_any_order(
    tmp_path_factory: pytest.TempPathFactory, seeds: list[int], data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("order")
    files = [
        write_log(folder, random_match(seed, Wishes(turns=3)), name=f"{seed}.log") for seed in seeds
    ]
    other = data.draw(st.permutations(files))
    assert stored(folder / "a", files) == stored(folder / "b", other)
    assert stored(folder / "a", files) == stored(folder / "c", *([file] for file in other))


def small_samples() -> list[Path]:
    """The recorded logs that are small enough."""
    return [path for path in arena_samples() if _size(path) <= _LARGEST]


def _size(path: Path) -> int:
    return int.from_bytes(path.read_bytes()[-4:], "little")


@needs_shared
@pytest.mark.parametrize("sample", small_samples(), ids=lambda path: path.name[:70])
def test_recorded_logs_give_the_same_bytes_however_they_are_cut(
    tmp_path: Path, sample: Path
) -> None:
    data = gzip.decompress(sample.read_bytes())
    rng = random.Random(sample.name)
    cuts = sorted(rng.randrange(len(data) + 1) for _ in range(_CUTS))
    require_same_however_cut(tmp_path, data, cuts)


@needs_shared
def test_recorded_logs_may_come_in_any_order_and_one_by_one(tmp_path: Path) -> None:
    files = small_samples()
    rng = random.Random(7)
    one_by_one = stored(tmp_path / "each", *([file] for file in files))
    for attempt in range(3):
        rng.shuffle(files)
        assert stored(tmp_path / f"together-{attempt}", files) == one_by_one
