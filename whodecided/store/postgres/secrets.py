"""The log secrets of a server's log: files here, and what they are known by on the server.

A secret never reaches the server: who has both could guess the hidden values that were erased.
Every machine that records needs a copy of the files; one that only reads needs none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from domain.errors import IntegrityFailure, LogUnavailable
from whodecided.store.postgres.log import PostgresEventLog
from whodecided.store.secret import create_secret, put_secrets, read_secret

__all__ = ["ServerSecrets", "fingerprint_of"]

_COPY: Final = (
    "Copy the folder `keys` from a machine that has recorded into this log, in a safe way."
)


def fingerprint_of(secret: bytes) -> bytes:
    """What a secret is known by: it cannot be found from this."""
    return hashlib.sha256(b"whodecided log secret\n" + secret).digest()


class ServerSecrets:
    """Implements `store.directory.Secrets` over a keys directory and the log on the server.

    Asking for a secret raises LogUnavailable where the file is missing or holds another secret.
    """

    def __init__(self, keys: Path, log: PostgresEventLog) -> None:
        self._keys = keys
        self._log = log

    def __getitem__(self, number: int) -> bytes:
        known = self._log.fingerprints()
        try:
            secret = read_secret(self._keys, number)
        except LogUnavailable as error:
            raise LogUnavailable(error.path, error.reason, advice=_COPY) from error
        if number > len(known) or fingerprint_of(secret) != known[number - 1]:
            reason = f"log secret {number} is not the one of this log"
            raise LogUnavailable(str(self._keys), reason, advice=_COPY)
        return secret

    def newest(self) -> int:
        """See `LogSecrets.newest`."""
        return len(self._log.fingerprints())

    def rotate(self) -> int:
        """See `LogSecrets.rotate`.

        Raises LogUnavailable when another machine was first, and where an earlier one is missing:
        no machine would have all of them.
        """
        number = self.newest() + 1
        for earlier in range(1, number):
            self[earlier]
        create_secret(self._keys, number)
        if not self._log.add_fingerprint(number, fingerprint_of(read_secret(self._keys, number))):
            reason = f"another machine has just made log secret {number}"
            raise LogUnavailable(str(self._keys), reason, advice=_COPY)
        return number

    def differing(self) -> tuple[int, bytes, bytes] | None:
        """The first secret at hand that is not the one the server knows, None where there is none.

        Its number, and the fingerprints on the server and of the file.
        """
        for number, known in enumerate(self._log.fingerprints(), 1):
            try:
                computed = fingerprint_of(read_secret(self._keys, number))
            except LogUnavailable:
                continue
            if computed != known:
                return number, known, computed
        return None

    def put(self, contents: Sequence[bytes]) -> None:
        """Keep the secrets of another copy of the log, here and by what they are known by.

        Raises IntegrityFailure where another secret has one of the numbers.
        """
        put_secrets(self._keys, contents)
        for number, content in enumerate(contents, 1):
            if not self._log.add_fingerprint(number, fingerprint_of(content)):
                raise IntegrityFailure(self._log.name, f"log secret {number} is another one")
