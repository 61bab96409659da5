"""What is known of an object and of looks: the values that the visibility fold keeps."""

from __future__ import annotations

from typing import Final, NamedTuple

__all__ = [
    "CONTROLLED_ZONES",
    "OUTSIDE_THE_GAME",
    "PLAYER_ZONES",
    "PUBLIC_ZONES",
    "Grant",
    "ObjectFacts",
    "Search",
    "Showing",
    "ZoneKey",
    "placed",
    "zone_key",
]

PUBLIC_ZONES: Final = frozenset({"battlefield", "stack", "graveyard", "exile", "command"})
"""Zones in which everybody sees the cards that are face up (CR 400.2)."""
PLAYER_ZONES: Final = frozenset({"library", "hand", "graveyard", "sideboard", "outside"})
"""Zones that each player has; a card is only ever in its owner's (CR 400.1, 400.3, 400.11)."""
OUTSIDE_THE_GAME: Final = frozenset({"sideboard", "outside"})
"""Where cards lie that are outside the game (CR 400.11)."""
CONTROLLED_ZONES: Final = frozenset({"battlefield", "stack"})
"""Where an object has a controller (CR 108.4)."""

ZoneKey = tuple[str, int | None]
"""A zone and whose it is; null for a zone that all players share."""


def zone_key(zone: str, owner: int | None) -> ZoneKey:
    """The key of a zone; the owner counts only where each player has one."""
    return (zone, owner if zone in PLAYER_ZONES else None)


class ObjectFacts(NamedTuple):
    """Where an object is and whose, as last stated by event `since`.

    `name` is the id that the source uses for it. `public`: everybody may see the card. `holder`:
    the seat whose own information the card is otherwise, or None where it is nobody's.
    """

    name: str
    zone: str
    zone_owner: int | None
    owner: int | None
    controller: int | None
    face_down: bool
    since: int
    public: bool
    holder: int | None

    @property
    def key(self) -> ZoneKey:
        """The zone it is in."""
        return (self.zone, self.zone_owner)


def placed(
    name: str,
    zone: str,
    *,
    zone_owner: int | None,
    owner: int | None,
    controller: int | None,
    face_down: bool,
    since: int,
) -> ObjectFacts:
    """Facts of an object in a zone, with what the zone says of who may see it (CR 400.2, 708.5)."""
    if zone not in PLAYER_ZONES:
        zone_owner = None
    elif zone_owner is None:
        zone_owner = owner
    public = zone in PUBLIC_ZONES and not face_down
    holder = None if public else _holder(zone, zone_owner, owner, controller)
    return ObjectFacts(name, zone, zone_owner, owner, controller, face_down, since, public, holder)


def _holder(
    zone: str, zone_owner: int | None, owner: int | None, controller: int | None
) -> int | None:
    if zone == "hand" or zone in OUTSIDE_THE_GAME:
        return zone_owner
    if zone in CONTROLLED_ZONES:
        return controller
    return owner if zone == "command" else None


class Grant(NamedTuple):
    """A look that event `number` granted; `seats` are those of the viewers who hold one."""

    number: int
    viewers: frozenset[str]
    seats: frozenset[int]
    lasts: str


class Search(NamedTuple):
    """A library search in progress since event `number`."""

    number: int
    seat: int


class Showing(NamedTuple):
    """Cards that one event shows, or at which somebody looks.

    `to` are the principals it is shown to, None for everybody; whoever controls one of `seats` is
    shown it too. `by_right` is false for a bare look, which proves no right to it. `tracks` are the
    objects; `zone` the zone where all of one is shown.
    """

    number: int
    by_right: bool
    to: frozenset[str] | None
    seats: frozenset[int]
    tracks: tuple[int, ...]
    zone: ZoneKey | None
