"""What several tables ask of a stream: its events by name, and when it began and ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["named", "span"]


def named(events: Sequence[Any]) -> dict[str, list[Any]]:
    """The events by short name, each in order."""
    found: dict[str, list[Any]] = {}
    for event in events:
        found.setdefault(event.NAME, []).append(event)
    return found


def span(events: Sequence[Any]) -> tuple[str | None, str | None]:
    """Time text of the first and of the last event that has one."""
    first = next((e.occurred_at for e in events if e.occurred_at is not None), None)
    last = next((e.occurred_at for e in reversed(events) if e.occurred_at is not None), None)
    return first, last
