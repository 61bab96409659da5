"""Which stream of the log the rows are of."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Stream"]


class Stream(NamedTuple):
    """A stream's id, its kind (`game`, `match` or `case`) and the position of its first event."""

    stream_id: str
    kind: str
    position: int

    @property
    def game_id(self) -> str | None:
        """The id, if it is a game's."""
        return self.stream_id if self.kind == "game" else None
