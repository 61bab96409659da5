"""Runs the reading of Arena logs over bytes, without files."""

from __future__ import annotations

from whodecided.importers.arena.fold import Fold
from whodecided.importers.arena.frames import ENTRY_LIMIT, Framer
from whodecided.importers.arena.items import Item, Pending, StateItem
from whodecided.importers.arena.records import Record
from whodecided.importers.arena.text import Block

__all__ = ["frames", "items", "pending", "states"]


def frames(*parts: bytes, size: int = 1 << 20, limit: int = ENTRY_LIMIT) -> list[Record]:
    """The records of one log, given in one or several files, read in blocks of `size` bytes."""
    framer = Framer(limit)
    found: list[Record] = []
    for file, part in enumerate(parts):
        for at in range(0, len(part), size):
            found += framer.feed(Block(file, at, part[at : at + size]))
    return found + framer.finish()


def items(log: bytes) -> list[Item]:
    """All items; their views show the picture after the last of them, so do not look at those."""
    fold = Fold()
    found = [item for record in frames(log) for item in fold.take(record)]
    fold.finish()
    return found


def pending(log: bytes) -> list[Pending]:
    """What is held back at the end."""
    fold = Fold()
    for record in frames(log):
        list(fold.take(record))
    fold.finish()
    return fold.pending


def states(log: bytes) -> list[StateItem]:
    """The states, in the order of delivery."""
    return [item for item in items(log) if isinstance(item, StateItem)]
