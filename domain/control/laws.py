"""What the fold must know of an edition: how control of a player works under it."""

from __future__ import annotations

from typing import NamedTuple

from domain.rules import RuleBook

__all__ = ["Laws", "laws_of"]


class Laws(NamedTuple):
    """The behaviour of an edition on a day (the switches of the rule book that change states).

    `turn_only`: the turn is controlled, and with it the active player's decisions alone (until
    2010-09). `leaving_ends`: control is over when its controller leaves (CR 800.4a). `limited`:
    there is control for less than a turn (CR 723.2). `teams`: control of a player is control of the
    team (CR 805.8).
    """

    turn_only: bool
    leaving_ends: bool
    limited: bool
    teams: bool


def laws_of(rules: RuleBook) -> Laws:
    """The laws of a rule book."""
    on = rules.switches
    return Laws(
        turn_only=not on["player-control"],
        leaving_ends=on["leaving-ends-control"],
        limited=on["limited-duration-control"],
        teams=on["team-control"],
    )
