"""The canonical JSON profile: what is stored is what is hashed is what is exported.

Keys are snake_case ASCII and sorted, there are no floats, integers stay below 2^53, times are RFC
3339 in UTC with exactly six digits, nulls are explicit, and dictionaries with free keys are lists
of pairs. Inside this profile the bytes equal RFC 8785.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

import msgspec

__all__ = ["MAX_INT", "canonical_json", "format_time", "sha256"]

MAX_INT = 2**53 - 1
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_encoder = msgspec.json.Encoder(order="sorted")


def canonical_json(value: Any) -> bytes:
    """Encode plain values (or event structs) as canonical JSON bytes."""
    return _encoder.encode(value)


def format_time(microseconds: int) -> str:
    """RFC 3339 text, UTC, six digits, of microseconds since 1970-01-01T00:00:00Z.

    Raises OverflowError outside the years 1 to 9999.
    """
    seconds, rest = divmod(microseconds, 1_000_000)
    return f"{_second(seconds)}.{rest:06d}Z"


@lru_cache(maxsize=64)
def _second(seconds: int) -> str:
    moment = _EPOCH + timedelta(seconds=seconds)
    return moment.isoformat(timespec="seconds")[:19]


def sha256(data: bytes) -> bytes:
    """SHA-256 of the bytes, 32 bytes."""
    return hashlib.sha256(data).digest()
