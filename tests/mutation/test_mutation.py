"""The short version: a few faults, noticed by the scenarios and by the second telling of the data.

`python -m tests.mutation` tries more of them, against more tests.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Any, Final

import pytest

import tests.domain.rules.test_library as library
import tests.whodecided.test_edition_data as data
from domain.control import decide, evolve_control
from tests.mutation import answers, kernel, rules
from tests.mutation.checks import CASES, Check, Checks, scenario_checks
from tests.mutation.injecting import Target
from tests.mutation.report import Outcome, reasons, rendered
from tests.mutation.syntax import faults
from whodecided.rulebook import load_rulebook
from whodecided.scenario.running import run_file

_SAMPLE: Final = 25
_SOURCE: Final = '''
"""A module."""
LIMIT = 3

def most(values: list[int], start: int = 0) -> int:
    """The largest value."""
    for value in values:
        if value > start and not value == LIMIT:
            start = value
    return start
'''


@pytest.fixture(scope="module")
def scenarios() -> list[Check]:
    return scenario_checks()


def test_faults_are_put_into_functions_and_constants_and_nowhere_else() -> None:
    found = [(fault.place, fault.what) for fault in faults(_SOURCE)]

    assert set(found) == {
        ("LIMIT", "3 -> 4"),
        ("most", "Gt -> GtE"),
        ("most", "Eq -> NotEq"),
        ("most", "And -> Or"),
        ("most", "without not"),
        ("most", "condition negated"),
        ("most", "return None"),
        ("most", "without `start = value`"),
        ("most", "without `if value > start and (not value == LIMIT):`"),
        ("most", "without `for value in values:`"),
    }


def test_a_fault_is_in_use_everywhere_and_taken_back() -> None:
    target = Target("domain.control.deciding")
    before = decide.__code__
    fault = next(f for f in target.faults if f.place == "decide" and f.what == "return None")
    with target.faulty(fault):
        assert decide.__code__ is not before
    assert decide.__code__ is before


def test_a_faulty_constant_is_in_use_everywhere_and_taken_back() -> None:
    target = Target("domain.control.decisions")
    fault = next(f for f in target.faults if f.place == "SEARCHING")
    deciding = __import__("domain.control.deciding", fromlist=["SEARCHING"])
    with target.faulty(fault):
        assert deciding.SEARCHING == "searching!"
    assert deciding.SEARCHING == "searching"


def test_without_a_fault_nothing_is_noticed(scenarios: list[Check]) -> None:
    checks = Checks(scenarios)

    assert checks.broken == []
    assert checks.count == 326
    assert checks.noticed_by() is None


def test_faults_in_the_kernel_are_noticed_by_the_scenarios(scenarios: list[Check]) -> None:
    chosen, among = kernel.sampled(_SAMPLE, seed=11)
    outcomes = kernel.try_faults(chosen, Checks(scenarios), _quiet)

    assert among > 2000
    # So few faults hold no rate, and the unit tests are left out here: `make mutation` measures it.
    assert _rate(outcomes) > 0.4, rendered("kernel", outcomes, among)
    assert not any(check.fails() for check in scenarios[:20])


def test_faults_in_the_edition_data_are_noticed(scenarios: list[Check]) -> None:
    chosen, among = rules.sampled(_SAMPLE, seed=11)
    checks = Checks([*_functions(data), *_functions(library), *scenarios])
    outcomes = rules.try_faults(chosen, checks, _quiet)

    assert checks.broken == []
    assert among > 700
    assert _rate(outcomes) >= 0.9, rendered("edition data", outcomes, among)
    assert load_rulebook("2012-06-01").cite("player-control.decisions")[0].number == "712.5"


def test_every_switch_that_is_turned_round_is_noticed(scenarios: list[Check]) -> None:
    turned = [fault for fault in rules.sampled(None, 0)[0] if not fault.file]
    outcomes = rules.try_faults(turned, Checks([*_functions(library), *scenarios]), _quiet)

    assert len(turned) == len(load_rulebook().switches)
    assert _rate(outcomes) == 1, rendered("switches", outcomes, len(outcomes))


def test_an_answer_that_is_always_the_same_fails_some_scenario_of_every_kind() -> None:
    outcomes = answers.try_stubs()

    assert len(outcomes) > 300
    assert _rate(outcomes) == 1, rendered("stubs", outcomes, len(outcomes))
    assert all(result.passed for result in run_file(CASES / "chains.yaml"))


def test_every_reason_why_a_fault_is_none_is_about_a_fault_that_can_be_made() -> None:
    made = {fault.key for fault in rules.sampled(None, 0)[0]}
    made |= {kernel.key_of(one) for one in kernel.sampled(None, 0)[0]}

    assert reasons().keys() - made == set()


def _rate(outcomes: list[Outcome]) -> float:
    known = reasons()
    noticed = [outcome for outcome in outcomes if outcome.noticed_by or outcome.key in known]
    return len(noticed) / len(outcomes)


def _quiet(_: Outcome) -> None:
    pass


def _functions(module: ModuleType) -> Iterator[Check]:
    """The tests of a module that need no fixtures, called with each set of their parameters."""
    for name, function in vars(module).items():
        if not name.startswith("test_"):
            continue
        marks = [m for m in getattr(function, "pytestmark", []) if m.name == "parametrize"]
        names, sets = marks[0].args if marks else ((), [()])
        for values in sets:
            given = values if isinstance(names, tuple) else (values,)
            yield Check(name, lambda call=function, given=given: _raises(call, *given))  # type: ignore[misc]  # bound now


def _raises(call: Any, *given: Any) -> bool:
    call(*given)
    return False


def test_the_kernel_that_is_tried_is_the_one_in_use() -> None:
    assert evolve_control.__module__.startswith(kernel.KERNEL)
