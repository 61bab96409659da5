"""The same game told with everybody at another seat and under another name."""

from __future__ import annotations

from typing import Any, Final

from domain.codec import hot
from domain.events.frame import SeatInfo
from tests.support.control_games import Game
from tests.support.control_strategies import Script
from whodecided.rulebook import load_rulebook

__all__ = ["Reseated", "reseated"]

_SEATS: Final = frozenset(
    {
        "active_seat",
        "affected",
        "controlled",
        "controller",
        "owner",
        "restores",
        "seat",
        "team_seats",
        "zone_owner",
    }
)
"""Fields that hold a seat, seats, or pairs of seats; `controller` may also be a principal."""


class Reseated(Game):
    """A game in which whoever had seat s sits `turned` seats further on, under another name."""

    def __init__(self, script: Script, turned: int) -> None:
        self._count, self._turned = script.seats, turned
        rules = load_rulebook(script.day)
        super().__init__(script.seats, teams=script.teams, rules=rules)

    def seat(self, seat: int) -> int:
        """Where the one who had this seat sits now."""
        return (seat - 1 + self._turned) % self._count + 1

    def name(self, principal: str) -> str:
        """What a principal is called now."""
        kind, colon, name = principal.partition(":")
        return f"{kind}:{name[::-1]}-x" if colon and kind in ("player", "person") else principal

    def tell(self, event: str, acting: int | None = None, /, **fields: Any) -> int:
        moved = {key: self._moved(key, value) for key, value in fields.items()}
        if event == "game_started":
            moved["seats"] = self._seats(fields["seats"])
        return super().tell(event, None if acting is None else self.seat(acting), **moved)

    def _moved(self, key: str, value: Any) -> Any:
        if isinstance(value, tuple | list):
            return tuple(self._moved(key, one) for one in value)
        if isinstance(value, str):
            return self.name(value)
        if isinstance(value, int) and not isinstance(value, bool):
            if key in _SEATS:
                return self.seat(value)
            return self.name(f"player:p{value}") if key == "stated" else value
        return value

    def _seats(self, infos: Any) -> tuple[Any, ...]:
        info = hot(SeatInfo)
        moved = [
            info(seat=self.seat(one.seat), player=self.name(one.player), team=one.team)
            for one in infos
        ]
        return tuple(sorted(moved, key=lambda one: int(one.seat)))


def reseated(script: Script, turned: int) -> Reseated:
    """The script told with everybody `turned` seats further on and under another name."""
    game = Reseated(script, turned)
    script.told(game)
    return game
