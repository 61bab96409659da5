"""Ed25519 keys that sign notes and cosign checkpoints."""

from __future__ import annotations

import base64
import hashlib
import struct
from typing import Final, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from domain.errors import BadInput
from whodecided.evidence.notes import Note, NoteSignature, unbase64

__all__ = ["COSIGNATURE", "SIGNATURE", "Signer", "Verifier"]

SIGNATURE: Final = 0x01
"""Kind of a key that signs the text of a note."""
COSIGNATURE: Final = 0x04
"""Kind of a key that cosigns checkpoints with the time (`cosignature/v1`)."""

_LATEST: Final = 2**63 - 1


class Verifier(NamedTuple):
    """A public key with its name and kind; its text form is `<name>+<key id>+<base64>`."""

    name: str
    kind: int
    public: bytes

    @property
    def key_id(self) -> bytes:
        """The four bytes that name the key in a signature line."""
        named = self.name.encode() + b"\n" + bytes([self.kind]) + self.public
        return hashlib.sha256(named).digest()[:4]

    def __str__(self) -> str:
        key = base64.b64encode(bytes([self.kind]) + self.public).decode()
        return f"{self.name}+{self.key_id.hex()}+{key}"

    @classmethod
    def parse(cls, text: str, where: str = "key") -> Verifier:
        """A verifier of its text form. BadInput for anything else."""
        name, _, rest = text.strip().partition("+")
        key_id, _, key = rest.partition("+")
        raw = unbase64(key)
        if raw is None or not key_id:
            raise BadInput(where, "not a verifier key: <name>+<key id>+<key>")
        _require_name(name, where)
        if len(raw) != 33 or raw[0] not in (SIGNATURE, COSIGNATURE):
            raise BadInput(where, f"key {name!r} is not an Ed25519 key")
        found = cls(name, raw[0], raw[1:])
        if found.key_id.hex() != key_id:
            raise BadInput(where, f"key {name!r} does not match its own id")
        return found

    def signed(self, note: Note) -> bool:
        """Whether the note has a signature line of this key, valid or not."""
        return any((s.name, s.key_id) == (self.name, self.key_id) for s in note.signatures)

    def verify(self, note: Note) -> int | None:
        """0 for a valid signature, or its time for a valid cosignature (seconds since 1970).

        None where the note has none of this key, or an invalid one.
        """
        moments = [
            self._check(note.text, item.blob)
            for item in note.signatures
            if (item.name, item.key_id) == (self.name, self.key_id)
        ]
        return None if None in moments or not moments else moments[0]

    def _check(self, text: str, blob: bytes) -> int | None:
        moment, signature, message = 0, blob, text.encode()
        if self.kind == COSIGNATURE:
            if len(blob) != 72:
                return None
            moment, signature = struct.unpack(">Q", blob[:8])[0], blob[8:]
            if moment > _LATEST:
                return None
            message = _cosigned(text, moment)
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, message)
        except (InvalidSignature, ValueError):
            return None
        return moment


class Signer:
    """A private key with its name."""

    def __init__(self, name: str, private: Ed25519PrivateKey, kind: int = SIGNATURE) -> None:
        _require_name(name, "key")
        self._private = private
        self.verifier = Verifier(name, kind, private.public_key().public_bytes_raw())

    def sign(self, text: str, moment: int = 0) -> NoteSignature:
        """Sign a note's text; `moment` (seconds since 1970) counts for a cosignature only."""
        if self.verifier.kind == COSIGNATURE:
            blob = struct.pack(">Q", moment) + self._private.sign(_cosigned(text, moment))
        else:
            blob = self._private.sign(text.encode())
        return NoteSignature(self.verifier.name, self.verifier.key_id, blob)


def _cosigned(text: str, moment: int) -> bytes:
    return f"cosignature/v1\ntime {moment}\n{text}".encode()


def _require_name(name: str, where: str) -> None:
    if not name or "+" in name or any(char.isspace() for char in name):
        raise BadInput(where, f"{name!r} is no key name: no spaces, no plus sign")
