"""Sealing hidden values and hiding names with a secret of the log."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

from domain.canonical import canonical_json
from domain.ports import Disclosure
from domain.sealed import sealed_digest

__all__ = ["LogSealer"]


class LogSealer:
    """Seals field values reproducibly: the same secret, place and value give the same digest.

    A `domain.sealed.Seal`. The disclosures it makes are kept per stream until taken. `number` is
    that of the secret.
    """

    def __init__(self, secret: bytes, number: int = 1) -> None:
        self.number = number
        self._keyed = hmac.new(secret, digestmod=hashlib.sha256)
        self._disclosures: dict[str, list[Disclosure]] = {}

    def __call__(self, stream_id: str, number: int, field: str, value: Any) -> str:
        """Digest (64 hex digits) of a plain value standing in one field of one event."""
        plain = canonical_json(value)
        salt = self.salt(stream_id, number, field)
        self._disclosures.setdefault(stream_id, []).append(Disclosure(number, field, plain, salt))
        return sealed_digest(salt, field, plain)

    def salt(self, stream_id: str, number: int, field: str) -> bytes:
        """The salt (32 bytes) of what is sealed in one field of one event."""
        return self._mac(f"{stream_id}|{number}|{field}")

    def take(self, stream_id: str) -> list[Disclosure]:
        """The disclosures made for one stream since they were last taken, in the order made."""
        return self._disclosures.pop(stream_id, [])

    def pseudonym(self, system: str, account: str) -> str:
        """Stable stand-in (16 hex digits) for an account of a system."""
        return self._mac(f"{system}|{account}").hex()[:16]

    def _mac(self, message: str) -> bytes:
        keyed = self._keyed.copy()
        keyed.update(message.encode())
        return keyed.digest()
