"""Decisions by the words the kernel is asked with."""

from __future__ import annotations

from typing import Any, Final

from domain.events.registry import decision_class, name_of

__all__ = ["PERSONAL", "SEARCHING", "SUBSTITUTE", "canonical", "decision_of", "is_personal"]

SEARCHING: Final = "searching"
"""Any decision of a player who searches their own library."""
SUBSTITUTE: Final = "substitute"
"""A choice made because the player who was to make it has left the game (CR 800.4f-h)."""
PERSONAL: Final = frozenset({"tournament", "remedy"})

_WORDS: Final = {
    "attackers_declared": "attackers",
    "blockers_declared": "blockers",
    "modes_chosen": "modes",
    "targets_chosen": "targets",
    "vote_cast": "votes",
}
_CHOICE_KINDS: Final = {"mode": "modes", "target": "targets"}


def canonical(decision: str) -> str:
    """One word for each decision: `attackers` also for `attackers_declared`, and so on."""
    return _WORDS.get(decision, decision)


def decision_of(event: Any) -> str:
    """The decision an event records, as the word to ask the kernel with.

    The choice whether to take an extra vote is a choice, not a vote; a mode or target chosen as
    part of a choice is a mode or target; a choice for a departed player is a substitution.
    """
    name = name_of(event.TOPIC)
    if name in ("decision_requested", "request_refused"):
        return getattr(event, "decision", "game")
    if getattr(event, "for_seat", None) is not None:
        return SUBSTITUTE
    if name == "choice_made":
        return _CHOICE_KINDS.get(event.kind, name)
    if name == "vote_cast" and event.optional_extra:
        return "choice_made"
    return name


def is_personal(decision: str) -> bool:
    """Whether the decision belongs to the person whoever controls the player (CR 723.5b, 723.6)."""
    return decision in PERSONAL or decision_class(decision) != "game"
