"""`python -m tests.mutation [kernel] [rules] [answers]`: how many faults are noticed.

Exits with 1 when that is less than the share asked for, or when a check fails without any fault.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Callable, Sequence
from typing import Final

from tests.mutation import answers, kernel, rules
from tests.mutation.checks import Check, Checks, scenario_checks
from tests.mutation.pytests import with_tests
from tests.mutation.report import PINNED, Outcome, rate, rendered

_MEMORY: Final = 6 << 30


def main() -> int:
    """Try the faults asked for and print what came of them."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(_PARTS))
    parser.add_argument("--sample", type=int, default=0, help="faults per part; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="faults whose name contains this")
    parser.add_argument("--at-least", type=float, default=90.0, help="percent to be noticed")
    parser.add_argument("--slow", action="store_true", help="try properties and pinned answers too")
    asked = parser.parse_args()
    if unknown := set(asked.parts) - _PARTS.keys():
        parser.error(f"no part is called {min(unknown)}")
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    good = True
    for part in asked.parts or _PARTS:
        began = time.perf_counter()
        good &= _PARTS[part](asked)
        print(f"  ({time.perf_counter() - began:.0f} s, seed {asked.seed})", flush=True)
    return 0 if good else 1


def _kernel(asked: argparse.Namespace) -> bool:
    def work(tests: list[Check]) -> bool:
        chosen, among = kernel.sampled(asked.sample or None, asked.seed, asked.only)
        checks = Checks([*scenario_checks(), *tests] if chosen else [], kernel.PLACES)
        outcomes = kernel.try_faults(chosen, checks, _progress)
        return _told("kernel", outcomes, among, asked.at_least, checks)

    return with_tests(kernel.TESTS, work, without=() if asked.slow else kernel.SLOW)


def _rules(asked: argparse.Namespace) -> bool:
    def work(tests: list[Check]) -> bool:
        chosen, among = rules.sampled(asked.sample or None, asked.seed, asked.only)
        checks = Checks([*scenario_checks(), *tests] if chosen else [])
        outcomes = rules.try_faults(chosen, checks, _progress)
        return _told("edition data", outcomes, among, asked.at_least, checks)

    return with_tests(rules.TESTS, work)


def _answers(asked: argparse.Namespace) -> bool:
    outcomes = answers.try_stubs()
    return _told("answers that are always the same", outcomes, len(outcomes), asked.at_least)


def _told(
    title: str,
    outcomes: Sequence[Outcome],
    among: int,
    at_least: float,
    checks: Checks | None = None,
) -> bool:
    print(rendered(title, outcomes, among))
    if checks is not None:
        print(f"  {checks.count} checks; fail without a fault: {checks.broken or 'none'}")
    return rate(outcomes) >= at_least and not (checks and checks.broken)


def _progress(outcome: Outcome) -> None:
    noticed = outcome.noticed_by or "NOT NOTICED"
    quiet = outcome.noticed_by is not None and PINNED not in noticed
    said = "." if quiet else f"\n{outcome.where} {outcome.key}: {noticed}\n"
    print(said, end="", file=sys.stderr, flush=True)


_PARTS: Final[dict[str, Callable[[argparse.Namespace], bool]]] = {
    "answers": _answers,
    "rules": _rules,
    "kernel": _kernel,
}

if __name__ == "__main__":
    sys.exit(main())
