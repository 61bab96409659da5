"""The journal's entries: canonical JSON that says what was appended when, from which file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Annotated, Final

import msgspec

from domain.canonical import MAX_INT, canonical_json
from domain.errors import IntegrityFailure
from domain.ports import JournalEntry, Origin, Provenance

__all__ = ["encode_entry", "provenance_digest", "read_entry"]

_Digest = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
_Size = Annotated[int, msgspec.Meta(ge=0, le=MAX_INT)]


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What stands in an entry."""

    facts_digest: _Digest
    file_digest: str | None
    file_name: str | None
    first: _Size
    kind: str
    last: _Size
    log_id: str
    provenance_digest: _Digest | None
    recorded_at: str
    root: _Digest
    size: _Size
    stream_id: str
    tool: str


_decoder: Final = msgspec.json.Decoder(_Entry)


def encode_entry(
    log_id: str,
    stream_id: str,
    kind: str,
    first: int,
    last: int,
    root: bytes,
    facts: Iterable[bytes],
    provenance: Sequence[Provenance],
    origin: Origin,
) -> bytes:
    """Canonical JSON of one entry.

    `facts` are the facts digests of events first to last, `provenance` is theirs, `root` that of
    the stream's tree after event `last`.
    """
    return canonical_json(
        {
            "facts_digest": hashlib.sha256(b"".join(facts)).hexdigest(),
            "file_digest": origin.file_digest,
            "file_name": _text(origin.file_name),
            "first": first,
            "kind": kind,
            "last": last,
            "log_id": log_id,
            "provenance_digest": provenance_digest(provenance),
            "recorded_at": origin.recorded_at,
            "root": root.hex(),
            "size": last,
            "stream_id": stream_id,
            "tool": origin.tool,
        }
    )


def provenance_digest(provenance: Sequence[tuple[int, str, int, int]]) -> str | None:
    """Hex SHA-256 over the canonical JSON [[number, file digest, offset, line], ...] by number."""
    if not provenance:
        return None
    return hashlib.sha256(canonical_json(sorted(provenance))).hexdigest()


def read_entry(index: int, entry: bytes) -> JournalEntry:
    """The journal entry of stored bytes. IntegrityFailure for bytes that are no entry."""
    try:
        plain = _decoder.decode(entry)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise IntegrityFailure(f"journal entry {index}", str(error)) from error
    return JournalEntry(
        index,
        plain.stream_id,
        plain.kind,
        plain.first,
        plain.last,
        plain.facts_digest,
        plain.size,
        plain.root,
        plain.provenance_digest,
        plain.log_id,
        Origin(plain.recorded_at, plain.tool, plain.file_name, plain.file_digest),
        entry,
    )


def _text(file_name: str | None) -> str | None:
    """The name without lone surrogates: file names need not be text on every system."""
    return None if file_name is None else file_name.encode("utf-8", "backslashreplace").decode()
