"""Who has priority just after an event, from what was asked, passed, done and begun (CR 117)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple

from domain.control import ControlState

__all__ = ["Priority", "Why", "priority_at"]

Why = Literal[
    "asked", "acted", "passed", "all_passed", "resolved", "step_began", "no_priority", "unknown"
]

_ACTS: Final = frozenset({"ability_activated", "land_played", "special_action_taken", "spell_cast"})
_HIDDEN_AFTER: Final = frozenset(
    {
        "gap_found",
        "game_restarted",
        "state_anchored",
        "subgame_ended",
        "subgame_started",
        "turn_started",
    }
)
"""Events after which the record has to say which step it is, or whom it asks."""
_NOBODY_IN: Final = ("untap", "cleanup")
"""Steps in which players do not get priority as a rule (CR 502.4, 514.3)."""


class Priority(NamedTuple):
    """The seats that have priority, one or a team's, and the event that shows it.

    `why`: the source asked the seat (stated); it acted and has priority again (CR 117.3c); the one
    before it passed (117.3d); all passed, so that the top of the stack resolves or the step ends
    (117.4); something resolved or a step began, so that the active player has it (117.3a, 117.3b);
    nobody gets it (117.3a); or it is unknown. `seats` is empty where nobody has it or is known to.
    """

    seats: tuple[int, ...]
    why: Why
    number: int | None


def priority_at(events: Sequence[Any], number: int, state: ControlState) -> Priority:
    """Who has priority just after event `number`; `state` is the control state there.

    `events[n - 1]` is event n. Only the source's question states it, all else follows from rules.
    """
    if state.over or not state.players:
        return Priority((), "no_priority", None)
    since = []
    held = None
    while number > 0 and held is None:
        event = events[number - 1]
        held = _held(event, state)
        if held is None:
            since.append(event)
        number = min(event.to, number - 1) if event.NAME == "rewound" else number - 1
    if held is None:
        return Priority((), "unknown", None)
    return _passed_on(held, since[::-1], state)


def _held(event: Any, state: ControlState) -> Priority | None:
    """Who has priority after an event that settles it whatever was before; None for others."""
    name = event.NAME
    if name in _ACTS and not event.refused and event.stamp.acting_seat is not None:
        return Priority(state.team_of(event.stamp.acting_seat), "acted", event.number)
    if name == "resolved":
        return Priority(state.active_seats or (), "resolved", event.number)
    if name == "step_started":
        if event.step in _NOBODY_IN:
            return Priority((), "no_priority", event.number)
        return Priority(state.active_seats or (), "step_began", event.number)
    if name == "game_started":
        return Priority((), "no_priority", event.number)
    if name in _HIDDEN_AFTER:
        return Priority((), "unknown", event.number)
    return None


def _passed_on(held: Priority, since: Sequence[Any], state: ControlState) -> Priority:
    """Who has it after the questions and passes that followed, in their order."""
    passed: set[int] = set()
    for event in since:
        seat = event.stamp.acting_seat if hasattr(event, "stamp") else None
        if seat is None:
            continue
        team = state.team_of(seat)
        if event.NAME == "decision_requested" and event.decision == "priority_passed":
            passed -= set(team)
            held = Priority(team, "asked", event.number)
        elif event.NAME == "priority_passed" and not event.refused:
            passed |= set(team)
            held = _next(team, passed, state, event.number)
    return held


def _next(team: tuple[int, ...], passed: set[int], state: ControlState, number: int) -> Priority:
    """The next in turn order who has not passed."""
    order = sorted(state.players)
    at = order.index(team[-1]) if team[-1] in order else 0
    for seat in (*order[at + 1 :], *order[: at + 1]):
        if seat not in passed and not state.has_left(seat):
            return Priority(state.team_of(seat), "passed", number)
    return Priority((), "all_passed", number)
