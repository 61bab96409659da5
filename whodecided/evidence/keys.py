"""The keys of a log or a witness, as files that only their owner can read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from domain.errors import LogUnavailable
from whodecided.evidence.signing import COSIGNATURE, SIGNATURE, Signer, Verifier
from whodecided.store.faults import os_fault
from whodecided.store.files import create_once, replace_file, write_new

__all__ = [
    "PRIVATE_KEY",
    "PUBLIC_KEYS",
    "add_known_keys",
    "copy_key",
    "create_key",
    "known_keys",
    "load_signer",
]

PRIVATE_KEY: Final = "signing.pem"
"""The private key: PKCS 8, PEM, not encrypted, mode 0600."""
PUBLIC_KEYS: Final = "signing.vkeys"
"""The public keys as verifier keys, one per line; the newest is last."""


def create_key(
    directory: Path, name: str, *, kind: int = SIGNATURE, replace: bool = False
) -> Verifier:
    """Make a key in the directory; the verifier of what it signs.

    With `replace` an older private key is destroyed, and its public key kept so that what it signed
    can still be verified. Raises LogUnavailable where there is a key and it is not to be replaced.
    """
    path = directory / PRIVATE_KEY
    pem = Ed25519PrivateKey.generate().private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
    )
    if path.exists():
        if not replace:
            raise LogUnavailable(
                str(path),
                "there is a key already",
                advice=_KEEP[kind],
            )
        _keep_public(directory, name, kind)
        replace_file(path, pem, 0o600)
    else:
        create_once(path, lambda partial: write_new(partial, pem, 0o600))
    _keep_public(directory, name, kind)
    return known_keys(directory)[-1]


def load_signer(directory: Path, name: str, *, kind: int = SIGNATURE) -> Signer | None:
    """The signer of the key in the directory, None where there is none.

    Raises LogUnavailable for a file that is no Ed25519 key.
    """
    path = directory / PRIVATE_KEY
    try:
        private = load_pem_private_key(path.read_bytes(), password=None)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise os_fault(path, error) from error
    except (ValueError, TypeError) as error:
        raise LogUnavailable(str(path), "this is not a private key", advice=_RESTORE) from error
    if not isinstance(private, Ed25519PrivateKey):
        raise LogUnavailable(str(path), "this is not an Ed25519 key", advice=_RESTORE)
    return Signer(name, private, kind)


def known_keys(directory: Path) -> tuple[Verifier, ...]:
    """Every public key that signed for the log, oldest first. BadInput for a spoiled list."""
    path = directory / PUBLIC_KEYS
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise os_fault(path, error) from error
    return tuple(Verifier.parse(line, str(path)) for line in lines)


def add_known_keys(directory: Path, keys: Sequence[Verifier]) -> None:
    """Know these public keys too, in their order; they count as older than the directory's own."""
    known = known_keys(directory)
    merged = (*keys, *(key for key in known if key not in keys))
    if merged != known:
        _write_public(directory, merged)


def copy_key(source: Path, target: Path) -> None:
    """Let the private key of one directory, if it has one, be in another one too.

    There it replaces a key that was retired here. Raises LogUnavailable where the other directory
    has a key of its own.
    """
    try:
        pem = (source / PRIVATE_KEY).read_bytes()
    except FileNotFoundError:
        return
    path = target / PRIVATE_KEY
    create_once(path, lambda partial: write_new(partial, pem, 0o600))
    if path.read_bytes() == pem:
        return
    if not _is_known(source, target):
        raise LogUnavailable(
            str(path),
            "there is another key already",
            advice="Copy without the key, or remove one of the two.",
        )
    replace_file(path, pem, 0o600)


def _is_known(directory: Path, other: Path) -> bool:
    """Whether one directory knows the public half of the private key in another one."""
    return any(
        (signer := load_signer(other, key.name, kind=key.kind)) is not None
        and signer.verifier == key
        for key in known_keys(directory)
    )


def _write_public(directory: Path, keys: Sequence[Verifier]) -> None:
    replace_file(directory / PUBLIC_KEYS, "".join(f"{key}\n" for key in keys).encode(), 0o644)


def _keep_public(directory: Path, name: str, kind: int) -> None:
    known = known_keys(directory)
    signer = load_signer(directory, name, kind=kind)
    if signer is not None and signer.verifier not in known:
        _write_public(directory, (*known, signer.verifier))


_KEEP: Final = {
    SIGNATURE: "Leave it as it is, or retire it with `whodecided keys new --replace`; what it"
    " signed stays valid.",
    COSIGNATURE: "Leave it as it is: others know this witness by its key. Name a new directory for"
    " another witness.",
}
_RESTORE: Final = "Restore the file from a backup, or remove it and make a new key."
