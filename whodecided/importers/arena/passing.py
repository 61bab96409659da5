"""Passes of priority that no message tells: priority moves on, or what waited for it happens."""

from __future__ import annotations

from typing import Final

from whodecided.importers.arena.desk import details
from whodecided.importers.arena.envelope import Json
from whodecided.importers.arena.step import Step, seat_of
from whodecided.importers.arena.words import TAKEN_AS

__all__ = ["tell_passes"]

_STOPPING: Final = frozenset({"GameStateUpdate_Send", "GameStateUpdate_SendAndRecord"})


_WHEN: Final = ("phase", "step", "turnNumber")


def tell_passes(step: Step) -> None:
    """Tell that whoever had priority passed it, when nothing else can have happened.

    A pass counts as made by a setting when nobody was stopped for it. Such a pass is told only
    while something waits on the stack; else it says no more than that the next step has begun.
    In a cleanup step nobody has priority (CR 514.3). After a gap nobody is known to have it until
    a state says who.
    """
    desk = step.desk
    told, desk.passed = desk.passed, None
    if not step.before.turn_known:
        return
    turn = step.before.turn or {}
    seat = seat_of(turn, "priorityPlayer")
    if seat not in desk.players or seat == told or not _passed(step, seat):
        return
    asked = _asked(step, seat)
    if asked or _stack(step):
        desk.teller.tell("priority_passed", "pass", {"by_setting": not asked}, seat=seat)


def _asked(step: Step, seat: int) -> bool:
    """Whether the seat was stopped to act: its request says so, or for other clients the state."""
    desk = step.desk
    if desk.local is not None and desk.controller(seat) == desk.local:
        return desk.latest.get(seat) == (step.item.prev_id, "ActionsAvailableReq")
    turn = step.before.turn or {}
    return desk.last_update in _STOPPING and turn.get("decisionPlayer") == seat


def _stack(step: Step) -> bool:
    zone = step.before.zone(step.desk.stack) if step.desk.stack else None
    return bool(zone and zone.get("objectInstanceIds"))


def _passed(step: Step, seat: int) -> bool:
    before, now = step.before.turn or {}, step.state.turnInfo
    if now is None or before.get("step") == "Step_Cleanup":
        return False
    if now.get("priorityPlayer") == seat and all(now.get(k) == before.get(k) for k in _WHEN):
        return False
    return not any(_acts(step, note, seat) for note in step.state.annotations)


def _acts(step: Step, note: Json, seat: int) -> bool:
    """Whether an annotation shows an action of the seat; old clients show only what it does."""
    kinds = note.get("type", ())
    if "AnnotationType_UserActionTaken" in kinds:
        return note.get("affectorId") == seat
    if "AnnotationType_ManaPaid" in kinds or (
        "AnnotationType_ZoneTransfer" in kinds
        and next(iter(details(note).get("category", ())), "") in TAKEN_AS
    ):
        return any(seat_of(step.object(number)) == seat for number in note.get("affectedIds", ()))
    return False
