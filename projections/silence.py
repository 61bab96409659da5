"""Which reading of the rules was used for an event where they leave a gap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from domain.control import ControlState, decide, reachable_seats
from domain.events.information import LookedAt, Revealed
from domain.findings import reading_used, verdict_on
from projections.visibility import Visibility

__all__ = ["reading_of_event"]

_SHOWN_FURTHER: Final = (
    "no rule says whether a controlled player's cards may be shown to others: read as allowed"
)


def reading_of_event(
    event: Any, control: Sequence[ControlState], visibility: Visibility
) -> str | None:
    """The reading used for what the log says of the event; None where the rules are plain.

    `control` holds the control state just after event n at index n.
    """
    before, after = control[event.number - 1], control[event.number]
    if event.TOPIC == Revealed.TOPIC:
        return _SHOWN_FURTHER if _shown_further(before, event, visibility) else None
    if event.TOPIC == LookedAt.TOPIC:
        return _of_look(event, visibility)
    verdict = verdict_on(before, event, visibility.rules)
    return reading_used(before, event, after, verdict, visibility.rules)


def _of_look(event: Any, visibility: Visibility) -> str | None:
    number = event.number
    if event.object is not None:
        return visibility.why(event.viewer, number, event.object).rule_gap
    if event.zone is not None:
        return visibility.why_zone(event.viewer, number, event.zone, event.owner).rule_gap
    return None


def _shown_further(before: ControlState, event: Any, visibility: Visibility) -> bool:
    """Whether a controlled player's cards are shown to somebody without a right of their own."""
    holder = event.owner
    if holder is None and event.object is not None:
        facts = visibility.objects_at(event.number - 1).get(event.object)
        holder = None if facts is None else facts.zone_owner or facts.controller
    if holder is None or not _is_controlled(before, holder, visibility):
        return False
    shown_to = before.players.values() if event.to is None else event.to
    return any(holder not in reachable_seats(before, viewer) for viewer in shown_to)


def _is_controlled(before: ControlState, seat: int, visibility: Visibility) -> bool:
    decider = decide(before, seat, "game", visibility.rules).decider
    return decider not in (before.players.get(seat), "nobody")
