"""Findings about what a record shows of control, of turns and of objects."""

from __future__ import annotations

from typing import Any

from domain.control import ControlState, final_decider
from domain.findings.finding import Finding
from domain.rules import RuleBook

__all__ = ["of_dispute", "of_object", "of_observation", "of_step"]


def of_step(state: ControlState, event: Any, rules: RuleBook) -> Finding | None:
    """A step said to be somebody's who is not the active player (CR 723.3)."""
    if event.seat is None or state.active_seats is None or event.seat in state.active_seats:
        return None
    return Finding(
        code="active-player-changed",
        number=event.number,
        root=event.number,
        rule=next(iter(rules.cite("player-control.active-player")), None),
        message="The record gives the step to a player whose turn it is not.",
    )


def of_object(
    state: ControlState, event: Any, former: int | None, rules: RuleBook
) -> Finding | None:
    """An object said to go to whoever controls its controller (CR 723.3).

    `former` is the seat that controlled the object before, where the caller knows it.
    """
    if not (getattr(event, "by_player_control", False) or _goes_up(state, event, former)):
        return None
    return Finding(
        code="object-controller-changed",
        number=event.number,
        root=event.number,
        rule=next(iter(rules.cite("player-control.objects")), None),
        message="The record gives the object to the player who controls its controller.",
    )


def _goes_up(state: ControlState, event: Any, former: int | None) -> bool:
    is_move = event.TOPIC.startswith("game.object_moved/")
    if not is_move or former is None or event.controller == former:
        return False
    player = state.players.get(former)
    last = None if player is None else final_decider(state, player)
    return last is not None and last == state.players.get(event.controller)


def of_dispute(event: Any) -> Finding:
    """Somebody's word against the recorded decider of another event; the record stays as it is."""
    return Finding(
        code="stamp-disputed",
        number=event.number,
        root=event.about,
        rule=None,
        message="Somebody disputes who is recorded to have decided.",
    )


def of_observation(state: ControlState, event: Any) -> Finding | None:
    """What a source shows about who answers for a seat, against what was known."""
    made = state.in_force(event.seat)
    own = state.players.get(event.seat)
    if made is None or made.scope == "observed":
        same = made is not None and made.controller == event.by
        return None if event.by is None or same else _suspected(event)
    known = own is not None and final_decider(state, own)
    agrees = made.controller == own if event.by is None else event.by in (made.controller, known)
    if agrees:
        return None
    if made.doubted_since is None:
        return _differs(event, made.created)
    return None if event.by is None else _suspected(event)


def _suspected(event: Any) -> Finding:
    return Finding(
        code="control-window-suspected",
        number=event.number,
        root=event.number,
        rule=None,
        message="Somebody else answers for the seat, and no effect on record explains it.",
    )


def _differs(event: Any, effect: int) -> Finding:
    return Finding(
        code="stated-derived-differ",
        number=event.number,
        root=effect,
        rule=None,
        message="The record shows another answer for the seat than the effect in force gives.",
    )
