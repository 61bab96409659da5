"""Which rules an answer rests on: what opens the window, and what gives the choice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from domain.control.effects import Effect
from domain.control.state import ControlState
from domain.rules import RuleBook, RuleRef

__all__ = ["cite_control", "cite_effect", "cite_pending", "cite_personal"]

_WINDOW: Final = {
    "next_turn": "player-control.next-turn",
    "next_combat_phase": "game.card-text",
    "this_turn": "game.card-text",
    "while_resolving": "player-control.limited-duration",
    "while_searching": "player-control.limited-duration",
}
"""Scope -> the topic that opens its window; no clause opens one for a combat phase or this turn."""

_NAMED_SINCE: Final = {"while_searching": "opposition-agent-named"}
"""Scope -> the switch from which on the topic that opens its window covers it."""

_ENDINGS: Final = {
    "affected_left": "leaving.control-ends",
    "controller_left": "leaving.control-ends",
    "controller_already_gone": "leaving.control-does-not-begin",
    "overwritten": "player-control.overwriting",
}


def cite_control(
    state: ControlState, effects: Iterable[Effect], rules: RuleBook
) -> tuple[RuleRef, ...]:
    """The rules of an answer that rests on these effects, in the order of the path."""
    topics: list[str] = []
    for effect in effects:
        topics.extend(_grounds(state.open_effects, effect, rules))
        topics.append("player-control.decisions")
    return rules.cite(*dict.fromkeys(topics))


def cite_pending(state: ControlState, effect: Effect, rules: RuleBook) -> tuple[RuleRef, ...]:
    """The rules by which an effect waits."""
    return rules.cite(*_grounds(state.open_effects, effect, rules))


def cite_effect(state: ControlState, effect: Effect, rules: RuleBook) -> tuple[RuleRef, ...]:
    """The rules by which an effect began and ended, or was overwritten."""
    topics = [*_grounds(state.effects, effect, rules)]
    if effect.reason in _ENDINGS:
        topics.append(_ENDINGS[effect.reason])
    return rules.cite(*dict.fromkeys(topics))


def cite_personal(decision: str, rules: RuleBook) -> tuple[RuleRef, ...]:
    """The rules by which a decision belongs to the person."""
    if decision == "conceded":
        return rules.cite("player-control.concession", "game.concession")
    return rules.cite("player-control.tournament-choices")


def _grounds(effects: Iterable[Effect], effect: Effect, rules: RuleBook) -> Iterator[str]:
    if effect.scope in _WINDOW:
        switch = _NAMED_SINCE.get(effect.scope)
        named = switch is None or rules.switches[switch]
        yield _WINDOW[effect.scope] if named else "game.card-text"
    if _won_over_another(effects, effect):
        yield "player-control.overwriting"
    if effect.waited:
        yield "player-control.skipped-turn"
    if len(effect.affected) > 1:
        yield "team.player-control"


def _won_over_another(effects: Iterable[Effect], effect: Effect) -> bool:
    return any(
        (other.overwritten_by == effect.label and other.ended == effect.created)
        or (other.works and other is not effect and _share(other, effect))
        for other in effects
    )


def _share(one: Effect, other: Effect) -> bool:
    return not set(one.affected).isdisjoint(other.affected)
