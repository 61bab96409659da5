"""The figures that acceptance checks measure, printed at the end of the run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.acceptance import FULL, Figure


@pytest.fixture
def figure(record_property: Callable[[str, object], None]) -> Figure:
    """Note a figure that this check measured."""

    def note(name: str, value: object) -> None:
        record_property("figure", f"{name}: {value}")

    return note


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print every figure below the check it belongs to."""
    if not FULL:
        return
    reports = [
        (report.nodeid, text)
        for outcome in ("passed", "failed")
        for report in terminalreporter.getreports(outcome)
        for name, text in getattr(report, "user_properties", ())
        if name == "figure"
    ]
    terminalreporter.section("acceptance figures")
    for nodeid, text in reports:
        terminalreporter.write_line(f"{nodeid.partition('::')[2]}  {text}")
