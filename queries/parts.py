"""Parts that several answers share: seats, the moment, events, citations, findings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from domain.rules import RuleRef
from projections.priority import priority_at
from projections.rows.details import SHAPES
from queries.record import GameRecord

__all__ = [
    "Citation",
    "EditionView",
    "EventView",
    "Moment",
    "PriorityView",
    "Proof",
    "SeatView",
    "StampView",
    "citations",
    "edition_view",
    "event_view",
    "incomplete_at",
    "moment_at",
    "named_card",
    "priority_view",
    "proofs",
    "seats_of",
    "stamp_view",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """A seat and its player. `local`: the record was made by this seat's client."""

    seat: int
    player: str
    team: int | None
    local: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """Where in the game an event lies: turn, step and active seats just after it.

    `turn` counts the turns of the surviving history; `source_turn` is the source's own number.
    `turn_counted` is false where a gap may hide turns, so that `turn` follows the source's numbers.
    `active_seats` is empty before the first turn, or where a gap hides it (`certain` is false).
    """

    number: int
    turn: int | None
    turn_counted: bool
    source_turn: int | None
    extra: bool | None
    step: str | None
    active_seats: tuple[int, ...]
    certain: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PriorityView:
    """The seats that have priority, one or a team's; empty where nobody has or none is known.

    `basis` is `stated` where the source asked the seat in event `number`, `derived` where that
    event and the rules say so, for the reason `why`, and `unknown` otherwise. A source need not
    record every pass: what is derived may have been passed on.
    """

    seats: tuple[int, ...]
    basis: str
    why: str
    number: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StampView:
    """Acting seat and deciding player of an event, as recorded."""

    acting_seat: int | None
    team_seats: tuple[int, ...] | None
    deciding_player: str
    performer: str | None
    authority: str
    authority_ref: int | None
    decision_class: str
    basis: str
    reading: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventView:
    """An event as the viewer may see it.

    `details` are its own fields, sealed ones in plain form where the viewer may see them. `hidden`
    names the fields the viewer may not see, `erased` the sealed ones whose value was erased.
    """

    number: int
    event: str
    family: str
    occurred_at: str | None
    clock: str
    correlation_id: str | None
    causation: int | None
    action: str | None
    stamp: StampView | None
    details: dict[str, Any]
    hidden: tuple[str, ...]
    erased: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A rule as an edition numbers it; `name` is a paraphrase."""

    document: str
    number: str
    edition: str
    topic: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionView:
    """The rules an answer rests on: the edition (its effective date) in force on `day`.

    `section` is the one on controlling another player, empty where there is none. `by` says where
    the day comes from: `asked`, `played_on` (stated for the game), `occurred_at` (the UTC day of
    the first event with a time), `undated` (not known: the newest edition). `notices` are codes of
    what there is to say about the choice. `reading` names edition and kernel.
    """

    edition: str
    section: str
    day: str
    by: str
    reading: str
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """An event that proves part of the answer, and which part."""

    number: int
    event: str
    why: str


def seats_of(record: GameRecord) -> tuple[SeatView, ...]:
    """The seats of a game in turn order."""
    start = record.start
    viewpoint = start.viewpoint if start is not None else "unknown"
    teams = {} if start is None else {info.seat: info.team for info in start.seats}
    return tuple(
        SeatView(seat=seat, player=player, team=teams.get(seat), local=viewpoint == f"seat:{seat}")
        for seat, player in sorted(record.players.items())
    )


def moment_at(record: GameRecord, number: int) -> Moment:
    """Turn, step and active seats just after event `number`."""
    active = record.folded.active_at(number)
    turn = record.folded.turns.turn(number)
    return Moment(
        number=number,
        turn=None if turn is None else turn.ordinal,
        turn_counted=turn is None or turn.counted,
        source_turn=None if turn is None else turn.stated,
        extra=None if turn is None else turn.extra,
        step=None if turn is None else _step(record, number, turn.number),
        active_seats=active.seats,
        certain=active.certain,
    )


def priority_view(record: GameRecord, number: int) -> PriorityView:
    """Who has priority just after event `number`."""
    folded = record.folded
    found = priority_at(folded.events, number, folded.control_at(number))
    basis = {"asked": "stated", "unknown": "unknown"}.get(found.why, "derived")
    return PriorityView(seats=found.seats, basis=basis, why=found.why, number=found.number)


def _step(record: GameRecord, number: int, turn_began: int) -> str | None:
    """The step that is going on; a rewind leads back to where it went."""
    while number >= turn_began:
        event = record.folded.event(number)
        if event.NAME == "step_started":
            return str(event.step)
        if event.NAME == "state_anchored":
            return event.step and str(event.step)
        number = event.to if event.NAME == "rewound" else number - 1
    return None


def event_view(record: GameRecord, number: int, viewer: str) -> EventView:
    """Event `number` without what the viewer may not see."""
    event = record.event(number)
    shape = SHAPES[event.TOPIC]
    details: dict[str, Any] = msgspec.json.decode(shape.details(event))
    clear = record.folded.clear_fields(viewer, number)
    closed = sorted(record.folded.closed_fields(viewer, number))
    details = {name: value for name, value in details.items() if name not in closed}
    held = [name for name in shape.sealed if getattr(event, name) is not None]
    known = {name: record.secrets.get((number, name)) for name in held if name in clear}
    details |= {name: value for name, value in known.items() if value is not None}
    return EventView(
        number=number,
        event=shape.event,
        family=shape.family,
        occurred_at=event.occurred_at,
        clock=event.clock,
        correlation_id=event.correlation_id,
        causation=event.causation,
        action=event.action,
        stamp=stamp_view(event.stamp) if shape.stamped else None,
        details=details,
        hidden=(*(name for name in held if name not in clear), *closed),
        erased=tuple(name for name, value in known.items() if value is None),
    )


def stamp_view(stamp: Any) -> StampView:
    """A recorded stamp."""
    return StampView(
        acting_seat=stamp.acting_seat,
        team_seats=stamp.team_seats,
        deciding_player=stamp.deciding_player,
        performer=stamp.performer,
        authority=stamp.authority.kind,
        authority_ref=stamp.authority.ref,
        decision_class=stamp.decision_class,
        basis=stamp.basis,
        reading=stamp.reading,
    )


def edition_view(record: GameRecord) -> EditionView:
    """The rules under which the record is folded."""
    rules = record.folded.rules
    return EditionView(
        edition=rules.edition,
        section=rules.section,
        day=rules.date,
        by=record.rules_by,
        reading=rules.reading,
        notices=rules.notices,
    )


def citations(rules: Iterable[RuleRef]) -> tuple[Citation, ...]:
    """Rules in the form of an answer."""
    return tuple(
        Citation(
            document=rule.document,
            number=rule.number,
            edition=rule.edition,
            topic=rule.topic,
            name=rule.name,
        )
        for rule in rules
    )


def proofs(record: GameRecord, reasons: Iterable[tuple[int | None, str]]) -> tuple[Proof, ...]:
    """The events of these numbers with what each proves, none twice."""
    found: dict[int, Proof] = {}
    for number, why in reasons:
        if number is not None and 1 <= number <= record.folded.last and number not in found:
            found[number] = Proof(number=number, event=record.folded.event(number).NAME, why=why)
    return tuple(found.values())


def named_card(
    record: GameRecord, number: int, object: str, clear: Mapping[str, tuple[int, str]]
) -> tuple[str | None, str | None, bool]:
    """Card, ability and whether it is hidden, of an object just after event `number`.

    `clear` are the objects whose card may be shown, with the sealed field that names it.
    """
    source = clear.get(object)
    if source is None:
        recorded = record.folded.visibility.card_named_at(number, object) is not None
        return None, None, recorded
    name = record.secrets.get(source)
    return (None, name, False) if source[1] == "ability" else (name, None, False)


def incomplete_at(record: GameRecord, number: int) -> tuple[str, ...]:
    """Why the state just after event `number` is uncertain; empty when it is certain."""
    folded = record.folded
    state = folded.control_at(number)
    gap = _last_gap(record, number)
    after = f"event {gap} is a gap in the record" if gap else "the record has a gap"
    found = []
    if not state.active_certain:
        found.append(f"Who the active player is: {after}.")
    doubted = [str(seat) for seat in sorted(state.players) if state.uncertain(seat)]
    if doubted:
        found.append(f"Who decides for seat {' and seat '.join(doubted)}: {after}.")
    if not folded.visibility.certain_at(number):
        found.append(f"Where hidden cards are: {after}.")
    return tuple(found)


def _last_gap(record: GameRecord, number: int) -> int | None:
    events = record.folded.events[:number]
    return next((e.number for e in reversed(events) if e.NAME == "gap_found"), None)
