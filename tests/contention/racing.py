"""The race: every process appends to games chosen at random, after the number it knows of."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing.synchronize import Barrier
from random import Random
from typing import Any, NamedTuple

from domain.codec import decode_all
from domain.errors import VersionConflict
from domain.ports import StoredEvent
from tests.support.live import casts, passes, starts
from tests.support.processes import forking
from whodecided import Log, open_log
from whodecided.evidence.checkpoint import origin_of
from whodecided.evidence.checkpoints import make_checkpoint
from whodecided.evidence.keys import create_key
from whodecided.evidence.merkle import leaf_hash
from whodecided.evidence.verify import verify_log

__all__ = ["Figures", "Race", "Stored", "race", "require_no_loss"]

_AGAIN = 0.05
_SIGN_EVERY = 50
_start: Barrier


@dataclass(frozen=True, slots=True)
class Race:
    """Where the log is, how many processes append to how many games, and for how long."""

    place: str
    processes: int
    games: int
    seconds: float


class Stored(NamedTuple):
    """An acknowledged event: its stream, its number there, its record and its leaf hash (hex)."""

    stream_id: str
    number: int
    record: str
    leaf: str


@dataclass(slots=True)
class Figures:
    """What one process did: what was acknowledged, and how often others were faster.

    `again` counts batches sent a second time, as after a lost acknowledgement.
    """

    stored: list[Stored] = field(default_factory=list)
    conflicts: int = 0
    again: int = 0
    checkpoints: int = 0


def race(asked: Race) -> list[Figures]:
    """Let the processes append until the time is over; what each of them did."""
    with open_log(asked.place, create=True) as log:
        create_key(log.directory.keys, origin_of(log.directory.events.log_id))
        for game in range(asked.games):
            log.record(_name(game), starts(game_key=_name(game)))
    barrier = forking().Barrier(asked.processes)
    with ProcessPoolExecutor(asked.processes, forking(), _wait_with, (barrier,)) as pool:
        return list(
            pool.map(_appends, [asked] * asked.processes, range(asked.processes), chunksize=1)
        )


def require_no_loss(log: Log, games: int, figures: Sequence[Figures]) -> None:
    """The log holds exactly what was acknowledged, each once, where it was said to be.

    Raises AssertionError.
    """
    verification = verify_log(log.directory)
    assert verification.ok, verification.failure
    said = [one for each in figures for one in each.stored]
    stored = [
        Stored(event.stream_id, event.number, decoded.source.record, leaf_hash(event.state).hex())
        for stream_id, _, _ in log.directory.events.streams("game")
        for event, decoded in _events(log, stream_id)
        if event.number > 1
    ]
    doubled = [one for one, count in Counter(one[::2] for one in stored).items() if count > 1]
    assert not doubled, f"stored twice: {doubled}"
    assert sorted(said) == sorted(stored), "what is stored is not what was acknowledged"
    heads = {stream_id: last for stream_id, _, last in log.directory.events.streams()}
    counts = Counter(one.stream_id for one in stored)
    assert heads == {stream_id: counts[stream_id] + 1 for stream_id in heads}
    assert len(heads) == games
    assert log.directory.events.head() == sum(heads.values())


def _events(log: Log, stream_id: str) -> list[tuple[StoredEvent, Any]]:
    stored = log.directory.events.read(stream_id)
    return list(zip(stored, decode_all(stored), strict=True))


def _name(game: int) -> str:
    return f"table-{game}"


def _wait_with(barrier: Barrier) -> None:
    global _start
    _start = barrier


def _appends(asked: Race, writer: int) -> Figures:
    figures, chance = Figures(), Random(writer)
    with open_log(asked.place) as log:
        known = dict.fromkeys(map(_name, range(asked.games)), 1)
        _start.wait()
        end = time.monotonic() + asked.seconds
        batch = 0
        while time.monotonic() < end:
            batch += 1
            _append(log, chance, known, f"{writer}-{batch}", figures)
            if writer == 0 and batch % _SIGN_EVERY == 0:
                make_checkpoint(log.directory)
                figures.checkpoints += 1
    return figures


def _append(log: Log, chance: Random, known: dict[str, int], name: str, figures: Figures) -> None:
    """Append a batch after the number that is known; learn of others by conflicts."""
    game = chance.choice(list(known))
    seen = [casts(f"{name}-a")] + [passes(f"{name}-b", 2)] * chance.choice((0, 0, 1))
    while True:
        expected = known[game]
        try:
            done = log.record(game, seen, expected=expected)
        except VersionConflict as conflict:
            figures.conflicts += 1
            known[game] = conflict.actual
        else:
            break
    known[game] = done[-1].number
    if chance.random() < _AGAIN:
        figures.again += 1
        again = log.record(game, seen, expected=expected)
        assert [(o.number, o.leaf, o.added) for o in again] == [
            (o.number, o.leaf, False) for o in done
        ]
    figures.stored += [
        Stored(one.stream_id, one.number, item.record, one.leaf)
        for one, item in zip(done, seen, strict=True)
    ]
