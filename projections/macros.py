"""The questions that can be asked in SQL without knowing the tables.

A game is named by its id or by the first digits of it; a shortened id that fits several games gives
rows of each. Ids lie in no order, so a range over `game_id` reads the whole column; positions of
streams lie in the order of the rows, so the reader skips all but the games that are joined by them.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

__all__ = ["MACROS", "MEANINGS"]

_OF_GAME: Final = "t.game_id BETWEEN game AND game || '~'"

_WHO: Final = f"""
CREATE MACRO who(game, number) AS TABLE
SELECT e.game_id, e.number, e.event, e.acting_seat, e.acting_player, e.deciding_player,
       e.performer, e.authority, e.authority_ref, e.decision_class, e.basis, e.reading,
       e.computed_decider, e.should_decide, e.computed_authority, e.computed_ref, e.agrees,
       e.active_seat
FROM games t JOIN events e USING (stream_position)
WHERE {_OF_GAME} AND e.number = number
"""

_CONTROLLER_AT: Final = f"""
CREATE MACRO controller_at(game, seat, number) AS TABLE
SELECT t.game_id, t.seat, t.player, coalesce(c.controller, t.player) AS controller, c.effect,
       c.effect_number, c.scope, coalesce(c.certain, true) AS certain
FROM seats t
LEFT JOIN control_intervals c
    ON c.game_id = t.game_id AND c.seat = t.seat
    AND number BETWEEN c.number AND coalesce(c.to_number, number)
WHERE {_OF_GAME} AND t.seat = seat
"""

_CAN_SEE: Final = f"""
CREATE MACRO can_see(game, viewer, object, number) AS (
    SELECT count(*) > 0
    FROM visibility t
    WHERE {_OF_GAME} AND t.object = object AND t.viewer IN (viewer, 'spectator')
    AND number BETWEEN t.number AND coalesce(t.to_number, number)
)
"""

MACROS: Final = MappingProxyType(
    {"who": _WHO, "controller_at": _CONTROLLER_AT, "can_see": _CAN_SEE}
)
"""Macro name -> the SQL that makes it."""

MEANINGS: Final = MappingProxyType(
    {
        "FROM who(game, number)": "Who decided the event: its stamp as recorded, and for a decision"
        " who decides by the rules, computed now.",
        "FROM controller_at(game, seat, number)": "Who controls the seat's player just after the"
        " event; the player, where nobody else does.",
        "can_see(game, viewer, object, number)": "Whether the viewer (`seat:<n>` or `spectator`) is"
        " entitled to see the object's card just after the event.",
    }
)
"""How a macro is called -> what it answers."""
