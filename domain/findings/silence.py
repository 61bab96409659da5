"""Where what the log says of an event rests on a gap in the rules, and the reading used there."""

from __future__ import annotations

from typing import Any, Final

from domain.control import ControlState, Verdict, mana_burn, promise_rests_on_gap, stricter
from domain.events.registry import name_of
from domain.findings.acts import chosen_under_control, orders_damage
from domain.rules import RuleBook

__all__ = ["reading_used"]

_PROMISED: Final = (
    "the promised extra turn is taken although its effect was overwritten or its controller "
    "had left"
)


def reading_used(
    before: ControlState, event: Any, after: ControlState, verdict: Verdict | None, rules: RuleBook
) -> str | None:
    """The reading of the rules used for the event where they leave a gap; None where none was.

    `verdict` is who should have decided it. It speaks of the decider, of a choice that the edition
    may not have, of an extra turn, and of life lost for mana; not of hidden information.
    """
    name = name_of(event.TOPIC)
    if name == "turn_started":
        thin = promise_rests_on_gap(after.effects, event.number)
        return _PROMISED if thin else None
    if name == "mana_lost":
        return mana_burn(before, event.seat, event.amount, rules).reading
    if verdict is None:
        return None
    found = [verdict.reading or verdict.because] if verdict.rule_gap else []
    if orders_damage(event):
        found.append(stricter(rules, "damage-assignment-order") or "")
    if name == "outside_game_card_chosen" and chosen_under_control(before, event, verdict):
        found.append(stricter(rules, "controller-chooses-outside") or "")
    return "; ".join(filter(None, found)) or None
