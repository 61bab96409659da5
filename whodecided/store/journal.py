"""The journal's entries: canonical JSON that says what was appended when, from which file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import msgspec

from domain.canonical import canonical_json
from domain.ports import JournalEntry, Origin

__all__ = ["encode_entry", "read_entry"]


def encode_entry(
    stream_id: str, kind: str, first: int, last: int, facts: Iterable[bytes], origin: Origin
) -> bytes:
    """Canonical JSON of one entry; `facts` are the facts digests of events first to last."""
    return canonical_json(
        {
            "facts_digest": hashlib.sha256(b"".join(facts)).hexdigest(),
            "file_digest": origin.file_digest,
            "file_name": _text(origin.file_name),
            "first": first,
            "kind": kind,
            "last": last,
            "recorded_at": origin.recorded_at,
            "stream_id": stream_id,
            "tool": origin.tool,
        }
    )


def read_entry(index: int, entry: bytes) -> JournalEntry:
    """The journal entry of stored bytes."""
    plain = msgspec.json.decode(entry)
    return JournalEntry(
        index,
        plain["stream_id"],
        plain["kind"],
        plain["first"],
        plain["last"],
        plain["facts_digest"],
        Origin(plain["recorded_at"], plain["tool"], plain["file_name"], plain["file_digest"]),
        entry,
    )


def _text(file_name: str | None) -> str | None:
    """The name without lone surrogates: file names need not be text on every system."""
    return None if file_name is None else file_name.encode("utf-8", "backslashreplace").decode()
