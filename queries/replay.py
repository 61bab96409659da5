"""The game at an event, and the events around it, as one viewer may see them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from domain.totals import fold_totals
from queries.active import SeatDecider, deciders_at
from queries.parts import (
    EventView,
    Moment,
    PriorityView,
    SeatView,
    event_view,
    incomplete_at,
    moment_at,
    named_card,
    priority_view,
    seats_of,
)
from queries.record import GameRecord
from queries.viewers import named_viewer

__all__ = ["ObjectView", "ReplayAnswer", "ReplayEvent", "SeatTotals", "ZoneView", "replay"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectView:
    """An object and its card or ability, both None where unknown or `hidden` from the viewer."""

    object: str
    card: str | None
    ability: str | None
    hidden: bool
    owner: int | None
    controller: int | None
    face_down: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneView:
    """A zone with its objects; `owner` is None for a zone that all players share."""

    zone: str
    owner: int | None
    objects: tuple[ObjectView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTotals:
    """A seat's life total and library size; None where the record does not give them."""

    seat: int
    life: int | None
    library: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayEvent:
    """An event of the list. `undone`: a later rewind went back to before it."""

    view: EventView
    undone: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayAnswer:
    """The state just after event `number` and the events around it.

    `totals` has one entry per seat, as far as the record gives them.
    """

    game_id: str
    short_id: str
    viewer: str
    seats: tuple[SeatView, ...]
    number: int
    last_event: int
    moment: Moment
    priority: PriorityView
    deciders: tuple[SeatDecider, ...]
    totals: tuple[SeatTotals, ...]
    zones: tuple[ZoneView, ...]
    events: tuple[ReplayEvent, ...]
    incomplete: tuple[str, ...]


def replay(
    record: GameRecord,
    at: int | None = None,
    viewer: str = "spectator",
    *,
    before: int = 10,
    after: int = 10,
) -> ReplayAnswer:
    """State at event `at` (by default the last), with so many events before and after it."""
    number = record.folded.last if at is None else record.checked(at)
    viewer = named_viewer(viewer, record)
    first, last = max(1, number - before), min(record.folded.last, number + after)
    survives = frozenset(_surviving(record, record.folded.last))
    return ReplayAnswer(
        game_id=record.game_id,
        short_id=record.short_id,
        viewer=viewer,
        seats=seats_of(record),
        number=number,
        last_event=record.folded.last,
        moment=moment_at(record, number),
        priority=priority_view(record, number),
        deciders=deciders_at(record, number),
        totals=_totals(record, number),
        zones=_zones(record, number, viewer),
        events=tuple(
            ReplayEvent(view=event_view(record, n, viewer), undone=n not in survives)
            for n in range(first, last + 1)
        ),
        incomplete=incomplete_at(record, number),
    )


def _surviving(record: GameRecord, number: int) -> Iterator[int]:
    """The events on the history that survives just after event `number`, latest first."""
    while number > 0:
        event = record.folded.event(number)
        yield number
        back = event.to if event.NAME == "rewound" else number
        number = min(back, number - 1)  # a stored rewind that goes nowhere ends nothing


def _totals(record: GameRecord, number: int) -> tuple[SeatTotals, ...]:
    totals = fold_totals(record.folded.events[:number])
    return tuple(
        SeatTotals(seat=seat.seat, life=totals.life(seat.seat), library=totals.library(seat.seat))
        for seat in seats_of(record)
    )


def _zones(record: GameRecord, number: int, viewer: str) -> tuple[ZoneView, ...]:
    sight = record.folded.visibility
    clear = record.folded.visible_cards(viewer, number)
    zones: dict[tuple[str, int], list[ObjectView]] = {}
    for name, facts in sight.objects_at(number).items():
        card, ability, hidden = named_card(record, number, name, clear)
        zones.setdefault((facts.zone, facts.zone_owner or 0), []).append(
            ObjectView(
                object=name,
                card=card,
                ability=ability,
                hidden=hidden,
                owner=facts.owner,
                controller=facts.controller,
                face_down=facts.face_down,
            )
        )
    return tuple(
        ZoneView(zone=zone, owner=owner or None, objects=tuple(objects))
        for (zone, owner), objects in sorted(zones.items())
    )
