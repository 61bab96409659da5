"""Was the recorded decider entitled? One root cause gives one finding, the most specific."""

from __future__ import annotations

from typing import Any, Literal

from domain.control import NOBODY, ControlState, Effect, Verdict
from domain.findings.finding import Finding
from domain.principals import UNDETERMINED, UNKNOWN, is_stand_in
from domain.rules import RuleBook

__all__ = ["Entitlement", "entitlement", "of_decider"]

Entitlement = Literal["yes", "no", "open"]
"""Whether somebody was entitled; `open` where neither rules nor record settle it."""


def entitlement(state: ControlState, event: Any, verdict: Verdict) -> Entitlement:
    """Whether the recorded deciding player was entitled to the decision, which is somebody's."""
    stamp = event.stamp
    decider = stamp.deciding_player
    if decider == verdict.decider:
        return "open" if decider in (UNKNOWN, UNDETERMINED) else "yes"
    if decider == UNKNOWN or verdict.decider == UNKNOWN:
        return "open"
    if stamp.decision_class == "game" and is_stand_in(decider):
        return _stand_in(state, stamp, verdict)
    if decider in _team(state, stamp, verdict):
        return "yes"
    return "open" if verdict.rule_gap and decider in verdict.candidates else "no"


def _stand_in(state: ControlState, stamp: Any, verdict: Verdict) -> Entitlement:
    """A stand-in may decide where nobody else does; in the decider's own seat it is open."""
    if verdict.decider == UNDETERMINED:
        return "open"
    if verdict.decider == state.players.get(stamp.acting_seat):
        return "yes"
    seat = state.seat_of(verdict.decider)
    sits_there = seat is not None and state.stand_in(seat) == stamp.deciding_player
    return "open" if sits_there else "no"


def _team(state: ControlState, stamp: Any, verdict: Verdict) -> set[str]:
    """The members of a team that acts as one and that nobody outside controls (CR 805.2)."""
    if stamp.decision_class != "game" or not stamp.team_seats or verdict.authority != "self":
        return set()
    return {state.players[seat] for seat in stamp.team_seats if seat in state.players}


def of_decider(
    state: ControlState, event: Any, verdict: Verdict, rules: RuleBook
) -> Finding | None:
    """The finding about who decided, if there is one."""
    stamp = event.stamp
    if stamp.basis in ("derived", "presumed"):
        expected = _as_derived(state, stamp, verdict)
        if stamp.deciding_player != expected:
            return _superseded(event)
    if entitlement(state, event, verdict) == "no":
        return _not_entitled(state, event, verdict, rules)
    if stamp.basis == "stated" and _own_person_beside_stand_in(state, stamp, verdict):
        return Finding(
            code="stated-derived-differ",
            number=event.number,
            root=event.number,
            rule=None,
            message="The player decided although a stand-in answers for the seat.",
        )
    return None


def _as_derived(state: ControlState, stamp: Any, verdict: Verdict) -> str:
    if verdict.decider == NOBODY:
        return UNKNOWN
    stand_in = state.stand_in(stamp.acting_seat) if stamp.decision_class == "game" else None
    return stand_in or verdict.decider


def _superseded(event: Any) -> Finding:
    return Finding(
        code="stamp-superseded",
        number=event.number,
        root=event.number,
        rule=None,
        message="The decider was derived by an earlier reading; the present one differs.",
    )


def _own_person_beside_stand_in(state: ControlState, stamp: Any, verdict: Verdict) -> bool:
    own = state.players.get(stamp.acting_seat)
    return (
        stamp.decision_class == "game"
        and state.stand_in(stamp.acting_seat) not in (None, stamp.performer)
        and stamp.deciding_player == own == verdict.decider
    )


def _not_entitled(state: ControlState, event: Any, verdict: Verdict, rules: RuleBook) -> Finding:
    stamp = event.stamp
    if stamp.decision_class != "game":
        return Finding(
            code="tournament-decision-by-other",
            number=event.number,
            root=event.number,
            rule=next(iter(verdict.rules), None),
            message="Somebody else made a decision that belongs to the person.",
        )
    held = [
        effect
        for effect in state.effects
        if effect.controller == stamp.deciding_player and stamp.acting_seat in effect.affected
    ]
    return (
        _departed(state, event, held, rules)
        or _not_in_force(event, held, rules)
        or Finding(
            code="decider-not-entitled",
            number=event.number,
            root=event.number if verdict.ref is None else verdict.ref,
            rule=next(iter(rules.cite("player-control.decisions")), None),
            message="The decision was not the recorded decider's to make.",
        )
    )


def _departed(
    state: ControlState, event: Any, held: list[Effect], rules: RuleBook
) -> Finding | None:
    seat = state.seat_of(event.stamp.deciding_player)
    if seat is None or not state.has_left(seat):
        return None
    if not any(e.reason in ("controller_left", "controller_already_gone") for e in held):
        return None
    return Finding(
        code="controller-left",
        number=event.number,
        root=state.departed[seat].number,
        rule=next(iter(rules.cite("leaving.control-ends")), None),
        message="The recorded decider has left the game, which ended their control.",
    )


def _not_in_force(event: Any, held: list[Effect], rules: RuleBook) -> Finding | None:
    idle = [effect for effect in held if effect.status != "in_force"]
    if not idle:
        return None
    effect = max(idle, key=lambda one: one.created)
    state = {"pending": "still waits", "suspended": "is set aside"}.get(effect.status, "is over")
    return Finding(
        code="effect-not-in-force",
        number=event.number,
        root=effect.created,
        rule=next(iter(rules.cite("player-control.next-turn")), None),
        message=f"The effect {effect.label}, on which the decision would rest, {state}.",
    )
