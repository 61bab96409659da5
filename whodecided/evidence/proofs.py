"""Checking RFC 6962 proofs by the algorithms of RFC 9162."""

from __future__ import annotations

from collections.abc import Sequence

from whodecided.evidence.merkle import EMPTY_ROOT, node_hash

__all__ = ["consistency_holds", "inclusion_holds", "inclusion_length"]


def inclusion_holds(leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> bool:
    """Whether the path proves the leaf hash at that index of a tree of that size (2.1.3.2)."""
    if not 0 <= index < size:
        return False
    position, last, value = index, size - 1, leaf
    for sibling in path:
        if last == 0:
            return False
        if position % 2 or position == last:
            value = node_hash(sibling, value)
            while position % 2 == 0 and position:
                position, last = position >> 1, last >> 1
        else:
            value = node_hash(value, sibling)
        position, last = position >> 1, last >> 1
    return last == 0 and value == root


def inclusion_length(index: int, size: int) -> int:
    """How many hashes prove the leaf at that index of a tree of that size."""
    last, length = size - 1, 0
    while last:
        length += bool(index % 2 or index < last)
        index, last = index >> 1, last >> 1
    return length


def consistency_holds(
    old: int, new: int, old_root: bytes, new_root: bytes, path: Sequence[bytes]
) -> bool:
    """Whether the path proves that the old tree is a prefix of the new one (2.1.4.2).

    The empty tree is a prefix of every tree, and every tree of itself, by an empty path.
    """
    if not 0 <= old <= new:
        return False
    if old == new:
        return not path and old_root == new_root
    if old == 0:
        return not path and old_root == EMPTY_ROOT
    nodes = [old_root, *path] if old & (old - 1) == 0 else list(path)
    return bool(nodes) and _leads_to(old, new, old_root, new_root, nodes)


def _leads_to(old: int, new: int, old_root: bytes, new_root: bytes, nodes: Sequence[bytes]) -> bool:
    position, last = old - 1, new - 1
    while position % 2:
        position, last = position >> 1, last >> 1
    first = second = nodes[0]
    for node in nodes[1:]:
        if last == 0:
            return False
        if position % 2 or position == last:
            first, second = node_hash(node, first), node_hash(node, second)
            while position % 2 == 0 and position:
                position, last = position >> 1, last >> 1
        else:
            second = node_hash(second, node)
        position, last = position >> 1, last >> 1
    return last == 0 and first == old_root and second == new_root
