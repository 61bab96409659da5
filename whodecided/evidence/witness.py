"""A witness: whoever remembers what a log has shown, and cosigns only what continues it.

It lives apart from the log, in a directory of its own with its own key, best under the hand of
somebody else. Requests and answers are those of https://c2sp.org/tlog-witness `add-checkpoint`.
"""

from __future__ import annotations

import base64
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from domain.errors import BadInput, IntegrityFailure, LogUnavailable
from whodecided.evidence.checkpoint import Checkpoint, read_checkpoint
from whodecided.evidence.checkpoints import StoredCheckpoint
from whodecided.evidence.keys import create_key, known_keys, load_signer
from whodecided.evidence.merkle import EMPTY_ROOT, HASH_SIZE, MerkleTree
from whodecided.evidence.notes import unbase64
from whodecided.evidence.proofs import consistency_holds
from whodecided.evidence.signing import COSIGNATURE, SIGNATURE, Signer, Verifier
from whodecided.store.connection import LOCK_TIMEOUT
from whodecided.store.faults import os_fault, reported

__all__ = ["Witness", "WitnessRefusal", "create_witness", "open_witness", "witness_request"]

_STATE: Final = "witness.sqlite"
_OLD: Final = re.compile(r"old (0|[1-9][0-9]{0,17})")
_TABLES: Final = """
    CREATE TABLE logs (origin TEXT NOT NULL, vkey TEXT NOT NULL, PRIMARY KEY (origin, vkey)) STRICT;
    CREATE TABLE latest (
        origin TEXT PRIMARY KEY, size INTEGER NOT NULL, root BLOB NOT NULL, note TEXT NOT NULL
    ) STRICT
"""


class WitnessRefusal(IntegrityFailure):
    """The witness does not cosign.

    `status` is that of tlog-witness: 400 for sizes that run backwards, 403 without a signature of a
    trusted key, 404 for an unknown origin, 409 when the request does not start from what the
    witness last cosigned (`size`, as the answer says) or has another root for the same size, 422
    for a proof that does not hold.
    """

    def __init__(
        self,
        origin: str,
        status: int,
        reason: str,
        size: int | None = None,
        *,
        advice: str | None = None,
    ) -> None:
        self.status = status
        self.size = size
        super().__init__(f"witness of {origin}", reason, advice=advice)


def witness_request(stored: StoredCheckpoint, tree: MerkleTree, old: int) -> str:
    """The request that asks to cosign a checkpoint; `tree` is the journal's, `old` the size the
    witness last cosigned (0 for none). IndexError for an old size beyond the checkpoint."""
    path = tree.consistency(old, stored.checkpoint.size)
    proof = "".join(f"{base64.b64encode(item).decode()}\n" for item in path)
    return f"old {old}\n{proof}\n{stored.text()}"


def create_witness(path: Path, name: str) -> Verifier:
    """Make a witness with a key called `name`; what verifies its cosignatures."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        verifier = create_key(path, name, kind=COSIGNATURE)
    except OSError as error:
        raise os_fault(path, error) from error
    with reported(path / _STATE), closing(sqlite3.connect(path / _STATE)) as connection:
        connection.executescript(_TABLES)
    return verifier


def open_witness(path: Path) -> Witness:
    """The witness in a directory. LogUnavailable where there is none."""
    keys = known_keys(path)
    signer = load_signer(path, keys[-1].name, kind=COSIGNATURE) if keys else None
    if signer is None or not (path / _STATE).exists():
        raise LogUnavailable(
            str(path), "there is no witness here", advice="Make one with `whodecided witness new`."
        )
    return Witness(path, signer)


@dataclass(frozen=True, slots=True)
class Witness:
    """A witness at work; several processes may ask it at once."""

    path: Path
    signer: Signer

    def trust(self, log_key: Verifier) -> None:
        """Accept a log's key from now on; the key's name is the log's origin."""
        if log_key.kind != SIGNATURE:
            raise BadInput("key", f"{log_key.name!r} is the key of a witness, not of a log")
        with self._writing() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO logs VALUES (?, ?)", (log_key.name, str(log_key))
            )

    def latest(self, origin: str) -> Checkpoint | None:
        """What the witness last cosigned of a log."""
        with self._writing() as connection:
            return _latest(connection, origin)

    def add_checkpoint(self, request: str, moment: int) -> str:
        """Check a request and return the signature line of the cosignature.

        `moment` is now, in seconds since 1970. Raises WitnessRefusal, or BadInput for what is not a
        request.
        """
        old, proof, note = _read_request(request)
        checkpoint, opened = read_checkpoint(note, "request")
        with self._writing() as connection:
            keys = _trusted(connection, checkpoint.origin)
            if not keys:
                raise WitnessRefusal(checkpoint.origin, 404, "this log is not known here")
            if all(key.verify(opened) is None for key in keys):
                raise WitnessRefusal(
                    checkpoint.origin, 403, "the checkpoint is not signed by a trusted key"
                )
            latest = _latest(connection, checkpoint.origin)
            _require_continuation(checkpoint, old, proof, latest)
            line = self.signer.sign(opened.text, moment).line()
            connection.execute(
                "INSERT OR REPLACE INTO latest VALUES (?, ?, ?, ?)",
                (checkpoint.origin, checkpoint.size, checkpoint.root, note + line),
            )
        return line

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """The state, locked: comparing with the latest checkpoint and replacing it is one step."""
        uri = f"{(self.path / _STATE).absolute().as_uri()}?mode=rw"
        with reported(self.path / _STATE):
            connection = sqlite3.connect(uri, uri=True, timeout=LOCK_TIMEOUT, isolation_level=None)
            with closing(connection):
                connection.execute("PRAGMA synchronous=FULL")
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")


def _latest(connection: sqlite3.Connection, origin: str) -> Checkpoint | None:
    row = connection.execute(
        "SELECT origin, size, root FROM latest WHERE origin = ?", (origin,)
    ).fetchone()
    return None if row is None else Checkpoint(*row)


def _trusted(connection: sqlite3.Connection, origin: str) -> list[Verifier]:
    rows = connection.execute("SELECT vkey FROM logs WHERE origin = ?", (origin,))
    return [Verifier.parse(vkey) for (vkey,) in rows]


def _read_request(request: str) -> tuple[int, list[bytes], str]:
    """Old size, proof and checkpoint note. BadInput for anything else."""
    head, gap, note = request.partition("\n\n")
    first, *lines = head.split("\n")
    match = _OLD.fullmatch(first)
    proof = [unbase64(line) for line in lines]
    if not gap or match is None or len(proof) > 63:
        raise BadInput("request", "it starts with `old <size>` and at most 63 lines of proof")
    hashes = [item for item in proof if item is not None and len(item) == HASH_SIZE]
    if len(hashes) < len(proof):
        raise BadInput("request", "a line of the proof is not 32 bytes of base64")
    return int(match[1]), hashes, note


def _require_continuation(
    checkpoint: Checkpoint, old: int, proof: list[bytes], latest: Checkpoint | None
) -> None:
    origin = checkpoint.origin
    if old > checkpoint.size:
        raise WitnessRefusal(origin, 400, f"size {checkpoint.size} is older than {old}")
    size, root = (0, EMPTY_ROOT) if latest is None else (latest.size, latest.root)
    if old != size:
        raise WitnessRefusal(
            origin,
            409,
            f"last cosigned was size {size}, not {old}",
            size,
            advice=f"Make the request with `whodecided witness request --old {size}`.",
        )
    if checkpoint.size == size and checkpoint.root != root:
        raise WitnessRefusal(origin, 409, f"there is another root of size {size}: a fork", size)
    if not consistency_holds(old, checkpoint.size, root, checkpoint.root, proof):
        raise WitnessRefusal(
            origin, 422, f"not proven to continue what was cosigned at size {size}"
        )
