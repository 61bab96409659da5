"""Who controlled whom, from which event to which, and who stood in for whom."""

from __future__ import annotations

from dataclasses import dataclass

from queries.effects import EffectView, effects_of
from queries.parts import EditionView, SeatView, edition_view, incomplete_at, seats_of
from queries.record import GameRecord
from queries.viewers import named_viewer

__all__ = ["ControlAnswer", "IntervalView", "StandInView", "UncertainView", "control"]


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalView:
    """A stretch in which an effect decides for a seat: events `first` + 1 to `last`.

    The effect governs from just after event `first`; `last` is None to the end of the record.
    `certain` is false where a gap hides whether it still works.
    """

    seat: int
    controller: str
    effect: str
    created: int
    scope: str
    first: int
    last: int | None
    turn: int | None
    certain: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StandInView:
    """A stretch in which a server, program or judge answers in a seat's name.

    `first` is the event of the take-over, `last` that of the return, None while it goes on.
    """

    seat: int
    by: str
    mode: str | None
    first: int
    last: int | None
    turn: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class UncertainView:
    """A stretch in which a gap hides who decides for a seat: events `first` + 1 to `last`.

    The gap lies at or before event `first`; `last` is None to the end of the record.
    """

    seat: int
    first: int
    last: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlAnswer:
    """All effects of a game, the stretches in which they decided, and all stand-ins.

    `effects` are read on the surviving history at the end of the record; `intervals` tell undone
    branches as they were. `uncertain` are the stretches about which the record says nothing;
    `incomplete` says what a gap hides, in these stretches or at the end.
    """

    game_id: str
    short_id: str
    viewer: str
    seats: tuple[SeatView, ...]
    edition: EditionView
    last_event: int
    effects: tuple[EffectView, ...]
    intervals: tuple[IntervalView, ...]
    stand_ins: tuple[StandInView, ...]
    uncertain: tuple[UncertainView, ...]
    gaps: tuple[int, ...]
    incomplete: tuple[str, ...]


def control(record: GameRecord, viewer: str = "spectator") -> ControlAnswer:
    """The control timeline of a game. It holds no hidden information."""
    folded = record.folded
    uncertain = _uncertain(record)
    gaps = tuple(event.number for event in folded.events if event.NAME == "gap_found")
    return ControlAnswer(
        game_id=record.game_id,
        short_id=record.short_id,
        viewer=named_viewer(viewer, record),
        seats=seats_of(record),
        edition=edition_view(record),
        last_event=folded.last,
        effects=effects_of(record),
        intervals=_intervals(record),
        stand_ins=_stand_ins(record),
        uncertain=uncertain,
        gaps=gaps,
        incomplete=(*_hidden(uncertain), *incomplete_at(record, folded.last)),
    )


def _uncertain(record: GameRecord) -> tuple[UncertainView, ...]:
    """The stretches in which the control state is in doubt, by seat."""
    found: list[UncertainView] = []
    running: dict[int, int] = {}
    for number, state in enumerate(record.folded.control.states):
        doubted = {seat for seat in state.players if state.uncertain(seat)}
        for seat in sorted(running.keys() - doubted):
            found.append(UncertainView(seat=seat, first=running.pop(seat), last=number))
        for seat in doubted - running.keys():
            running[seat] = number
    found.extend(UncertainView(seat=seat, first=n, last=None) for seat, n in running.items())
    return tuple(sorted(found, key=lambda one: (one.first, one.seat)))


def _hidden(uncertain: tuple[UncertainView, ...]) -> tuple[str, ...]:
    """What is said of the stretches that have an end, one line per stretch."""
    seats: dict[tuple[int, int], list[str]] = {}
    for one in uncertain:
        if one.last is not None:
            seats.setdefault((one.first, one.last), []).append(str(one.seat))
    return tuple(
        f"Who decided for seat {' and seat '.join(held)}, from event {first} to event {last}:"
        " a gap in the record."
        for (first, last), held in seats.items()
    )


def _intervals(record: GameRecord) -> tuple[IntervalView, ...]:
    return tuple(
        IntervalView(
            seat=stretch.seat,
            controller=stretch.effect.controller,
            effect=stretch.effect.label,
            created=stretch.effect.created,
            scope=stretch.effect.scope,
            first=stretch.first,
            last=stretch.until,
            turn=_turn(record, stretch.first),
            certain=stretch.certain,
        )
        for stretch in record.folded.intervals
    )


def _stand_ins(record: GameRecord) -> tuple[StandInView, ...]:
    found: list[StandInView] = []
    running: dict[int, StandInView] = {}
    for event in record.folded.events:
        if event.NAME not in ("seat_taken_over", "seat_returned"):
            continue
        before = running.pop(event.seat, None)
        if before is not None:
            found.append(_until(before, event.number))
        if event.NAME == "seat_taken_over":
            running[event.seat] = StandInView(
                seat=event.seat,
                by=event.by,
                mode=event.mode,
                first=event.number,
                last=None,
                turn=_turn(record, event.number),
            )
    return tuple(sorted((*found, *running.values()), key=lambda one: (one.first, one.seat)))


def _until(before: StandInView, number: int) -> StandInView:
    return StandInView(
        seat=before.seat,
        by=before.by,
        mode=before.mode,
        first=before.first,
        last=number,
        turn=before.turn,
    )


def _turn(record: GameRecord, number: int) -> int | None:
    turn = record.folded.turns.turn(number)
    return None if turn is None else turn.ordinal
