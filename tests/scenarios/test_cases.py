"""The cases: every question, under every edition, is answered as the case expects.

They run through the code of `whodecided scenario`, nothing is left out.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest

from tests.shared import needs_shared, shared_path
from whodecided.rulebook import load_rules
from whodecided.scenario.answers import ANSWERED
from whodecided.scenario.compare import holds
from whodecided.scenario.running import QuestionResult, run_scenario
from whodecided.scenario.scenario import Question, Scenario, read_scenarios
from whodecided.scenario.words import QUESTIONS

_CASES: Final = Path(__file__).parent / "cases"
_ALL: Final = [s for file in sorted(_CASES.glob("*.yaml")) for s in read_scenarios(file)]
_QUESTIONS: Final = [(s, q) for s in _ALL for q in s.questions]


@pytest.mark.parametrize("scenario", _ALL, ids=lambda scenario: scenario.id)
def test_a_case_is_answered_as_it_expects(scenario: Scenario) -> None:
    result = run_scenario(scenario)

    assert len(result.questions) == len(scenario.questions)
    assert result.passed, "\n".join(map(_what_is_wrong, result.questions))


def _what_is_wrong(result: QuestionResult) -> str:
    if result.passed:
        return ""
    asked: dict[str, Any] = dict(result.question.asked)
    given = result.answer
    return f"question {result.question.number} {asked}: {given.value!r}, {result.numbers}"


def test_all_questions_of_all_kinds_and_of_all_families_of_editions_are_asked() -> None:
    rules = load_rules()
    editions = [rules.edition_on(_date(scenario, question)) for scenario, question in _QUESTIONS]

    assert len(_ALL) == 326
    assert len(_QUESTIONS) == 1929
    assert {question.ask for _, question in _QUESTIONS} == ANSWERED == set(QUESTIONS)
    assert {edition.family for edition in editions} == {"none", "507", "turn", "player"}
    assert len({edition.section for edition in editions}) >= 13


def _date(scenario: Scenario, question: Question) -> str:
    date: str = question.keys.get("rules_date", scenario.rules_date)
    return date


@pytest.mark.parametrize("ask", sorted(ANSWERED))
def test_no_answer_holds_for_every_question_of_a_kind(ask: str) -> None:
    expected = [q.expect for _, q in _QUESTIONS if q.ask == ask and q.expects]
    always = {str(expect): sum(holds(other, expect) for other in expected) for expect in expected}

    assert len(expected) > 1
    assert max(always.values()) < len(expected)


def test_every_case_has_an_id_of_its_own() -> None:
    assert max(Counter(scenario.id for scenario in _ALL).values()) == 1


@needs_shared
def test_the_cases_are_those_of_the_shared_folder() -> None:
    theirs = {file.name: file.read_bytes() for file in shared_path("cases").glob("*.yaml")}

    assert {file.name: file.read_bytes() for file in _CASES.glob("*.yaml")} == theirs
