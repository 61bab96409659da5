"""The cases about roles and responsibility, under every edition: all hold, and an empty answer
would not do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from whodecided.rulebook import load_rulebook
from whodecided.scenario.answers import answer
from whodecided.scenario.compare import holds
from whodecided.scenario.play import play
from whodecided.scenario.scenario import Question, Scenario, read_scenarios

_CASES: Final = Path(__file__).parent / "cases"
_ASKED: Final = frozenset({"policies_differ", "responsible", "roles"})


def _asked() -> Iterator[tuple[Scenario, Question]]:
    for file in sorted(_CASES.glob("*.yaml")):
        for scenario in read_scenarios(file):
            for question in scenario.questions:
                if question.ask in _ASKED:
                    yield scenario, question


_ALL: Final = tuple(_asked())


@pytest.mark.parametrize(
    ("scenario", "question"), _ALL, ids=[f"{one.id}-{asked.number}" for one, asked in _ALL]
)
def test_a_question_about_policy_is_answered_as_the_case_expects(
    scenario: Scenario, question: Question
) -> None:
    date = question.keys.get("rules_date", scenario.rules_date)
    given = answer(play(scenario, load_rulebook(date)), question)

    assert holds(question.expect, given.value), given
    assert question.keys.get("rule") in (None, *(rule.number for rule in given.rules))


def test_there_are_cases_of_every_kind() -> None:
    assert Counter(question.ask for _, question in _ALL) == {
        "policies_differ": 9,
        "responsible": 42,
        "roles": 15,
    }


@pytest.mark.parametrize(
    ("ask", "always"),
    [
        ("policies_differ", True),
        ("policies_differ", False),
        ("responsible", {"primary": ["Alice"], "review_required": True}),
        ("responsible", {"primary": ["Bob"], "review_required": False}),
        ("responsible", {"primary": [], "infractions": {}, "review_required": True}),
        ("roles", {"acting_seat": "Bob", "deciding_player": "Alice", "performer": "Alice"}),
    ],
)
def test_one_answer_to_everything_would_be_noticed(ask: str, always: Any) -> None:
    held = [holds(question.expect, always) for _, question in _ALL if question.ask == ask]

    assert not all(held)
    assert held.count(False) >= len(held) // 3
