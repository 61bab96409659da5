"""For whom an answer is: the name of a viewer as people write it."""

from __future__ import annotations

import re
from typing import Final

from domain.errors import BadInput, NotFound
from domain.principals import PRINCIPAL_PATTERN, kind_of
from domain.visibility import JUDGE, SPECTATOR
from queries.record import GameRecord

__all__ = ["named_viewer"]

_ADVICE: Final = "A viewer is a seat (1, seat:2), a player's id, spectator or judge."
_SEAT: Final = re.compile(r"(?:seat:)?([1-9]\d?)")
_NOBODY: Final = frozenset({"rules", "undetermined", "unknown", "server"})


def named_viewer(text: str, record: GameRecord) -> str:
    """The viewer of a text: a seat (`2`, `seat:2`), `spectator`, `judge`, or a principal.

    A player may be named by the first digits of the id.
    Raises NotFound for a seat or player the game does not have, BadInput for any other text.
    """
    if text in (SPECTATOR, JUDGE):
        return text
    seat = _SEAT.fullmatch(text)
    if seat:
        return _seat(int(seat[1]), record)
    if re.match(PRINCIPAL_PATTERN, text):
        return _principal(text, record)
    found = {player for player in record.players.values() if _id(player).startswith(text)}
    if not text or len(found) > 1:
        raise BadInput("viewer", f"{text!r} names nobody, or more than one player", advice=_ADVICE)
    if not found:
        raise NotFound("player", text, within=f"game {record.short_id}", advice=_ADVICE)
    return found.pop()


def _seat(seat: int, record: GameRecord) -> str:
    if seat not in record.players:
        known = ", ".join(map(str, sorted(record.players))) or "none"
        raise NotFound(
            "seat",
            str(seat),
            within=f"game {record.short_id}",
            advice=f"Its seats are: {known}.",
        )
    return f"seat:{seat}"


def _principal(text: str, record: GameRecord) -> str:
    kind = kind_of(text)
    if kind in _NOBODY:
        raise BadInput("viewer", f"{text!r} is nobody who looks", advice=_ADVICE)
    if kind == "player" and text not in record.players.values():
        raise NotFound("player", text, within=f"game {record.short_id}", advice=_ADVICE)
    return text


def _id(principal: str) -> str:
    return principal.partition(":")[2]
