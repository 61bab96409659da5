"""What fuzzing shares: how long it looks, what it may use meanwhile, and values of any kind."""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Final

from hypothesis import settings
from hypothesis import strategies as st

__all__ = ["PLAIN", "SPLICES", "Hangs", "Splice", "bounded", "budget", "places", "spliced"]

_TIMES: Final = max(1, int(os.environ.get("WHODECIDED_FUZZ") or 1))
"""How many times as many examples as usual are looked at."""
_SECONDS: Final = 120
"""No example takes a tenth of it; a slow machine is no hang."""
_MEMORY: Final = 1 << 30
"""Bytes of address space that one example may take beyond what there is."""
_IN_USE: Final = Path("/proc/self/statm")

PLAIN: Final = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False)
    | st.text(max_size=8)
    | st.sampled_from(["", "0", "-1", "1e999", "\x00", "\x1b[31m", "../../x", "9" * 400]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=6,
)
"""Any value that JSON can say."""


class Hangs(BaseException):
    """An example went on for minutes. No `except Exception` on its way may take it."""


def budget(examples: int) -> settings:
    """Settings of a fuzz test that looks at so many examples, `WHODECIDED_FUZZ` times."""
    return settings(max_examples=examples * _TIMES)


@contextmanager
def bounded() -> Iterator[None]:
    """Raise Hangs where the block goes on for minutes, MemoryError where it takes a gigabyte."""
    former = signal.signal(signal.SIGALRM, _hangs)
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    signal.alarm(_SECONDS)
    if _IN_USE.exists():
        in_use = int(_IN_USE.read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (in_use + _MEMORY, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
        signal.alarm(0)
        signal.signal(signal.SIGALRM, former)


def _hangs(number: int, frame: FrameType | None) -> None:
    raise Hangs(f"still at it after {_SECONDS} seconds")


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every (container, key) in nested plain data."""
    keys: Any = list(value) if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield value, key
        if isinstance(value[key], dict | list):
            yield from places(value[key])


Splice = tuple[float, int, bytes | None]
"""Where (0 to 1), how many bytes go, and what takes their place: bytes, or None for them twice."""

SPLICES: Final[st.SearchStrategy[list[Splice]]] = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 400), st.none() | st.binary(max_size=12)),
    min_size=1,
    max_size=4,
)


def spliced(data: bytes, changes: list[Splice]) -> bytes:
    """The bytes with a few stretches taken out, written twice, or replaced by others."""
    for where, length, put in changes:
        start = int(where * len(data))
        end = min(len(data), start + length)
        data = data[:start] + (data[start:end] * 2 if put is None else put) + data[end:]
    return data
