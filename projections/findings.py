"""What a machine notices about each event of a game, looks without a right to them included."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from domain.control import ControlState
from domain.events.information import LookedAt
from domain.events.play import ObjectControlChanged, ObjectMoved
from domain.findings import Finding, findings_of, in_order
from projections.visibility import Visibility

__all__ = ["findings_about", "fold_findings"]

_OF_OBJECTS = frozenset({ObjectMoved.TOPIC, ObjectControlChanged.TOPIC})


def fold_findings(
    events: Sequence[Any], control: Sequence[ControlState], visibility: Visibility
) -> tuple[Finding, ...]:
    """All findings in the order of the events, those of one event in the order of the codes.

    `control` holds the control state just after event n at index n.
    """
    found: list[Finding] = []
    for event in events:
        found.extend(findings_about(event, control, visibility))
    return tuple(found)


def findings_about(
    event: Any, control: Sequence[ControlState], visibility: Visibility
) -> tuple[Finding, ...]:
    """The findings of one event in the order of the codes."""
    number = event.number
    raised = findings_of(
        control[number - 1],
        event,
        control[number],
        visibility.rules,
        former_controller=_former_controller(visibility, event),
    )
    if event.TOPIC == LookedAt.TOPIC:
        return in_order([*raised, *_leak(visibility, event)])
    return raised


def _former_controller(visibility: Visibility, event: Any) -> int | None:
    """The seat that controlled the event's object before it, where known."""
    if event.TOPIC not in _OF_OBJECTS:
        return None
    track = visibility.record.tracks.at(event.object, event.number)
    facts = None if track is None else visibility.record.facts.at(track, event.number - 1)
    return None if facts is None else facts.controller


def _leak(visibility: Visibility, event: Any) -> Iterator[Finding]:
    """A look that the viewer had no right to; none is raised where the record leaves it open."""
    if event.object is not None:
        if event.object not in visibility.objects_at(event.number):
            return
        sight = visibility.why(event.viewer, event.number, event.object)
    elif event.zone is not None:
        sight = visibility.why_zone(event.viewer, event.number, event.zone, event.owner)
    else:
        return
    if sight.certain and not sight.entitled:
        yield Finding(
            code="information-leak",
            number=event.number,
            root=event.number,
            rule=next(iter(visibility.rules.cite(*sight.topics)), None),
            message="Somebody looked at hidden information without a right to it.",
        )
