"""Decisions by the words the kernel is asked with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from domain.events.registry import decision_class, name_of

__all__ = [
    "PERSONAL",
    "SEARCHING",
    "SUBSTITUTE",
    "canonical",
    "decision_of",
    "decision_word",
    "is_personal",
    "parts_of",
]

SEARCHING: Final = "searching"
"""Any decision of a player who searches their own library."""
SUBSTITUTE: Final = "substitute"
"""A choice made because the player who was to make it has left the game (CR 800.4f-h)."""
PERSONAL: Final = frozenset({"tournament", "remedy"})
_WHOLE: Final = "whole "
_PARTS: Final = {
    "ability_activated": ("ability_activated", "modes", "targets", "cost_paid"),
    "attackers_declared": ("attackers", "choice_made", "cost_paid"),
    "blockers_declared": ("blockers", "cost_paid"),
    "spell_cast": ("spell_cast", "modes", "targets", "cost_paid"),
    "vote_cast": ("votes", "choice_made"),
}
"""The decisions of an action that a source may state as a whole."""

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
    """The decision an event records, as the word to ask the kernel with."""
    return decision_word(name_of(event.TOPIC), lambda field: getattr(event, field, None))


def decision_word(name: str, field: Callable[[str], Any]) -> str:
    """The decision that an event of this name with these fields records.

    The choice whether to take an extra vote is a choice, not a vote; a mode or target chosen as
    part of a choice is a mode or target; a choice for a departed player is a substitution; an
    action of which only the whole is stated is `whole` and its name.
    """
    if name in ("decision_requested", "request_refused"):
        return field("decision") or "game"
    if field("whole_action"):
        return _WHOLE + name
    if field("for_seat") is not None:
        return SUBSTITUTE
    if name == "choice_made":
        return _CHOICE_KINDS.get(field("kind"), name)
    if name == "vote_cast" and field("optional_extra"):
        return "choice_made"
    return name


def parts_of(decision: str) -> tuple[str, ...]:
    """The decisions of a `whole` action; nothing for any other decision."""
    if not decision.startswith(_WHOLE):
        return ()
    name = decision.removeprefix(_WHOLE)
    return _PARTS.get(name, (name,))


def is_personal(decision: str) -> bool:
    """Whether the decision belongs to the person whoever controls the player (CR 723.5b, 723.6)."""
    return decision in PERSONAL or decision_class(decision) != "game"
