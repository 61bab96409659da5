"""Control effects come into being, are observed, and are ended by what the game says."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace

from domain.control.chains import final_decider
from domain.control.choices import dictated
from domain.control.effects import Effect, end
from domain.control.gaps import certain_again
from domain.control.governing import overwrite, settle
from domain.control.state import ControlState, changed
from domain.control.windows import close, forfeit, open_window

__all__ = ["control_created", "control_ended", "control_observed"]

_AT_ONCE: Final = frozenset({"this_turn", "while_resolving", "observed"})


def control_created(state: ControlState, event: Any) -> ControlState:
    """An effect is created, with one record for each affected team."""
    if event.scope == "while_resolving" and not state.laws.limited:
        return dictated(state, event)
    effects = state.open_effects
    for share, team in enumerate(_teams(state, event.affected)):
        new = _begin(state, _record(event, team, share), event.number)
        if new.ended is None:
            effects = overwrite(effects, new)
        effects = (*effects, new)
    return changed(state, event.number, open_effects=settle(effects))


def _teams(state: ControlState, seats: tuple[int, ...]) -> list[tuple[int, ...]]:
    if not state.laws.teams:
        return [(seat,) for seat in dict.fromkeys(seats)]
    return list(dict.fromkeys(state.team_of(seat) for seat in seats))


def _record(event: Any, team: tuple[int, ...], share: int) -> Effect:
    return Effect(
        share=share,
        label=event.label,
        created=event.number,
        controller=event.controller,
        affected=team,
        stated_for=tuple(seat for seat in event.affected if seat in team),
        scope=event.scope,
        source_card=event.source_card,
        object=event.object,
        extra_turn_after=event.extra_turn_after,
        promise="promised" if event.extra_turn_after else "none",
        may_not=event.may_not,
        must=event.must,
    )


def _begin(state: ControlState, effect: Effect, number: int) -> Effect:
    """The new effect, ended where it cannot begin (CR 800.4b), its window open where it is now."""
    controller = state.seat_of(effect.controller)
    if controller is not None and state.has_left(controller) and state.laws.leaving_ends:
        effect = end(effect, number, "controller_already_gone")
    if all(state.has_left(seat) for seat in effect.affected):
        return forfeit(effect, number)
    searches = not set(effect.affected).isdisjoint(state.searching)
    if effect.scope == "this_turn" and state.laws.turn_only:
        effect = _of_turn(state, effect)
    if effect.scope in _AT_ONCE or (effect.scope == "while_searching" and searches):
        return open_window(effect, number)
    return effect


def _of_turn(state: ControlState, effect: Effect) -> Effect:
    """Control of the turn that is going on; it reaches nobody but the active player."""
    if state.active_gap is not None:
        return replace(effect, doubted_since=state.active_gap)
    return replace(effect, idle=set(effect.affected).isdisjoint(state.active_seats or ()))


def control_ended(state: ControlState, event: Any) -> ControlState:
    """Something the game says ends an effect, of either kind."""
    number = event.number
    effects = tuple(
        _end_stated(effect, number) if effect.label == event.effect else effect
        for effect in state.open_effects
    )
    choices = tuple(
        replace(choice, ended=number, reason="ended_by_effect")
        if choice.label == event.effect and choice.ended is None
        else choice
        for choice in state.open_choices
    )
    if effects == state.open_effects and choices == state.open_choices:
        return state
    return changed(state, number, open_effects=settle(effects), open_choices=choices)


def _end_stated(effect: Effect, number: int) -> Effect:
    if effect.scope in ("while_searching", "observed") and effect.ended is None:
        return close(effect, number, "ended_by_effect")
    return end(effect, number, "ended_by_effect")


def control_observed(state: ControlState, event: Any) -> ControlState:
    """The source shows who answers for a seat, or that its player does so again."""
    number, seat = event.number, event.seat
    known = certain_again(state, number, seat)
    effects = tuple(
        close(effect, number, "observed_over")
        if _is_over(effect, seat, event.by, known)
        else effect
        for effect in known.open_effects
    )
    if event.by is not None and not _same_is_seen(effects, seat, event.by):
        effects = (*effects, _observation(known, effects, event))
    if effects == state.open_effects and known is state:
        return state
    settled = settle(effects, resuming=False)
    return changed(
        state,
        number,
        open_effects=settled,
        doubts=known.doubts,
        search_doubts=known.search_doubts,
        shown=known.shown,
    )


def _is_over(effect: Effect, seat: int, by: str | None, state: ControlState) -> bool:
    """Whether a new look at the seat says that this effect no longer works."""
    if not effect.works or seat not in effect.affected:
        return False
    if effect.scope == "observed":
        return effect.controller != by
    return (
        by is None
        and effect is state.in_force(seat)
        and effect.controller != state.players.get(seat)
    )


def _same_is_seen(effects: tuple[Effect, ...], seat: int, by: str) -> bool:
    return any(
        effect.scope == "observed"
        and effect.works
        and seat in effect.affected
        and effect.controller == by
        for effect in effects
    )


def _observation(state: ControlState, effects: tuple[Effect, ...], event: Any) -> Effect:
    known = state.supposing(effects)
    made = known.in_force(event.seat)
    seen = Effect(
        label=event.label,
        created=event.number,
        controller=event.by,
        affected=(event.seat,),
        stated_for=(event.seat,),
        scope="observed",
        confirms=made.label if made is not None and _explains(known, made, event) else None,
    )
    return open_window(seen, event.number)


def _explains(state: ControlState, made: Effect, event: Any) -> bool:
    player = state.players.get(event.seat)
    return made.controller == event.by or (
        player is not None and final_decider(state, player) == event.by
    )
