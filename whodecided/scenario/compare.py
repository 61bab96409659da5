"""Does an answer hold against what a scenario expects?"""

from __future__ import annotations

from typing import Any

__all__ = ["holds", "typed"]


def typed(expect: Any, value: Any) -> Any:
    """What is expected, read as texts, in the types of the answer's value."""
    if isinstance(expect, dict):
        known = value if isinstance(value, dict) else {}
        return {key: typed(one, known.get(key)) for key, one in expect.items()}
    if isinstance(expect, list):
        return [_scalar_or_list(one) for one in expect]
    return _scalar(expect)


def _scalar_or_list(expect: Any) -> Any:
    if isinstance(expect, list):
        return [_scalar_or_list(one) for one in expect]
    return _scalar(expect)


def _scalar(expect: Any) -> Any:
    if expect in ("true", "false"):
        return expect == "true"
    if isinstance(expect, str) and expect.isdecimal():
        return int(expect)
    return expect


def holds(expect: Any, value: Any) -> bool:
    """Whether the value is the expected one; of a mapping only the keys that are given."""
    if isinstance(expect, dict) and isinstance(value, dict):
        return all(key in value and value[key] == one for key, one in typed(expect, value).items())
    return bool(typed(expect, value) == value)
