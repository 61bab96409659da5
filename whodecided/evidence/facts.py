"""The facts digest by stored bytes alone: what a later version derives or upcasts plays no part."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import Final

import msgspec

from domain.canonical import canonical_json

__all__ = ["facts_of_bytes"]

_START: Final = b'"stamp":{"acting_seat":'
_END: Final = b',"team_seats":'


def facts_of_bytes(state: bytes) -> bytes:
    """Facts digest (32 bytes): SHA-256 of the canonical bytes without what was derived.

    Dropped from the stamp are `authority`, `basis` and `reading`; `deciding_player` is null unless
    the basis is `stated`. The bytes are a JSON object.
    """
    # In canonical bytes keys are sorted, and a quote inside a text has a backslash before it: what
    # is found here can only be the stamp's own members.
    start = state.find(_START)
    end = state.find(_END, start)
    said = _said(state[start:end]) if 0 <= start < end else None
    if said is not None:
        return sha256(state[:start] + said + state[end:]).digest()
    return sha256(_plainly(state) if b'"stamp":{' in state else state).digest()


@lru_cache(maxsize=4096)
def _said(stamp: bytes) -> bytes | None:
    """What of a stamp the source said, from its start up to the seats of the team.

    None for a stamp that is not written as canonical bytes are. Few stamps differ within a game.
    """
    seat, authority, rest = stamp.partition(b',"authority":{')
    _, basis, rest = rest.partition(b'},"basis":"')
    found, decider, rest = rest.partition(b'","deciding_player":"')
    name, decision_class, rest = rest.partition(b'","decision_class":"')
    decided, reading, _ = rest.partition(b',"reading":')
    if not (authority and basis and decider and decision_class and reading):
        return None
    who = b'"' + name + b'"' if found == b"stated" else b"null"
    return b"".join((seat, b',"deciding_player":', who, b',"decision_class":"', decided))


def _plainly(state: bytes) -> bytes:
    """The same for a stamp written in any other way."""
    event = msgspec.json.decode(state)
    stamp = dict(event["stamp"])
    if stamp.pop("basis", None) != "stated":
        stamp["deciding_player"] = None
    kept = {name: value for name, value in stamp.items() if name not in ("authority", "reading")}
    return canonical_json(event | {"stamp": kept})
