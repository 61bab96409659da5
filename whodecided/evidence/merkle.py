"""RFC 6962 Merkle trees: hashes, roots and proofs.

A leaf's hash is SHA-256(0x00 || entry), a node's SHA-256(0x01 || left || right). Sizes count
leaves, indexes run from 0. Hashes are 32 bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import Final

__all__ = [
    "EMPTY_ROOT",
    "HASH_SIZE",
    "MerkleTree",
    "Peaks",
    "leaf_hash",
    "leaf_hashes",
    "node_hash",
]

HASH_SIZE: Final = 32
"""Bytes of every hash."""
EMPTY_ROOT: Final = sha256(b"").digest()
"""Root of the tree without leaves (RFC 6962, 2.1)."""


def leaf_hash(entry: bytes) -> bytes:
    """Hash of a leaf."""
    return sha256(b"\0" + entry).digest()


def leaf_hashes(entries: Iterable[bytes]) -> list[bytes]:
    """Hashes of many leaves, in order."""
    return [sha256(b"\0" + entry).digest() for entry in entries]


def node_hash(left: bytes, right: bytes) -> bytes:
    """Hash of an inner node."""
    return sha256(b"\1" + left + right).digest()


class Peaks:
    """The roots of the complete subtrees that a tree of `size` leaves falls into, largest first.

    They are all that is needed to append and to tell the root; one per bit set in `size`.
    """

    __slots__ = ("hashes", "size")

    def __init__(self, size: int = 0, hashes: Iterable[bytes] = ()) -> None:
        self.size = size
        self.hashes = list(hashes)
        if len(self.hashes) != size.bit_count():
            raise ValueError(f"{len(self.hashes)} peaks do not make a tree of {size} leaves")

    @classmethod
    def from_bytes(cls, size: int, data: bytes) -> Peaks:
        """Peaks of their concatenation. ValueError when they do not fit the size."""
        hashes = [data[at : at + HASH_SIZE] for at in range(0, len(data), HASH_SIZE)]
        if len(data) % HASH_SIZE:
            raise ValueError("a peak is not 32 bytes long")
        return cls(size, hashes)

    def __bytes__(self) -> bytes:
        return b"".join(self.hashes)

    def extend(self, leaves: Iterable[bytes]) -> None:
        """Add leaves by their hashes."""
        nodes, bits, peaks = list(leaves), self.size, []
        self.size += len(nodes)
        # Height by height: an old peak goes before the new nodes, an odd node is a new peak.
        while nodes or bits:
            if bits & 1:
                nodes.insert(0, self.hashes.pop())
            if len(nodes) & 1:
                peaks.append(nodes.pop())
            pairs = iter(nodes)
            nodes = [sha256(b"\1" + left + next(pairs)).digest() for left in pairs]
            bits >>= 1
        self.hashes = peaks[::-1]

    def root(self) -> bytes:
        """Root of the tree."""
        if not self.hashes:
            return EMPTY_ROOT
        *rest, root = self.hashes
        for left in reversed(rest):
            root = node_hash(left, root)
        return root


class MerkleTree:
    """A growing tree that keeps the hash of every complete subtree.

    `_levels[h][i]` is the hash of the complete subtree over leaves i*2^h to (i+1)*2^h - 1, so
    appending costs two hashes on average and a proof O(log n) look-ups.
    """

    def __init__(self, leaves: Iterable[bytes] = ()) -> None:
        self._levels: list[list[bytes]] = [[]]
        for leaf in leaves:
            self.append(leaf)

    def __len__(self) -> int:
        return len(self._levels[0])

    def append(self, leaf: bytes) -> None:
        """Add a leaf by its hash."""
        level = 0
        self._levels[0].append(leaf)
        while len(self._levels[level]) % 2 == 0:
            left, right = self._levels[level][-2:]
            level += 1
            if level == len(self._levels):
                self._levels.append([])
            self._levels[level].append(node_hash(left, right))

    def root(self, size: int | None = None) -> bytes:
        """Root over the first `size` leaves; all of them by default. IndexError beyond the tree."""
        size = len(self) if size is None else size
        if not 0 <= size <= len(self):
            raise IndexError(f"a tree of {len(self)} leaves has no root of size {size}")
        return self._range(0, size) if size else EMPTY_ROOT

    def inclusion(self, index: int, size: int | None = None) -> list[bytes]:
        """Proof that leaf `index` is in the tree of `size` leaves (RFC 6962, 2.1.1)."""
        size = len(self) if size is None else size
        if not 0 <= index < size <= len(self):
            raise IndexError(f"leaf {index} is not in a tree of {size} leaves")
        return self._path(index, 0, size)

    def consistency(self, old: int, new: int | None = None) -> list[bytes]:
        """Proof that the first `old` leaves of the tree of `new` leaves are as before (2.1.2)."""
        new = len(self) if new is None else new
        if not 0 <= old <= new <= len(self):
            raise IndexError(f"no consistency between sizes {old} and {new}")
        return [] if old in (0, new) else self._subproof(old, 0, new, True)

    def _range(self, start: int, end: int) -> bytes:
        """Root of the leaves start..end-1, where start is a multiple of the split below."""
        size = end - start
        height = size.bit_length() - 1
        if size == 1 << height and start % size == 0:
            return self._levels[height][start >> height]
        split = _split(size)
        return node_hash(self._range(start, start + split), self._range(start + split, end))

    def _path(self, index: int, start: int, end: int) -> list[bytes]:
        size = end - start
        if size == 1:
            return []
        split = _split(size)
        if index < split:
            return [*self._path(index, start, start + split), self._range(start + split, end)]
        return [*self._path(index - split, start + split, end), self._range(start, start + split)]

    def _subproof(self, old: int, start: int, end: int, whole: bool) -> list[bytes]:
        size = end - start
        if old == size:
            return [] if whole else [self._range(start, end)]
        split = _split(size)
        if old <= split:
            right = self._range(start + split, end)
            return [*self._subproof(old, start, start + split, whole), right]
        left = self._range(start, start + split)
        return [*self._subproof(old - split, start + split, end, False), left]


def _split(size: int) -> int:
    """Largest power of two smaller than size."""
    return 1 << ((size - 1).bit_length() - 1)
