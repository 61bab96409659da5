"""Where the rules are thin: what else could govern a seat, and who would then decide."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from domain.control.effects import Effect
from domain.control.state import ControlState
from domain.rules import RuleBook

__all__ = [
    "CONTROLLER_GONE",
    "Option",
    "Options",
    "candidates",
    "options",
    "stricter",
]

LATEST_GOVERNS: Final = (
    "of effects whose windows are open together the latest created governs; a longer earlier one "
    "works again afterwards, an overwritten one does not"
)
CONTROLLER_GONE: Final = (
    "no rule of that day says what becomes of control whose controller has left the game: nobody "
    "is picked for the rest of the turn"
)
NO_SECTION: Final = "no rule of that day speaks of controlling a player: the card's text decides"
NO_LIMITED: Final = (
    "no rule of that day speaks of control for less than a turn: the card's text decides"
)
NO_TEAMS: Final = (
    "no rule of that day speaks of controlling a team: control reaches the player named and no "
    "other member"
)

_GONE_EARLY: Final = frozenset({"controller_left", "ended_by_effect"})


def stricter(rules: RuleBook, switch: str) -> str | None:
    """The reading used where document and play differ about a switch on the day, if they do."""
    why = rules.disputed.get(switch)
    return None if why is None else f"{why}; the stricter reading is used"


class Option(NamedTuple):
    """An effect that could govern a seat (None: none does), and the reading that decides it."""

    effect: Effect | None
    reading: str | None = None


Options: TypeAlias = Callable[[int], Sequence[Option]]
"""Seat -> what governs it under one reading or another, the reading used first."""


def options(state: ControlState, seat: int, rules: RuleBook) -> tuple[Option, ...]:
    """What governs the seat under each reading of the rules, the product's own reading first.

    Readings part where windows of different length are open together, where an effect works again
    after another one's window, where an effect was overwritten by one that has ended early, and
    where the edition has no rule yet or document and play differ on the day.
    """
    used = state.in_force(seat)
    found = [Option(used)]
    found += [Option(other, LATEST_GOVERNS) for other in _overlapping(state, seat, used)]
    if used is not None and used.resumed:
        found.append(Option(None, LATEST_GOVERNS))
    found += [Option(other, LATEST_GOVERNS) for other in _overwritten(state, seat)]
    found += _unwritten(state, seat, used, rules)
    return tuple(found)


def _overlapping(state: ControlState, seat: int, used: Effect | None) -> Iterator[Effect]:
    if used is None or used.scope == "observed":
        return
    for effect in state.open_effects:
        if effect is used or not effect.works or seat not in effect.affected:
            continue
        both_search = effect.scope == used.scope == "while_searching"
        if effect.scope != "observed" and not both_search:
            yield effect


def _overwritten(state: ControlState, seat: int) -> Iterator[Effect]:
    """Overwritten effects whose window is open although what overwrote them is gone."""
    for effect in state.open_effects:
        if effect.reason != "overwritten" or effect.window != "open" or seat not in effect.affected:
            continue
        holder = state.seat_of(effect.controller)
        present = holder is None or not state.has_left(holder)
        if present and _overwriter_gone(state, effect):
            yield effect


def _overwriter_gone(state: ControlState, effect: Effect) -> bool:
    while effect.reason == "overwritten":
        later = next(
            (e for e in state.open_effects if e.created == effect.ended and _meet(e, effect)), None
        )
        if later is None:
            return False
        effect = later
    return effect.reason in _GONE_EARLY or state.outlived(effect)


def _meet(one: Effect, other: Effect) -> bool:
    return not set(one.affected).isdisjoint(other.affected)


def _unwritten(
    state: ControlState, seat: int, used: Effect | None, rules: RuleBook
) -> Iterator[Option]:
    """Options that the edition leaves open because a rule is missing or disputed on the day."""
    if used is not None and used.scope != "observed":
        if state.outlived(used):
            yield Option(None, CONTROLLER_GONE)
        if not rules.section:
            yield Option(None, NO_SECTION)
        if used.scope == "while_searching" and not state.laws.limited:
            yield Option(None, NO_LIMITED)
    for effect in state.open_effects:
        if effect.idle and effect.ended is None and seat in effect.affected:
            yield from _of_turn(effect, rules)
    if not state.laws.teams:
        yield from _of_team(state, seat, used)


def _of_turn(effect: Effect, rules: RuleBook) -> Iterator[Option]:
    """Control that reaches the active player alone, on days on which that is disputed."""
    reading = stricter(rules, "player-control")
    if reading is not None:
        yield Option(effect, reading)


def _of_team(state: ControlState, seat: int, used: Effect | None) -> Iterator[Option]:
    team = state.team_of(seat)
    for effect in state.open_effects:
        reaches = effect.works and not set(effect.affected).isdisjoint(team)
        if reaches and seat not in effect.affected and effect is not used:
            yield Option(effect, NO_TEAMS)


def candidates(
    state: ControlState, principal: str, choices: Options
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Everybody who decides for the principal in the end under some reading, in order of finding.

    In a circle that is each of its members. The second tuple holds the readings that part them.
    """
    found: dict[str, None] = {}
    readings: dict[str, None] = {}
    _collect(state, (principal,), choices, found, readings)
    return tuple(found), tuple(readings)


def _collect(
    state: ControlState,
    trail: tuple[str, ...],
    choices: Options,
    found: dict[str, None],
    readings: dict[str, None],
) -> None:
    seat = state.seat_of(trail[-1])
    for effect, reading in (Option(None),) if seat is None else choices(seat):
        before = len(found)
        if effect is None or effect.controller == trail[-1]:
            found[trail[-1]] = None
        elif effect.controller in trail:
            found.update(dict.fromkeys(trail[trail.index(effect.controller) :]))
        else:
            _collect(state, (*trail, effect.controller), choices, found, readings)
        if reading is not None and len(found) > before:
            readings[reading] = None
