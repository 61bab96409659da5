"""The questions that can be asked in SQL without knowing the tables.

A game is named by its id or by the first digits of it; a shortened id that fits several games gives
rows of each. Ids lie in no order, so a range over `game_id` reads a whole column. Positions of
streams rise with the rows, so a join by them skips the row groups that hold none of the games.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

__all__ = ["MACROS", "MEANINGS"]

# Names that no caller uses: an argument may be a column of a table that he calls as he likes.
_OF_GAME: Final = "_main.game_id BETWEEN game AND game || '~'"

_WHO: Final = f"""
CREATE MACRO who(game, number) AS TABLE
SELECT _more.game_id, _more.number, _more.event, _more.acting_seat, _more.acting_player,
       _more.deciding_player, _more.performer, _more.authority, _more.authority_ref,
       _more.decision_class, _more.basis, _more.reading, _more.computed_decider,
       _more.should_decide, _more.computed_authority, _more.computed_ref, _more.agrees,
       _more.active_seat
FROM games _main JOIN events _more USING (stream_position)
WHERE {_OF_GAME} AND _more.number = number
"""

_CONTROLLER_AT: Final = f"""
CREATE MACRO controller_at(game, seat, number) AS TABLE
SELECT _main.game_id, _main.seat, _main.player,
       coalesce(_more.controller, _main.player) AS controller, _more.effect, _more.effect_number,
       _more.scope, coalesce(_more.certain, true) AS certain
FROM seats _main
LEFT JOIN control_intervals _more
    ON _more.game_id = _main.game_id AND _more.seat = _main.seat
    AND number BETWEEN _more.number AND coalesce(_more.to_number, number)
WHERE {_OF_GAME} AND _main.seat = seat
"""

_CAN_SEE: Final = f"""
CREATE MACRO can_see(game, viewer, object, number) AS (
    SELECT count(*) > 0
    FROM visibility _main
    WHERE {_OF_GAME} AND _main.object = object AND _main.viewer IN (viewer, 'spectator')
    AND number BETWEEN _main.number AND coalesce(_main.to_number, number)
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
