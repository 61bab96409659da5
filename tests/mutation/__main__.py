"""`python -m tests.mutation [kernel] [rules] [answers]`: how many faults are noticed."""

from __future__ import annotations

import argparse
import resource
import sys
import time

from tests.mutation import answers, kernel, rules
from tests.mutation.checks import Check, Checks, scenario_checks
from tests.mutation.pytests import with_tests
from tests.mutation.report import PINNED, Outcome, rendered

_MEMORY = 6 << 30


def main() -> None:
    """Try the faults asked for and print what came of them."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(_PARTS))
    parser.add_argument("--sample", type=int, default=400, help="faults per part; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if unknown := set(asked.parts) - _PARTS.keys():
        parser.error(f"no part is called {min(unknown)}")
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    size = asked.sample or None
    for part in asked.parts or _PARTS:
        began = time.perf_counter()
        print(_PARTS[part](size, asked.seed))
        print(f"  ({time.perf_counter() - began:.0f} s, seed {asked.seed})", flush=True)


def _kernel(size: int | None, seed: int) -> str:
    said: list[str] = []

    def work(tests: list[Check]) -> None:
        checks = Checks([*scenario_checks(), *tests])
        _say(f"{checks.count} checks; left out as they fail anyway: {checks.broken or 'none'}")
        chosen, among = kernel.sampled(size, seed)
        said.append(rendered("kernel", kernel.try_faults(chosen, checks, _progress), among))

    with_tests(kernel.TESTS, work)
    return said[0]


def _rules(size: int | None, seed: int) -> str:
    said: list[str] = []

    def work(tests: list[Check]) -> None:
        checks = Checks([*scenario_checks(), *tests])
        _say(f"{checks.count} checks; left out as they fail anyway: {checks.broken or 'none'}")
        chosen, among = rules.sampled(size, seed)
        said.append(rendered("edition data", rules.try_faults(chosen, checks, _progress), among))

    with_tests(rules.TESTS, work)
    return said[0]


def _answers(size: int | None, seed: int) -> str:
    outcomes = answers.try_stubs()
    return rendered("answers that are always the same", outcomes, len(outcomes))


def _progress(outcome: Outcome) -> None:
    noticed = outcome.noticed_by or "NOT NOTICED"
    quiet = outcome.noticed_by is not None and PINNED not in noticed
    _say("." if quiet else f"\n{outcome.where} {outcome.key}: {noticed}\n", end="")


def _say(text: str, end: str = "\n") -> None:
    print(text, end=end, file=sys.stderr, flush=True)


_PARTS = {"answers": _answers, "rules": _rules, "kernel": _kernel}

if __name__ == "__main__":
    main()
