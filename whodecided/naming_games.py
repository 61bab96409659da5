"""Which game of a log is meant by what people type."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from domain.errors import BadInput, NotFound
from domain.ids import live_stream, scenario_stream

__all__ = ["named_game", "require_name"]

_PLACE: Final = re.compile(r"[1-9]\d{0,2}")
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,63}")
_LIKE_AN_ID: Final = re.compile(r"[0-9a-f-]+", re.IGNORECASE)
_DIGITS: Final = re.compile(r"[0-9a-f-]{1,36}", re.IGNORECASE)


def named_game(order: Sequence[str], name: str | int) -> str:
    """The id of the game that is meant; `order` holds the ids of the log's games in order.

    `name` is an id, its first digits, a place in the order from 1, or what the game was called when
    its scenario was imported or its recording began. Raises NotFound when there is none, BadInput
    when several fit.
    """
    text = str(name).strip()
    named = [stream for stream in (scenario_stream(text), live_stream(text)) if stream in order]
    if len(named) > 1:
        raise BadInput("game", f"{text!r} fits several", advice=f"Type an id: {', '.join(named)}.")
    if named:
        return named[0]
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


def require_name(where: str, name: str) -> None:
    """Raises BadInput for what cannot be, or could be taken for something else than, a name."""
    if not _NAME.fullmatch(name) or _LIKE_AN_ID.fullmatch(name):
        raise BadInput(
            where,
            f"{name!r} is no name for a game",
            advice="Use letters, digits, '_', '.' and '-'; not what could be the id of a game.",
        )


def _advice(order: Sequence[str]) -> str:
    if not order:
        return "The log holds no game yet; import a file first."
    return "`whodecided games` lists the games."
