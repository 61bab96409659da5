"""Choice effects: another player makes certain choices without controlling the player."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace

from domain.control.decisions import canonical
from domain.control.effects import ChoiceEffect
from domain.control.state import ControlState, changed

__all__ = ["ONE_PLAY", "choice_granted", "designated", "dictated", "end_choices", "heed_choices"]

_PLAYS: Final = frozenset({"land_played", "spell_cast"})
ONE_PLAY: Final = (
    "land_played",
    "spell_cast",
    "modes",
    "targets",
    "mana_produced",
    "cost_paid",
    "choice_made",
)
"""One play and the choices that it may call for."""

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
    return changed(state, event.number, open_choices=(*state.open_choices, effect))


def dictated(state: ControlState, event: Any) -> ControlState:
    """A card that controls a player while it resolves, where no rule knows such control.

    It lets its controller choose one play and what that play calls for (Word of Command until
    2010-09).
    """
    effect = ChoiceEffect(
        label=event.label,
        created=event.number,
        chooser=event.controller,
        affected=event.affected,
        decisions=ONE_PLAY,
        lasts="while_resolving",
        source_card=event.source_card,
        object=event.object,
        one_play=True,
    )
    return changed(state, event.number, open_choices=(*state.open_choices, effect))


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
        for choice in state.open_choices
        if choice.ended is None
        and seat in choice.affected
        and decision in choice.decisions
        and not (choice.played and decision in _PLAYS)
    ]
    return max(found, key=lambda choice: choice.created, default=None)


def heed_choices(state: ControlState, name: str, event: Any) -> ControlState:
    """The state after a decision, for effects that last for one vote or dictate one play."""
    after = _follow_play(state, name, event)
    return _follow_vote(after, name, event.number)


def _follow_play(state: ControlState, name: str, event: Any) -> ControlState:
    """The state after a decision that may be the one play that an effect dictates."""
    if name not in _PLAYS or event.refused:
        return state
    seat = event.stamp.acting_seat
    choices = tuple(
        replace(choice, played=True)
        if choice.one_play and not choice.played and seat in choice.affected
        else choice
        for choice in state.open_choices
    )
    if choices == state.open_choices:
        return state
    return changed(state, event.number, open_choices=choices)


def _follow_vote(state: ControlState, name: str, number: int) -> ControlState:
    """The state after a decision, for effects that last for one vote.

    A vote is over when, after it has begun, somebody makes a decision that no vote contains.
    """
    open_votes = [c for c in state.open_choices if c.lasts == "this_vote"]
    if name == "vote_cast":
        choices = tuple(
            replace(choice, voted=True) if choice in open_votes else choice
            for choice in state.open_choices
        )
        if choices == state.open_choices:
            return state
        return changed(state, number, open_choices=choices)
    if name == "choice_made" or not any(choice.voted for choice in open_votes):
        return state
    return changed(
        state, number, open_choices=end_choices(state.open_choices, number, "vote_ended")
    )
