"""The parts of a case bundle as they are written and read: docs/bundle-format.md in code."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec

__all__ = [
    "FORMAT",
    "REQUIRED_FILES",
    "BundleDisclosure",
    "Consistency",
    "Counts",
    "FileEntry",
    "Inclusion",
    "LogName",
    "Manifest",
    "Proofs",
    "Root",
    "WithheldEvent",
    "manifest_text",
]

FORMAT: Final = "whodecided-bundle/1"
"""What a manifest calls the format."""

REQUIRED_FILES: Final = frozenset(
    {
        "checkpoint.note",
        "disclosures.jsonl",
        "events.jsonl",
        "journal.jsonl",
        "proofs.json",
        "statement.txt",
        "summary.html",
    }
)
"""What every bundle has beside `manifest.json`."""

_Hash = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
_Size = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An object with exactly these members."""


class FileEntry(_Part, frozen=True):
    """A file of the bundle."""

    bytes: _Size
    name: str
    sha256: _Hash


class LogName(_Part, frozen=True):
    """Which log it comes from."""

    id: str
    origin: str


class Root(_Part, frozen=True):
    """The checkpoint of the log."""

    root: _Hash
    signed: bool
    size: _Size


class Counts(_Part, frozen=True):
    """How many events are shown and withheld, how many values are disclosed."""

    disclosed: _Size
    shown: _Size
    withheld: _Size


class Manifest(_Part, frozen=True):
    """What the bundle is."""

    checkpoint: Root
    counts: Counts
    files: tuple[FileEntry, ...]
    first: _Size
    format: str
    kind: str
    last: _Size
    log: LogName
    root: _Hash
    size: _Size
    stream_id: str
    viewer: str


class WithheldEvent(_Part, frozen=True):
    """The line of an event that is not shown."""

    leaf: _Hash
    number: _Size


class BundleDisclosure(_Part, frozen=True):
    """Value and salt of one sealed field; `value` is canonical JSON as text."""

    field: str
    number: _Size
    salt: _Hash
    value: str


class Inclusion(_Part, frozen=True):
    """Proof (base64) that the journal entry of the same place is in the checkpoint's tree."""

    index: _Size
    path: tuple[str, ...]


class Consistency(_Part, frozen=True):
    """Proof (base64) that the checkpoint's tree continues an earlier one."""

    path: tuple[str, ...]
    root: _Hash
    size: _Size


class Proofs(_Part, frozen=True):
    """All proofs, in the order of the journal and by size."""

    consistency: tuple[Consistency, ...]
    inclusion: tuple[Inclusion, ...]


def manifest_text(origin: str, digest: str) -> str:
    """The text that the log's key signs for a manifest; `digest` is base64 of its SHA-256."""
    return f"{FORMAT}\n{origin}\n{digest}\n"
