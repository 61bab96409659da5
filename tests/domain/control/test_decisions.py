"""Decisions by the words the kernel is asked with."""

from __future__ import annotations

from typing import Any

import pytest

from domain.control import decision_word
from domain.control.decisions import canonical, is_personal, parts_of


@pytest.mark.parametrize(
    ("name", "fields", "word"),
    [
        ("spell_cast", {}, "spell_cast"),
        ("spell_cast", {"whole_action": True}, "whole spell_cast"),
        ("spell_cast", {"whole_action": True, "for_seat": 2}, "whole spell_cast"),
        ("choice_made", {}, "choice_made"),
        ("choice_made", {"kind": "other"}, "choice_made"),
        ("choice_made", {"kind": "mode"}, "modes"),
        ("choice_made", {"kind": "target"}, "targets"),
        ("choice_made", {"kind": "target", "for_seat": 2}, "substitute"),
        ("choice_made", {"kind": "damage_order"}, "choice_made"),
        ("cost_paid", {"kind": "mode"}, "cost_paid"),
        ("vote_cast", {}, "vote_cast"),
        ("vote_cast", {"optional_extra": True}, "choice_made"),
        ("priority_passed", {"optional_extra": True}, "priority_passed"),
        ("decision_requested", {"decision": "attackers_declared"}, "attackers_declared"),
        ("decision_requested", {}, "game"),
        ("request_refused", {"decision": "spell_cast"}, "spell_cast"),
        ("request_refused", {}, "game"),
    ],
)
def test_an_event_records_a_decision(name: str, fields: dict[str, Any], word: str) -> None:
    assert decision_word(name, fields.get) == word


@pytest.mark.parametrize(
    ("decision", "word"),
    [
        ("attackers_declared", "attackers"),
        ("blockers_declared", "blockers"),
        ("modes_chosen", "modes"),
        ("targets_chosen", "targets"),
        ("vote_cast", "votes"),
        ("votes", "votes"),
        ("spell_cast", "spell_cast"),
    ],
)
def test_each_decision_has_one_word(decision: str, word: str) -> None:
    assert canonical(decision) == word


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("ability_activated", ("ability_activated", "modes", "targets", "cost_paid")),
        ("attackers_declared", ("attackers", "choice_made", "cost_paid")),
        ("blockers_declared", ("blockers", "cost_paid")),
        ("spell_cast", ("spell_cast", "modes", "targets", "cost_paid")),
        ("vote_cast", ("votes", "choice_made")),
        ("land_played", ("land_played",)),
    ],
)
def test_an_action_stated_as_a_whole_has_these_decisions(name: str, parts: tuple[str, ...]) -> None:
    assert parts_of(f"whole {name}") == parts
    assert parts_of(name) == ()


@pytest.mark.parametrize(
    "decision",
    [
        "conceded",
        "draw_agreed",
        "draw_declined",
        "draw_offered",
        "judge_called",
        "remedy",
        "remedy_chosen",
        "sideboarded",
        "table_left",
        "tournament",
        "trade_agreed",
    ],
)
def test_a_decision_of_tournament_or_remedy_is_the_persons_own(decision: str) -> None:
    assert is_personal(decision)


@pytest.mark.parametrize("decision", ["game", "searching", "spell_cast", "mulligan_decided"])
def test_a_decision_of_the_game_is_not_personal(decision: str) -> None:
    assert not is_personal(decision)
