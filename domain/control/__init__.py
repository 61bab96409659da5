"""Player control: who decides for whom (CR 723)."""

from __future__ import annotations

from domain.control.effects import Effect
from domain.control.evolve import evolve_control
from domain.control.state import ControlState, initial_control
from domain.control.verdicts import Verdict, decide, reachable_seats

__all__ = [
    "ControlState",
    "Effect",
    "Verdict",
    "decide",
    "evolve_control",
    "initial_control",
    "reachable_seats",
]
