"""Faults in the kernel: in the code that says who decides, what is noticed and which rule it is."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tests.mutation.checks import Checks
from tests.mutation.injecting import Target, targets
from tests.mutation.report import Outcome
from tests.mutation.syntax import Fault

__all__ = ["KERNEL", "PLACES", "SLOW", "TESTS", "Chosen", "key_of", "sampled", "try_faults"]

KERNEL: Final = ("domain.control", "domain.findings", "domain.rules.book")
PLACES: Final = tuple(name.replace(".", os.sep) for name in KERNEL)
"""Parts of the paths of the kernel's files."""
TESTS: Final = (
    "tests/domain/control",
    "tests/domain/findings",
    "tests/domain/rules/test_book.py",
    "tests/domain/rules/test_dating.py",
    "tests/domain/rules/test_library.py",
    "tests/projections/test_control_status.py",
    "tests/projections/test_active_player.py",
    "tests/projections/test_findings.py",
    "tests/projections/test_game.py",
    "tests/queries/test_who.py",
)
SLOW: Final = (
    "tests/domain/control/test_pinned_answers.py",
    "tests/domain/control/test_properties.py",
)
"""Tests that take long and say little of their own: pinned answers and random games."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A fault and the module to put it into."""

    target: Target
    fault: Fault


def sampled(size: int | None, seed: int, only: str = "") -> tuple[list[Chosen], int]:
    """So many faults at random (all: None), in order, and how many there are.

    `only` those whose name contains this.
    """
    faults = (Chosen(target, fault) for target in targets(*KERNEL) for fault in target.faults)
    every = [one for one in faults if only in key_of(one)]
    if size is None or size >= len(every):
        return every, len(every)
    chosen = random.Random(seed).sample(range(len(every)), size)
    return [every[number] for number in sorted(chosen)], len(every)


def key_of(one: Chosen) -> str:
    """Names the fault wherever its line is."""
    return f"{one.target.name} {one.fault.place}: {one.fault.text}: {one.fault.what}"


def try_faults(
    chosen: list[Chosen], checks: Checks, told: Callable[[Outcome], None]
) -> list[Outcome]:
    """Put in one fault after the other and see which check notices it."""
    outcomes = []
    for one in chosen:
        outcome = Outcome(
            where=f"{one.target.name}:{one.fault.line}",
            key=key_of(one),
            noticed_by=_noticed(one, checks),
        )
        told(outcome)
        outcomes.append(outcome)
    return outcomes


def _noticed(one: Chosen, checks: Checks) -> str | None:
    try:
        return checks.noticed_by(lambda: one.target.faulty(one.fault), one.target.lines(one.fault))
    except Exception as error:  # a constant that cannot be worked out stops the program at once
        return f"import: {type(error).__name__}"
