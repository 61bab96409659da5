"""Rows of `decisions`: recorded and computed decider side by side, requests with their answers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from projections.game import FoldedGame
from projections.rows.computed import NOT_KNOWN
from projections.rows.timeline import Timeline

__all__ = ["decision_rows"]

Row = tuple[Any, ...]
_MILLISECOND: Final = timedelta(milliseconds=1)


def decision_rows(
    game_id: str, game: FoldedGame, line: Timeline, asked: Sequence[Any]
) -> list[Row]:
    """The rows; `asked` are the decision_requested events of the game."""
    requests = {event.number: event for event in asked}
    rows: list[Row] = []
    answered: set[int] = set()
    for event in game.events:
        if event.DECISION_CLASS is not None:
            request = requests.get(event.request)
            if request is not None:
                answered.add(request.number)
            outcome = "refused" if event.refused else "made"
            rows.append(_row(game_id, line, event, outcome, event.request, request))
    for event in asked:
        if event.answers_wanted and event.number not in answered:
            rows.append(_row(game_id, line, event, "unanswered", event.number, event))
    return sorted(rows, key=lambda row: int(row[1]))


def _row(
    game_id: str, line: Timeline, event: Any, outcome: str, number: int | None, request: Any
) -> Row:
    """The row of a decision, or of a request without an answer; `number` is the request's."""
    stamp, index = event.stamp, event.number - 1
    player, computed = line.players[index], line.computed[index]
    if computed is None:
        raise LookupError(f"event {event.number} is no decision")
    decider = stamp.deciding_player
    return (
        game_id,
        event.number,
        event.NAME,
        outcome,
        stamp.decision_class,
        stamp.acting_seat,
        player,
        decider,
        stamp.performer,
        stamp.authority.kind,
        stamp.authority.ref,
        stamp.basis,
        stamp.reading,
        *computed,
        None if player is None or decider in NOT_KNOWN else decider != player,
        number,
        request and request.request_kind,
        request and request.occurred_at,
        None if event is request else event.occurred_at,
        None if request is None else _latency(request, event),
        line.active[index],
        line.ordinals[index],
        event.action,
    )


def _latency(request: Any, event: Any) -> int | None:
    """Milliseconds between two times of the same clock."""
    if event is request or request.clock != event.clock:
        return None
    if request.occurred_at is None or event.occurred_at is None:
        return None
    asked, decided = map(datetime.fromisoformat, (request.occurred_at, event.occurred_at))
    return (decided - asked) // _MILLISECOND
