"""Why a viewer may not see something."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from domain.control import CONTROLLER_GONE, ControlState, reachable_seats
from domain.rules import RuleBook
from domain.visibility import (
    FACE_DOWN_TOPIC,
    OUTSIDE_SHARED,
    OUTSIDE_THE_GAME,
    OUTSIDE_TOPIC,
    SHARED_SIGHT,
    SIDEBOARD_TOPIC,
    Scene,
    Viewer,
)

__all__ = ["Refusal", "refusal"]

_HIDDEN_BY_RULES: Final = "outside-hidden-in-rules"
_TEAM_MATES: Final = (
    "Nothing says that team mates may see each other's cards; read as: they may not."
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason, its rule topics, and the reading used where the rules say nothing."""

    because: str
    topics: tuple[str, ...]
    rule_gap: str | None = None


def refusal(
    viewer: Viewer,
    scene: Scene,
    state: ControlState,
    teams: Mapping[int, int],
    rules: RuleBook,
) -> Refusal:
    """Why the viewer has no ground to see it in this control state."""
    if scene.zone in OUTSIDE_THE_GAME and scene.holder in reachable_seats(state, viewer.principal):
        because = "Cards outside the game are not shown to whoever controls the player."
        in_rules = rules.switches.get(_HIDDEN_BY_RULES, True)
        topic = SHARED_SIGHT if in_rules else SIDEBOARD_TOPIC
        return Refusal(because, (topic, OUTSIDE_TOPIC), rules.disputed.get(OUTSIDE_SHARED))
    if _left_as_controller(viewer, scene, state):
        because, topics = _reason(scene)
        return Refusal(because, topics, CONTROLLER_GONE)
    team = {teams[seat] for seat in viewer.own if seat in teams}
    mates = scene.holder is not None and teams.get(scene.holder) in team
    because, topics = _reason(scene)
    return Refusal(because, topics, _TEAM_MATES if mates else None)


def _left_as_controller(viewer: Viewer, scene: Scene, state: ControlState) -> bool:
    """Whether the viewer controlled the player, has left, and no rule of the day ends control."""
    effect = None if scene.holder is None else state.in_force(scene.holder)
    held = effect is not None and effect.controller == viewer.principal
    return held and effect is not None and state.outlived(effect)


def _reason(scene: Scene) -> tuple[str, tuple[str, ...]]:
    if scene.zone == "library":
        return "A library is hidden from everybody.", ()
    if scene.zone == "hand":
        because = "It is in the hand of a player whom the viewer does not control."
        return because, ()
    if scene.zone in OUTSIDE_THE_GAME:
        return "It is another player's card outside the game.", (OUTSIDE_TOPIC,)
    if scene.face_down:
        return "It is face down and only its controller may look at it.", (FACE_DOWN_TOPIC,)
    return "The record does not say where it is.", ()
