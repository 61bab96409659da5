"""Zones and hidden information: where objects are, who may see them, what was shown."""

from __future__ import annotations

from domain.visibility.entitlement import (
    FACE_DOWN_TOPIC,
    OUTSIDE_SHARED,
    OUTSIDE_TOPIC,
    SHARED_SIGHT,
    SIDEBOARD_TOPIC,
    Ground,
    Reach,
    Scene,
    is_shown,
    may_see,
    scene_of_object,
    scene_of_zone,
)
from domain.visibility.facts import (
    OUTSIDE_THE_GAME,
    ObjectFacts,
    Search,
    Showing,
    ZoneKey,
    zone_key,
)
from domain.visibility.fold import VISIBILITY_HANDLERS, fold_record
from domain.visibility.record import VisibilityRecord
from domain.visibility.viewers import JUDGE, SPECTATOR, Viewer, resolve_viewer

__all__ = [
    "FACE_DOWN_TOPIC",
    "JUDGE",
    "OUTSIDE_SHARED",
    "OUTSIDE_THE_GAME",
    "OUTSIDE_TOPIC",
    "SHARED_SIGHT",
    "SIDEBOARD_TOPIC",
    "SPECTATOR",
    "VISIBILITY_HANDLERS",
    "Ground",
    "ObjectFacts",
    "Reach",
    "Scene",
    "Search",
    "Showing",
    "Viewer",
    "VisibilityRecord",
    "ZoneKey",
    "fold_record",
    "is_shown",
    "may_see",
    "resolve_viewer",
    "scene_of_object",
    "scene_of_zone",
    "zone_key",
]
