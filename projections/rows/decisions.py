"""Rows of `decisions`: recorded and computed decider side by side, requests with their answers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from domain.control import decide
from domain.control.decisions import decision_of
from domain.events.base import DecisionEvent
from domain.events.registry import BY_TOPIC
from domain.principals import RULES, UNDETERMINED, UNKNOWN, kind_of
from projections.game import FoldedGame
from projections.rows.timeline import Timeline

__all__ = ["decision_rows"]

Row = tuple[Any, ...]
_DECISIONS: Final = frozenset(t for t, m in BY_TOPIC.items() if issubclass(m, DecisionEvent))
_MILLISECOND: Final = timedelta(milliseconds=1)
_NOT_KNOWN: Final = frozenset({UNDETERMINED, UNKNOWN})


def decision_rows(
    game_id: str, game: FoldedGame, line: Timeline, asked: Sequence[Any]
) -> list[Row]:
    """The rows; `asked` are the decision_requested events of the game."""
    requests = {event.number: event for event in asked}
    rows: list[Row] = []
    answered: set[int] = set()
    for event in game.events:
        if event.TOPIC in _DECISIONS:
            request = requests.get(event.request)
            if request is not None:
                answered.add(request.number)
            outcome = "refused" if event.refused else "made"
            rows.append(_row(game_id, game, line, event, outcome, request))
    for event in asked:
        if event.answers_wanted and event.number not in answered:
            rows.append(_row(game_id, game, line, event, "unanswered", event))
    return sorted(rows, key=lambda row: int(row[1]))


def _row(
    game_id: str, game: FoldedGame, line: Timeline, event: Any, outcome: str, request: Any
) -> Row:
    stamp, index = event.stamp, event.number - 1
    players = game.control_at(index).players
    player = players.get(stamp.acting_seat)
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
        *_computed(game, event),
        None if player is None or decider in _NOT_KNOWN else decider != player,
        event.request if outcome != "unanswered" else event.number,
        request and request.request_kind,
        request and request.occurred_at,
        event.occurred_at if outcome != "unanswered" else None,
        None if request is None else _latency(request, event),
        line.active[index],
        line.ordinals[index],
        event.action,
    )


def _computed(game: FoldedGame, event: Any) -> Row:
    """Computed decider, who should decide, authority and its event, certain, gap, agreement."""
    stamp = event.stamp
    if stamp.deciding_player == RULES and stamp.basis == "stated":
        return (RULES, RULES, "rules", None, True, False, True)
    if stamp.acting_seat is None:
        return (UNKNOWN, UNKNOWN, "unknown", None, False, False, None)
    state = game.control_at(event.number - 1)
    verdict = decide(state, stamp.acting_seat, decision_of(event), game.rules)
    decider, authority, ref = verdict.decider, str(verdict.authority), verdict.ref
    if verdict.uncertain:
        decider = UNKNOWN
    elif stamp.decision_class == "game" and (stand_in := state.stand_in(stamp.acting_seat)):
        decider, ref = stand_in, None
        authority = "judge" if kind_of(stand_in) == "judge" else "server"
    known = not {stamp.deciding_player, decider} & _NOT_KNOWN
    return (
        decider,
        verdict.decider,
        authority,
        ref,
        not verdict.uncertain,
        verdict.rule_gap,
        stamp.deciding_player == decider if known else None,
    )


def _latency(request: Any, event: Any) -> int | None:
    """Milliseconds between two times of the same clock."""
    if event is request or request.clock != event.clock:
        return None
    if request.occurred_at is None or event.occurred_at is None:
        return None
    asked, decided = map(datetime.fromisoformat, (request.occurred_at, event.occurred_at))
    return (decided - asked) // _MILLISECOND
