"""Whose turn it is, who has priority, and who decides for each seat, just after an event."""

from __future__ import annotations

from dataclasses import dataclass

from domain.control import decide
from queries.parts import (
    EditionView,
    Moment,
    PriorityView,
    SeatView,
    edition_view,
    incomplete_at,
    moment_at,
    priority_view,
    seats_of,
)
from queries.record import GameRecord
from queries.viewers import named_viewer

__all__ = ["ActiveAnswer", "SeatDecider", "active", "deciders_at"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatDecider:
    """Who should make a seat's game decisions now, and who answers in its name instead, if anyone.

    `pending` is the label of the effect that waits for the seat; `left` why its player has left.
    """

    seat: int
    decider: str
    authority: str
    authority_ref: int | None
    effect: str | None
    because: str
    rule_gap: str | None
    stand_in: str | None
    pending: str | None
    left: str | None
    extra_turns_due: int
    certain: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ActiveAnswer:
    """The active player just after event `number`, which control of a player never changes.

    `active_players` is empty before the first turn, or where a gap hides it.
    """

    game_id: str
    short_id: str
    viewer: str
    seats: tuple[SeatView, ...]
    edition: EditionView
    number: int
    moment: Moment
    active_players: tuple[str, ...]
    priority: PriorityView
    deciders: tuple[SeatDecider, ...]
    incomplete: tuple[str, ...]


def active(record: GameRecord, number: int, viewer: str = "spectator") -> ActiveAnswer:
    """Answer for the state just after event `number` (0: before the first)."""
    record.checked(number)
    moment = moment_at(record, number)
    return ActiveAnswer(
        game_id=record.game_id,
        short_id=record.short_id,
        viewer=named_viewer(viewer, record),
        seats=seats_of(record),
        edition=edition_view(record),
        number=number,
        moment=moment,
        active_players=tuple(record.players.get(s, "unknown") for s in moment.active_seats),
        priority=priority_view(record, number),
        deciders=deciders_at(record, number),
        incomplete=incomplete_at(record, number),
    )


def deciders_at(record: GameRecord, number: int) -> tuple[SeatDecider, ...]:
    """Who decides for each seat just after event `number`."""
    return tuple(_decider(record, number, seat) for seat in sorted(record.players))


def _decider(record: GameRecord, number: int, seat: int) -> SeatDecider:
    state = record.folded.control_at(number)
    verdict = decide(state, seat, "game", record.folded.rules)
    pending, left = state.pending(seat), state.departed.get(seat)
    return SeatDecider(
        seat=seat,
        decider=verdict.decider,
        authority=verdict.authority,
        authority_ref=verdict.ref,
        effect=verdict.ref_label,
        because=verdict.because,
        rule_gap=(verdict.reading or verdict.because) if verdict.rule_gap else None,
        stand_in=state.stand_in(seat),
        pending=None if pending is None else pending.label,
        left=None if left is None else left.reason,
        extra_turns_due=state.extra_turns_due(seat),
        certain=not verdict.uncertain,
    )
