"""The row of `matches`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.ids import short_id
from projections.rows.span import named, span

__all__ = ["match_row"]


def match_row(match_id: str, events: Sequence[Any]) -> tuple[Any, ...]:
    """The row of a match; what its record does not say is null."""
    by_name = named(events)
    opened = next(iter(by_name.get("match_opened", ())), None)
    ended = by_name["match_ended"][-1] if "match_ended" in by_name else None
    links = by_name.get("game_linked", ())
    seats = () if opened is None else sorted(opened.seats, key=lambda info: info.seat)
    return (
        match_id,
        short_id(match_id),
        opened and opened.match_key,
        events[0].source.system,
        opened and opened.viewpoint,
        [info.player for info in seats],
        opened and opened.format,
        opened and opened.best_of,
        opened and opened.client,
        opened and opened.generation,
        opened is not None and opened.from_start,
        *span(events),
        list(dict.fromkeys(link.game_id for link in links)),
        ended and ended.result,
        [] if ended is None else ended.winners,
        ended and ended.reason,
        ended and ended.by,
        len(events),
        len(by_name.get("gap_found", ())),
    )
