"""Mana burn: life lost for unspent mana, while the game had it (CR 507.4 until July 2009)."""

from __future__ import annotations

from dataclasses import dataclass

from domain.control.readings import CONTROLLER_GONE, stricter
from domain.control.state import ControlState
from domain.rules import RuleBook, RuleRef

__all__ = ["ManaBurn", "mana_burn"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ManaBurn:
    """Life that the rules take for unspent mana; None where the rule does not exist.

    `reading` is the reading used where document and play differ on the day.
    """

    life: int | None
    rules: tuple[RuleRef, ...]
    reading: str | None
    because: str


def mana_burn(state: ControlState, seat: int, amount: int, rules: RuleBook) -> ManaBurn:
    """What the seat's player loses for this amount of unspent mana, in the state before the loss.

    A player is exempt while somebody else controls their turn, and not in a turn they control
    themselves.
    """
    reading = _reading(state, seat, rules)
    if not rules.switches["mana-burn"]:
        return ManaBurn(
            life=None,
            rules=(),
            reading=reading,
            because="There is no mana burn under this edition.",
        )
    cited = rules.cite("player-control.mana-burn")
    if _exempt(state, seat, rules):
        because = "No life is lost while the player is controlled."
        return ManaBurn(life=0, rules=cited, reading=reading, because=because)
    because = "Each unspent mana costs one life."
    return ManaBurn(life=amount, rules=cited, reading=reading, because=because)


def _reading(state: ControlState, seat: int, rules: RuleBook) -> str | None:
    governs = state.in_force(seat)
    if rules.switches["mana-burn"] and governs is not None and state.outlived(governs):
        return CONTROLLER_GONE
    return stricter(rules, "mana-burn")


def _exempt(state: ControlState, seat: int, rules: RuleBook) -> bool:
    governs = state.in_force(seat)
    if governs is None:
        return False
    own = governs.controller == state.players.get(seat)
    switch = "self-control-mana-burn-exempt" if own else "mana-burn-exempt-if-other-controls"
    return rules.switches[switch]
