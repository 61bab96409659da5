"""Gaps: what of a game is missing from its record, and what is not certain after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from whodecided.importers.arena.actions import flush_begun
from whodecided.importers.arena.desk import Desk
from whodecided.importers.arena.items import Gap, GapCause
from whodecided.importers.arena.words import DECISIONS

__all__ = ["may_hide", "tell_gap", "tell_lost"]

_CAUSES: Final = {
    GapCause.START: "starts_in_mid_game",
    GapCause.SUMMARISED: "summarised",
    GapCause.DAMAGED: "torn",
    GapCause.RECONNECT: "reconnect",
    GapCause.UNEXPLAINED: "missing",
}

_STATE: Final = frozenset(
    {
        "ability_activated",
        "ability_triggered",
        "attackers_declared",
        "blockers_declared",
        "card_drawn",
        "choice_made",
        "conceded",
        "control_observed",
        "cost_paid",
        "counters_changed",
        "damage_dealt",
        "game_ended",
        "land_played",
        "life_changed",
        "look_granted",
        "mulligan_decided",
        "object_control_changed",
        "object_entered",
        "object_moved",
        "object_renamed",
        "player_left",
        "priority_passed",
        "resolved",
        "revealed",
        "rewound",
        "scried",
        "seat_returned",
        "seat_taken_over",
        "shuffled",
        "special_action_taken",
        "spell_cast",
        "step_started",
        "targets_chosen",
        "token_created",
        "turn_started",
        "turned_face_up",
    }
)
_HIDDEN: Final = {
    "GameStateMessage": _STATE,
    "QueuedGameStateMessage": _STATE,
    "EdictalMessage": frozenset(DECISIONS.values()),
    "IllegalRequest": frozenset({"request_refused"}),
    "IntermissionReq": frozenset({"game_ended"}),
    "SearchReq": frozenset({"decision_requested", "library_search_started"}),
    "TimeoutMessage": frozenset({"timeout_used"}),
}
"""Message type that was not logged -> names of the events it may have made."""
_REQUEST: Final = frozenset({"decision_requested"})
_NOTHING: Final[frozenset[str]] = frozenset()


def may_hide(listed: Sequence[str]) -> tuple[str, ...]:
    """Names of the events that messages of these types may have made, sorted."""
    names: set[str] = set()
    for kind in listed:
        names |= _HIDDEN.get(kind, _REQUEST if kind in DECISIONS else _NOTHING)
    return tuple(sorted(names))


def tell_gap(desk: Desk, gap: Gap) -> None:
    """States are missing: nothing is certain until a state shows it."""
    _tell(desk, _CAUSES[gap.cause], gap.after, gap.before, may_hide(gap.listed))


def tell_lost(desk: Desk, after: int | None, state_id: int) -> None:
    """A state, which follows the state `after`, could not be told in full."""
    _tell(desk, "torn", after, state_id, may_hide(["GameStateMessage"]))


def _tell(
    desk: Desk, cause: str, after: int | None, before: int | None, hidden: tuple[str, ...]
) -> None:
    flush_begun(desk, lost=True)
    stem = desk.teller.stem
    desk.teller.tell(
        "gap_found",
        "gap",
        {
            "cause": cause,
            "after_record": None if after is None else f"{stem}/gs{after}",
            "before_record": None if before is None else f"{stem}/gs{before}",
            "may_hide": hidden,
        },
    )
    desk.answered.clear()
    desk.held.clear()
    desk.played.clear()
    desk.resolving = None
    desk.passed = None
    desk.uncertain = set(desk.players)
    desk.turn_shown = False
