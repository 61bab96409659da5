"""The project's own tests as checks that can be run again and again in one process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import pytest
from _pytest.runner import runtestprotocol

from tests.mutation.checks import Check

__all__ = ["with_tests"]

T = TypeVar("T")
_ROOT: Final = Path(__file__).parents[2]


def with_tests(
    paths: Sequence[str], work: Callable[[list[Check]], T], without: Sequence[str] = ()
) -> T:
    """Collect tests once and do the work with them as checks, inside of one run of pytest.

    The files `without` are left out. Properties are tried with few examples, always the same, and
    not made smaller.
    """
    done: list[T] = []
    plugin = _Session(lambda checks: done.append(work(checks)))
    quiet = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--no-header", "--no-summary")
    ignored = [f"--ignore={_ROOT / path}" for path in without]
    asked = [*quiet, *ignored, *(str(_ROOT / path) for path in paths)]
    code = pytest.main(asked, plugins=[plugin])
    if not done:
        raise RuntimeError(f"pytest ended early with {code}")
    return done[0]


class _Session:
    def __init__(self, work: Callable[[list[Check]], None]) -> None:
        self._work = work

    def pytest_configure(self) -> None:
        # pytest must have prepared for it before it is imported.
        from hypothesis import HealthCheck, Phase, settings

        settings.register_profile(
            "mutation",
            max_examples=15,
            phases=[Phase.generate],
            database=None,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        )
        settings.load_profile("mutation")

    def pytest_runtestloop(self, session: Any) -> bool:
        self._work([Check(item.nodeid, lambda item=item: _fails(item)) for item in session.items])  # type: ignore[misc]  # bound now
        return True


def _fails(item: Any) -> bool:
    """Run the test with fixtures of its own."""
    item._initrequest()
    reports = runtestprotocol(item, log=False, nextitem=None)
    return any(report.failed for report in reports)
