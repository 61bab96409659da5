"""The log secrets: 32 random bytes each, without which salts and pseudonyms cannot be made again.

Secrets are numbered from 1 and never change. The newest seals the games that are new; every record
keeps the one it began with, so that importing its source again gives the same bytes.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from domain.errors import IntegrityFailure, LogUnavailable
from whodecided.store.files import create_once, write_new

__all__ = ["SECRET_NAME", "LogSecrets", "create_secret", "put_secrets", "read_secret"]

SECRET_NAME: Final = "log.secret"
"""File of secret 1; those after it are `log.secret.2`, `log.secret.3` ..."""
_NUMBER: Final = re.compile("[1-9][0-9]{0,8}")
_SIZE: Final = 32


class LogSecrets:
    """The secrets in a log's keys directory, by number.

    Raises LogUnavailable for one that is missing or is not a secret. Those that another process
    makes meanwhile are seen.
    """

    def __init__(self, keys: Path) -> None:
        self._keys = keys
        self._known = [read_secret(keys, 1)]
        endings = (path.name.removeprefix(f"{SECRET_NAME}.") for path in keys.iterdir())
        last = max((int(one) for one in endings if _NUMBER.fullmatch(one)), default=1)
        self._known += [read_secret(keys, number) for number in range(2, last + 1)]

    def __getitem__(self, number: int) -> bytes:
        while number > len(self._known):
            self._known.append(read_secret(self._keys, len(self._known) + 1))
        return self._known[number - 1]

    def newest(self) -> int:
        """Number of the secret that seals what is new."""
        while _path(self._keys, len(self._known) + 1).exists():
            self._known.append(read_secret(self._keys, len(self._known) + 1))
        return len(self._known)

    def rotate(self) -> int:
        """Make a new secret, readable by its owner alone; its number."""
        number = self.newest() + 1
        _create(_path(self._keys, number))
        return self.newest()

    def put(self, contents: Sequence[bytes]) -> None:
        """See `put_secrets`."""
        put_secrets(self._keys, contents)

    def differing(self) -> None:
        """None: beside the files nothing is kept that they could differ from."""


def create_secret(keys: Path, number: int = 1) -> None:
    """Make a secret, by default the first, readable by its owner alone; an existing one stays."""
    if not _path(keys, number).exists():
        _create(_path(keys, number))


def put_secrets(keys: Path, contents: Sequence[bytes]) -> None:
    """Keep the secrets of another copy of the log, from number 1 on.

    Raises IntegrityFailure where another secret is kept under one of the numbers.
    """
    for number, content in enumerate(contents, 1):
        _create(_path(keys, number), content)
        if read_secret(keys, number) != content:
            raise IntegrityFailure(str(keys), f"log secret {number} is the one of another log")


def _create(path: Path, content: bytes | None = None) -> None:
    new = secrets.token_bytes(_SIZE) if content is None else content
    create_once(path, lambda partial: write_new(partial, new, 0o600))


def _path(keys: Path, number: int) -> Path:
    return keys / (SECRET_NAME if number == 1 else f"{SECRET_NAME}.{number}")


def read_secret(keys: Path, number: int) -> bytes:
    """The 32 bytes of one secret. LogUnavailable where it is missing or is not a secret."""
    path = _path(keys, number)
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
