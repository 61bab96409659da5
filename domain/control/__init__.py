"""Player control: who decides for whom (CR 723)."""

from __future__ import annotations

from domain.control.chains import final_decider, reachable_seats
from domain.control.citing import cite_effect, cite_pending
from domain.control.deciding import decide
from domain.control.decisions import decision_of, decision_word
from domain.control.effects import ChoiceEffect, Departure, Effect
from domain.control.evolve import evolve_control
from domain.control.mana import ManaBurn, mana_burn
from domain.control.promises import promise_rests_on_gap
from domain.control.readings import CONTROLLER_GONE, stricter
from domain.control.state import ControlState, initial_control
from domain.control.verdicts import NOBODY, PathStep, Verdict, authority_of

__all__ = [
    "CONTROLLER_GONE",
    "NOBODY",
    "ChoiceEffect",
    "ControlState",
    "Departure",
    "Effect",
    "ManaBurn",
    "PathStep",
    "Verdict",
    "authority_of",
    "cite_effect",
    "cite_pending",
    "decide",
    "decision_of",
    "decision_word",
    "evolve_control",
    "final_decider",
    "initial_control",
    "mana_burn",
    "promise_rests_on_gap",
    "reachable_seats",
    "stricter",
]
