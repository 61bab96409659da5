"""One game at a glance: seats, result, who decided how often for whom, gaps, sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from domain.ports import JournalEntry
from queries.effects import EffectView, effects_of
from queries.parts import SeatView, incomplete_at, seats_of
from queries.record import GameRecord
from queries.viewers import named_viewer

__all__ = ["DeciderCount", "GapView", "ShowAnswer", "SourceView", "TurnView", "show"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeciderCount:
    """How many decisions of a seat are recorded for one deciding player, by basis."""

    acting_seat: int | None
    deciding_player: str
    decision_class: str
    decisions: int
    stated: int
    derived: int
    presumed: int
    unknown: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnView:
    """A turn of the surviving history: events `first` to `last`."""

    turn: int
    source_turn: int | None
    seats: tuple[int, ...]
    extra: bool
    first: int
    last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GapView:
    """A part of the game that is not in the record: found at event `number`."""

    number: int
    cause: str
    anchored: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceView:
    """An append: events `first` to `last` came from this file at this time."""

    first: int
    last: int
    file_name: str | None
    file_digest: str | None
    recorded_at: str
    tool: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowAnswer:
    """One game. `result` is None while it has no end; `families` counts events by family.

    `started_clock` and `ended_clock` say whose clock the times are of: `server` and `client` are
    UTC, `local` is a wall clock whose zone is not known. None where there is no time.
    """

    game_id: str
    short_id: str
    viewer: str
    match_key: str | None
    game_number: int | None
    system: str
    viewpoint: str
    format: str | None
    played_on: str | None
    from_start: bool
    started_at: str | None
    started_clock: str | None
    ended_at: str | None
    ended_clock: str | None
    result: str | None
    winners: tuple[int, ...]
    reason: str | None
    reading: str
    seats: tuple[SeatView, ...]
    events: int
    families: tuple[tuple[str, int], ...]
    turns: tuple[TurnView, ...]
    deciders: tuple[DeciderCount, ...]
    effects: tuple[EffectView, ...]
    rewinds: tuple[int, ...]
    gaps: tuple[GapView, ...]
    findings: int
    sources: tuple[SourceView, ...]
    incomplete: tuple[str, ...]


def show(
    record: GameRecord, journal: Iterable[JournalEntry] = (), viewer: str = "spectator"
) -> ShowAnswer:
    """A game at a glance; `journal` holds the entries of its stream. It names no hidden card."""
    folded, start = record.folded, record.start
    end = next((e for e in reversed(folded.events) if e.NAME == "game_ended"), None)
    times = [
        (event.occurred_at, event.clock) for event in folded.events if event.occurred_at is not None
    ]
    return ShowAnswer(
        game_id=record.game_id,
        short_id=record.short_id,
        viewer=named_viewer(viewer, record),
        match_key=start and start.match_key,
        game_number=start and start.game_number,
        system=folded.events[0].source.system,
        viewpoint="unknown" if start is None else start.viewpoint,
        format=start and start.format,
        played_on=start and start.played_on,
        from_start=start is not None and start.from_start,
        started_at=times[0][0] if times else None,
        started_clock=times[0][1] if times else None,
        ended_at=times[-1][0] if times else None,
        ended_clock=times[-1][1] if times else None,
        result=end and end.result,
        winners=() if end is None else end.winners,
        reason=end and end.reason,
        reading=folded.rules.reading,
        seats=seats_of(record),
        events=folded.last,
        families=tuple(sorted(Counter(event.FAMILY for event in folded.events).items())),
        turns=_turns(record),
        deciders=_deciders(folded.events),
        effects=effects_of(record),
        rewinds=tuple(event.number for event in folded.events if event.NAME == "rewound"),
        gaps=_gaps(folded.events),
        findings=len(folded.findings),
        sources=tuple(map(_source, journal)),
        incomplete=incomplete_at(record, folded.last),
    )


def _turns(record: GameRecord) -> tuple[TurnView, ...]:
    turns = record.folded.turns.turns(record.folded.last)
    ends = [turn.number - 1 for turn in turns[1:]]
    return tuple(
        TurnView(
            turn=turn.ordinal,
            source_turn=turn.stated,
            seats=turn.seats,
            extra=turn.extra,
            first=turn.number,
            last=last,
        )
        for turn, last in zip(turns, (*ends, record.folded.last), strict=bool(turns))
    )


def _deciders(events: Iterable[Any]) -> tuple[DeciderCount, ...]:
    """Decisions by seat, decider and class, most of a seat first."""
    counts: dict[tuple[Any, ...], Counter[str]] = {}
    for event in events:
        if event.DECISION_CLASS is not None:
            stamp = event.stamp
            key = (stamp.acting_seat, stamp.deciding_player, stamp.decision_class)
            counts.setdefault(key, Counter())[stamp.basis] += 1
    found = [
        DeciderCount(
            acting_seat=seat,
            deciding_player=decider,
            decision_class=kind,
            decisions=by_basis.total(),
            stated=by_basis["stated"],
            derived=by_basis["derived"],
            presumed=by_basis["presumed"],
            unknown=by_basis["unknown"],
        )
        for (seat, decider, kind), by_basis in counts.items()
    ]
    return tuple(sorted(found, key=lambda one: (one.acting_seat or 0, -one.decisions)))


def _gaps(events: Iterable[Any]) -> tuple[GapView, ...]:
    found: list[GapView] = []
    for event in events:
        if event.NAME == "gap_found":
            found.append(GapView(number=event.number, cause=event.cause, anchored=None))
        elif event.NAME == "state_anchored":
            found = [_anchored(gap, event.number) for gap in found]
    return tuple(found)


def _anchored(gap: GapView, number: int) -> GapView:
    at = number if gap.anchored is None else gap.anchored
    return GapView(number=gap.number, cause=gap.cause, anchored=at)


def _source(entry: JournalEntry) -> SourceView:
    return SourceView(
        first=entry.first,
        last=entry.last,
        file_name=entry.origin.file_name,
        file_digest=entry.origin.file_digest,
        recorded_at=entry.origin.recorded_at,
        tool=entry.origin.tool,
    )
