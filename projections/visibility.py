"""Who may see what just after any event of a game, and what an event itself shows."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from domain.control import ControlState
from domain.rules import RuleBook
from domain.visibility import (
    OUTSIDE_THE_GAME,
    SHARED_SIGHT,
    Ground,
    ObjectFacts,
    Reach,
    Scene,
    Search,
    Viewer,
    VisibilityRecord,
    fold_record,
    is_shown,
    may_see,
    resolve_viewer,
    scene_of_object,
    scene_of_zone,
    zone_key,
)
from projections.reach import reach_line
from projections.refusals import refusal

__all__ = ["Sight", "Visibility", "fold_visibility"]


@dataclass(frozen=True, slots=True)
class Sight:
    """Whether a viewer may see something, and why.

    `certain` is false where a gap in the record could make the answer another. `topics` are rule
    topics of the rule book, `proof` the numbers of the events that show it, `rule_gap` the reading
    used where the rules say nothing.
    """

    entitled: bool
    certain: bool
    because: str
    topics: tuple[str, ...]
    proof: tuple[int, ...] = ()
    rule_gap: str | None = None


def fold_visibility(
    events: Iterable[Any], control: Sequence[ControlState], rules: RuleBook
) -> Visibility:
    """The visibility of a game.

    `control` holds the control state just after event n at index n, the first state at 0.
    """
    return Visibility(fold_record(events), control, rules)


class Visibility:
    """Answers about entitlement; every method speaks of the state just after event `number`.

    A viewer is `seat:<n>`, `spectator`, `judge`, or a principal. In a stretch that a gap makes
    uncertain nobody is entitled by control.
    """

    def __init__(
        self, record: VisibilityRecord, control: Sequence[ControlState], rules: RuleBook
    ) -> None:
        self.record = record
        self.rules = rules
        self._control = control
        self._viewers: dict[str, Viewer] = {}
        self._reaches: dict[str, tuple[list[int], list[Reach]]] = {}

    @property
    def last(self) -> int:
        """Number of the last event."""
        return len(self._control) - 1

    def entitled(self, viewer: str, number: int, object: str) -> bool:
        """Whether the viewer may see the object's card; False while it is not in the record."""
        track = self.record.tracks.at(object, number)
        return track is not None and self.ground(viewer, number, track) is not None

    def entitled_zone(self, viewer: str, number: int, zone: str, owner: int | None) -> bool:
        """Whether the viewer may see the zone as a whole."""
        scene = self._zone_scene(number, zone, owner)
        return self._judge(viewer, number, scene) is not None

    def why(self, viewer: str, number: int, object: str) -> Sight:
        """Whether the viewer may see the object's card, with reason, rules and proof."""
        track = self.record.tracks.at(object, number)
        scene = None if track is None else self.scene(number, track)
        return self._explain(viewer, number, scene)

    def why_zone(self, viewer: str, number: int, zone: str, owner: int | None) -> Sight:
        """Whether the viewer may see the zone as a whole, with reason, rules and proof."""
        return self._explain(viewer, number, self._zone_scene(number, zone, owner))

    def objects_at(self, number: int) -> dict[str, ObjectFacts]:
        """The objects in the record, by the id they have then."""
        every = (self.record.facts.at(track, number) for track in self.record.facts)
        return {facts.name: facts for facts in every if facts is not None}

    def card_named_at(self, number: int, object: str) -> tuple[int, str] | None:
        """(event number, field) of the last event up to `number` that names the object's card."""
        track = self.record.tracks.at(object, number)
        named = [] if track is None else self.record.named.get(track, [])
        index = bisect_right(named, (number, "\U0010ffff"))
        return named[index - 1] if index else None

    def certain_at(self, number: int) -> bool:
        """Whether no gap makes it uncertain where objects are."""
        return self.record.open_gap(number) == 0

    def viewer(self, name: str) -> Viewer:
        """The viewer of this name; ValueError for a text that is no viewer."""
        found = self._viewers.get(name)
        if found is None:
            found = self._viewers[name] = resolve_viewer(name, self.record.players)
        return found

    def reach(self, viewer: str, number: int) -> Reach:
        """The seats whose sight the viewer has."""
        numbers, reaches = self.reach_line(viewer)
        return reaches[bisect_right(numbers, number) - 1]

    def reach_line(self, viewer: str) -> tuple[list[int], list[Reach]]:
        """Numbers of the events that change the viewer's reach, with the reach from there on."""
        found = self._reaches.get(viewer)
        if found is None:
            found = self._reaches[viewer] = reach_line(self.viewer(viewer), self._control)
        return found

    def ground(self, viewer: str, number: int, track: int) -> Ground | None:
        """On what ground the viewer may see the card of a track of the record, or None."""
        scene = self.scene(number, track)
        return None if scene is None else self._judge(viewer, number, scene)

    def scene(self, number: int, track: int) -> Scene | None:
        """What decides who may see the card of a track; None while it is not in the record."""
        record = self.record
        facts = record.facts.at(track, number)
        if facts is None:
            return None
        searches: tuple[Search, ...] = ()
        if facts.zone == "library" and facts.zone_owner is not None:
            searches = record.searches.at(facts.zone_owner, number) or ()
        return scene_of_object(
            facts,
            record.grants.at(track, number) or (),
            record.grants.at(facts.key, number) or (),
            searches,
        )

    def shown(self, viewer: str, number: int, track: int, *, by_right: bool) -> bool:
        """Whether event `number` itself shows the card; `by_right` leaves out bare looks."""
        showing = self.record.showings.get(number)
        if showing is None or track not in showing.tracks or (by_right and not showing.by_right):
            return False
        facts = self.record.facts.at(track, number)
        zone = "other" if facts is None else facts.zone
        return is_shown(self.viewer(viewer), self.reach(viewer, number), showing, zone, self.rules)

    def shown_zone(self, viewer: str, number: int) -> bool:
        """Whether event `number` itself shows the viewer a whole zone."""
        showing = self.record.showings.get(number)
        return showing is not None and showing.zone is not None and self.is_shown(viewer, number)

    def is_shown(self, viewer: str, number: int) -> bool:
        """Whether event `number` shows the viewer whatever it shows, known as an object or not."""
        showing = self.record.showings.get(number)
        if showing is None:
            return False
        zone = "other" if showing.zone is None else showing.zone[0]
        return is_shown(self.viewer(viewer), self.reach(viewer, number), showing, zone, self.rules)

    def _zone_scene(self, number: int, zone: str, owner: int | None) -> Scene:
        key = zone_key(zone, owner)
        searches = () if owner is None else self.record.searches.at(owner, number) or ()
        return scene_of_zone(key, self.record.grants.at(key, number) or (), searches)

    def _judge(self, viewer: str, number: int, scene: Scene) -> Ground | None:
        return may_see(self.viewer(viewer), self.reach(viewer, number), scene, self.rules)

    def _explain(self, viewer: str, number: int, scene: Scene | None) -> Sight:
        state = self._control[number]
        if scene is None:
            because = "The record does not have the object at that event."
            return Sight(False, self.certain_at(number), because, ())
        gap = self.record.open_gap(number)
        placed = self.viewer(viewer).kind == "judge" or not 0 < scene.since < gap
        ground = self._judge(viewer, number, scene)
        if ground is not None:
            proof = (*ground.proof, *_effects(state, ground))
            return Sight(True, placed, ground.because, _topics(state, scene, ground), proof)
        seen = refusal(self.viewer(viewer), scene, state, self.record.teams, self.rules)
        hidden = bool(gap) and scene.zone == "library"
        certain = placed and not hidden and not any(map(state.uncertain, _seats(scene)))
        return Sight(False, certain, seen.because, seen.topics, _since(scene), seen.rule_gap)


def _topics(state: ControlState, scene: Scene, ground: Ground) -> tuple[str, ...]:
    """The ground's topics; a controlled player's card outside the game is theirs by CR 723.4."""
    own = None if ground.controlled or scene.zone not in OUTSIDE_THE_GAME else ground.seat
    if own is not None and state.in_force(own) is not None:
        return (SHARED_SIGHT, *ground.topics)
    return ground.topics


def _since(scene: Scene) -> tuple[int, ...]:
    return (scene.since,) if scene.since else ()


def _seats(scene: Scene) -> set[int]:
    """The seats through which somebody could have the sight."""
    seats = {search.seat for search in scene.searches}
    for grant in scene.grants:
        seats |= grant.seats
    return seats if scene.holder is None else seats | {scene.holder}


def _effects(state: ControlState, ground: Ground) -> tuple[int, ...]:
    """The event that created the control through which the sight comes."""
    effect = state.in_force(ground.seat) if ground.controlled and ground.seat is not None else None
    return () if effect is None else (effect.created,)
