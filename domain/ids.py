"""Identities that depend only on what the source says, so that importing again gives the same."""

from __future__ import annotations

import hashlib
import uuid
from functools import lru_cache
from typing import Final

__all__ = [
    "LIVE",
    "NAMESPACE",
    "SCENARIO",
    "access_stream",
    "case_stream",
    "event_uuid",
    "game_stream",
    "live_stream",
    "match_stream",
    "scenario_stream",
    "short_id",
    "uuid5_text",
]

NAMESPACE: Final = uuid.UUID("6f2a0d3e-6b1c-5f0e-9c57-3c9e2b7f4a10")

LIVE: Final = "live"
"""The source system of games that are recorded while they are played."""
SCENARIO: Final = "scenario"
"""The source system of games that were told by hand."""

_VARIANTS: Final = {digit: "89ab"[int(digit, 16) & 3] for digit in "0123456789abcdef"}
"""Hex digit -> that digit with the two variant bits of RFC 9562 set."""


def uuid5_text(namespace: bytes, name: str) -> str:
    """Text of the UUID version 5 of a name (RFC 9562); `namespace`: the 16 bytes of a UUID."""
    text = hashlib.sha1(namespace + name.encode()).hexdigest()
    variant = _VARIANTS[text[16]]
    return f"{text[:8]}-{text[8:12]}-5{text[13:16]}-{variant}{text[17:20]}-{text[20:32]}"


def event_uuid(stream_id: str, record: str) -> str:
    """Id of the event that a stream holds of a source's record."""
    return uuid5_text(_namespace(stream_id), record)


@lru_cache(maxsize=16)
def _namespace(stream_id: str) -> bytes:
    return bytes.fromhex(stream_id.replace("-", ""))


def game_stream(
    system: str, match: str, game_number: int, viewpoint: str, generation: int, part: str | None
) -> str:
    """Stream id of a game as one source saw it.

    `part` is null for a record that starts with the game, else what identifies the place in
    mid-game where the record starts.
    """
    name = f"game|{system}|{match}|{game_number}|{viewpoint}|{generation}|{part or ''}"
    return uuid5_text(NAMESPACE.bytes, name)


def scenario_stream(name: str) -> str:
    """Stream id of the games that a scenario of this name tells."""
    return game_stream(SCENARIO, name, 1, "full", 1, None)


def live_stream(name: str) -> str:
    """Stream id of the game of this name that is recorded while it is played."""
    return game_stream(LIVE, name, 1, "full", 1, None)


def match_stream(system: str, match: str, viewpoint: str, generation: int, part: str | None) -> str:
    """Stream id of a match as one source saw it; `part` as for a game."""
    return uuid5_text(
        NAMESPACE.bytes, f"match|{system}|{match}|{viewpoint}|{generation}|{part or ''}"
    )


def case_stream(case: str) -> str:
    """Stream id of a judge's investigation."""
    return uuid5_text(NAMESPACE.bytes, f"case|{case}")


def access_stream(log_id: str) -> str:
    """Stream id of the record of who read hidden information of a log."""
    return case_stream(f"access of {log_id}")


def short_id(stream_id: str) -> str:
    """First eight hex digits of a stream id: what people type."""
    return stream_id[:8]
