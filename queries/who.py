"""Who decided this, in whose name, and by what right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from domain.principals import RULES, UNDETERMINED, UNKNOWN
from queries.computed import (
    ComputedStamp,
    computed_stamp,
    follows_from_choice,
    recorded_authority,
)
from queries.effects import EffectView, granting_effect
from queries.findings import FindingView, findings_about
from queries.parts import (
    Citation,
    EditionView,
    EventView,
    Moment,
    Proof,
    SeatView,
    StampView,
    edition_view,
    event_view,
    moment_at,
    proofs,
    seats_of,
)
from queries.record import GameRecord
from queries.viewers import named_viewer

__all__ = ["AuthorityView", "Dispute", "Note", "WhoAnswer", "who"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorityView:
    """By what right: the kind, the number of the event that granted it, and the effect it made."""

    kind: str
    ref: int | None
    effect: EffectView | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute:
    """Somebody disputes the recorded decider: `number` is the event that says so."""

    number: int
    claimed: str
    by: str
    grounds: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A remark anchored to the event: `number` is the event that holds it."""

    number: int
    text: str
    by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WhoAnswer:
    """Acting seat and deciding player of one event, recorded and computed side by side.

    `deciding_player` is the answer: what the source stated, else what the rules give. It is None
    for an event that has no stamp (the frame of the game, the log itself). `consequence`: nobody
    decides the event itself, but it carries out a choice that is not part of it (a discard, a
    sacrifice). `agrees` compares
    recorded and computed, None where one of them is not known. `moment` is the one in which a
    decision was made: just before a stamped event, just after another one. `rule_gap` is the
    reading used where the rules are silent, `alternatives` the other candidates. `incomplete` says
    what a gap hides.
    """

    game_id: str
    short_id: str
    viewer: str
    seats: tuple[SeatView, ...]
    edition: EditionView
    event: EventView
    moment: Moment
    acting_seat: int | None
    team_seats: tuple[int, ...] | None
    acting_player: str | None
    deciding_player: str | None
    consequence: bool
    performer: str | None
    authority: AuthorityView | None
    decision_class: str | None
    basis: str | None
    recorded: StampView | None
    computed: ComputedStamp | None
    agrees: bool | None
    rules: tuple[Citation, ...]
    rule_gap: str | None
    alternatives: tuple[str, ...]
    proof: tuple[Proof, ...]
    findings: tuple[FindingView, ...]
    disputes: tuple[Dispute, ...]
    notes: tuple[Note, ...]
    incomplete: tuple[str, ...]


def who(record: GameRecord, number: int, viewer: str = "spectator") -> WhoAnswer:
    """Answer for event `number`; raises NotFound for a number the game does not have."""
    event = record.event(number)
    viewer = named_viewer(viewer, record)
    view = event_view(record, number, viewer)
    computed = computed_stamp(record, event)
    decider, authority = _answer(record, event, view.stamp, computed)
    seat = None if view.stamp is None else view.stamp.acting_seat
    return WhoAnswer(
        game_id=record.game_id,
        short_id=record.short_id,
        viewer=viewer,
        seats=seats_of(record),
        edition=edition_view(record),
        event=view,
        moment=moment_at(record, number if view.stamp is None else number - 1),
        acting_seat=seat,
        team_seats=None if view.stamp is None else view.stamp.team_seats,
        acting_player=None if seat is None else record.players.get(seat),
        deciding_player=decider,
        consequence=decider == RULES and follows_from_choice(event),
        performer=None if view.stamp is None else view.stamp.performer,
        authority=authority,
        decision_class=None if view.stamp is None else view.stamp.decision_class,
        basis=None if view.stamp is None else view.stamp.basis,
        recorded=view.stamp,
        computed=computed,
        agrees=_agrees(view.stamp, computed),
        rules=() if computed is None else computed.rules,
        rule_gap=record.folded.reading_at(number),
        alternatives=_alternatives(decider, computed),
        proof=proofs(record, _reasons(record, event, authority, computed)),
        findings=findings_about(record, number),
        disputes=_disputes(record, number),
        notes=_notes(record, number),
        incomplete=_incomplete(record, number, decider, computed),
    )


def _answer(
    record: GameRecord, event: Any, stamp: StampView | None, computed: ComputedStamp | None
) -> tuple[str | None, AuthorityView | None]:
    """Decider as the source stated, else as the rules give it; by what right the rules say."""
    if stamp is None:
        return None, None
    decider = stamp.deciding_player
    kind, ref = recorded_authority(record, event)
    if computed is not None and stamp.basis in ("derived", "presumed"):
        decider = computed.deciding_player
        kind, ref = computed.authority, computed.authority_ref
    effect = granting_effect(record, event.number, ref, stamp.acting_seat)
    return decider, AuthorityView(kind=kind, ref=ref, effect=effect)


def _alternatives(decider: str | None, computed: ComputedStamp | None) -> tuple[str, ...]:
    found = () if computed is None else computed.candidates
    return tuple(candidate for candidate in found if candidate != decider)


def _agrees(stamp: StampView | None, computed: ComputedStamp | None) -> bool | None:
    if stamp is None or computed is None:
        return None
    known = (stamp.deciding_player, computed.deciding_player)
    if UNKNOWN in known or UNDETERMINED in known:
        return None
    return known[0] == known[1]


def _reasons(
    record: GameRecord,
    event: Any,
    authority: AuthorityView | None,
    computed: ComputedStamp | None,
) -> list[tuple[int | None, str]]:
    """Which events prove the answer, and what each of them proves."""
    found: list[tuple[int | None, str]] = [(event.number, "the event itself")]
    found.append((getattr(event, "request", None), "asked for the decision"))
    found.append((event.causation, "led to it"))
    if authority is None:
        return found
    if authority.kind in ("server", "judge"):
        found.append((_take_over(record, event), "took the seat over"))
    if computed is not None:
        found.append((computed.gap, "hides who decides"))
    found.append((authority.ref, "granted the authority"))
    if authority.effect is not None:
        found.append((authority.effect.began, "brought the effect into force"))
        found.append((authority.effect.ended, "ended the effect"))
    return found


def _take_over(record: GameRecord, event: Any) -> int | None:
    """The latest take-over of the acting seat before the event."""
    earlier = record.folded.events[: event.number]
    seat = event.stamp.acting_seat
    return next(
        (e.number for e in reversed(earlier) if e.NAME == "seat_taken_over" and e.seat == seat),
        None,
    )


def _disputes(record: GameRecord, number: int) -> tuple[Dispute, ...]:
    return tuple(
        Dispute(number=e.number, claimed=e.claimed, by=e.by, grounds=e.grounds)
        for e in record.folded.events
        if e.NAME == "stamp_disputed" and e.about == number
    )


def _notes(record: GameRecord, number: int) -> tuple[Note, ...]:
    return tuple(
        Note(number=e.number, text=e.text, by=e.by)
        for e in record.folded.events
        if e.NAME == "note_added" and e.about == number
    )


def _incomplete(
    record: GameRecord, number: int, decider: str | None, computed: ComputedStamp | None
) -> tuple[str, ...]:
    """What the record does not say about the answer."""
    found = []
    if not record.folded.active_at(number).certain:
        found.append("A gap in the record hides whose turn it is.")
    if decider == UNKNOWN:
        gap = computed is not None and not computed.certain
        found.append(
            "A gap in the record hides who decided."
            if gap
            else "The record does not say who decided."
        )
    return tuple(found)
