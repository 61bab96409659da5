"""The log secret: 32 random bytes without which salts and pseudonyms cannot be made again."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Final

from domain.errors import LogUnavailable
from whodecided.store.files import create_once, write_new

__all__ = ["SECRET_NAME", "create_secret", "read_secret"]

SECRET_NAME: Final = "log.secret"
_SIZE: Final = 32


def create_secret(keys: Path) -> None:
    """Make the secret in the keys directory, readable by its owner alone; an existing one stays."""
    if not (keys / SECRET_NAME).exists():
        content = secrets.token_bytes(_SIZE)
        create_once(keys / SECRET_NAME, lambda path: write_new(path, content, 0o600))


def read_secret(keys: Path) -> bytes:
    """The 32 bytes; raises LogUnavailable when the file is missing or is not a secret."""
    path = keys / SECRET_NAME
    try:
        secret = path.read_bytes()
    except FileNotFoundError:
        raise LogUnavailable(
            str(path),
            "the log secret is missing although the log has events",
            advice="Restore it from a backup; a new secret would not fit the sealed values stored.",
        ) from None
    if len(secret) != _SIZE:
        raise LogUnavailable(
            str(path),
            f"the log secret has {len(secret)} bytes instead of {_SIZE}",
            advice="Restore the file from a backup.",
        )
    return secret
