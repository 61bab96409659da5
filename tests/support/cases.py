"""The shared cases as plain data: nested dicts and lists of texts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from tests.shared import shared_path
from whodecided.scenario.reader import read_documents

__all__ = ["case_citations", "shared_cases"]


@cache
def shared_cases() -> dict[str, Any]:
    """Id -> scenario; skips the running test without the shared folder."""
    files = sorted(shared_path("cases").glob("*.yaml"))
    return {case["id"]: case for file in files for case in read_documents(file) if case}


def case_citations() -> Iterator[tuple[str, str, str]]:
    """Id, rules date and number of every question that demands a rule."""
    for key, case in shared_cases().items():
        for question in case["questions"]:
            if "rule" in question:
                yield key, question.get("rules_date", case["rules_date"]), question["rule"]
