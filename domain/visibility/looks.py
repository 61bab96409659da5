"""How looks, reveals, searches and the frame of the game change who may see what."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.visibility.facts import Grant, Search, Showing, ZoneKey, zone_key
from domain.visibility.record import VisibilityRecord

__all__ = ["LOOK_HANDLERS"]

Handler = Callable[[VisibilityRecord, Any], None]
_NO_SEATS: Final[frozenset[int]] = frozenset()


def _target(record: VisibilityRecord, event: Any) -> tuple[tuple[int, ...], ZoneKey | None]:
    """The tracks an event is about, and the zone where it is about a whole one."""
    if event.object is not None:
        track = record.live(event.object)
        if track is None:
            return (), None
        if event.card is not None:
            record.name_card(event.number, track, "card")
        return (track,), None
    if event.zone is None:
        return (), None
    key = zone_key(event.zone, event.owner)
    return record.members(key), key


def _looked_at(record: VisibilityRecord, event: Any) -> None:
    tracks, zone = _target(record, event)
    record.show(Showing(event.number, False, frozenset({event.viewer}), _NO_SEATS, tracks, zone))


def _revealed(record: VisibilityRecord, event: Any) -> None:
    tracks, zone = _target(record, event)
    to = None if event.to is None else frozenset(event.to)
    seats = _NO_SEATS if to is None else record.seats_of(to)
    record.show(Showing(event.number, True, to, seats, tracks, zone))


def _scried(record: VisibilityRecord, event: Any) -> None:
    found = (record.live(name) for name in (*event.top, *event.bottom))
    tracks = tuple(track for track in found if track is not None)
    seats = frozenset({event.seat})
    record.show(Showing(event.number, True, frozenset(), seats, tracks, None))


def _look_granted(record: VisibilityRecord, event: Any) -> None:
    tracks, zone = _target(record, event)
    viewers = frozenset(event.viewers)
    grant = Grant(event.number, viewers, record.seats_of(viewers), event.lasts)
    if zone is not None:
        record.add_grant(event.number, zone, grant)
    # What lasts while the cards stay is theirs one by one: a card that comes later is not meant.
    if zone is None or event.lasts == "while_in_zone":
        for track in tracks:
            record.add_grant(event.number, track, grant)


def _search_started(record: VisibilityRecord, event: Any) -> None:
    seat = event.stamp.acting_seat
    owner = seat if event.owner is None else event.owner
    if seat is not None and not event.refused:
        running = record.searches.latest(owner) or ()
        record.searches.set(event.number, owner, (*running, Search(event.number, seat)))


def _search_ended(record: VisibilityRecord, event: Any) -> None:
    record.end_searches(event.number, event.seat)


def _turn_started(record: VisibilityRecord, event: Any) -> None:
    record.drop_grants(event.number, "this_turn")
    _step_started(record, event)


def _step_started(record: VisibilityRecord, event: Any) -> None:
    # No step begins inside a resolution or before the stack is empty (CR 500.2).
    record.end_searches(event.number)
    record.empty_stack(event.number)


def _subgame_started(record: VisibilityRecord, event: Any) -> None:
    record.set_stack_aside()


def _game_started(record: VisibilityRecord, event: Any) -> None:
    if record.started:
        record.forget_objects(event.number)
    record.started = True
    for info in event.seats:
        record.players[info.seat] = info.player
        if info.team is not None:
            record.teams[info.seat] = info.team


def _game_ended(record: VisibilityRecord, event: Any) -> None:
    record.end_searches(event.number)
    for key, _ in list(record.grants.current()):
        record.grants.set(event.number, key, None)


def _game_restarted(record: VisibilityRecord, event: Any) -> None:
    record.forget_objects(event.number)


def _gap_found(record: VisibilityRecord, event: Any) -> None:
    record.note_gap(event.number, event.number)
    record.drop_grants(event.number, "this_turn")
    record.end_searches(event.number)


def _state_anchored(record: VisibilityRecord, event: Any) -> None:
    record.note_gap(event.number, 0)


def _rewound(record: VisibilityRecord, event: Any) -> None:
    record.rewind(event.number, event.to)


LOOK_HANDLERS: Final[Mapping[str, Handler]] = {
    "game_ended": _game_ended,
    "game_restarted": _game_restarted,
    "game_started": _game_started,
    "gap_found": _gap_found,
    "library_search_ended": _search_ended,
    "library_search_started": _search_started,
    "look_granted": _look_granted,
    "looked_at": _looked_at,
    "revealed": _revealed,
    "rewound": _rewound,
    "scried": _scried,
    "state_anchored": _state_anchored,
    "step_started": _step_started,
    "subgame_started": _subgame_started,
    "turn_started": _turn_started,
}
