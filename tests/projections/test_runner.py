"""Pages of the log become rows exactly once, however the log grew and whatever it holds."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.errors import IntegrityFailure
from domain.ports import Append, StoredEvent
from projections.database import EVENTS, DuckTracking
from projections.runner import run
from tests.support.games import LIBRARY, ORIGIN, Told, act, asks, fact, tell, turn
from tests.support.random_games import Move, moves, observed
from tests.support.tables import append_part, contents, fresh_tables, memory_log
from whodecided.store.memory_log import MemoryEventLog


def _told(name: str, told: Sequence[Move]) -> Told:
    seen = [*observed(told), asks(1, "priority_passed"), act("priority_passed", 1)]
    return tell(*seen, players=("player:ann", "player:ben", "player:cat"), match=name)


def _stored(connection: Any) -> dict[str, Any]:
    """Everything but the journal's rows, which tell how the log grew."""
    found = contents(connection)
    del found["sources"], found["tracking"]
    return found


class _Stop:
    """Kills a run after some transactions, 0 for none; each has folded all events up to its end."""

    def __init__(self, connection: Any, log: MemoryEventLog, transactions: int) -> None:
        self._connection = connection
        self._log = log
        self._left = transactions

    def __call__(self, position: int, head: int) -> None:
        folded = self._connection.execute("SELECT stream_id, number FROM folded").fetchall()
        numbers = dict(folded)
        for event in self._log.read_all(limit=position):
            assert event.number <= numbers.get(event.stream_id, 0)
        self._left -= 1
        if not self._left:
            raise KeyboardInterrupt


@settings(max_examples=25)
@given(games=st.lists(moves(20), min_size=1, max_size=3), data=st.data())
def test_many_small_steps_give_the_same_rows_as_one_large_one(
    games: list[list[Move]], data: st.DataObject
) -> None:
    told = [_told(f"game{place}", game) for place, game in enumerate(games)]
    log = memory_log()
    done = [0] * len(told)
    with fresh_tables() as stepwise, fresh_tables() as anew:
        while any(upto < len(game.events) for upto, game in zip(done, told, strict=True)):
            place = data.draw(st.integers(0, len(told) - 1), label="game")
            size = data.draw(st.integers(1, 12), label="events")
            first = done[place] + 1
            done[place] = min(len(told[place].events), done[place] + size)
            if first <= done[place]:
                append_part(log, told[place], first, done[place])
            if data.draw(st.booleans(), label="run now"):
                page = data.draw(st.integers(1, 30), label="page")
                stop = _Stop(stepwise, log, data.draw(st.integers(1, 4), label="stop after"))
                with suppress(KeyboardInterrupt):
                    run(stepwise, log, LIBRARY, stop, page=page)
        run(stepwise, log, LIBRARY, _Stop(stepwise, log, 0), page=7)
        run(anew, log, LIBRARY)
        assert contents(stepwise) == contents(anew)


def test_games_that_lie_mixed_in_the_log_give_the_rows_of_games_one_after_another() -> None:
    one, two = (tell(turn(1), act("spell_cast", 1, card="7"), match=name) for name in ("a", "b"))
    mixed = memory_log()
    for number in (1, 2, 3):
        append_part(mixed, one, number, number)
        append_part(mixed, two, number, number)
    with fresh_tables() as first, fresh_tables() as second:
        run(first, mixed, LIBRARY, page=2)
        run(second, memory_log(one, two), LIBRARY)
        assert _positions(first) == {one.game_id: 1, two.game_id: 2}
        assert _positions(second) == {one.game_id: 1, two.game_id: len(one.events) + 1}
        for connection in (first, second):
            for name in ("games", "events"):
                connection.execute(f"ALTER TABLE {name} DROP COLUMN stream_position")
        same = ("events", "games", "decisions", "seats", "turns", "folded")
        assert all(contents(first)[name] == contents(second)[name] for name in same)


def _positions(connection: Any) -> dict[str, int]:
    """Game -> where it begins in the log; its events say the same."""
    games, events = (
        connection.execute(f"SELECT DISTINCT game_id, stream_position FROM {name}").fetchall()
        for name in ("games", "events")
    )
    assert sorted(games) == sorted(events)
    return dict(games)


class _Dies(MemoryEventLog):
    """A log whose reader is killed after some pages."""

    pages = 2

    def read_all(self, *, after: int = 0, limit: int = 5000) -> list[StoredEvent]:
        if self.pages == 0:
            raise KeyboardInterrupt
        self.pages -= 1
        return super().read_all(after=after, limit=limit)


def test_a_run_that_is_killed_between_pages_goes_on_where_it_grown() -> None:
    told = [tell(turn(1), turn(2), turn(1), match=f"m{i}") for i in range(4)]
    log = _Dies(lambda state: state)
    log.append([game.append() for game in told])
    with fresh_tables() as resumed, fresh_tables() as anew:
        with pytest.raises(KeyboardInterrupt):
            run(resumed, log, LIBRARY, page=4)
        assert DuckTracking(resumed).position(EVENTS) == 8
        log.pages = 100
        run(resumed, log, LIBRARY, page=4)
        run(anew, log, LIBRARY)
        assert contents(resumed) == contents(anew)


def test_games_that_grew_since_are_written_in_transactions_of_a_page_and_a_chunk_at_most() -> None:
    told = [tell(*[turn(1 + n % 2) for n in range(20)], match=f"m{i}") for i in range(9)]
    log = memory_log()
    positions: list[int] = []
    with fresh_tables() as grown, fresh_tables() as anew:
        for game in told:
            append_part(log, game, 1, 19)
        run(grown, log, LIBRARY)
        for number in (20, 21):
            for game in told:
                append_part(log, game, number, number)

        run(grown, log, LIBRARY, lambda position, head: positions.append(position), page=50)
        # Two games of 21 events are a chunk, two chunks more than a page.
        assert positions == [9 * 19 + 4, 9 * 19 + 8, 9 * 21]
        run(anew, log, LIBRARY)
        assert contents(grown) == contents(anew)


def test_a_page_that_fails_in_the_middle_leaves_nothing_behind() -> None:
    with fresh_tables() as connection:
        run(connection, memory_log(tell(turn(1), match="old")), LIBRARY)
        before = contents(connection)
        connection.execute("ALTER TABLE turns ADD COLUMN surprise INTEGER")
        told = [tell(turn(1), match=name) for name in ("old", "new")]
        with pytest.raises(Exception, match="turns"):
            run(connection, memory_log(*told), LIBRARY)
        connection.execute("ALTER TABLE turns DROP COLUMN surprise")
        assert contents(connection) == before


def test_a_position_is_never_processed_twice() -> None:
    with fresh_tables() as connection:
        tracking = DuckTracking(connection)
        tracking.advance(EVENTS, 10)
        for position in (10, 9):
            with pytest.raises(IntegrityFailure, match="already processed"):
                tracking.advance(EVENTS, position)
        tracking.advance(EVENTS, 11)
        assert tracking.position(EVENTS) == 11


def test_progress_is_told_after_every_page() -> None:
    told = []
    log = memory_log(tell(turn(1), turn(2), turn(1)))
    with fresh_tables() as connection:
        run(connection, log, LIBRARY, lambda position, head: told.append((position, head)), page=3)
    assert told == [(3, 4), (4, 4)]


def _poisoned(told: Told, number: int, **changed: Any) -> Append:
    events = list(told.append().events)
    events[number - 1] = events[number - 1]._replace(**changed)
    return Append(told.game_id, "game", events, (), (), ORIGIN)


def test_an_event_that_cannot_be_read_halts_its_game_and_no_other() -> None:
    good, bad = tell(turn(1), match="good"), tell(turn(1), turn(2), match="bad")
    log = MemoryEventLog(lambda state: state)
    log.append([_poisoned(bad, 2, state=b'{"topic":"game.unheard_of/v9"}'), good.append()])
    with fresh_tables() as connection:
        assert run(connection, log, LIBRARY) == log.head()
        found = contents(connection)
    assert [row[0] for row in found["games"]] == [good.game_id]
    assert {row[0] for row in found["events"]} == {good.game_id}
    ((stream, kind, number, reason),) = found["poison"]
    assert (stream, kind, number) == (bad.game_id, "game", 2)
    assert "unheard_of" in reason


@pytest.mark.parametrize(
    ("bytes_of", "stored_as"), [((2, "bad"), (3, "bad")), ((2, "good"), (2, "bad"))]
)
def test_bytes_of_another_event_give_no_row(
    bytes_of: tuple[int, str], stored_as: tuple[int, str]
) -> None:
    told = {name: tell(turn(1), turn(2), match=name) for name in ("good", "bad")}
    state = told[bytes_of[1]].append().events[bytes_of[0] - 1].state
    log = MemoryEventLog(lambda state: state)
    log.append([_poisoned(told["bad"], stored_as[0], state=state), told["good"].append()])
    with fresh_tables() as connection:
        run(connection, log, LIBRARY)
        found = contents(connection)
    assert [row[0] for row in found["games"]] == [told["good"].game_id]
    ((stream, _, number, reason),) = found["poison"]
    assert (stream, number) == (told["bad"].game_id, stored_as[0])
    assert f"game.turn_started/v1 {bytes_of[0]} of {told[bytes_of[1]].game_id}" in reason


def test_an_event_stored_under_another_topic_gives_no_row() -> None:
    bad = tell(turn(1), match="bad")
    log = MemoryEventLog(lambda state: state)
    log.append([_poisoned(bad, 2, topic="game.step_started/v1")])
    with fresh_tables() as connection:
        run(connection, log, LIBRARY)
        ((_, _, number, reason),) = contents(connection)["poison"]
        assert not contents(connection)["events"]
    assert number == 2
    assert "is stored as game.step_started/v1" in reason


def test_a_game_that_cannot_be_folded_is_halted_with_the_reason() -> None:
    bad = tell(turn(1), fact("rewound", to=1), match="bad")
    wrong = bad.append().events[2].state.replace(b'"to":1', b'"to":99')
    log = MemoryEventLog(lambda state: state)
    log.append([_poisoned(bad, 3, state=wrong)])
    with fresh_tables() as connection:
        run(connection, log, LIBRARY)
        found = contents(connection)
    ((_, _, number, reason),) = found["poison"]
    assert number is None
    assert reason
    assert not found["games"]


def test_the_rows_of_a_game_go_when_it_is_poisoned_later() -> None:
    bad, good = tell(turn(1), turn(2), match="bad"), tell(turn(1), match="good")
    log = MemoryEventLog(lambda state: state)
    append_part(log, bad, 1, 2)
    with fresh_tables() as stepwise, fresh_tables() as anew:
        run(stepwise, log, LIBRARY)
        assert len(contents(stepwise)["games"]) == 1
        log.append([_poisoned(bad, 3, state=b"{}"), good.append()])
        run(stepwise, log, LIBRARY)
        run(anew, log, LIBRARY)
        assert _stored(stepwise) == _stored(anew)
        assert [row[0] for row in contents(stepwise)["games"]] == [good.game_id]
        assert contents(stepwise)["poison"][0][2] == 3


def test_sources_say_which_events_came_from_which_append() -> None:
    told, log = tell(turn(1), turn(2)), memory_log()
    append_part(log, told, 1, 1)
    append_part(log, told, 2, 3)
    with fresh_tables() as connection:
        run(connection, log, LIBRARY)
        run(connection, log, LIBRARY)
        rows = connection.execute(
            "SELECT journal_index, stream_id, number, to_number, file_name FROM sources ORDER BY 1"
        ).fetchall()
    assert rows == [
        (0, told.game_id, 1, 1, ORIGIN.file_name),
        (1, told.game_id, 2, 3, ORIGIN.file_name),
    ]
