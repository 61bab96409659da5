"""One event after another into the visibility record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from domain.events.registry import GAME_EVENTS
from domain.visibility.looks import LOOK_HANDLERS
from domain.visibility.objects import OBJECT_HANDLERS
from domain.visibility.record import VisibilityRecord

__all__ = ["VISIBILITY_HANDLERS", "fold_record"]

VISIBILITY_HANDLERS: Final[Mapping[str, Callable[[VisibilityRecord, Any], None]]] = {
    GAME_EVENTS[name].TOPIC: handler
    for name, handler in {**OBJECT_HANDLERS, **LOOK_HANDLERS}.items()
}
"""Topic -> how an event of it changes the record; events of other topics change nothing."""


def fold_record(events: Iterable[Any]) -> VisibilityRecord:
    """The visibility record of a game's events (structs or models), in order."""
    record = VisibilityRecord()
    for event in events:
        handler = VISIBILITY_HANDLERS.get(event.TOPIC)
        if handler is not None:
            handler(record, event)
    return record
