"""What should notice a fault: scenarios, and the tests of the parts that are faulty."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from whodecided.scenario.running import run_scenario
from whodecided.scenario.scenario import read_scenarios

__all__ = ["CASES", "Check", "Checks", "scenario_checks"]

CASES: Final = Path(__file__).parents[1] / "scenarios" / "cases"


class TimeUpError(BaseException):
    """A check took too long, which counts as noticed. No handler of errors may catch it."""


@dataclass(frozen=True, slots=True)
class Check:
    """A scenario or a test; `fails` runs it and says whether it fails."""

    name: str
    fails: Callable[[], bool]


class Checks:
    """Checks in an order that finds faults early: the quick ones, and those that found the last.

    Those that fail without any fault are left out; `broken` names them.
    """

    def __init__(self, checks: Sequence[Check], limit: float = 20.0) -> None:
        self.limit = limit
        timed = [(self._timed(check), check) for check in checks]
        self.broken = [check.name for took, check in timed if took is None]
        kept = [(took, number) for number, (took, _) in enumerate(timed) if took is not None]
        self._order = [checks[number] for _, number in sorted(kept)]

    @property
    def count(self) -> int:
        """How many checks there are."""
        return len(self._order)

    def noticed_by(self) -> str | None:
        """The name of the first check that fails now, None if none does."""
        for place, check in enumerate(self._order):
            if self._fails(check):
                self._order.insert(0, self._order.pop(place))
                return check.name
        return None

    def _timed(self, check: Check) -> float | None:
        began = time.perf_counter()
        return None if self._fails(check) else time.perf_counter() - began

    def _fails(self, check: Check) -> bool:
        try:
            with _time_limit(self.limit):
                return check.fails()
        except (Exception, TimeUpError):
            return True


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    def up(*_: Any) -> None:
        raise TimeUpError

    before = signal.signal(signal.SIGALRM, up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def scenario_checks(folder: Path = CASES) -> list[Check]:
    """A check for every scenario of the cases."""
    return [
        Check(scenario.id, lambda told=scenario: not run_scenario(told).passed)  # type: ignore[misc]  # bound now
        for file in sorted(folder.glob("*.yaml"))
        for scenario in read_scenarios(file)
    ]
