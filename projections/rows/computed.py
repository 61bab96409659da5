"""Who decides every decision by the rules, computed now."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from domain.control import authority_of, decide
from domain.control.decisions import decision_of
from domain.principals import RULES, UNDETERMINED, UNKNOWN
from projections.game import FoldedGame

__all__ = ["NOT_KNOWN", "Computed", "computed_deciders"]

NOT_KNOWN: Final = frozenset({UNDETERMINED, UNKNOWN})
"""Deciders that name nobody."""
_ASKED: Final = frozenset({"decision_requested", "request_refused"})


class Computed(NamedTuple):
    """The computed decider of one event, in the order of the columns of `decisions`.

    `should_decide` is the same without a stand-in; `certain` is false where a gap hides who
    decides; `agrees` compares with the recorded decider, None where either is not known.
    """

    decider: str
    should_decide: str
    authority: str
    ref: int | None
    certain: bool
    rule_gap: bool
    agrees: bool | None


def computed_deciders(game: FoldedGame) -> list[Computed | None]:
    """Per event, at index number - 1; None for an event that is neither decision nor request."""
    return [
        _computed(game, event) if event.DECISION_CLASS is not None or event.NAME in _ASKED else None
        for event in game.events
    ]


def _computed(game: FoldedGame, event: Any) -> Computed:
    stamp = event.stamp
    if stamp.deciding_player == RULES and stamp.basis == "stated":
        return Computed(RULES, RULES, "rules", None, True, False, True)
    if stamp.acting_seat is None:
        return Computed(UNKNOWN, UNKNOWN, "unknown", None, False, False, None)
    state = game.control_at(event.number - 1)
    verdict = decide(state, stamp.acting_seat, decision_of(event), game.rules)
    decider, authority, ref = verdict.decider, str(verdict.authority), verdict.ref
    if verdict.uncertain:
        decider = UNKNOWN
    elif stamp.decision_class == "game" and (stand_in := state.stand_in(stamp.acting_seat)):
        decider = stand_in
        authority, ref = authority_of(stand_in, None)
    recorded = stamp.deciding_player
    agrees = None if recorded in NOT_KNOWN or decider in NOT_KNOWN else recorded == decider
    certain, gap = not verdict.uncertain, game.reading_at(event.number) is not None
    return Computed(decider, verdict.decider, authority, ref, certain, gap, agrees)
