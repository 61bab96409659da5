"""Annotations of a state into events, in their order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from whodecided.importers.arena import actions, facts, movements
from whodecided.importers.arena.desk import details
from whodecided.importers.arena.envelope import Json
from whodecided.importers.arena.step import Step, seat_or_none
from whodecided.importers.arena.words import STEPS, WITHOUT_EVENT, bare, whole

__all__ = ["tell_annotations"]

Handler = Callable[[Step, str, Json], None]


def tell_annotations(step: Step) -> None:
    """Tell what the annotations of the state say; types without a meaning here are counted."""
    notes = step.state.annotations
    if notes:
        _look_through(step, notes)
    for index, note in enumerate(notes):
        _tell(step, f"a{index}", note, _TRANSIENT)
    for note in step.state.persistentAnnotations:
        number = whole(note.get("id"))
        if number is None or step.before.persistent(number) != note:
            _tell(step, f"p{number}", note, _PERSISTENT)


def _tell(step: Step, part: str, note: Json, handlers: Mapping[str, Handler]) -> None:
    for kind in note.get("type", ()):
        name = bare(kind)
        handler = handlers.get(name)
        if handler is None and name in _PERSISTENT and _is_new(step, note, name):
            handler = _PERSISTENT[name]
        if handler is not None:
            handler(step, part, note)
        elif name not in _KNOWN:
            step.desk.counts[name] += 1


def _is_new(step: Step, note: Json, name: str) -> bool:
    """Old clients send what lasts among the passing annotations, again and again."""
    key = (name, whole(note.get("id")) or 0)
    if key in step.desk.lasting:
        return False
    step.desk.lasting.add(key)
    return True


def _look_through(step: Step, notes: list[Json]) -> None:
    """Which ids are new names, which abilities actions use, and which mana pays for what."""
    for note in notes:
        kind = note.get("type", ("",))[0]
        item: int = next(iter(note.get("affectedIds", ())), 0)
        if kind == "AnnotationType_ObjectIdChanged":
            values = details(note)
            for former, new in zip(
                values.get("orig_id", ()), values.get("new_id", ()), strict=False
            ):
                step.former[new] = former
        elif kind == "AnnotationType_UserActionTaken":
            step.uses[item] = next(iter(details(note).get("actionType", ())), 0)
        elif kind == "AnnotationType_AbilityInstanceCreated":
            step.created[item] = note.get("affectorId", 0)
        elif kind == "AnnotationType_AbilityInstanceDeleted":
            step.deleted.update(note.get("affectedIds", ()))
        elif kind == "AnnotationType_ManaPaid":
            source: int = note.get("affectorId", 0)
            step.paying[source] = item
            step.payments.setdefault(item, []).append(source)


def _new_turn(step: Step, part: str, note: Json) -> None:
    seat = seat_or_none(next(iter(note.get("affectedIds", ())), None))
    if seat is None:
        step.desk.counts["NewTurnStarted without a seat"] += 1
        return
    turn = whole((step.after.turn or {}).get("turnNumber"))
    if turn is None:
        step.desk.turn_due = seat  # hands are dealt and kept before the first turn begins
        return
    step.desk.turn_due = None
    step.desk.combats = 0
    step.desk.teller.tell("turn_started", part, {"seat": seat, "turn": turn})


def _step_started(step: Step, part: str, note: Json) -> None:
    values = details(note)
    phase, number = values.get("phase") or (0,), values.get("step") or (0,)
    word = STEPS.get((phase[0], number[0]))
    seat = seat_or_none(next(iter(note.get("affectedIds", ())), None))
    if word is None:
        if seat is not None:
            step.desk.counts[f"PhaseOrStepModified {phase[0]}/{number[0]}"] += 1
        return
    fields: dict[str, Any] = {"step": word, "seat": seat}
    if phase[0] == 3:
        if word == "beginning_of_combat":
            step.desk.combats += 1
            fights = ("attack", "block")
            step.desk.answered -= {(s, what) for s in step.desk.players for what in fights}
        fields["combat"] = max(step.desk.combats, 1)
    step.desk.teller.tell("step_started", part, fields)


_TRANSIENT: Final[Mapping[str, Handler]] = {
    "NewTurnStarted": _new_turn,
    "PhaseOrStepModified": _step_started,
    "UserActionTaken": actions.user_action,
    "PlayerSubmittedTargets": actions.targets_submitted,
    "ChoiceResult": actions.choice_result,
    "ManaPaid": actions.mana_paid,
    "ZoneTransfer": movements.zone_transfer,
    "ObjectIdChanged": movements.renamed,
    "TokenCreated": movements.token_created,
    "TokenDeleted": movements.ceased,
    "ControllerChanged": movements.controller_changed,
    "Shuffle": movements.shuffled,
    "AbilityInstanceCreated": facts.ability_created,
    "ResolutionStart": facts.resolution_started,
    "ResolutionComplete": facts.resolution_completed,
    "DamageDealt": facts.damage_dealt,
    "ModifiedLife": facts.life_modified,
    "CounterAdded": facts.counter_added,
    "CounterRemoved": facts.counter_removed,
    "Scry": facts.scried,
    "RevealedCardCreated": facts.marker_created,
    "TurnPermanent": facts.turned_up,
}
_PERSISTENT: Final[Mapping[str, Handler]] = {
    "ObjectsSelected": actions.objects_selected,
    "CardRevealed": facts.card_revealed,
    "InstanceRevealedToOpponent": facts.revealed_to_opponent,
    "LossOfGame": facts.loss_of_game,
}
_KNOWN: Final = WITHOUT_EVENT | _TRANSIENT.keys() | _PERSISTENT.keys()
