"""Which of several effects decides (CR 723.1a), and what that makes of the others."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from domain.control.effects import Effect, Status

__all__ = ["competes", "governing", "overwrite", "settle"]

_TURN_SCOPES = ("next_turn", "this_turn")


def governing(effects: Iterable[Effect], seat: int) -> Effect | None:
    """The effect that controls the seat: the latest created whose window is open.

    What a source shows is what happened: an observation governs where no created effect explains
    it, until the window of a created effect opens after it.
    """
    made: Effect | None = None
    seen: Effect | None = None
    for effect in effects:
        if not effect.works or seat not in effect.affected:
            continue
        if effect.scope == "observed":
            seen = _later(seen, effect)
        else:
            made = _later(made, effect)
    if seen is None or made is None:
        return made or seen
    explained = seen.confirms == made.label
    opened_since = made.began is not None and made.began > seen.created
    return made if explained or opened_since else seen


def _later(one: Effect | None, other: Effect) -> Effect:
    return one if one is not None and one.created > other.created else other


def competes(new: Effect, old: Effect) -> bool:
    """Whether both claim the same window of a player, so that the new one overwrites for good."""
    if old.ended is not None or not set(new.affected) & set(old.affected):
        return False
    if new.scope == "next_turn":
        return old.scope == "next_turn" and old.window == "waiting"
    if new.scope == "next_combat_phase":
        return old.scope == "next_combat_phase" and old.window == "waiting"
    if new.scope == "this_turn":
        return old.scope in _TURN_SCOPES and old.window == "open"
    if new.scope == "while_resolving":
        return old.scope == "while_resolving" and old.works and old.object == new.object
    return False


def overwrite(effects: Iterable[Effect], new: Effect) -> tuple[Effect, ...]:
    """The effects with those ended that the new one overwrites (CR 723.1a, 723.9).

    Their status is left to `settle`.
    """
    return tuple(
        replace(
            old,
            ended=new.created,
            reason="overwritten",
            overwritten_by=new.label,
        )
        if competes(new, old)
        else old
        for old in effects
    )


def settle(effects: tuple[Effect, ...], *, resuming: bool = True) -> tuple[Effect, ...]:
    """The effects with their status worked out again after windows have opened or closed.

    `resuming` is False where nothing but the record itself had put an effect aside.
    """
    seats = {seat for effect in effects for seat in effect.affected}
    rulers = {seat: governing(effects, seat) for seat in seats}
    return tuple(_settled(effect, rulers, resuming) for effect in effects)


def _settled(effect: Effect, rulers: dict[int, Effect | None], resuming: bool) -> Effect:
    status = _status(effect, rulers)
    if status == effect.status:
        return effect
    again = resuming and effect.status == "suspended" and status == "in_force"
    return replace(effect, status=status, resumed=effect.resumed or again)


def _status(effect: Effect, rulers: dict[int, Effect | None]) -> Status:
    if effect.ended is not None:
        return "ended"
    if effect.window != "open":
        return "pending"
    rules_a_seat = any(rulers.get(seat) is effect for seat in effect.affected)
    return "in_force" if rules_a_seat else "suspended"
