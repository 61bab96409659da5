"""All tables of one stream: a pure function of its events and the rules of its day."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from domain.rules import RuleLibrary, rules_of_game
from projections.game import fold_game
from projections.rows.control import effect_rows, interval_rows
from projections.rows.decisions import decision_rows
from projections.rows.events import event_rows
from projections.rows.findings import finding_rows
from projections.rows.frame import game_row, seat_rows, turn_rows
from projections.rows.gaps import gap_rows
from projections.rows.information import information_rows
from projections.rows.matches import match_row
from projections.rows.objects import object_rows
from projections.rows.span import named
from projections.rows.stream import Stream
from projections.rows.timeline import timeline
from projections.schema import FOLDED

__all__ = ["fold_tables"]

Rows = dict[str, list[tuple[Any, ...]]]


def fold_tables(stream: Stream, events: Sequence[Any], rules: RuleLibrary) -> dict[str, pa.Table]:
    """Table name -> rows of that table, for the tables in which the stream has any.

    `events` are all events of the stream, at least one.
    """
    folds = {"game": _game, "match": _match, "case": _case}
    rows = folds[stream.kind](stream, events, rules)
    return {name: FOLDED[name].arrow(found) for name, found in rows.items() if found}


def _game(stream: Stream, events: Sequence[Any], rules: RuleLibrary) -> Rows:
    game_id = stream.stream_id
    game = fold_game(events, rules_of_game(rules, events).rules)
    line = timeline(game)
    by_name = named(events)
    decisions = decision_rows(game_id, game, line, by_name.get("decision_requested", ()))
    findings = finding_rows(game_id, game)
    visibility, learned = information_rows(game_id, game.visibility)
    return {
        "games": [game_row(stream, game, by_name, line, (len(decisions), len(findings)))],
        "seats": seat_rows(game_id, game, by_name, line),
        "events": event_rows(stream, events, line),
        "turns": turn_rows(game_id, game, by_name, line),
        "decisions": decisions,
        "control_effects": effect_rows(game_id, game),
        "control_intervals": interval_rows(game_id, game),
        "objects": object_rows(game_id, game.visibility.record),
        "visibility": visibility,
        "learned": learned,
        "gaps": gap_rows(stream, by_name),
        "findings": findings,
    }


def _match(stream: Stream, events: Sequence[Any], rules: RuleLibrary) -> Rows:
    return {
        "matches": [match_row(stream.stream_id, events)],
        "events": event_rows(stream, events),
        "gaps": gap_rows(stream, named(events)),
    }


def _case(stream: Stream, events: Sequence[Any], rules: RuleLibrary) -> Rows:
    return {"events": event_rows(stream, events)}
