"""The people of a scenario by name, and as the principals the log knows."""

from __future__ import annotations

from typing import Final

from whodecided.scenario.scenario import Scenario

__all__ = ["Cast"]

_STAND_INS: Final = {
    "ai": "program:scenario",
    "judge": "judge:scenario",
    "server": "server:scenario",
}
_WORDS: Final = ("nobody", "rules", "undetermined", "unknown")


class Cast:
    """Names to seats and principals, and back."""

    def __init__(self, scenario: Scenario) -> None:
        self.seats = {name: seat for seat, name in enumerate(scenario.players, 1)}
        people = {name: f"person:{place}" for place, name in enumerate(scenario.people, 1)}
        players = {name: f"player:{seat}" for name, seat in self.seats.items()}
        self._principals = players | people | _STAND_INS
        self._names = {principal: name for name, principal in self._principals.items()}
        self._names |= {f"person:player-{seat}": name for name, seat in self.seats.items()}

    def seat(self, name: str) -> int:
        """The seat of a player."""
        return self.seats[name]

    def principal(self, name: str) -> str:
        """The principal of a player, person or stand-in; `unknown` and the like stay words."""
        return self._principals.get(name, name)

    def outside(self, name: str) -> str:
        """The principal of somebody outside the game: a player who has left is one like others."""
        seat = self.seats.get(name)
        return self.principal(name) if seat is None else f"person:player-{seat}"

    def name(self, principal: str) -> str:
        """The name of a principal."""
        return principal if principal in _WORDS else self._names[principal]

    def player_of(self, seat: int) -> str:
        """The name of the player in a seat."""
        return self.name(f"player:{seat}")

    def opponents_of(self, name: str, scenario: Scenario) -> tuple[str, ...]:
        """The players who are neither the one named nor of the same team."""
        team = next((team for team in scenario.teams if name in team), (name,))
        return tuple(player for player in scenario.players if player not in team)
