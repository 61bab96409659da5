"""The short version: a few faults of every kind are noticed.

`python -m tests.mutation` tries all of them.
"""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Final

from domain.control import decide, evolve_control
from tests.mutation import answers, kernel, rules
from tests.mutation.checks import CASES
from tests.mutation.injecting import Target
from tests.mutation.report import Outcome, rate, reasons, rendered
from tests.mutation.syntax import faults
from tests.shared import PROJECT_ROOT
from whodecided.scenario.running import run_file

_TOOL: Final = (sys.executable, "-m", "tests.mutation")
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


def test_faults_in_the_kernel_are_noticed() -> None:
    said = _said("kernel", "--sample", "60", "--seed", "11", "--at-least", "90")

    assert _among(said) > 2000
    assert "fail without a fault: none" in said


def test_faults_in_the_edition_data_are_noticed() -> None:
    said = _said("rules", "--sample", "30", "--seed", "11", "--at-least", "95")

    assert _among(said) > 700
    assert re.search(r"switches turned round +(\d+) of +\1 ", said)
    assert "fail without a fault: none" in said


def test_a_share_that_is_not_reached_is_a_failure() -> None:
    done = subprocess.run(
        [*_TOOL, "rules", "--only", "no fault is called so"],
        cwd=PROJECT_ROOT,
        capture_output=True,
        check=False,
    )

    assert done.returncode == 1
    assert b"0 of 0 faults tried" in done.stdout


def test_reasons_count_for_nothing_in_the_share_of_what_was_noticed() -> None:
    why = next(iter(reasons()))
    outcomes = [Outcome("a:1", "x", "SCN-1"), Outcome("a:2", why, None), Outcome("b:1", "y", None)]
    said = rendered("some", outcomes, 9).splitlines()

    assert rate(outcomes) == 100 / 3
    assert "3 of 9 faults tried, 1 noticed (33.3 %), 2 not, 1 of them for a known" in said[0]
    assert [line.split() for line in said[1:3]] == [
        ["a", "1", "of", "2", "50.0", "%"],
        ["b", "0", "of", "1", "0.0", "%"],
    ]
    assert said[-1].strip() == "NO REASON KNOWN"


def test_an_answer_that_is_always_the_same_fails_some_scenario_of_every_kind() -> None:
    outcomes = answers.try_stubs()

    assert len(outcomes) > 300
    assert rate(outcomes) == 100, rendered("stubs", outcomes, len(outcomes))
    assert all(result.passed for result in run_file(CASES / "chains.yaml"))


def test_every_reason_why_a_fault_is_none_is_about_a_fault_that_can_be_made() -> None:
    made = {fault.key for fault in rules.sampled(None, 0)[0]}
    made |= {kernel.key_of(one) for one in kernel.sampled(None, 0)[0]}

    assert reasons().keys() - made == set()


def _said(*asked: str) -> str:
    """What the tool says; the test fails where the tool does.

    In a process of its own: the tool makes copies of its process, which this one must not do.
    """
    done = subprocess.run(
        [*_TOOL, *asked], cwd=PROJECT_ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    return done.stdout


def _among(said: str) -> int:
    found = re.search(r" of (\d+) faults tried", said)
    assert found is not None
    return int(found[1])


def test_the_kernel_that_is_tried_is_the_one_in_use() -> None:
    assert evolve_control.__module__.startswith(kernel.KERNEL)
