"""Control effects and choice effects as answers show them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from queries.record import GameRecord

__all__ = ["EffectView", "effect_view", "effects_of", "granting_effect"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectView:
    """An effect that lets somebody decide for another player; numbers are those of events.

    `kind` is `control` or `choice`. `created` made it, `began` opened its window (also if it was
    suspended then), `ended` ended it for `reason`. For a choice effect `scope` says how long it
    lasts and `decisions` which choices it gives. `confirms` is the label of the effect that
    explains an observation. `uncertain`: a gap hides whether it still exists.
    """

    label: str
    kind: str
    controller: str
    affected: tuple[int, ...]
    scope: str
    decisions: tuple[str, ...]
    source_card: str | None
    object: str | None
    extra_turn_after: bool
    may_not: tuple[str, ...]
    must: tuple[str, ...]
    status: str
    created: int
    began: int | None
    ended: int | None
    reason: str | None
    overwritten_by: str | None
    confirms: str | None
    uncertain: bool


def effects_of(record: GameRecord) -> tuple[EffectView, ...]:
    """Every effect of the game as it stands at the end of the record, in the order of creation."""
    state = record.folded.control_at(record.folded.last)
    views = map(effect_view, (*state.effects, *state.choices))
    return tuple(sorted(views, key=lambda effect: (effect.created, effect.affected)))


def granting_effect(
    record: GameRecord, number: int, ref: int | None, seat: int | None
) -> EffectView | None:
    """The effect that event `ref` made, as known at the end of the record.

    An effect that the end does not know (its branch was undone) is shown as it was at event
    `number`. Of an effect on several players the share of the acting seat is shown.
    """
    if ref is None:
        return None
    for at in (record.folded.last, number):
        state = record.folded.control_at(at)
        every: tuple[Any, ...] = (*state.effects, *state.choices)
        found = [effect for effect in every if effect.created == ref]
        if found:
            return effect_view(_share(found, seat))
    return None


def _share(found: Iterable[Any], seat: int | None) -> Any:
    shares = list(found)
    return next((share for share in shares if seat in share.affected), shares[0])


def effect_view(effect: Any) -> EffectView:
    """A control effect or a choice effect of the kernel."""
    choice = not hasattr(effect, "controller")
    return EffectView(
        label=effect.label,
        kind="choice" if choice else "control",
        controller=effect.chooser if choice else effect.controller,
        affected=effect.affected,
        scope=effect.lasts if choice else effect.scope,
        decisions=effect.decisions if choice else (),
        source_card=effect.source_card,
        object=effect.object,
        extra_turn_after=False if choice else effect.extra_turn_after,
        may_not=() if choice else effect.may_not,
        must=() if choice else effect.must,
        status=_choice_status(effect) if choice else effect.status,
        created=effect.created,
        began=effect.created if choice else effect.began,
        ended=effect.ended,
        reason=effect.reason,
        overwritten_by=None if choice else effect.overwritten_by,
        confirms=None if choice else effect.confirms,
        uncertain=False if choice else effect.doubted_since is not None,
    )


def _choice_status(effect: Any) -> str:
    return "in_force" if effect.ended is None else "ended"
