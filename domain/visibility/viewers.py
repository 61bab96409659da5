"""For whom an answer is rendered: a seat, a person, a judge, or somebody who only watches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from domain.principals import kind_of

__all__ = ["JUDGE", "SPECTATOR", "Viewer", "resolve_viewer"]

JUDGE = "judge"
SPECTATOR = "spectator"
_SEES_ALL = frozenset({"judge", "server"})
_SEES_OPEN = frozenset({"rules", "undetermined", "unknown"})


@dataclass(frozen=True, slots=True)
class Viewer:
    """A viewer and the seats that are the viewer's own.

    `judge` sees everything, `spectator` what is public, `person` what the own seats and controlled
    seats see.
    """

    principal: str
    kind: Literal["judge", "spectator", "person"]
    own: frozenset[int]


def resolve_viewer(viewer: str, players: Mapping[int, str]) -> Viewer:
    """The viewer of this name: `judge`, `spectator`, `seat:<n>` or a principal.

    A server knows what it deals, so it counts as a judge. Raises ValueError for any other text.
    """
    if viewer in (JUDGE, SPECTATOR):
        return Viewer(viewer, "judge" if viewer == JUDGE else "spectator", frozenset())
    if viewer.startswith("seat:") and viewer[5:].isdecimal():
        seat = int(viewer[5:])
        return _person(players.get(seat, viewer), players, frozenset({seat}))
    kind = kind_of(viewer)
    if kind in _SEES_ALL:
        return Viewer(viewer, "judge", frozenset())
    if kind in _SEES_OPEN:
        return Viewer(viewer, "spectator", frozenset())
    return _person(viewer, players, frozenset())


def _person(principal: str, players: Mapping[int, str], own: frozenset[int]) -> Viewer:
    held = frozenset(seat for seat, player in players.items() if player == principal)
    return Viewer(principal, "person", own | held)
