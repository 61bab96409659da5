"""The one list of all event types, by topic and by name."""

from __future__ import annotations

import inspect
from types import MappingProxyType
from typing import Any, Final, get_args

from domain.events import (
    case,
    control,
    decisions,
    frame,
    information,
    log,
    match,
    play,
    tournament,
)
from domain.events.base import DecisionEvent, Event
from domain.sealed import Sealed

__all__ = [
    "BY_TOPIC",
    "FAMILIES",
    "GAME_EVENTS",
    "decision_class",
    "name_of",
    "schemas",
    "sealed_fields",
]

_MODULES: Final = {
    "frame": frame,
    "control": control,
    "decisions": decisions,
    "play": play,
    "information": information,
    "tournament": tournament,
    "log": log,
    "match": match,
    "case": case,
}


def _collect() -> dict[str, tuple[type[Event], ...]]:
    found: dict[str, tuple[type[Event], ...]] = {}
    for family, module in _MODULES.items():
        classes = [
            item
            for item in vars(module).values()
            if inspect.isclass(item)
            and issubclass(item, Event)
            and item.__module__ == module.__name__
            and "TOPIC" in vars(item)
        ]
        for item in classes:
            item.FAMILY = family
        found[family] = tuple(classes)
    return found


FAMILIES: Final[MappingProxyType[str, tuple[type[Event], ...]]] = MappingProxyType(_collect())
"""Family name -> its event types in the order of the catalogue."""

BY_TOPIC: Final[MappingProxyType[str, type[Event]]] = MappingProxyType(
    {item.TOPIC: item for members in FAMILIES.values() for item in members}
)
"""Topic -> event type."""


def name_of(topic: str) -> str:
    """The event's short name: `spell_cast` of `game.spell_cast/v1`."""
    return topic.partition(".")[2].partition("/")[0]


GAME_EVENTS: Final[MappingProxyType[str, type[Event]]] = MappingProxyType(
    {name_of(topic): item for topic, item in BY_TOPIC.items() if topic.startswith("game.")}
)
"""Short name -> event type, for the game's stream."""


def decision_class(name: str) -> str:
    """`game`, `tournament` or `remedy` for the name of a game event; facts of play are game."""
    item = GAME_EVENTS.get(name)
    if item is not None and issubclass(item, DecisionEvent):
        return item.DECISION_CLASS
    return "game"


def sealed_fields(item: type[Event]) -> tuple[str, ...]:
    """Names of the fields of an event type that hold sealed values."""
    return tuple(name for name, info in item.model_fields.items() if _is_sealed(info.annotation))


def _is_sealed(annotation: Any) -> bool:
    members = (annotation, *get_args(annotation))
    return any(inspect.isclass(member) and issubclass(member, Sealed) for member in members)


def schemas() -> dict[str, dict[str, Any]]:
    """Topic -> JSON Schema of the event as it is stored."""
    return {topic: item.model_json_schema() for topic, item in sorted(BY_TOPIC.items())}
