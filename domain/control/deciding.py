"""Who decides: class first, then the chooser, then control (CR 723.5, 723.5b, 723.6, 800.4)."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Final

from domain.control.chains import Walk, follow, reachable_seats
from domain.control.choices import designated
from domain.control.citing import cite_control, cite_personal
from domain.control.decisions import SEARCHING, SUBSTITUTE, canonical, is_personal, parts_of
from domain.control.effects import ChoiceEffect, Effect
from domain.control.governing import governing
from domain.control.readings import candidates, options, stricter
from domain.control.state import ControlState
from domain.control.verdicts import NOBODY, PathStep, Verdict, path_of
from domain.control.windows import open_window
from domain.principals import UNDETERMINED, UNKNOWN
from domain.rules import RuleBook, RuleRef
from domain.stamp import AuthorityKind

__all__ = ["decide"]

NOBODY_IS_LAST: Final = "players who control each other in a circle: nobody is picked"
CHOOSER_GONE: Final = (
    "the player who was to choose has left; the rules let the object's controller appoint"
)
ONE_PLAY_DICTATED: Final = (
    "before there was control for a limited time, the card is read as choosing one play and what "
    "that play calls for"
)


def decide(state: ControlState, seat: int, decision: str, rules: RuleBook) -> Verdict:
    """Who decides this for the seat.

    `decision` is `game`, `tournament`, `remedy`, `searching`, `attackers`, `blockers`, `votes`,
    `targets`, `modes`, `substitute` or the name of an event. Asking the same again is cheap.
    """
    key = (seat, decision, rules.reading)
    found: Verdict | None = state.memo.get(key)
    if found is None:
        found = state.memo[key] = _decide(state, seat, canonical(decision), rules)
    return found


def _decide(state: ControlState, seat: int, decision: str, rules: RuleBook) -> Verdict:
    parts = parts_of(decision)
    if parts:
        return _whole([decide(state, seat, part, rules) for part in parts])
    player = state.players.get(seat)
    if player is None:
        return Verdict(
            decider=UNKNOWN,
            authority="unknown",
            because=f"The record does not say who sits in seat {seat}.",
        )
    if is_personal(decision):
        return _personal(state, seat, player, decision, rules)
    if state.has_left(seat):
        return _left(state, seat, player, rules)
    gap = _gap_over(state, seat, searching=decision == SEARCHING)
    if gap is not None:
        return _hidden(gap)
    choice = designated(state, seat, decision)
    if choice is not None:
        return _chosen(state, seat, player, choice, rules)
    return _through_control(_as_asked(state, seat, decision), seat, player, decision, rules)


def _whole(parts: list[Verdict]) -> Verdict:
    """The verdict on an action of which only the whole is stated."""
    deciders = tuple(dict.fromkeys(part.decider for part in parts))
    if len(deciders) == 1:
        return parts[0]
    return Verdict(
        decider=UNKNOWN,
        authority="unknown",
        rules=_distinct(tuple(rule for part in parts for rule in part.rules)),
        candidates=deciders,
        because="The action's decisions have different deciders, and only the whole is recorded.",
    )


def _personal(
    state: ControlState, seat: int, player: str, decision: str, rules: RuleBook
) -> Verdict:
    return Verdict(
        decider=player,
        authority="tournament_rule",
        path=(PathStep(seat, player),),
        rules=cite_personal(decision, rules),
        candidates=(player,),
        because="A decision of the tournament belongs to the person, whoever controls the player.",
    )


def _left(state: ControlState, seat: int, player: str, rules: RuleBook) -> Verdict:
    gone = state.departed[seat]
    topic = "team.concession" if gone.with_team else "leaving.control-ends"
    return Verdict(
        decider=NOBODY,
        authority="rules",
        path=(PathStep(seat, player),),
        rules=rules.cite(topic),
        because=f"The player left the game at event {gone.number}; nobody decides for the seat.",
    )


def _hidden(gap: int) -> Verdict:
    return Verdict(
        decider=UNKNOWN,
        authority="unknown",
        uncertain=True,
        gap=gap,
        because=f"The gap at event {gap} hides who decides for the seat.",
    )


def _gap_over(state: ControlState, seat: int, *, searching: bool = False) -> int | None:
    """Number of the gap that hides who decides for the seat (if it searches), if one does."""
    doubt = state.doubts.get(seat)
    if doubt is not None:
        return doubt.gap
    if seat in state.search_doubts and (searching or seat in state.searching):
        return state.search_doubts[seat]
    effect = state.in_force(seat)
    return None if effect is None else effect.doubted_since


def _as_asked(state: ControlState, seat: int, decision: str) -> ControlState:
    """The state; for a search that is only imagined, with the windows of permissions open."""
    if decision != SEARCHING or seat in state.searching:
        return state
    effects = tuple(
        open_window(effect, effect.created)
        if effect.scope == "while_searching" and effect.ended is None and seat in effect.affected
        else effect
        for effect in state.open_effects
    )
    return state.supposing(effects)


def _chosen(
    state: ControlState, seat: int, player: str, choice: ChoiceEffect, rules: RuleBook
) -> Verdict:
    """A choice effect says who chooses; whoever controls that player decides."""
    own = PathStep(seat, player)
    chooser_seat = state.seat_of(choice.chooser)
    if chooser_seat is not None and state.has_left(chooser_seat):
        return _chooser_gone(state, own, rules)
    gap = None if chooser_seat is None else _gap_over(state, chooser_seat)
    if gap is not None:
        return _hidden(gap)
    verdict = _walked(state, choice.chooser, rules)
    if verdict.uncertain:
        return verdict
    first = replace(verdict.path[0], effect=choice.label, ref=choice.created)
    granted = verdict.authority == "self"
    if choice.one_play:
        verdict = _dictated(verdict, player, rules)
    return replace(
        verdict,
        authority="choice_effect" if granted else verdict.authority,
        ref=choice.created if granted else verdict.ref,
        ref_label=choice.label if granted else verdict.ref_label,
        path=(own, first, *verdict.path[1:]),
        rules=_distinct((*rules.cite("game.card-text"), *verdict.rules)),
        because=f"{choice.label} gives this choice to another player. {verdict.because}",
    )


def _dictated(verdict: Verdict, player: str, rules: RuleBook) -> Verdict:
    """The verdict on the one play of a card that no rule of the edition explains."""
    known = tuple(dict.fromkeys((*verdict.candidates, player)))
    if len(known) == 1:
        return verdict
    disputed = stricter(rules, "limited-duration-control")
    readings = filter(None, (ONE_PLAY_DICTATED, disputed, verdict.reading))
    return replace(verdict, rule_gap=True, reading="; ".join(readings), candidates=known)


def _chooser_gone(state: ControlState, own: PathStep, rules: RuleBook) -> Verdict:
    """The chooser has left; only where one player remains is it known who chooses instead."""
    present = tuple(p for seat, p in state.players.items() if not state.has_left(seat))
    alone = len(present) == 1
    return Verdict(
        decider=present[0] if alone else UNDETERMINED,
        authority="rule_substitution" if alone else "unknown",
        path=(own,),
        rules=rules.cite("leaving.object-choices", "leaving.rule-choices"),
        rule_gap=not alone,
        reading=None if alone else CHOOSER_GONE,
        candidates=present,
        because="The player who was to make the choice has left the game.",
    )


def _through_control(
    state: ControlState, seat: int, player: str, decision: str, rules: RuleBook
) -> Verdict:
    verdict = _walked(state, player, rules)
    if decision != SUBSTITUTE:
        return verdict
    cited = rules.cite("leaving.object-choices", "leaving.rule-choices")
    return replace(
        verdict,
        authority="rule_substitution" if verdict.authority == "self" else verdict.authority,
        rules=_distinct((*cited, *verdict.rules)),
        because=f"The choice passes to this seat from one that has left. {verdict.because}",
    )


def _walked(state: ControlState, player: str, rules: RuleBook) -> Verdict:
    """The verdict on a player's own choices: control followed to the end."""
    if not state.open_effects:
        return _uncontrolled(player, state.seat_of(player))
    walk = follow(state, player, lambda seat: governing(state.open_effects, seat))
    gap = _gap_further_on(state, walk)
    if gap is not None:
        return _hidden(gap)
    known, readings = candidates(state, player, lambda seat: options(state, seat, rules))
    path = path_of(walk, {who: seat for seat, who in state.players.items()})
    last = walk.effects[-1] if walk.effects else None
    if walk.cycle or (last is not None and state.outlived(last)):
        return _undetermined(state, walk, path, known, readings, rules)
    return Verdict(
        decider=walk.principals[-1],
        authority=_authority(last),
        ref=None if last is None else last.created,
        ref_label=None if last is None else last.label,
        path=path,
        rules=_rules_of(state, walk, rules),
        rule_gap=len(known) > 1,
        reading="; ".join(readings) or None,
        candidates=known,
        because=_because(walk),
    )


@lru_cache(maxsize=256)
def _uncontrolled(player: str, seat: int | None) -> Verdict:
    """The verdict where no effect is open: the walk ends where it begins."""
    return Verdict(
        decider=player,
        authority="self",
        path=(PathStep(seat, player),),
        candidates=(player,),
        because="Nobody controls the player, who decides for themselves.",
    )


def _gap_further_on(state: ControlState, walk: Walk) -> int | None:
    """Number of a gap that hides who decides for somebody further along the way.

    It hides nothing where the record has since shown who answers in the end.
    """
    first = state.seat_of(walk.principals[0])
    shown = state.shown.get(first or 0, 0)
    if walk.effects and (walk.effects[0].began or 0) > shown:
        shown = 0
    for principal in walk.principals[1:]:
        seat = state.seat_of(principal)
        gap = None if seat is None else _gap_over(state, seat)
        if gap is not None and gap > shown:
            return gap
    return None


def _authority(last: Effect | None) -> AuthorityKind:
    if last is None:
        return "self"
    return "observed" if last.scope == "observed" else "control_effect"


def _undetermined(
    state: ControlState,
    walk: Walk,
    path: tuple[PathStep, ...],
    known: tuple[str, ...],
    readings: tuple[str, ...],
    rules: RuleBook,
) -> Verdict:
    """The verdict where nobody is last, or where the last one has left the game."""
    if walk.cycle:
        readings = (NOBODY_IS_LAST, *readings)
        because = "Players control each other in a circle, and no rule says who decides then."
    else:
        because = "The controller has left the game, and no rule of the day says who decides then."
    return Verdict(
        decider=UNDETERMINED,
        authority="unknown",
        path=path,
        rules=cite_control(state, walk.effects, rules),
        rule_gap=True,
        reading="; ".join(readings),
        candidates=known,
        because=because,
    )


def _rules_of(state: ControlState, walk: Walk, rules: RuleBook) -> tuple[RuleRef, ...]:
    if walk.effects:
        return cite_control(state, walk.effects, rules)
    if walk.own is not None:
        own = cite_control(state, (walk.own,), rules)
        return _distinct((*rules.cite("player-control.self-control"), *own))
    topics = []
    if len(reachable_seats(state, walk.principals[0])) > 1:
        topics.append("player-control.own-decisions")
    if _freed_by_departure(state, state.seat_of(walk.principals[0])):
        topics.append("leaving.control-ends")
    return rules.cite(*topics)


def _freed_by_departure(state: ControlState, seat: int | None) -> bool:
    """Whether control of the seat would last on if its controller had not left."""
    return any(
        effect.reason == "controller_left" and effect.window == "open" and seat in effect.affected
        for effect in state.open_effects
    )


def _because(walk: Walk) -> str:
    if walk.own is not None and not walk.effects:
        return f"The player controls themselves by {walk.own.label}."
    if not walk.effects:
        return "Nobody controls the player, who decides for themselves."
    labels = ", then ".join(effect.label for effect in walk.effects)
    return f"Control of the player is in force: {labels}."


def _distinct(rules: tuple[RuleRef, ...]) -> tuple[RuleRef, ...]:
    return tuple(dict.fromkeys(rules))
