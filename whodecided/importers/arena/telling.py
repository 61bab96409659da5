"""Telling what a log says: observations under unique record ids, at the time of their record."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.canonical import format_time
from domain.observation import Observation
from domain.totals import TOTALS_EVENTS, Totals

__all__ = ["NOTHING", "Sink", "Teller"]

NOTHING: Final[Mapping[str, Any]] = {}

Sink = Callable[[Observation], int]
"""Takes an observation, records it and says the number its event got."""


class Teller:
    """Gives every observation of one stream its record id and its time.

    A record id is `<stem>/<record>/<part>`: what identifies the stream's source, the message or
    state, and the part of it. A record that the log repeats (a state sent again after a reconnect)
    is counted: `gs312~2`. `last` is the number of the last event, `totals` what the record gives.
    """

    def __init__(self, stem: str, sink: Sink) -> None:
        self.stem = stem
        self.last = 0
        self._sink = sink
        self.totals = Totals()
        self._record = ""
        self._seen: dict[str, int] = {}
        self._parts: set[str] = set()
        self._micros: int | None = None
        self._clock = "none"
        self._time: str | None = None

    def turn_to(self, record: str, micros: int | None, clock: str) -> None:
        """What is told from here on stands in this record, written at this time."""
        again = self._seen.get(record, 0) + 1
        self._seen[record] = again
        self._record = f"{self.stem}/{record}" if again == 1 else f"{self.stem}/{record}~{again}"
        self._parts.clear()
        if micros != self._micros:
            self._micros = micros
            self._time = None if micros is None else format_time(micros)
        self._clock = clock

    def id_of(self, part: str) -> str:
        """The id that a part of the current record has."""
        return f"{self._record}/{part}"

    def tell(
        self,
        event: str,
        part: str,
        fields: Mapping[str, Any] = NOTHING,
        secrets: Mapping[str, Any] = NOTHING,
        *,
        seat: int | None = None,
        stated: str | None = None,
        performer: str | None = None,
        decision: str | None = None,
        action: str | None = None,
        correlation: str | None = None,
        causation: int | None = None,
    ) -> int:
        """Hand one observation on; the number of its event. Parts told twice are counted too."""
        name, again = part, 1
        while name in self._parts:
            again += 1
            name = f"{part}~{again}"
        self._parts.add(name)
        self.last = self._sink(
            Observation(
                event,
                f"{self._record}/{name}",
                fields,
                secrets,
                self._time,
                self._clock,
                seat,
                None,
                stated,
                False,
                performer,
                decision,
                action,
                correlation,
                causation,
            )
        )
        if event in TOTALS_EVENTS:
            self.totals.take(self.last, event, fields.get)
        return self.last
