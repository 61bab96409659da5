"""What should notice a fault: scenarios, and the tests of the parts that are faulty."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final, TypeAlias

from tests.mutation.report import PINNED
from whodecided.scenario.running import run_scenario
from whodecided.scenario.scenario import read_scenarios

__all__ = ["CASES", "Check", "Checks", "Place", "scenario_checks"]

CASES: Final = Path(__file__).parents[1] / "scenarios" / "cases"


_DOMAIN: Final = f"{os.sep}domain{os.sep}"
Place: TypeAlias = tuple[str, str]
"""File and qualified name of a function."""


class TimeUpError(BaseException):
    """A check took too long, which counts as noticed. No handler of errors may catch it."""


@dataclass(frozen=True, slots=True)
class Check:
    """A scenario or a test; `fails` runs it and says whether it fails."""

    name: str
    fails: Callable[[], bool]


@dataclass(frozen=True, slots=True)
class _Tried:
    """A check that was run without a fault: how long it took, and the functions it ran."""

    check: Check
    seconds: float
    runs: frozenset[Place]

    @property
    def last(self) -> bool:
        """Whether it says something only where nothing else does."""
        return PINNED in self.check.name


class Checks:
    """Checks in an order that finds faults early: the quick ones, and those that found the last.

    Those that fail without any fault are left out; `broken` names them.
    """

    def __init__(self, checks: Sequence[Check], limit: float = 20.0) -> None:
        self.limit = limit
        tried = [self._tried(check) for check in checks]
        self.broken = [
            check.name for check, found in zip(checks, tried, strict=True) if found is None
        ]
        kept = [found for found in tried if found is not None]
        self._order = sorted(kept, key=lambda found: (found.last, found.seconds))

    @property
    def count(self) -> int:
        """How many checks there are."""
        return len(self._order)

    def noticed_by(self, fault_in: Place | None = None) -> str | None:
        """The name of the first check that fails now, None if none does.

        Checks that do not run the function that the fault is in are left out.
        """
        for place, tried in enumerate(self._order):
            if fault_in is not None and fault_in not in tried.runs:
                continue
            if self._fails(tried.check):
                if not tried.last:
                    self._order.insert(0, self._order.pop(place))
                return tried.check.name
        return None

    def _tried(self, check: Check) -> _Tried | None:
        began = time.perf_counter()
        with _functions_run() as runs:
            fails = self._fails(check)
        seconds = time.perf_counter() - began
        return None if fails else _Tried(check, seconds, frozenset(runs))

    def _fails(self, check: Check) -> bool:
        try:
            with _time_limit(self.limit):
                return check.fails()
        except (Exception, TimeUpError):
            return True


@contextmanager
def _functions_run() -> Iterator[set[Place]]:
    """Collects the functions of the domain that are run, by file and name."""
    seen: set[CodeType] = set()
    runs: set[Place] = set()

    def called(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            seen.add(frame.f_code)

    sys.setprofile(called)
    try:
        yield runs
    finally:
        sys.setprofile(None)
        for code in seen:
            if _DOMAIN in code.co_filename:
                runs.add((code.co_filename, code.co_qualname.partition(".<locals>")[0]))


_alarm: list[bool] = [False]
"""Whether a check is running that an alarm may end; one that comes late is let pass."""


def _time_is_up(*_: Any) -> None:
    if _alarm[0]:
        _alarm[0] = False
        raise TimeUpError


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    signal.signal(signal.SIGALRM, _time_is_up)
    _alarm[0] = True
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        _alarm[0] = False
        signal.setitimer(signal.ITIMER_REAL, 0)


def scenario_checks(folder: Path = CASES) -> list[Check]:
    """A check for every scenario of the cases."""
    return [
        Check(scenario.id, lambda told=scenario: not run_scenario(told).passed)  # type: ignore[misc]  # bound now
        for file in sorted(folder.glob("*.yaml"))
        for scenario in read_scenarios(file)
    ]
