"""Which lines a check runs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any, TypeAlias

__all__ = ["Line", "lines_run"]

Line: TypeAlias = tuple[str, int]
"""File and number of a line."""


@contextmanager
def lines_run(*places: str) -> Iterator[set[Line]]:
    """Collects the lines that are run of files whose path contains one of the places."""
    runs: set[Line] = set()
    watched: dict[CodeType, bool] = {}

    def in_function(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            runs.add((frame.f_code.co_filename, frame.f_lineno))
        return in_function

    def called(frame: FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        found = watched.get(code)
        if found is None:
            found = watched[code] = any(place in code.co_filename for place in places)
        return in_function if found else None

    before = sys.gettrace()
    sys.settrace(called)
    try:
        yield runs
    finally:
        sys.settrace(before)
