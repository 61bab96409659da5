"""The cases: every question of the current edition is answered as the case expects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.shared import needs_shared, shared_path
from whodecided.rulebook import editions, load_rulebook
from whodecided.scenario.answers import ANSWERED, answer
from whodecided.scenario.compare import holds
from whodecided.scenario.play import Play, play
from whodecided.scenario.scenario import Question, Scenario, read_scenarios

_CASES = Path(__file__).parent / "cases"
_CURRENT = editions()[-1]


def _scenarios() -> list[Scenario]:
    return [s for file in sorted(_CASES.glob("*.yaml")) for s in read_scenarios(file)]


_ALL = _scenarios()


def _date(scenario: Scenario, question: Question) -> str:
    date: str = question.keys.get("rules_date", scenario.rules_date)
    return date


def _current(scenario: Scenario) -> Iterator[Question]:
    """The scenario's questions under the current edition that the product answers."""
    for question in scenario.questions:
        if _date(scenario, question) >= _CURRENT:
            yield question


@pytest.mark.parametrize(
    "scenario", [s for s in _ALL if any(_current(s))], ids=lambda scenario: scenario.id
)
def test_a_case_is_answered_as_it_expects(scenario: Scenario) -> None:
    plays: dict[str, Play] = {}
    wrong: list[str] = []
    for question in _current(scenario):
        rules = load_rulebook(_date(scenario, question))
        told = plays.setdefault(rules.reading, play(scenario, rules))
        wrong.extend(_what_is_wrong(told, question))

    assert not wrong, "\n".join(wrong)


def _what_is_wrong(told: Play, question: Question) -> Iterator[str]:
    given = answer(told, question)
    asked: dict[str, Any] = dict(question.asked)
    if question.expects and not holds(question.expect, given.value):
        yield f"question {question.number} {asked}: {given.value!r} {given.because}"
    numbers = [rule.number for rule in given.rules]
    if "rule" in question.keys and question.keys["rule"] not in numbers:
        yield f"question {question.number} {asked}: cites {numbers}"


def test_it_is_known_which_questions_are_not_asked_here() -> None:
    left_out: Counter[str] = Counter()
    asked = 0
    for scenario in _ALL:
        for question in scenario.questions:
            if _date(scenario, question) < _CURRENT:
                left_out["of an older edition"] += 1
            else:
                asked += 1

    assert asked == 1279
    assert left_out == {"of an older edition": 650}
    kinds = {question.ask for scenario in _ALL for question in scenario.questions}
    assert kinds == ANSWERED


def test_every_case_has_an_id_of_its_own() -> None:
    assert max(Counter(scenario.id for scenario in _ALL).values()) == 1


@needs_shared
def test_the_cases_are_those_of_the_shared_folder() -> None:
    theirs = {file.name: file.read_bytes() for file in shared_path("cases").glob("*.yaml")}

    assert {file.name: file.read_bytes() for file in _CASES.glob("*.yaml")} == theirs
