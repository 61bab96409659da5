"""Who may see a card or a zone, as the rules say (CR 400.2, 701.23, 708.5, 723.4)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from domain.rules import RuleBook
from domain.visibility.facts import (
    OUTSIDE_THE_GAME,
    PUBLIC_ZONES,
    Grant,
    ObjectFacts,
    Search,
    Showing,
    ZoneKey,
)
from domain.visibility.viewers import Viewer

__all__ = [
    "FACE_DOWN_TOPIC",
    "OUTSIDE_SHARED",
    "OUTSIDE_TOPIC",
    "SHARED_SIGHT",
    "SIDEBOARD_TOPIC",
    "Ground",
    "Reach",
    "Scene",
    "is_shown",
    "may_see",
    "scene_of_object",
    "scene_of_zone",
]

OUTSIDE_SHARED: Final = "controller-sees-outside"
"""Switch of the rule book: control of a player shows that player's cards outside the game."""

FACE_DOWN_TOPIC: Final = "game.face-down"
OUTSIDE_TOPIC: Final = "game.outside"
SIDEBOARD_TOPIC: Final = "tournament.sideboard"
SHARED_SIGHT: Final = "player-control.visibility"
"""Topic: the controller sees what the controlled player may see."""


@dataclass(frozen=True, slots=True)
class Reach:
    """The seats whose sight a viewer has: the own ones, and `seats` with the controlled ones."""

    own: frozenset[int]
    seats: frozenset[int]


@dataclass(frozen=True, slots=True)
class Scene:
    """All that decides who may see one card, or one zone as a whole, just after an event.

    `holder` is the seat whose own information it is; `grants` are the looks at it, `searches` those
    of the library it is in; `since` the event that last stated where it is (0 for a zone).
    """

    zone: str
    public: bool
    holder: int | None
    face_down: bool
    grants: tuple[Grant, ...]
    searches: tuple[Search, ...]
    since: int


@dataclass(frozen=True, slots=True)
class Ground:
    """Why a viewer may see something: the reason, its rule topics, and the events that prove it."""

    because: str
    topics: tuple[str, ...]
    proof: tuple[int, ...] = ()
    seat: int | None = None
    """The seat that has the sight, where one has."""
    controlled: bool = False
    """It is not the viewer's own seat but one that the viewer controls."""


def scene_of_object(
    facts: ObjectFacts,
    grants: Iterable[Grant],
    zone_grants: Iterable[Grant],
    searches: tuple[Search, ...],
) -> Scene:
    """The scene of one card: looks at its zone count, unless they mean the cards one by one."""
    kept = (*grants, *(grant for grant in zone_grants if grant.lasts != "while_in_zone"))
    return Scene(
        facts.zone,
        facts.public,
        facts.holder,
        facts.face_down,
        kept,
        searches if facts.zone == "library" else (),
        facts.since,
    )


def scene_of_zone(key: ZoneKey, grants: tuple[Grant, ...], searches: tuple[Search, ...]) -> Scene:
    """The scene of a zone as a whole."""
    zone, owner = key
    private = zone == "hand" or zone in OUTSIDE_THE_GAME
    return Scene(
        zone,
        zone in PUBLIC_ZONES,
        owner if private else None,
        False,
        grants,
        searches if zone == "library" else (),
        0,
    )


def may_see(viewer: Viewer, reach: Reach, scene: Scene, rules: RuleBook) -> Ground | None:
    """The ground on which the viewer may see it, or None.

    The viewer has what the own seat has, united with what every seat has that the viewer controls
    now (CR 723.4), except cards outside the game where the edition says so.
    """
    if viewer.kind == "judge":
        return _JUDGE
    if scene.public:
        return Ground("It is in a public zone, face up.", (), _since(scene))
    if viewer.kind == "spectator":
        return None
    return _held(scene, reach.own, viewer.principal) or _shared(scene, reach, rules)


_JUDGE: Final = Ground("A judge sees everything.", ())


def _since(scene: Scene) -> tuple[int, ...]:
    return (scene.since,) if scene.since else ()


def is_shown(viewer: Viewer, reach: Reach, showing: Showing, zone: str, rules: RuleBook) -> bool:
    """Whether an event shows the viewer a card that lies in the zone (CR 723.4)."""
    if viewer.kind == "judge" or showing.to is None:
        return True
    if viewer.principal in showing.to or showing.seats & reach.own:
        return True
    return bool(showing.seats & reach.seats) and _is_shared(zone, rules)


def _is_shared(zone: str, rules: RuleBook) -> bool:
    return zone not in OUTSIDE_THE_GAME or rules.switches.get(OUTSIDE_SHARED, False)


def _held(scene: Scene, seats: frozenset[int], principal: str) -> Ground | None:
    """What a player has by the own zones, by looks that were granted and by searches."""
    if scene.holder in seats:
        return _as_holder(scene)
    for grant in scene.grants:
        if principal in grant.viewers or grant.seats & seats:
            seat = min(grant.seats & seats, default=None)
            return Ground("A look at it was granted.", (), (grant.number,), seat)
    for search in scene.searches:
        if search.seat in seats:
            return Ground("The library is being searched.", (), (search.number,), search.seat)
    return None


def _as_holder(scene: Scene) -> Ground:
    topics: tuple[str, ...] = ()
    if scene.zone in OUTSIDE_THE_GAME:
        text, topics = "It is the player's own card outside the game.", (OUTSIDE_TOPIC,)
    elif scene.zone == "hand":
        text = "It is in the player's hand."
    else:
        text, topics = "Its controller may look at it while it is face down.", (FACE_DOWN_TOPIC,)
    return Ground(text, topics, _since(scene), scene.holder)


def _shared_by(zone: str) -> str:
    """The topic of the rule that opens the zone to whoever controls its player."""
    return SIDEBOARD_TOPIC if zone in OUTSIDE_THE_GAME else SHARED_SIGHT


def _shared(scene: Scene, reach: Reach, rules: RuleBook) -> Ground | None:
    controlled = reach.seats - reach.own
    ground = _held(scene, controlled, "") if controlled and _is_shared(scene.zone, rules) else None
    if ground is None:
        return None
    return replace(
        ground,
        because=f"{ground.because} The viewer controls that player.",
        topics=(_shared_by(scene.zone), *ground.topics),
        controlled=True,
    )
