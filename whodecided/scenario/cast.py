"""The people of a scenario by name, and as the principals the log knows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from whodecided.scenario.told import Scenario

__all__ = ["Cast"]

_STAND_INS: Final = {
    "ai": "program:scenario",
    "judge": "judge:scenario",
    "server": "server:scenario",
}
_WORDS: Final = ("nobody", "rules", "undetermined", "unknown")


class Cast:
    """Names to seats and principals, and back.

    Without `pseudonym` (name -> a stand-in for it) people are called by their places.
    """

    def __init__(self, scenario: Scenario, pseudonym: Callable[[str], str] | None = None) -> None:
        self._players = scenario.players
        self.seats = {name: seat for seat, name in enumerate(scenario.players, 1)}
        places = dict(self.seats) | {name: n for n, name in enumerate(scenario.people, 1)}
        self._called = {name: str(place) for name, place in places.items()}
        if pseudonym is not None:
            self._called = {name: pseudonym(name) for name in places}
        players = {name: f"player:{self._called[name]}" for name in scenario.players}
        people = {name: f"person:{self._called[name]}" for name in scenario.people}
        self._principals = players | people | _STAND_INS
        self._names = {principal: name for name, principal in self._principals.items()}
        self._names |= {self._gone(name): name for name in scenario.players}

    def seat(self, name: str) -> int:
        """The seat of a player."""
        return self.seats[name]

    def principal(self, name: str) -> str:
        """The principal of a player, person or stand-in; `unknown` and the like stay words."""
        return self._principals.get(name, name)

    def outside(self, name: str) -> str:
        """The principal of somebody outside the game: a player who has left is one like others."""
        return self._gone(name) if name in self.seats else self.principal(name)

    def _gone(self, name: str) -> str:
        return f"person:player-{self._called[name]}"

    def name(self, principal: str) -> str:
        """The name of a principal."""
        return principal if principal in _WORDS else self._names[principal]

    def player_of(self, seat: int) -> str:
        """The name of the player in a seat."""
        return self._players[seat - 1]

    def opponents_of(self, name: str, scenario: Scenario) -> tuple[str, ...]:
        """The players who are neither the one named nor of the same team."""
        team = next((team for team in scenario.teams if name in team), (name,))
        return tuple(player for player in scenario.players if player not in team)
