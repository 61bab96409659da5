"""From the bytes of one entry to a record, or to the reason why there is none."""

from __future__ import annotations

import msgspec

from whodecided.importers.arena.envelope import Envelope, decode, salvage
from whodecided.importers.arena.records import BadKind, BadRecord, Entry, Place, Record
from whodecided.importers.arena.shapes import balanced_end

__all__ = ["read_entry"]


def read_entry(raw: bytes, place: Place, header: str | None) -> list[Record]:
    """The entry, or nothing when it says nothing about a game, with bad records for what is wrong.

    A torn or malformed object gives one bad record and no entry.
    """
    try:
        envelope = decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _read_damaged(raw, place, header)
    return _kept(envelope, raw, place, header)


def _kept(envelope: Envelope, raw: bytes, place: Place, header: str | None) -> list[Record]:
    return [] if envelope.empty else [Entry(place, raw, envelope, header)]


def _read_damaged(raw: bytes, place: Place, header: str | None) -> list[Record]:
    try:
        envelope, problems = salvage(raw)
    except RecursionError:
        return [BadRecord(place, BadKind.TOO_DEEP, "nested too deeply", len(raw))]
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return _read_broken(raw, place, header, str(error))
    bad = [BadRecord(place, BadKind.MESSAGE, reason, len(raw)) for reason in problems]
    return [*_kept(envelope, raw, place, header), *bad]


def _read_broken(raw: bytes, place: Place, header: str | None, reason: str) -> list[Record]:
    end = balanced_end(raw)
    if end is None:
        return [BadRecord(place, BadKind.TORN, "stops part-way", len(raw))]
    if end < len(raw):  # other text on the same line
        return read_entry(raw[:end], place, header)
    text = raw.decode("utf-8", "replace").encode()
    if text == raw:
        return [BadRecord(place, BadKind.MALFORMED, reason, len(raw))]
    note = BadRecord(place, BadKind.ENCODING, "invalid UTF-8, replaced", len(raw), relevant=False)
    return [*read_entry(text, place, header), note]
