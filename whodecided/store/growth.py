"""What an append adds to a stream's tree and to the journal; no storage."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from domain.errors import IntegrityFailure
from domain.ports import Origin, Provenance
from whodecided.evidence.merkle import Peaks, leaf_hash, leaf_hashes
from whodecided.store.journal import encode_entry, read_entry

__all__ = ["Growth", "confirmed_peaks", "grow"]


class Growth(NamedTuple):
    """A journal entry and what is kept of the trees for it, as in `domain.ports.Leaves`."""

    entry: bytes
    size: int
    peaks: bytes
    leaves: bytes
    entry_hash: bytes


def grow(
    peaks: Peaks,
    log_id: str,
    stream_id: str,
    kind: str,
    states: Iterable[bytes],
    facts: Iterable[bytes],
    provenance: Sequence[Provenance],
    origin: Origin,
) -> Growth:
    """Add events with these canonical bytes and facts digests to the tree, which is changed."""
    first = peaks.size + 1
    leaves = leaf_hashes(states)
    peaks.extend(leaves)
    entry = encode_entry(
        log_id, stream_id, kind, first, peaks.size, peaks.root(), facts, provenance, origin
    )
    return Growth(entry, peaks.size, bytes(peaks), b"".join(leaves), leaf_hash(entry))


def confirmed_peaks(stream_id: str, size: int, kept: Iterable[tuple[int, bytes, bytes]]) -> Peaks:
    """The stream's tree of `size` events, which the journal must confirm.

    `kept` are journal index, peaks and entry of the append that made it so large. Raises
    IntegrityFailure where none fits.
    """
    for index, stored, entry in kept:
        try:
            peaks = Peaks.from_bytes(size, stored)
        except ValueError as error:
            raise IntegrityFailure(f"stream {stream_id}", str(error)) from error
        if peaks.root().hex() == read_entry(index, entry).root:
            return peaks
    raise IntegrityFailure(
        f"stream {stream_id}", f"the tree kept of its {size} events does not fit the journal"
    )
