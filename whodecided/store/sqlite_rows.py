"""Writing many rows with one SQLite statement.

A statement for each row holds the interpreter between the rows, so that whatever runs beside it
waits. Here the values travel as one JSON array, with the bytes of all rows in one blob beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from sqlite3 import Cursor
from typing import Any, Final

from domain.canonical import canonical_json
from whodecided.store.transaction import EventRow

__all__ = ["insert_disclosures", "insert_events", "insert_provenance"]

_AT_ONCE: Final = 2000  # rows, to bound the memory that a long stream takes

# Parameters have names: a sequence for numbered ones is deprecated in Python 3.12.
_EVENTS: Final = """
    INSERT INTO events (originator_id, originator_version, topic, state)
    SELECT :stream, json_extract(value, '$[0]'), json_extract(value, '$[1]'),
           substr(:bytes, json_extract(value, '$[2]'), json_extract(value, '$[3]'))
    FROM json_each(:rows) ORDER BY key
"""
_DISCLOSURES: Final = """
    INSERT INTO disclosures (position, field, value, salt)
    SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'),
           substr(:bytes, json_extract(value, '$[2]'), json_extract(value, '$[3]')),
           substr(:bytes, json_extract(value, '$[4]'), json_extract(value, '$[5]'))
    FROM json_each(:rows) ORDER BY key
"""
_PROVENANCE: Final = """
    INSERT INTO provenance (position, file_key, byte_offset, line)
    SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
           json_extract(value, '$[3]')
    FROM json_each(:rows) ORDER BY key
"""


def insert_events(cursor: Cursor, events: Sequence[EventRow]) -> None:
    """Append events of one stream in this order."""
    for some in _batches(events):
        told, at = [], 1
        for _, number, topic, state in some:
            told.append((number, topic, at, len(state)))
            at += len(state)
        whole = b"".join(row[3] for row in some)
        given = {"stream": some[0][0], "bytes": whole, "rows": _text(told)}
        cursor.execute(_EVENTS, given)


def insert_disclosures(cursor: Cursor, rows: Sequence[tuple[int, str, bytes, bytes]]) -> None:
    """Write hidden values of events appended before: position, field, value, salt."""
    for some in _batches(rows):
        told, at = [], 1
        for position, field, value, salt in some:
            middle = at + len(value)
            told.append((position, field, at, len(value), middle, len(salt)))
            at = middle + len(salt)
        whole = b"".join(part for row in some for part in row[2:])
        cursor.execute(_DISCLOSURES, {"bytes": whole, "rows": _text(told)})


def insert_provenance(cursor: Cursor, rows: Sequence[tuple[int, int, int, int]]) -> None:
    """Write where events appended before stand: position, key of the file, byte offset, line."""
    for some in _batches(rows):
        cursor.execute(_PROVENANCE, {"rows": _text(some)})


def _batches(rows: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for first in range(0, len(rows), _AT_ONCE):
        yield rows[first : first + _AT_ONCE]


def _text(rows: Sequence[Any]) -> str:
    return canonical_json(rows).decode()
