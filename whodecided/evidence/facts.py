"""The facts digest by stored bytes alone: what a later version derives or upcasts plays no part."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Final

import msgspec

from domain.canonical import canonical_json

__all__ = ["facts_of_bytes"]

# A quote inside a JSON string has a backslash before it, so this can only be the stamp itself.
_STAMP: Final = re.compile(
    rb'("stamp":\{"acting_seat":(?:null|\d+)),"authority":\{"kind":"[a-z_]+","ref":(?:null|\d+)\},'
    rb'"basis":"([a-z]+)",("deciding_player":)("[^"\\]*")(,"decision_class":"[a-z]+",'
    rb'"performer":(?:null|"[^"\\]*")),"reading":(?:null|"[^"\\]*")(,"team_seats":)'
)


def facts_of_bytes(state: bytes) -> bytes:
    """Facts digest (32 bytes): SHA-256 of the canonical bytes without what was derived.

    Dropped from the stamp are `authority`, `basis` and `reading`; `deciding_player` is null unless
    the basis is `stated`.
    """
    found = _STAMP.search(state)
    if found is None:
        return sha256(_plainly(state) if b'"stamp":{' in state else state).digest()
    seat, basis, key, decider, middle, end = found.groups()
    decided = decider if basis == b"stated" else b"null"
    before, after = state[: found.start()], state[found.end() :]
    return sha256(b"".join((before, seat, b",", key, decided, middle, end, after))).digest()


def _plainly(state: bytes) -> bytes:
    """The same for a stamp written in any other way."""
    event = msgspec.json.decode(state)
    stamp = dict(event["stamp"])
    if stamp.pop("basis", None) != "stated":
        stamp["deciding_player"] = None
    kept = {name: value for name, value in stamp.items() if name not in ("authority", "reading")}
    return canonical_json(event | {"stamp": kept})
