"""Choice effects: another player makes certain choices without controlling the player."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from domain.control.decisions import canonical
from domain.control.effects import ChoiceEffect
from domain.control.state import ControlState, changed

__all__ = ["choice_granted", "designated", "end_choices", "follow_vote"]


_ENDED_BY: Final = {
    "next_turn_started": ("this_turn", "this_combat", "this_vote", "while_resolving"),
    "combat_ended": ("this_combat",),
    "vote_ended": ("this_vote",),
    "game_ended": ("this_turn", "this_combat", "this_vote", "while_resolving"),
}


def choice_granted(state: ControlState, event: Any) -> ControlState:
    """A choice effect comes into being."""
    effect = ChoiceEffect(
        label=event.label,
        created=event.number,
        chooser=event.chooser,
        affected=event.affected,
        decisions=tuple(canonical(decision) for decision in event.decisions),
        lasts=event.lasts,
        source_card=event.source_card,
        object=event.object,
    )
    return changed(state, event.number, choices=(*state.choices, effect))


def end_choices(
    choices: tuple[ChoiceEffect, ...], number: int, reason: str
) -> tuple[ChoiceEffect, ...]:
    """The choice effects, those ended that last no longer than what is over now.

    `reason` is `next_turn_started`, `combat_ended`, `vote_ended` or `game_ended`.
    """
    return tuple(
        replace(choice, ended=number, reason=reason)
        if choice.ended is None and choice.lasts in _ENDED_BY[reason]
        else choice
        for choice in choices
    )


def designated(state: ControlState, seat: int, decision: str) -> ChoiceEffect | None:
    """The choice effect that says who makes this decision of the seat: the one created last."""
    found = [
        choice
        for choice in state.choices
        if choice.ended is None and seat in choice.affected and decision in choice.decisions
    ]
    return max(found, key=lambda choice: choice.created, default=None)


def follow_vote(state: ControlState, name: str, number: int) -> ControlState:
    """The state after a decision, for effects that last for one vote.

    A vote is over when, after it has begun, somebody makes a decision that no vote contains.
    """
    open_votes = [c for c in state.choices if c.lasts == "this_vote" and c.ended is None]
    if not open_votes:
        return state
    if name == "vote_cast":
        choices = tuple(
            replace(choice, voted=True) if choice in open_votes else choice
            for choice in state.choices
        )
        return state if choices == state.choices else changed(state, number, choices=choices)
    if name == "choice_made" or not any(choice.voted for choice in open_votes):
        return state
    return changed(state, number, choices=end_choices(state.choices, number, "vote_ended"))
