"""The shared cases' questions about sight, knowledge and leaks, each under its own edition."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.shared import find_shared, needs_shared
from whodecided.rulebook import load_rulebook
from whodecided.scenario.answers import answer
from whodecided.scenario.compare import holds
from whodecided.scenario.play import play
from whodecided.scenario.scenario import Question, Scenario, read_scenarios

pytestmark = needs_shared


def _asked() -> Iterator[tuple[Scenario, list[Question]]]:
    shared = find_shared()
    for path in sorted((shared / "cases").glob("*.yaml")) if shared is not None else ():
        for scenario in read_scenarios(path):
            questions = [question for question in scenario.questions if _is_ours(question)]
            if questions:
                yield scenario, questions


def _is_ours(question: Question) -> bool:
    if question.ask == "finding":
        return "information-leak" in question.expect
    return question.ask in ("sees", "first_learned")


@pytest.mark.parametrize(
    ("scenario", "questions"),
    [pytest.param(scenario, questions, id=scenario.id) for scenario, questions in _asked()],
)
def test_a_case_is_answered_as_expected(scenario: Scenario, questions: list[Question]) -> None:
    for question in questions:
        day = question.keys.get("rules_date", scenario.rules_date)
        found = answer(play(scenario, load_rulebook(day)), question)

        assert holds(question.expect, found.value), (question.asked, found)
        rule = question.keys.get("rule")
        assert rule is None or rule in {cited.number for cited in found.rules}, question.asked
