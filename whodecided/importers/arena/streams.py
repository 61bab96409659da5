"""Recording one stream: observations become numbered, stamped, sealed and encoded events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final

from domain.codec import encode
from domain.errors import BadInput
from domain.events.base import DecisionEvent
from domain.events.registry import BY_TOPIC
from domain.game import begin, evolve, record
from domain.match import begin_match, evolve_match, record_match
from domain.observation import Observation
from domain.ports import Append, Origin, Provenance, StoredEvent
from domain.rules import RuleBook
from whodecided.importers.arena.appending import Digests
from whodecided.importers.arena.records import Place
from whodecided.importers.arena.words import SYSTEM
from whodecided.store.sealer import LogSealer

__all__ = ["FileCounts", "Origins", "Refuse", "Stream", "game_recorder", "match_recorder"]

_DECISIONS: Final = frozenset(
    topic for topic, item in BY_TOPIC.items() if issubclass(item, DecisionEvent)
)

Recorder = Callable[[Observation], Any]
"""Observation -> event struct, in the order of the stream. Raises BadInput."""

Refuse = Callable[[Place, str], None]
"""Told of an observation that is no event, with its place and the reason."""

Origins = Callable[[int], Origin]
"""Index of a file -> where an append of its events comes from."""


@dataclass(slots=True)
class FileCounts:
    """What one file contributed: events, decisions, stamps by basis."""

    events: int = 0
    decisions: int = 0
    stamps: Counter[str] = field(default_factory=Counter)


def game_recorder(game_id: str, sealer: LogSealer, rules: RuleBook) -> Recorder:
    """Records a game's stream from its first event."""
    state = begin(game_id, SYSTEM, rules)

    def take(seen: Observation) -> Any:
        nonlocal state
        event = record(state, seen, sealer, rules)
        state = evolve(state, event)
        return event

    return take


def match_recorder(match_id: str) -> Recorder:
    """Records a match's stream from its first event."""
    state = begin_match(match_id, SYSTEM)

    def take(seen: Observation) -> Any:
        nonlocal state
        event = record_match(state, seen)
        state = evolve_match(state, event)
        return event

    return take


class Stream:
    """The events of one stream that wait to be appended.

    `place` is where the record stands that is being told; set it before every item. `counts` holds
    the figures of every file by its index; `sealer` is that of the recorder.
    """

    def __init__(
        self,
        stream_id: str,
        kind: str,
        recorder: Recorder,
        counts: dict[int, FileCounts],
        refuse: Refuse,
        sealer: LogSealer,
    ) -> None:
        self.stream_id = stream_id
        self.kind = kind
        self.place = Place(0, 0, 0)
        self.number = 0
        self._recorder = recorder
        self._counts = counts
        self._refuse = refuse
        self._sealer = sealer
        self._events: list[StoredEvent] = []
        self._places: list[Place] = []

    @property
    def waiting(self) -> bool:
        """Whether there are events to append."""
        return bool(self._events)

    def take(self, seen: Observation) -> int:
        """Record an observation; the number of its event, or of the last one if it makes none."""
        try:
            event = self._recorder(seen)
        except BadInput as error:
            self._refuse(self.place, str(error))
            return self.number
        stored = encode(event)
        self._events.append(stored)
        self._places.append(self.place)
        self.number = stored.number
        self._count(event, stored.topic)
        return self.number

    def _count(self, event: Any, topic: str) -> None:
        counts = self._counts[self.place.file]
        counts.events += 1
        if topic in _DECISIONS:
            counts.decisions += 1
        stamp = getattr(event, "stamp", None)
        if stamp is not None:
            counts.stamps[stamp.basis] += 1

    @property
    def files(self) -> set[int]:
        """Indexes of the files that the waiting events stand in."""
        return {place.file for place in self._places}

    def flush(self, digests: Digests, origins: Origins) -> list[Append]:
        """Hand over what waits, ready to be appended: a part for each stretch of one file."""
        events, places = self._events, self._places
        self._events, self._places = [], []
        if not events:
            return []
        disclosures = self._sealer.take(self.stream_id)
        parts = []
        first = 0
        for file, stretch in groupby(place.file for place in places):
            last = first + sum(1 for _ in stretch)
            here, stood = events[first:last], places[first:last]
            numbers = range(here[0].number, here[-1].number + 1)
            sealed = [item for item in disclosures if item.number in numbers]
            parts.append(
                Append(
                    self.stream_id,
                    self.kind,
                    here,
                    sealed,
                    _provenance(here, stood, digests.of(file)),
                    origins(file),
                    self._sealer.number,
                )
            )
            first = last
        return parts


def _provenance(
    events: Sequence[StoredEvent], places: Sequence[Place], digest: str | None
) -> list[Provenance]:
    """Where events of one file stand in it; nothing for a file without a digest."""
    if digest is None:
        return []
    return [
        Provenance(event.number, digest, place.offset, place.line)
        for event, place in zip(events, places, strict=True)
    ]
