"""Which game of a log is meant by what people type."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from domain.errors import BadInput, NotFound
from domain.ids import scenario_stream

__all__ = ["named_game"]

_PLACE: Final = re.compile(r"[1-9]\d{0,2}")
_DIGITS: Final = re.compile(r"[0-9a-f-]{1,36}", re.IGNORECASE)


def named_game(order: Sequence[str], name: str | int) -> str:
    """The id of the game that is meant; `order` holds the ids of the log's games in order.

    `name` is an id, its first digits, a place in the order from 1, or what a scenario was called
    when it was imported. Raises NotFound when there is none, BadInput when several fit.
    """
    text = str(name).strip()
    told = scenario_stream(text)
    if told in order:
        return told
    if _PLACE.fullmatch(text):
        if int(text) > len(order):
            raise NotFound("game", text, advice=_advice(order))
        return order[int(text) - 1]
    if not _DIGITS.fullmatch(text):
        raise NotFound("game", text, advice=_advice(order))
    found = [game_id for game_id in order if game_id.startswith(text.lower())]
    if len(found) > 1:
        shorter = ", ".join(game_id[:13] for game_id in found[:5])
        raise BadInput("game", f"{text!r} fits several", advice=f"Type more digits: {shorter}.")
    if not found:
        raise NotFound("game", text, advice=_advice(order))
    return found[0]


def _advice(order: Sequence[str]) -> str:
    if not order:
        return "The log holds no game yet; import a file first."
    return "`whodecided games` lists the games."
