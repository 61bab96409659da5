"""What a victim says to the outside: each of it is an acknowledgement."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Copied", "Published", "Recorded", "Said", "Signed", "Streamed"]


class Streamed(NamedTuple):
    """A stream has at least so many events."""

    stream_id: str
    number: int


class Recorded(NamedTuple):
    """A live record is event `number` of its stream."""

    stream_id: str
    number: int
    record: str


class Signed(NamedTuple):
    """The checkpoint of a journal of this size was stored."""

    size: int
    text: str


class Published(NamedTuple):
    """Readers have tables up to this position."""

    position: int


class Copied(NamedTuple):
    """The copy holds everything up to this position."""

    position: int


Said = Streamed | Recorded | Signed | Published | Copied
