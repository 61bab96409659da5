"""Rows of `visibility` and `learned`: who may see what from which event on, and who knows it since.

What is public has one row, for the viewer `spectator`: everybody may see it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from domain.visibility import SPECTATOR, ObjectFacts, Scene, VisibilityRecord, ZoneKey, may_see
from projections.visibility import Visibility

__all__ = ["information_rows"]

Row = tuple[Any, ...]
_PRIVATE: Final = ("hand", "library")


@dataclass(frozen=True, slots=True)
class _Point:
    """What decides about one object from just after event `number` on; no scene: it is nowhere."""

    number: int
    facts: ObjectFacts | None
    scene: Scene | None
    certain: bool


@dataclass(frozen=True, slots=True)
class _Stretch:
    """From just after event `first` to event `last`, None for the end of the record."""

    first: int
    last: int | None
    what: Row


def information_rows(game_id: str, visibility: Visibility) -> tuple[list[Row], list[Row]]:
    """The rows of `visibility` and those of `learned`, for every seat and for a spectator."""
    seats = [f"seat:{seat}" for seat in sorted(visibility.record.players)]
    seen: list[Row] = []
    learned: list[Row] = []
    for track in visibility.record.facts:
        points = _points(visibility, track)
        public = list(_stretches(_answers(visibility, SPECTATOR, points)))
        for viewer in (SPECTATOR, *seats):
            own = public
            if viewer != SPECTATOR:
                own = list(_stretches(_answers(visibility, viewer, points)))
            seen += (_seen_row(game_id, viewer, stretch) for stretch in own)
            known = _learned_row(game_id, visibility, viewer, track, (*public, *own))
            if known is not None:
                learned.append(known)
    for viewer in (SPECTATOR, *seats):
        for key in _zones(visibility.record):
            zone = _stretches(_zone_answers(visibility, viewer, key))
            seen += (_seen_row(game_id, viewer, stretch) for stretch in zone)
    return seen, learned


def _points(visibility: Visibility, track: int) -> list[_Point]:
    record = visibility.record
    numbers = set(record.facts.changed(track))
    start = min(numbers)
    numbers.update(record.grants.changed(track), record.gap_numbers)
    for key in {facts.key for facts in record.facts.values(track) if facts is not None}:
        numbers.update(_zone_changes(record, key))
    return [_point(visibility, track, number) for number in sorted(numbers) if number >= start]


def _point(visibility: Visibility, track: int, number: int) -> _Point:
    scene = visibility.scene(number, track)
    certain = scene is None or not 0 < scene.since < visibility.record.open_gap(number)
    return _Point(number, visibility.record.facts.at(track, number), scene, certain)


def _zone_changes(record: VisibilityRecord, key: ZoneKey) -> Iterable[int]:
    zone, owner = key
    yield from record.grants.changed(key)
    if zone == "library" and owner is not None:
        yield from record.searches.changed(owner)


def _answers(
    visibility: Visibility, viewer: str, points: Sequence[_Point]
) -> Iterator[tuple[int, Row | None]]:
    """(number, what the viewer may see from there on); what is public only for a spectator."""
    person = visibility.viewer(viewer)
    later = zip(*visibility.reach_line(viewer), strict=True)
    _, reach = next(later)
    turning = next(later, None)
    for point, following in zip(points, (*points[1:], None), strict=True):
        number = point.number
        while True:
            while turning is not None and turning[0] <= number:
                reach, turning = turning[1], next(later, None)
            yield number, _answer(visibility, person, reach, point)
            if turning is None or (following is not None and turning[0] >= following.number):
                break
            number = turning[0]


def _answer(visibility: Visibility, person: Any, reach: Any, point: _Point) -> Row | None:
    scene, facts = point.scene, point.facts
    if scene is None or facts is None or (scene.public and person.kind != "spectator"):
        return None
    ground = may_see(person, reach, scene, visibility.rules)
    if ground is None:
        return None
    return (facts.name, facts.zone, facts.zone_owner, ground.because, point.certain)


def _zones(record: VisibilityRecord) -> list[ZoneKey]:
    """The private zones of every seat, and every other zone at which a look was ever granted."""
    private = [(zone, seat) for seat in sorted(record.players) for zone in _PRIVATE]
    granted = [key for key in record.grants if isinstance(key, tuple)]
    return list(dict.fromkeys([*private, *granted]))


def _zone_answers(
    visibility: Visibility, viewer: str, key: ZoneKey
) -> Iterator[tuple[int, Row | None]]:
    zone, owner = key
    numbers = {1, *_zone_changes(visibility.record, key), *visibility.reach_line(viewer)[0]}
    for number in sorted(number for number in numbers if 0 < number <= visibility.last):
        sight = visibility.why_zone(viewer, number, zone, owner)
        yield number, (None, zone, owner, sight.because, True) if sight.entitled else None


def _stretches(answers: Iterable[tuple[int, Row | None]]) -> Iterator[_Stretch]:
    """Join neighbours with the same answer, and leave out the stretches with none."""
    begun, what = 0, None
    for number, answer in answers:
        if answer != what:
            if what is not None:
                yield _Stretch(begun, number - 1, what)
            begun, what = number, answer
    if what is not None:
        yield _Stretch(begun, None, what)


def _seen_row(game_id: str, viewer: str, stretch: _Stretch) -> Row:
    return (game_id, stretch.first, stretch.last, viewer, *stretch.what)


def _learned_row(
    game_id: str, visibility: Visibility, viewer: str, track: int, seen: Sequence[_Stretch]
) -> Row | None:
    """Since when the viewer knows the card: the first event that allowed or made the sight."""
    entitled = min((stretch.first for stretch in seen), default=None)
    shown = next(
        (
            number
            for number in visibility.record.shown.get(track, ())
            if visibility.shown(viewer, number, track, by_right=False)
        ),
        None,
    )
    if shown is not None and (entitled is None or shown < entitled):
        return (game_id, shown, viewer, _name(visibility.record, track, shown), "shown")
    if entitled is None:
        return None
    return (game_id, entitled, viewer, _name(visibility.record, track, entitled), "entitled")


def _name(record: VisibilityRecord, track: int, number: int) -> str:
    """The object's id just after the event, else the last one it had before."""
    pairs = zip(record.facts.changed(track), record.facts.values(track), strict=True)
    return [facts.name for change, facts in pairs if facts is not None and change <= number][-1]
