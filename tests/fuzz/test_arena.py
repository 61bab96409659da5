"""Client logs of any content: nothing stops the import, and what is stored can be read."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.codec import decode, facts_digest, to_model
from projections.game import fold_game
from tests.support.arena_importing import opened
from tests.support.fuzzing import PLAIN, SPLICES, Splice, bounded, budget, places, spliced
from tests.support.games import RULES
from whodecided.importers.arena.importer import import_arena
from whodecided.importers.arena.synthetic.demo import demo_log
from whodecided.importers.arena.synthetic.random_games import Wishes, random_match
from whodecided.store.memory_log import MemoryEventLog

_BUSY: Final = Wishes(
    turns=4, undo=0.5, gap=0.4, reconnect=0.3, take_over=0.4, control=0.6, swapped=0.2
)
_LOGS: Final = (demo_log(), *(random_match(seed, _BUSY) for seed in range(4)))
"""Logs written by us: the demo's game, and games in which much happens."""
_log = st.integers(0, len(_LOGS) - 1)


def _entries(log: str) -> list[tuple[int, str]]:
    """Lines with an entry in JSON, as index and the text before it."""
    found = []
    for at, line in enumerate(log.splitlines()):
        before, brace, rest = line.partition("{")
        if brace and rest.endswith("}"):
            found.append((at, before))
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


def imported(folder: Path, content: bytes, name: str = "Player.log") -> None:
    """Import the content; everything stored is sound, and a second import adds nothing."""
    path = folder / name
    path.write_bytes(content)
    stored: Any = MemoryEventLog(facts_digest)
    with closing(opened(folder / "log")) as directory, bounded():
        log = replace(directory, events=stored)
        import_arena([path], log)
        entries = len(stored.journal())
        import_arena([path], log)
        assert len(stored.journal()) == entries
    for stream, _, _ in stored.streams():
        events = [decode(event) for event in stored.read(stream)]
        for event in events:
            to_model(event)
        if events[0].TOPIC.startswith("game."):
            fold_game(events, RULES).findings  # noqa: B018  # worked out when it is asked for


@budget(50)
@given(changes=SPLICES, log=_log)
def test_any_bytes_in_the_place_of_others(folder: Path, changes: list[Splice], log: int) -> None:
    imported(folder, spliced(_LOGS[log].encode(), changes))


@budget(50)
@given(data=st.data(), log=_log)
def test_lines_in_any_order_once_or_often(folder: Path, data: st.DataObject, log: int) -> None:
    lines = _LOGS[log].splitlines(keepends=True)
    for _ in range(data.draw(st.integers(1, 6))):
        start, to = (data.draw(st.integers(0, len(lines))) for _ in range(2))
        part = lines[start : start + data.draw(st.integers(1, 40))]
        if data.draw(st.booleans()):
            del lines[start : start + len(part)]
        lines[to:to] = part if data.draw(st.booleans()) else reversed(part)
    imported(folder, "".join(lines).encode())


def _replace(data: st.DataObject, container: Any, key: Any, others: Sequence[Any]) -> None:
    container[key] = data.draw(PLAIN)


def _copy(data: st.DataObject, container: Any, key: Any, others: Sequence[Any]) -> None:
    other, at = others[data.draw(st.integers(0, len(others) - 1))]
    container[key] = json.loads(json.dumps(other[at]))


def _remove(data: st.DataObject, container: Any, key: Any, others: Sequence[Any]) -> None:
    del container[key]


def _nudge(data: st.DataObject, container: Any, key: Any, others: Sequence[Any]) -> None:
    value = container[key]
    if isinstance(value, int):
        container[key] = value + data.draw(st.sampled_from([-value, -1, 1, 2, 1 << 31, 1 << 63]))
    elif isinstance(value, list):
        container[key] = value * data.draw(st.integers(0, 3))
    elif isinstance(value, str):
        container[key] = data.draw(st.sampled_from([value.upper(), value + "New", value[1:], ""]))


_CHANGES: Final[tuple[Callable[..., None], ...]] = (_replace, _copy, _remove, _nudge)


@budget(100)
@given(data=st.data(), log=_log)
def test_any_values_in_the_place_of_others(folder: Path, data: st.DataObject, log: int) -> None:
    lines = _LOGS[log].splitlines(keepends=True)
    told = _entries(_LOGS[log])
    for _ in range(data.draw(st.integers(1, 4))):
        at, before = data.draw(st.sampled_from(told))
        entry = json.loads(lines[at].removeprefix(before))
        for _ in range(data.draw(st.integers(1, 3))):
            found = list(places(entry))
            if found:
                container, key = found[data.draw(st.integers(0, len(found) - 1))]
                data.draw(st.sampled_from(_CHANGES))(data, container, key, found)
        lines[at] = f"{before}{json.dumps(entry)}\n"
    imported(folder, "".join(lines).encode())


@budget(20)
@given(changes=SPLICES)
def test_compressed_logs_of_any_bytes(folder: Path, changes: list[Splice]) -> None:
    packed = gzip.compress(_LOGS[0].encode(), mtime=0)
    imported(folder, spliced(packed, changes), "Player.log.gz")
