"""A short race, and proof that the check notices what it looks for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.contention.racing import Figures, Race, Stored, race, require_no_loss
from tests.crash.stores import Store, directories, schemas
from tests.support.live import casts, starts
from whodecided import open_log


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the processes are forked")
def test_processes_that_append_to_the_same_games_lose_and_double_nothing(tmp_path: Path) -> None:
    with directories(tmp_path) as store:
        require_fair_race(store)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the processes are forked")
def test_a_server_loses_and_doubles_nothing_either(tmp_path: Path, postgres_server: str) -> None:
    with schemas(postgres_server, tmp_path) as store:
        require_fair_race(store)


def require_fair_race(store: Store) -> None:
    """Nothing is lost or doubled, and every process gets its turn."""
    figures = race(Race(store.place("log"), processes=8, games=20, seconds=3))
    with open_log(store.place("log")) as log:
        require_no_loss(log, 20, figures)
    assert all(each.stored for each in figures)


def test_a_lost_a_doubled_and_a_moved_event_are_noticed(tmp_path: Path) -> None:
    with open_log(tmp_path / "log", create=True) as log:
        log.record("table", starts())
        done = [log.record("table", casts(name))[0] for name in "ab"]
        right = [
            Stored(o.stream_id, o.number, name, o.leaf) for o, name in zip(done, "ab", strict=True)
        ]
        require_no_loss(log, 1, [Figures(right)])
        moved = [right[0], right[1]._replace(leaf=right[0].leaf)]
        for wrong in (right[:1], [*right, right[0]], [*right, right[1]._replace(number=4)], moved):
            with pytest.raises(AssertionError):
                require_no_loss(log, 1, [Figures(wrong)])
        with pytest.raises(AssertionError):
            require_no_loss(log, 2, [Figures(right)])
