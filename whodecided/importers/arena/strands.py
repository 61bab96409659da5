"""Strands: the files of an import, divided where one cannot continue the one before it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from whodecided.importers.arena.files import source_files
from whodecided.importers.arena.frames import Framer
from whodecided.importers.arena.records import SessionStarted
from whodecided.importers.arena.shapes import DETAILED, LINE_END, LISTED
from whodecided.importers.arena.text import read_blocks

__all__ = ["begins_run", "divide"]

_HEAD: Final = 1 << 16
"""Bytes; the client says within the first few thousand whether its log has detailed entries."""


def divide(paths: Sequence[Path]) -> list[list[Path]]:
    """The files in order, in strands: a file that begins with a run of the client opens one.

    Nothing of what was read before matters from there on, so strands may be read side by side.
    """
    strands: list[list[Path]] = []
    for path in paths:
        if not strands or begins_run(path):
            strands.append([])
        strands[-1].append(path)
    return strands


def begins_run(path: Path) -> bool:
    """Whether a file begins with the start of the client, before anything about games.

    False also where it begins with what may be the rest of an entry, marker or character that the
    file before it left open, and for a file that cannot be read.
    """
    block = next(read_blocks(source_files([path])), None)
    if block is None or (block.wide and not block.fresh):  # without a mark it may begin mid-way
        return False
    head = block.data[:_HEAD]
    said = DETAILED.search(head)
    end = said and LINE_END.search(head, said.end())
    if not said or not end or _may_be_rest(head[: said.start()]):
        return False
    records = Framer().feed(block._replace(data=head[: end.end()]))
    return len(records) == 1 and isinstance(records[0], SessionStarted)


def _may_be_rest(head: bytes) -> bool:
    """Whether what stands before the start of the client may go on with an entry or marker."""
    first_line = head.partition(b"\n")[0]
    return b"}" in head or b'"' in first_line or LISTED.match(head) is not None
