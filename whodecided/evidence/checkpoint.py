"""C2SP checkpoints: origin, size and root of a log at one moment. https://c2sp.org/tlog-checkpoint."""

from __future__ import annotations

import base64
import re
from typing import Final, NamedTuple

from domain.errors import BadInput
from whodecided.evidence.merkle import HASH_SIZE
from whodecided.evidence.notes import Note, open_note, unbase64

__all__ = ["Checkpoint", "origin_of", "parse_checkpoint", "read_checkpoint"]

_SIZE: Final = re.compile(r"0|[1-9][0-9]{0,17}")


class Checkpoint(NamedTuple):
    """`size` leaves with this `root` (32 bytes) in the log called `origin`."""

    origin: str
    size: int
    root: bytes

    def text(self) -> str:
        """The text that is signed."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"


def origin_of(log_id: str) -> str:
    """The name of a log, and of the key that signs for it."""
    return f"whodecided/{log_id}"


def parse_checkpoint(text: str, where: str = "checkpoint") -> Checkpoint:
    """The checkpoint of a note's text; extension lines are allowed. BadInput otherwise."""
    lines = text.split("\n")
    if len(lines) < 4 or lines.pop() or "" in lines:
        raise BadInput(where, "a checkpoint has three lines: origin, size, root")
    origin, size, encoded = lines[:3]
    if not _SIZE.fullmatch(size):
        raise BadInput(where, f"not a size: {size[:40]!r}", line=2)
    root = unbase64(encoded)
    if root is None or len(root) != HASH_SIZE:
        raise BadInput(where, "the root is not 32 bytes of base64", line=3)
    return Checkpoint(origin, int(size), root)


def read_checkpoint(note: str, where: str = "checkpoint") -> tuple[Checkpoint, Note]:
    """A checkpoint and its note; one without signatures is only the text. BadInput otherwise."""
    opened = open_note(note, where, may_be_unsigned=True)
    return parse_checkpoint(opened.text, where), opened
