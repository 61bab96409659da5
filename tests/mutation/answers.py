"""Answers that are always the same: for every kind of question, some scenario must fail."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from tests.mutation.checks import CASES
from tests.mutation.report import Outcome
from whodecided.scenario import answers
from whodecided.scenario.answer import Answer
from whodecided.scenario.play import Play
from whodecided.scenario.running import run_scenario
from whodecided.scenario.scenario import read_scenarios
from whodecided.scenario.told import Question, Scenario

__all__ = ["try_stubs"]

_ALWAYS: Final[tuple[Any, ...]] = (None, True, False, 0, 1, "", [], {})


def try_stubs() -> list[Outcome]:
    """For every kind of question: each answer that some scenario expects, given to every question.

    The stub cites every rule of the edition, so that only its value can be wrong.
    """
    scenarios = [s for file in sorted(CASES.glob("*.yaml")) for s in read_scenarios(file)]
    outcomes = []
    for kind in sorted(answers.ANSWERED):
        asked = [(s, q) for s in scenarios for q in s.questions if q.ask == kind and q.expects]
        for value in _values(asked):
            text = json.dumps(value, ensure_ascii=False)
            with _always(kind, value):
                noticed = next((s.id for s, _ in asked if not run_scenario(s).passed), None)
            outcomes.append(Outcome(f"{kind}:", f"{kind} is always {text}", noticed))
    return outcomes


def _values(asked: list[tuple[Scenario, Question]]) -> list[Any]:
    """The answers that the real kernel gives to these questions, and some plain ones."""
    found = {json.dumps(value): value for value in _ALWAYS}
    for scenario in {s.id: s for s, _ in asked}.values():
        for result in run_scenario(scenario).questions:
            if result.question.ask == asked[0][1].ask:
                found.setdefault(json.dumps(result.answer.value), result.answer.value)
    return list(found.values())


@contextmanager
def _always(kind: str, value: Any) -> Iterator[None]:
    table = answers._ANSWERS
    before = table[kind]
    table[kind] = lambda told, _: Answer(value=value, rules=_all_rules(told))
    try:
        yield
    finally:
        table[kind] = before


def _all_rules(told: Play) -> tuple[Any, ...]:
    return tuple(told.rules.clauses.values())
