"""What should notice a fault: scenarios, and the tests of the parts that are faulty."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.mutation.apart import DiedError, apart
from tests.mutation.injecting import forget
from tests.mutation.report import PINNED
from tests.mutation.tracing import Line, lines_run
from whodecided.scenario.running import run_scenario
from whodecided.scenario.scenario import read_scenarios

__all__ = ["CASES", "Check", "Checks", "scenario_checks"]

CASES: Final = Path(__file__).parents[1] / "scenarios" / "cases"
_SLOW: Final = 0.5
"""Seconds from which on a check is not asked which lines it runs: it may run any."""


class TimeUpError(BaseException):
    """A check took too long, which counts as noticed. No handler of errors may catch it."""


@dataclass(frozen=True, slots=True)
class Check:
    """A scenario or a test; `fails` runs it and says whether it fails."""

    name: str
    fails: Callable[[], bool]


@dataclass(frozen=True, slots=True)
class _Tried:
    """A check that was run without a fault: how much work it was, and the lines it ran.

    `seconds` are those of the processor, so that nothing else on the machine makes a difference.
    `lines` is None where it may run any.
    """

    check: Check
    seconds: float
    lines: frozenset[Line] | None

    @property
    def last(self) -> bool:
        """Whether it says something only where nothing else does."""
        return PINNED in self.check.name

    @property
    def limit(self) -> float:
        """Seconds of work after which it has failed: an endless loop."""
        return 1 + 20 * self.seconds

    def runs(self, lines: frozenset[Line] | None) -> bool:
        """Whether it runs any of the lines, as far as is known."""
        return lines is None or self.lines is None or not self.lines.isdisjoint(lines)


class Checks:
    """Checks in an order that finds faults early: the quick ones, and those that found the last.

    They are run in copies of this process, so that a fault leaves no traces. Those that fail
    without any fault are left out; `broken` names them. Which lines a check runs is found out for
    the files whose paths contain one of `traced`.
    """

    def __init__(self, checks: Sequence[Check], traced: Sequence[str] = ()) -> None:
        tried = apart(lambda: [_trial(check, traced) for check in checks])
        found = list(zip(checks, tried, strict=True))
        self.broken = [check.name for check, trial in found if trial is None]
        kept = [_Tried(check, *trial) for check, trial in found if trial is not None]
        self._order = sorted(kept, key=lambda found: (found.last, found.seconds))

    @property
    def count(self) -> int:
        """How many checks there are."""
        return len(self._order)

    def noticed_by(
        self, fault: Callable[[], Any], lines: frozenset[Line] | None = None
    ) -> str | None:
        """The name of the first check that fails with the fault, None if none does.

        `fault` opens a context in which the fault is there. Checks that run none of its `lines` are
        left out.
        """
        try:
            place = apart(lambda: self._first_failing(fault, lines))
        except DiedError:
            return "the process died"
        if place is None:
            return None
        found = self._order[place]
        if not found.last and found.lines is not None:
            self._order.insert(0, self._order.pop(place))
        return found.check.name

    def _first_failing(self, fault: Callable[[], Any], lines: frozenset[Line] | None) -> int | None:
        with fault():
            return next(
                (
                    place
                    for place, tried in enumerate(self._order)
                    if tried.runs(lines) and _fails(tried.check, tried.limit)
                ),
                None,
            )


def _trial(check: Check, traced: Sequence[str]) -> tuple[float, frozenset[Line] | None] | None:
    """How much work the check is and which lines it runs; None if it fails."""
    began = time.process_time()
    if _fails(check, 60):
        return None
    seconds = time.process_time() - began
    if not traced or seconds > _SLOW:
        return seconds, None
    forget()
    with lines_run(*traced) as lines:
        _fails(check, 60)
    return seconds, frozenset(lines)


def _fails(check: Check, limit: float) -> bool:
    try:
        with _time_limit(limit):
            return check.fails()
    except (Exception, TimeUpError):
        return True


_alarm: list[bool] = [False]
"""Whether a check is running that an alarm may end; one that comes late is let pass."""


def _time_is_up(*_: Any) -> None:
    if _alarm[0]:
        _alarm[0] = False
        raise TimeUpError


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    signal.signal(signal.SIGPROF, _time_is_up)
    _alarm[0] = True
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        _alarm[0] = False
        signal.setitimer(signal.ITIMER_PROF, 0)


def scenario_checks(folder: Path = CASES) -> list[Check]:
    """A check for every scenario of a folder."""
    return [
        Check(scenario.id, lambda told=scenario: not run_scenario(told).passed)  # type: ignore[misc]  # bound now
        for file in sorted(folder.glob("*.yaml"))
        for scenario in read_scenarios(file)
    ]
