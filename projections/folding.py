"""Folding streams into rows: here, or shared with processes of their own.

What is folded, and in which order it comes back, does not depend on the number of processes.
"""

from __future__ import annotations

import io
import pickle
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

import pyarrow as pa

from domain.codec import decode_all
from domain.errors import PoisonEvent
from domain.ports import StoredEvent
from domain.rules import RuleLibrary
from projections.processes import WorkerPool
from projections.rows.stream import Stream
from projections.tables import fold_tables

__all__ = ["Batch", "Chunk", "fold_in_order"]

_AHEAD: Final = 3
"""Chunks per process that are read before they are needed; they bound the memory."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Whole streams to be folded; `end` is the last event read, where a transaction ends here."""

    streams: Sequence[Sequence[StoredEvent]]
    end: StoredEvent | None


@dataclass(slots=True)
class Batch:
    """What a chunk changes: streams folded anew, the rows of each table, and the poisoned ones."""

    folded: list[tuple[str, str, int]] = field(default_factory=list)
    tables: dict[str, pa.Table] = field(default_factory=dict)
    poison: list[tuple[str, str, int | None, str]] = field(default_factory=list)


_Columns = tuple[str, list[int], list[str], list[bytes], list[int]]
"""A stream on its way to another process: its id, then numbers, topics, bytes and positions of its
events."""


@dataclass(slots=True)
class _Task:
    chunk: Chunk
    future: Future[Batch]


def fold_in_order(
    chunks: Iterable[Chunk], rules: RuleLibrary, jobs: int
) -> Generator[tuple[Chunk, Batch]]:
    """Fold every chunk, in order, in so many processes, this one included.

    Raises BrokenProcessPool when one of them dies. Close the iterator: it ends the processes.
    """
    if jobs == 1:
        for chunk in chunks:
            yield chunk, _fold_streams(chunk.streams, rules)
        return
    with WorkerPool(jobs - 1, _Worker.begin, _pickled(rules)) as pool:
        yield from _shared(iter(chunks), rules, pool, _AHEAD * jobs)


def _shared(
    chunks: Iterator[Chunk], rules: RuleLibrary, pool: WorkerPool, ahead: int
) -> Iterator[tuple[Chunk, Batch]]:
    pending: deque[_Task] = deque()
    while True:
        while len(pending) < ahead and (chunk := next(chunks, None)) is not None:
            pending.append(_Task(chunk, pool.submit(_Worker.fold, _columns(chunk.streams))))
        if not pending:
            return
        _work_until_done(pending, rules)
        first = pending.popleft()
        yield first.chunk, first.future.result()


def _work_until_done(pending: Iterable[_Task], rules: RuleLibrary) -> None:
    """Instead of waiting for the first task, do the next one that no other process has taken."""
    first, *_ = pending
    for task in pending:
        if first.future.done():
            return
        if task.future.cancel():
            task.future = Future()
            task.future.set_result(_fold_streams(task.chunk.streams, rules))


class _Worker:
    """What a process of the pool keeps between chunks."""

    rules: RuleLibrary

    @classmethod
    def begin(cls, rules: bytes) -> None:
        cls.rules = pickle.loads(rules)

    @classmethod
    def fold(cls, streams: Sequence[_Columns]) -> Batch:
        return _fold_streams(list(map(_stream, streams)), cls.rules)


def _columns(streams: Sequence[Sequence[StoredEvent]]) -> list[_Columns]:
    """The events in a form that takes a fraction of the time to be pickled."""
    return [
        (
            events[0].stream_id,
            [event.number for event in events],
            [event.topic for event in events],
            [event.state for event in events],
            [event.position for event in events],
        )
        for events in streams
    ]


def _stream(columns: _Columns) -> list[StoredEvent]:
    stream_id, *rest = columns
    return [
        StoredEvent(stream_id, number, topic, state, position=position)
        for number, topic, state, position in zip(*rest, strict=True)
    ]


def _pickled(rules: RuleLibrary) -> bytes:
    """The rules for other processes; their read-only mappings cannot be pickled by themselves."""
    target = io.BytesIO()
    pickler = pickle.Pickler(target)
    pickler.dispatch_table = {MappingProxyType: lambda it: (_read_only, (dict(it),))}
    pickler.dump(replace(rules))  # a copy has no books yet, which every process makes as needed
    return target.getvalue()


def _read_only(mapping: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(mapping)


def _fold_streams(streams: Sequence[Sequence[StoredEvent]], rules: RuleLibrary) -> Batch:
    batch = Batch()
    parts: dict[str, list[pa.Table]] = {}
    for stored in streams:
        for name, table in _fold_stream(batch, stored, rules).items():
            parts.setdefault(name, []).append(table)
    batch.tables = {name: pa.concat_tables(found).combine_chunks() for name, found in parts.items()}
    return batch


def _fold_stream(
    batch: Batch, stored: Sequence[StoredEvent], rules: RuleLibrary
) -> dict[str, pa.Table]:
    stream_id, kind = stored[0].stream_id, stored[-1].topic.partition(".")[0]
    batch.folded.append((stream_id, kind, stored[-1].number))
    try:
        stream = Stream(stream_id, kind, stored[0].position)
        return fold_tables(stream, decode_all(stored), rules)
    except MemoryError:
        raise  # says nothing about the game
    except PoisonEvent as error:
        batch.poison.append((stream_id, kind, error.number, error.reason))
    except Exception as error:  # whatever a fold stumbles over halts this game and no other
        batch.poison.append((stream_id, kind, None, f"{type(error).__name__}: {error}"))
    return {}
