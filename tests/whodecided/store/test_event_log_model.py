"""Any sequence of appends and erasures: every store and a plain model always agree."""

from __future__ import annotations

import tempfile
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.errors import IntegrityFailure
from domain.ports import Append, Appended, EventLog
from tests.support.postgres import drop_schema, fresh_address
from tests.whodecided.store.builders import (
    LOG_ID,
    append,
    disclosure,
    facts_of,
    new_postgres_log,
    new_sqlite_log,
)
from whodecided.store.memory_log import MemoryEventLog

STREAMS = ("a", "b")


@dataclass
class Model:
    """The contract in its shortest form: (stream, number) -> (said, derived), in order."""

    rows: list[tuple[str, int, bytes]] = field(default_factory=list)
    kinds: dict[str, str] = field(default_factory=dict)
    hidden: set[tuple[str, int]] = field(default_factory=set)
    entries: list[tuple[str, int, int]] = field(default_factory=list)

    def accepts(self, item: Append) -> bool:
        known = {(stream, number): state for stream, number, state in self.rows}
        head = sum(stream == item.stream_id for stream, _, _ in self.rows)
        return (
            self.kinds.get(item.stream_id, item.kind) == item.kind
            and (not item.events or 1 <= item.events[0].number <= head + 1)
            and all(
                facts_of(known.get((e.stream_id, e.number), e.state)) == facts_of(e.state)
                for e in item.events
            )
        )

    def add(self, item: Append) -> Appended:
        known = {(stream, number) for stream, number, _ in self.rows}
        new = [e for e in item.events if (e.stream_id, e.number) not in known]
        self.rows += [(e.stream_id, e.number, e.state) for e in new]
        if new:
            self.kinds.setdefault(item.stream_id, item.kind)
            self.entries.append((item.stream_id, new[0].number, new[-1].number))
        numbers = {e.number for e in new}
        self.hidden |= {(item.stream_id, d.number) for d in item.disclosures} & {
            (item.stream_id, number) for number in numbers
        }
        present = len(item.events) - len(new)
        return Appended(item.stream_id, present, len(new), len(self.rows))


@st.composite
def appends(draw: st.DrawFn) -> Append:
    first = draw(st.integers(0, 6))
    last = first + draw(st.integers(-1, 4))
    numbers = range(max(first, 1), last + 1)
    hidden = draw(st.sets(st.sampled_from(numbers))) if numbers else set()
    return append(
        first,
        last,
        draw(st.sampled_from(STREAMS)),
        kind=draw(st.sampled_from(["game", "game", "game", "match"])),
        said=draw(st.sampled_from(["", "", "", "otherwise"])),
        derived=draw(st.sampled_from(["", "seat 1", "seat 2"])),
        disclosures=[disclosure(number) for number in sorted(hidden)],
    )


batches = st.lists(appends(), min_size=1, max_size=3)
erasures = st.tuples(st.sampled_from(STREAMS), st.none() | st.integers(1, 6))


def try_append(log: EventLog, batch: list[Append]) -> list[Appended] | None:
    try:
        return log.append(batch)
    except IntegrityFailure:
        return None


def expected(model: Model, batch: list[Append]) -> list[Appended] | None:
    """What the batch does; the model is changed only when all of it is accepted."""
    trial = Model(model.rows[:], model.kinds.copy(), model.hidden.copy(), model.entries[:])
    done: list[Appended] = []
    for item in batch:
        if not trial.accepts(item):
            return None
        done.append(trial.add(item))
    vars(model).update(vars(trial))
    return done


def require_equal(log: EventLog, model: Model) -> None:
    assert [(e.stream_id, e.number, e.state) for e in log.read_all()] == model.rows
    assert [e.position for e in log.read_all()] == list(range(1, len(model.rows) + 1))
    assert [(name, kind) for name, kind, _ in log.streams()] == list(model.kinds.items())
    assert [(e.stream_id, e.first, e.last) for e in log.journal()] == model.entries
    for name in STREAMS:
        states = [state for stream, _, state in model.rows if stream == name]
        assert [e.state for e in log.read(name)] == states
        assert log.stream_head(name) == len(states)
        hidden = sorted(number for stream, number in model.hidden if stream == name)
        assert [d.number for d in log.disclosures(name)] == hidden


Step = list[Append] | tuple[str, int | None]
histories = st.lists(batches | erasures, max_size=8)


def require_as_modelled(steps: list[Step], stored: EventLog) -> None:
    """Do the steps in memory and in a store: each does what the model does."""
    model = Model()
    memory = MemoryEventLog(facts_of, LOG_ID)
    for step in steps:
        if isinstance(step, tuple):
            stream, number = step
            gone = {h for h in model.hidden if h[0] == stream and number in (None, h[1])}
            model.hidden -= gone
            assert memory.erase_disclosures(stream, number) == len(gone)
            assert stored.erase_disclosures(stream, number) == len(gone)
        else:
            done = expected(model, step)
            assert try_append(memory, step) == done
            assert try_append(stored, step) == done
    require_equal(memory, model)
    require_equal(stored, model)
    assert memory.journal() == stored.journal()
    assert memory.read_all() == stored.read_all()
    last = len(model.entries)
    assert memory.leaves(upto=last) == stored.leaves(upto=last)


@settings(max_examples=60)
@given(histories)
def test_memory_and_sqlite_do_what_the_model_says(steps: list[Step]) -> None:
    with (
        tempfile.TemporaryDirectory() as directory,
        closing(new_sqlite_log(Path(directory))) as log,
    ):
        require_as_modelled(steps, log)


@settings(max_examples=40)
@given(steps=histories)
def test_memory_and_postgres_do_what_the_model_says(
    postgres_server: str, steps: list[Step]
) -> None:
    address = fresh_address(postgres_server, Path("unused"))
    try:
        with closing(new_postgres_log(address)) as log:
            require_as_modelled(steps, log)
    finally:
        drop_schema(address)
