"""Findings about what was decided, whoever decided it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from domain.control import ControlState, Effect, Verdict
from domain.findings.finding import Finding
from domain.rules import RuleBook, RuleRef

__all__ = ["broken_demands", "chosen_under_control", "of_act", "orders_damage"]

_RAN_OUT: Final = frozenset({"next_turn_started", "combat_ended", "resolved"})
"""Reasons for which control ends in its own time, so that a demand is due."""


def of_act(
    state: ControlState, event: Any, name: str, verdict: Verdict, rules: RuleBook
) -> Iterator[Finding]:
    """Findings about the choice itself and about what paid for it."""
    topic = _not_called_for(event, rules)
    if topic is not None:
        yield _about(
            event,
            "not-called-for",
            "No rule and no object calls for this choice.",
            _rule(rules, topic),
        )
    if _foreign_resources(event):
        yield _about(
            event,
            "wrong-resources",
            "Another player's resources paid.",
            _rule(rules, "player-control.resources"),
        )
    yield from _forbidden(state, event, name, verdict, rules)
    if name == "outside_game_card_chosen":
        yield from _from_outside(state, event, verdict, rules)


def _not_called_for(event: Any, rules: RuleBook) -> str | None:
    """The topic by which nothing asks for the choice, or the edition does not have it at all."""
    if not event.called_for:
        return "player-control.not-called-for"
    if orders_damage(event) and not rules.switches["damage-assignment-order"]:
        return "player-control.not-called-for"
    if _pays_for_departed(event) and rules.switches["departed-cost-not-paid"]:
        return "leaving.costs"
    return None


def _pays_for_departed(event: Any) -> bool:
    """Whether somebody chooses to pay a cost that was asked of a player who has left."""
    departed = getattr(event, "for_seat", None)
    return departed is not None and event.kind == "pay_optional"


def orders_damage(event: Any) -> bool:
    """Whether the event is the choice of an order of damage among blockers."""
    return getattr(event, "kind", None) == "damage_order"


def _foreign_resources(event: Any) -> bool:
    own = event.stamp.team_seats or (event.stamp.acting_seat,)
    used = (event.paid_from, getattr(event, "permanent_of", None))
    owner = getattr(event, "owner", None) if event.TOPIC.startswith("game.cost_paid/") else None
    return any(seat is not None and seat not in own for seat in (*used, owner))


def _forbidden(
    state: ControlState, event: Any, name: str, verdict: Verdict, rules: RuleBook
) -> Iterator[Finding]:
    """A decision that the control effect itself forbids (CR 723.7)."""
    if event.stamp.deciding_player != verdict.decider:
        return
    used = {step.ref for step in verdict.path}
    for effect in state.effects:
        if effect.created in used and effect.status == "in_force" and name in effect.may_not:
            yield Finding(
                code="restriction-broken",
                number=event.number,
                root=effect.created,
                rule=_rule(rules, "player-control.restrictions", "game.card-text"),
                message=f"The effect {effect.label} forbids this decision.",
            )
            return


def _from_outside(
    state: ControlState, event: Any, verdict: Verdict, rules: RuleBook
) -> Iterator[Finding]:
    if event.wrong_type:
        yield _about(
            event,
            "outside-game-choice",
            "The card is not of a kind that may be chosen.",
            _rule(rules, "player-control.decisions"),
        )
    elif not rules.switches["controller-chooses-outside"] and chosen_under_control(
        state, event, verdict
    ):
        yield _about(
            event,
            "outside-game-choice",
            "No card from outside the game can be chosen while the player is controlled.",
            _rule(rules, "player-control.visibility"),
        )


def chosen_under_control(state: ControlState, event: Any, verdict: Verdict) -> bool:
    """Whether somebody else controls the player who makes the choice."""
    own = state.players.get(event.stamp.acting_seat)
    return verdict.authority in ("control_effect", "observed") and verdict.decider != own


def broken_demands(event: Any, after: ControlState, rules: RuleBook) -> Iterator[Finding]:
    """Demands of effects that ended with this event in their own time, unfulfilled (CR 723.7)."""
    for effect in after.effects:
        if effect.must and effect.ended == event.number and _owed(effect):
            yield Finding(
                code="restriction-broken",
                number=event.number,
                root=effect.created,
                rule=_rule(rules, "player-control.restrictions", "game.card-text"),
                message=f"Control by {effect.label} ended without what the effect demands.",
            )


def _owed(effect: Effect) -> bool:
    natural = effect.reason in _RAN_OUT and effect.began is not None
    return natural and not set(effect.must) <= set(effect.done)


def _about(event: Any, code: str, message: str, rule: RuleRef | None) -> Finding:
    return Finding(code=code, number=event.number, root=event.number, rule=rule, message=message)


def _rule(rules: RuleBook, *topics: str) -> RuleRef | None:
    return next(iter(rules.cite(*topics)), None)
