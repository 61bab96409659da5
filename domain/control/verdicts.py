"""The answer to "who decides this": decider, authority, path, rules, gaps."""

from __future__ import annotations

from dataclasses import dataclass

from domain.control.state import ControlState
from domain.events.registry import decision_class
from domain.principals import UNKNOWN
from domain.rules import RuleBook, RuleRef
from domain.stamp import AuthorityKind

__all__ = ["NOBODY", "PathStep", "Verdict", "decide", "reachable_seats"]

NOBODY = "nobody"
"""The decider of a seat that has left the game."""


@dataclass(frozen=True, slots=True)
class PathStep:
    """One step from the seat to the final decider; `effect` is the label that led to it."""

    seat: int | None
    player: str
    effect: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Who decides and why.

    `decider` is a principal, `nobody` (the seat has left), `undetermined` (the rules leave a gap) or
    `unknown` (the record does). `ref` is the number of the event that granted the last step of `path`.
    """

    decider: str
    authority: AuthorityKind
    ref: int | None = None
    ref_label: str | None = None
    path: tuple[PathStep, ...] = ()
    rules: tuple[RuleRef, ...] = ()
    rule_gap: bool = False
    reading: str | None = None
    candidates: tuple[str, ...] = ()
    uncertain: bool = False
    because: str = ""


def decide(state: ControlState, seat: int, decision: str, rules: RuleBook) -> Verdict:
    """Who decides this for the seat.

    `decision` is `game`, `tournament`, `remedy`, `searching`, `attackers`, `blockers`, `votes` or the
    name of an event.
    """
    key = (seat, decision, rules.reading)
    found: Verdict | None = state.memo.get(key)
    if found is None:
        found = state.memo[key] = _decide(state, seat, decision, rules)
    return found


def _decide(state: ControlState, seat: int, decision: str, rules: RuleBook) -> Verdict:
    player = state.players.get(seat)
    if player is None:
        return Verdict(decider=UNKNOWN, authority="unknown", because="The seat has no player.")
    own = PathStep(seat, player)
    personal = decision in ("tournament", "remedy") or decision_class(decision) != "game"
    if personal:
        return Verdict(
            decider=player,
            authority="tournament_rule",
            path=(own,),
            rules=rules.cite("player-control.tournament-choices", "player-control.concession"),
            because="A tournament decision belongs to the person.",
        )
    if state.has_left(seat):
        return Verdict(decider=NOBODY, authority="unknown", because="The player has left the game.")
    return _through_control(state, seat, own, rules)


def _through_control(state: ControlState, seat: int, own: PathStep, rules: RuleBook) -> Verdict:
    effect = state.in_force(seat)
    if effect is None or effect.controller == own.player:
        return Verdict(
            decider=own.player, authority="self", path=(own,), because="Nobody controls the player."
        )
    step = PathStep(state.seat_of(effect.controller), effect.controller, effect.label)
    return Verdict(
        decider=effect.controller,
        authority="control_effect",
        ref=effect.created,
        ref_label=effect.label,
        path=(own, step),
        rules=rules.cite("player-control.next-turn", "player-control.decisions"),
        because=f"{effect.label} is in force.",
    )


def reachable_seats(state: ControlState, principal: str) -> frozenset[int]:
    """The seats the principal controls now, through any number of steps, and the own seat."""
    reached = {seat for seat, player in state.players.items() if player == principal}
    holders = {principal}
    grew = True
    while grew:
        grew = False
        for seat, player in state.players.items():
            effect = state.in_force(seat)
            if seat not in reached and effect is not None and effect.controller in holders:
                reached.add(seat)
                holders.add(player)
                grew = True
    return frozenset(reached)
