"""What the rules say today about the decider of a recorded event."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from domain.control import ControlState, Verdict, authority_of
from domain.findings import verdict_on
from domain.principals import RULES, UNKNOWN
from queries.parts import Citation, citations
from queries.record import GameRecord

__all__ = [
    "ComputedStamp",
    "PathView",
    "computed_stamp",
    "follows_from_choice",
    "recorded_authority",
]


# A player chooses what is discarded or sacrificed, and what surveil puts where (CR 701).
_CHOSEN: Final = frozenset({"discard", "sacrifice", "surveil"})


@dataclass(frozen=True, slots=True, kw_only=True)
class PathView:
    """One step from the acting seat to the decider; `effect` is the label that led to it."""

    seat: int | None
    player: str
    effect: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ComputedStamp:
    """The decider as the rules of `reading` give it.

    `should_decide` is the person entitled; `stand_in` a server, program or judge that answered in
    the seat's name then; `deciding_player` the one of them who decided if the source was silent.
    `certain` is false where event `gap` hides who decides. `rule_gap` is the reading used where the
    rules say nothing, `candidates` who it could be.
    """

    deciding_player: str
    should_decide: str
    stand_in: str | None
    authority: str
    authority_ref: int | None
    path: tuple[PathView, ...]
    because: str
    rules: tuple[Citation, ...]
    rule_gap: str | None
    candidates: tuple[str, ...]
    certain: bool
    gap: int | None
    reading: str


def computed_stamp(record: GameRecord, event: Any) -> ComputedStamp | None:
    """Who decides event `event` by the state before it; None for an event without a stamp."""
    stamp = getattr(event, "stamp", None)
    if stamp is None:
        return None
    rules = record.folded.rules
    before = record.folded.control_at(event.number - 1)
    verdict = verdict_on(before, event, rules)
    gap = record.folded.reading_at(event.number)
    if verdict is not None:
        return _judged(before, stamp, verdict, gap, rules.reading)
    if event.DECISION_CLASS is not None and stamp.deciding_player != RULES:
        return _plain(UNKNOWN, "unknown", "The record names no acting seat.", gap, rules.reading)
    because = (
        "A consequence of a cost or an effect: who chose the object is not part of this event."
        if follows_from_choice(event)
        else "Nobody decides this: the rules or chance bring it about."
    )
    return _plain(RULES, "rules", because, gap, rules.reading)


def follows_from_choice(event: Any) -> bool:
    """Whether the event only carries out a choice, which at most another event records."""
    return event.NAME == "object_moved" and event.cause in _CHOSEN


def recorded_authority(record: GameRecord, event: Any) -> tuple[str, int | None]:
    """By what right the recorded decider decided, by the rules of the record's edition."""
    stamp = event.stamp
    before = record.folded.control_at(event.number - 1)
    verdict = verdict_on(before, event, record.folded.rules)
    if verdict is None:
        return stamp.authority.kind, stamp.authority.ref
    return authority_of(stamp.deciding_player, verdict)


def _plain(
    decider: str, authority: str, because: str, gap: str | None, reading: str
) -> ComputedStamp:
    return ComputedStamp(
        deciding_player=decider,
        should_decide=decider,
        stand_in=None,
        authority=authority,
        authority_ref=None,
        path=(),
        because=because,
        rules=(),
        rule_gap=gap,
        candidates=(),
        certain=True,
        gap=None,
        reading=reading,
    )


def _judged(
    before: ControlState, stamp: Any, verdict: Verdict, gap: str | None, reading: str
) -> ComputedStamp:
    stand_in = None
    if stamp.decision_class == "game" and not verdict.uncertain:
        stand_in = before.stand_in(stamp.acting_seat)
    authority, ref = verdict.authority, verdict.ref
    if stand_in is not None:
        authority, ref = authority_of(stand_in, None)
    return ComputedStamp(
        deciding_player=UNKNOWN if verdict.uncertain else stand_in or verdict.decider,
        should_decide=verdict.decider,
        stand_in=stand_in,
        authority=authority,
        authority_ref=ref,
        path=tuple(PathView(seat=s.seat, player=s.player, effect=s.effect) for s in verdict.path),
        because=verdict.because,
        rules=citations(verdict.rules),
        rule_gap=gap,
        candidates=verdict.candidates,
        certain=not verdict.uncertain,
        gap=verdict.gap,
        reading=reading,
    )
