"""The application: store, importers, command line and Python API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from whodecided.api import Log, Observation, UnnamedReader, UnrecordedRead, open_log

__all__ = ["Log", "Observation", "UnnamedReader", "UnrecordedRead", "open_log"]


def __getattr__(name: str) -> Any:
    """Load the API when it is first used: the command line's help does not need it."""
    if name in __all__:
        from whodecided import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
