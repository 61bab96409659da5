"""What a viewer was shown or could see at some event: it only grows and survives rewinds."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from operator import itemgetter
from typing import NamedTuple

from domain.visibility import ZoneKey, zone_key
from projections.visibility import Visibility

__all__ = ["Knowledge", "Learned", "Span"]


class Learned(NamedTuple):
    """An object whose card the viewer has known since event `number`."""

    object: str
    number: int


class Span(NamedTuple):
    """A stretch of events with one answer, from just after `first` until just before `until`.

    `until` is None where it lasts to the end of the record.
    """

    first: int
    until: int | None
    entitled: bool


class Knowledge:
    """Answers about learned knowledge, each worked out once per viewer."""

    def __init__(self, visibility: Visibility) -> None:
        self._visibility = visibility
        self._record = visibility.record
        self._tables: dict[str, list[tuple[int, int]]] = {}

    def learned(self, viewer: str, number: int) -> tuple[Learned, ...]:
        """What the viewer has learned up to event `number`, in the order of learning."""
        table = self._table(viewer)
        known = table[: bisect_right(table, number, key=itemgetter(0))]
        return tuple(Learned(self._name(track, number), first) for first, track in known)

    def first_learned(self, viewer: str, object: str, at: int | None = None) -> int | None:
        """The first event after which the viewer might see the object's card, or that showed it.

        `at` says which object is meant where the source used the id twice; by default the last one.
        """
        track = self._track(object, self._visibility.last if at is None else at)
        return None if track is None else self._first(viewer, track)

    def first_learned_zone(self, viewer: str, zone: str, owner: int | None) -> int | None:
        """The first event after which the viewer might see the whole zone, or that showed it."""
        key = zone_key(zone, owner)
        numbers = {1, *self._zone_changes(key), *self._visibility.reach_line(viewer)[0]}
        entitled = (
            number
            for number in sorted(numbers)
            if 0 < number <= self._visibility.last
            and self._visibility.entitled_zone(viewer, number, zone, owner)
        )
        shown = (
            number
            for number, showing in sorted(self._record.showings.items())
            if showing.zone == key and self._visibility.shown_zone(viewer, number)
        )
        return _least(next(entitled, None), next(shown, None))

    def spans(self, viewer: str, object: str, at: int | None = None) -> tuple[Span, ...]:
        """The stretches in which the viewer may, or may not, see the object's card."""
        track = self._track(object, self._visibility.last if at is None else at)
        if track is None:
            return ()
        answers: list[tuple[int, bool]] = []
        for number in self._changes(viewer, track):
            entitled = self._visibility.ground(viewer, number, track) is not None
            if not answers or answers[-1][1] != entitled:
                answers.append((number, entitled))
        ends = [first for first, _ in answers[1:]]
        return tuple(
            Span(first, until, entitled)
            for (first, entitled), until in zip(answers, (*ends, None), strict=True)
        )

    def _table(self, viewer: str) -> list[tuple[int, int]]:
        """(first event, track) of everything the viewer ever learns, in order."""
        found = self._tables.get(viewer)
        if found is None:
            firsts = ((self._first(viewer, track), track) for track in self._record.facts)
            found = sorted((first, track) for first, track in firsts if first is not None)
            self._tables[viewer] = found
        return found

    def _first(self, viewer: str, track: int) -> int | None:
        answers = self._visibility
        entitled = (
            number
            for number in self._changes(viewer, track)
            if answers.ground(viewer, number, track) is not None
        )
        shown = (
            number
            for number in self._record.shown.get(track, ())
            if answers.shown(viewer, number, track, by_right=False)
        )
        return _least(next(entitled, None), next(shown, None))

    def _changes(self, viewer: str, track: int) -> list[int]:
        """Numbers of the events that could change whether the viewer may see the card."""
        record = self._record
        numbers = set(record.facts.changed(track))
        start = min(numbers)
        numbers.update(record.grants.changed(track))
        for key in {facts.key for facts in record.facts.values(track) if facts is not None}:
            numbers.update(self._zone_changes(key))
        numbers.update(self._visibility.reach_line(viewer)[0])
        return sorted(number for number in numbers if number >= start)

    def _zone_changes(self, key: ZoneKey) -> Iterable[int]:
        zone, owner = key
        yield from self._record.grants.changed(key)
        if zone == "library" and owner is not None:
            yield from self._record.searches.changed(owner)

    def _track(self, object: str, number: int) -> int | None:
        """The track the id stood for just after the event, else the last one it ever stood for."""
        found = self._record.tracks.at(object, number)
        if found is not None:
            return found
        every = [track for track in self._record.tracks.values(object) if track is not None]
        return every[-1] if every else None

    def _name(self, track: int, number: int) -> str:
        """The id of the object just after the event, else the last one it had before."""
        for change in reversed(self._record.facts.changed(track)):
            facts = self._record.facts.at(track, change)
            if facts is not None and change <= number:
                return facts.name
        raise LookupError(f"track {track} has no object up to event {number}")


def _least(*numbers: int | None) -> int | None:
    return min((number for number in numbers if number is not None), default=None)
