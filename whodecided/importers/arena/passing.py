"""Passes of priority that no message tells: priority moves on, or what waited for it happens."""

from __future__ import annotations

from typing import Final

from whodecided.importers.arena.step import Step, seat_of

__all__ = ["tell_passes"]

_STOPPING: Final = frozenset({"GameStateUpdate_Send", "GameStateUpdate_SendAndRecord"})


def tell_passes(step: Step) -> None:
    """Tell that whoever had priority passed it, when nothing else can have happened.

    A pass counts as made by a setting when the state before was an intermediate picture or asked
    somebody else: nobody was stopped there. Such a pass is told only while something waits on the
    stack; with an empty stack it says no more than that the next step has begun.
    """
    desk = step.desk
    told, desk.passed = desk.passed, None
    turn = step.before.turn or {}
    seat = seat_of(turn, "priorityPlayer")
    if seat not in desk.players or seat == told or not _passed(step, seat):
        return
    asked = desk.last_update in _STOPPING and turn.get("decisionPlayer") == seat
    if not asked and not _stack(step):
        return
    desk.teller.tell("priority_passed", "pass", {"by_setting": not asked}, seat=seat)


def _stack(step: Step) -> bool:
    zone = step.before.zone(step.desk.stack) if step.desk.stack else None
    return bool(zone and zone.get("objectInstanceIds"))


def _passed(step: Step, seat: int) -> bool:
    now = step.after.turn or {}
    if step.state.turnInfo is None or any(_acts(note, seat) for note in step.state.annotations):
        return False
    before = step.before.turn or {}
    moved = now.get("priorityPlayer") != seat
    return moved or any(now.get(key) != before.get(key) for key in ("phase", "step", "turnNumber"))


def _acts(note: dict[str, object], seat: int) -> bool:
    kinds = note.get("type")
    return (
        isinstance(kinds, list)
        and "AnnotationType_UserActionTaken" in kinds
        and note.get("affectorId") == seat
    )
