"""Hidden information as a salted digest.

A field that can name a hidden card holds a `Sealed` value: the digest stands in the event's bytes,
value and salt in a deletable disclosure. Whoever holds value and salt can prove the value; nobody
else can guess it from the digest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["Seal", "Sealed", "sealed_digest"]

T = TypeVar("T")


class Sealed(BaseModel, Generic[T]):
    """A value of type T that is committed to but not shown."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=True, defer_build=True
    )

    digest: str = Field(pattern=r"^[0-9a-f]{64}$")
    """Hex SHA-256 over salt, field path and the value's canonical JSON."""


Seal = Callable[[str, int, str, Any], str]
"""(stream id, number, field, plain value) -> digest; keeps the disclosure for the log's owner."""


def sealed_digest(salt: bytes, field: str, value: bytes) -> str:
    """Digest of a sealed field: SHA-256(salt 0x00 field 0x00 canonical value), 64 hex digits."""
    return hashlib.sha256(b"\0".join((salt, field.encode(), value))).hexdigest()
