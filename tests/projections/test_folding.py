"""Tables do not depend on how many processes make them, and no process is left behind."""

from __future__ import annotations

import multiprocessing
from pathlib import Path
from typing import Any

import pytest

from domain.errors import LogUnavailable
from projections.runner import run
from projections.views import ViewSet, ViewStatus
from tests.support.games import LIBRARY, Told, act, asks, fact, tell, turn
from tests.support.tables import append_part, contents, fresh_tables, memory_log
from whodecided.store.memory_log import MemoryEventLog


def _game(name: str, turns: int) -> Told:
    seen = [
        seen
        for number in range(turns)
        for seen in (
            turn(1 + number % 2),
            asks(1 + number % 2, "spell_cast"),
            act("spell_cast", 1 + number % 2, object=f"o{number}", card=str(number)),
        )
    ]
    return tell(*seen, match=name, played_on=None if turns % 2 else "2017-05-01")


def _log() -> MemoryEventLog:
    """Games one after another, two that lie mixed, one that cannot be folded, one poisoned."""
    log = memory_log(*(_game(f"game {number}", 3 + number) for number in range(12)))
    mixed = [_game(name, 9) for name in ("one", "two")]
    for number in range(1, len(mixed[0].events), 5):
        for game in mixed:
            append_part(log, game, number, min(number + 4, len(game.events)))
    impossible = tell(turn(1), fact("rewound", to=1), match="impossible").append()
    wrong = impossible.events[2].state.replace(b'"to":1', b'"to":99')
    unread = _game("unread", 4).append()
    for bad, at, state in ((impossible, 2, wrong), (unread, 5, b"{}")):
        events = list(bad.events)
        events[at] = events[at]._replace(state=state, facts=bytes(32))
        log.append([bad._replace(events=events)])
    log.append([_game("last", 5).append()])
    return log


def _rows(connection: Any) -> dict[str, Any]:
    """Table -> its rows as they lie in it."""
    return {name: connection.table(name).fetchall() for name in contents(connection)}


@pytest.mark.parametrize("page", [11, 60, 20_000])
def test_several_processes_give_the_same_rows_in_the_same_places_as_one(page: int) -> None:
    log = _log()
    with fresh_tables() as one, fresh_tables() as several:
        run(one, log, LIBRARY, page=page)
        run(several, log, LIBRARY, page=page, jobs=3)
        assert _rows(several) == _rows(one)
        assert len(_rows(one)["poison"]) == 2
        assert len(_rows(one)["games"]) == 15


def test_several_processes_go_on_where_one_stopped() -> None:
    log, more = memory_log(_game("a", 4), _game("b", 5)), _game("c", 20)
    append_part(log, more, 1, 7)
    with fresh_tables() as stepwise, fresh_tables() as anew:
        run(stepwise, log, LIBRARY)
        append_part(log, more, 8, len(more.events))
        log.append([_game("d", 6).append()])
        run(stepwise, log, LIBRARY, page=10, jobs=2)
        run(anew, log, LIBRARY, page=10)
        found, wanted = contents(stepwise), contents(anew)
        assert {**found, "sources": []} == {**wanted, "sources": []}


def test_a_process_that_dies_leaves_the_old_tables_and_is_told_with_advice(tmp_path: Path) -> None:
    views = ViewSet(tmp_path / "views")
    log = memory_log(*(_game(f"game {number}", 5) for number in range(40)))
    before = views.catch_up(log, LIBRARY)

    def kill(position: int, head: int) -> None:
        for process in multiprocessing.active_children():
            process.kill()
            process.join()

    with pytest.raises(LogUnavailable, match="ended unexpectedly") as caught:
        ViewSet(views.path, page=10).rebuild(log, LIBRARY, kill, jobs=2)
    assert "--jobs 1" in str(caught.value.advice)
    assert views.status(log, LIBRARY) == before
    assert multiprocessing.active_children() == []
    assert views.rebuild(log, LIBRARY, jobs=2).problem is None


def test_readers_see_the_old_tables_until_all_processes_are_done(tmp_path: Path) -> None:
    views = ViewSet(tmp_path / "views", page=30)
    log = memory_log(*(_game(f"game {number}", 5) for number in range(8)))
    views.catch_up(log, LIBRARY)
    with views.reader() as connection:
        old = contents(connection)
    log.append([_game("new", 5).append()])
    seen: list[bool] = []

    def look(position: int, head: int) -> None:
        with views.reader() as connection:
            seen.append(contents(connection) == old)

    assert views.rebuild(log, LIBRARY, look, jobs=2) == ViewStatus(2, log.head(), 0, (), None)
    assert seen
    assert all(seen)
    with views.reader() as connection:
        assert contents(connection) != old


def test_what_a_game_does_to_the_memory_is_not_held_against_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def too_large(*_: Any) -> Any:
        raise MemoryError

    monkeypatch.setattr("projections.folding.fold_tables", too_large)
    views = ViewSet(tmp_path / "views")
    log = memory_log(_game("a", 1))
    with pytest.raises(LogUnavailable, match="not enough memory") as caught:
        views.catch_up(log, LIBRARY)
    assert caught.value.advice
    monkeypatch.undo()
    assert views.catch_up(log, LIBRARY).poison == ()
