"""C2SP signed notes with Ed25519: a short text that several keys can sign.

A note is its text (ending in a newline), an empty line and one line per signature:
`— <key name> <base64 of key id and signature>`. The key id is the first four bytes of
SHA-256(name || 0x0A || kind || public key); kind 0x01 signs the text itself, kind 0x04 is a
time-stamped cosignature (`cosignature/v1`). https://c2sp.org/signed-note, /tlog-cosignature.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from domain.errors import BadInput

__all__ = ["Note", "NoteSignature", "open_note", "read_signatures", "unbase64", "write_note"]

_PREFIX: Final = "\u2014 "
_LIMIT: Final = 1_000_000
_SIGNATURES: Final = 100
_CONTROL: Final = re.compile(r"[\x00-\x09\x0b-\x1f]")


class NoteSignature(NamedTuple):
    """One signature line: key name, key id (4 bytes), and what follows it."""

    name: str
    key_id: bytes
    blob: bytes

    def line(self) -> str:
        """The line as it stands in a note, with its newline."""
        return f"{_PREFIX}{self.name} {base64.b64encode(self.key_id + self.blob).decode()}\n"


class Note(NamedTuple):
    """A note's text (with its last newline) and its signatures, not yet verified."""

    text: str
    signatures: tuple[NoteSignature, ...]


def write_note(text: str, signatures: Sequence[NoteSignature]) -> str:
    """The note as it is exchanged. BadInput for a text that does not end in a newline."""
    if not text.endswith("\n") or _CONTROL.search(text):
        raise BadInput("note", "the text of a note ends in a newline and has no control characters")
    return text + "\n" + "".join(item.line() for item in signatures)


def open_note(note: str, where: str = "note", *, may_be_unsigned: bool = False) -> Note:
    """Text and signatures of a note. BadInput, with the line, for what is not a note.

    A note that `may_be_unsigned` is only its text when it has no empty line.
    """
    if len(note) > _LIMIT:
        raise BadInput(where, f"a note longer than {_LIMIT:,} characters")
    if _CONTROL.search(note):
        raise BadInput(where, "a note has no control characters")
    text, gap, tail = note.rpartition("\n\n")
    if not gap and may_be_unsigned:
        return Note(note, ())
    if not gap:
        raise BadInput(where, "no signatures after an empty line")
    text += "\n"
    return Note(text, read_signatures(tail, where, first_line=text.count("\n") + 2))


def read_signatures(
    lines: str, where: str = "note", *, first_line: int = 1
) -> tuple[NoteSignature, ...]:
    """The signatures of consecutive signature lines. BadInput for anything else."""
    if not lines.strip():
        raise BadInput(where, "there is no signature line")
    if not lines.endswith("\n"):
        raise BadInput(where, "a signature line ends in a newline")
    found = lines[:-1].split("\n")
    if len(found) > _SIGNATURES:
        raise BadInput(where, f"more than {_SIGNATURES} signatures")
    return tuple(_signature(line, where, first_line + at) for at, line in enumerate(found))


def _signature(line: str, where: str, number: int) -> NoteSignature:
    name, _, encoded = line.removeprefix(_PREFIX).partition(" ")
    raw = unbase64(encoded)
    if not line.startswith(_PREFIX) or not name or raw is None:
        raise BadInput(where, "not a signature line", line=number)
    if len(raw) < 5:
        raise BadInput(where, "signature too short", line=number)
    return NoteSignature(name, raw[:4], raw[4:])


def unbase64(text: str) -> bytes | None:
    """The bytes of canonical base64, None for anything else: every value has one spelling."""
    try:
        raw = base64.b64decode(text, validate=True)
    except (ValueError, binascii.Error):
        return None
    return raw if base64.b64encode(raw).decode() == text else None
