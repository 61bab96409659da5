"""Trees and proofs are those of RFC 6962: by vectors, by every small pair, by another library."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymerkle import InmemoryTree

from tools.verify_bundle import Tree, Wrong, continued, included
from whodecided.evidence.merkle import EMPTY_ROOT, MerkleTree, Peaks, leaf_hash, node_hash
from whodecided.evidence.proofs import consistency_holds, inclusion_holds, inclusion_length

ENTRIES = [
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
LARGEST = 64
LEAVES = [leaf_hash(bytes([number])) for number in range(LARGEST)]
TREE = MerkleTree(LEAVES)


def test_the_roots_of_the_certificate_transparency_vectors_are_met() -> None:
    tree = MerkleTree(map(leaf_hash, ENTRIES))

    assert tree.root(0) == EMPTY_ROOT
    assert EMPTY_ROOT.hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert [tree.root(size).hex() for size in range(1, 9)] == ROOTS


@pytest.mark.parametrize(
    ("index", "size", "path"),
    [
        (0, 1, []),
        (
            0,
            8,
            [
                "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
                "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
                "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
            ],
        ),
        (2, 3, ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"]),
    ],
)
def test_the_inclusion_proofs_of_the_vectors_are_met(
    index: int, size: int, path: list[str]
) -> None:
    tree = MerkleTree(map(leaf_hash, ENTRIES))

    assert [item.hex() for item in tree.inclusion(index, size)] == path


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        (1, 1, []),
        (
            6,
            8,
            [
                "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
                "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
                "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            ],
        ),
        (
            2,
            5,
            [
                "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
                "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
            ],
        ),
    ],
)
def test_the_consistency_proofs_of_the_vectors_are_met(old: int, new: int, path: list[str]) -> None:
    tree = MerkleTree(map(leaf_hash, ENTRIES))

    assert [item.hex() for item in tree.consistency(old, new)] == path


def plain_root(leaves: list[bytes]) -> bytes:
    """The definition of RFC 6962, 2.1, word by word."""
    if not leaves:
        return EMPTY_ROOT
    if len(leaves) == 1:
        return leaves[0]
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return node_hash(plain_root(leaves[:split]), plain_root(leaves[split:]))


@pytest.mark.parametrize("size", range(LARGEST + 1))
def test_every_way_to_a_root_gives_the_root_of_the_definition(size: int) -> None:
    peaks, other = Peaks(), Tree()
    peaks.extend(LEAVES[:size])
    for leaf in LEAVES[:size]:
        other.add(leaf)

    assert TREE.root(size) == peaks.root() == other.root() == plain_root(LEAVES[:size])


@pytest.mark.parametrize("size", range(1, LARGEST + 1))
def test_every_leaf_of_every_small_tree_is_proven_and_nothing_else(size: int) -> None:
    root = TREE.root(size)
    for index in range(size):
        path = TREE.inclusion(index, size)
        assert len(path) == inclusion_length(index, size)
        assert inclusion_holds(LEAVES[index], index, size, path, root)
        assert included(LEAVES[index], index, size, path) == root
        other = LEAVES[index - 1] if size > 1 else leaf_hash(b"other")
        assert not inclusion_holds(other, index, size, path, root)
        assert not inclusion_holds(LEAVES[index], index, size, path, leaf_hash(root))
        for place in (index - 1, index + 1):
            assert not inclusion_holds(LEAVES[index], place, size, path, root)
        for wrong in ([*path, root], path[:-1] if path else [root]):
            assert not inclusion_holds(LEAVES[index], index, size, wrong, root)
            with pytest.raises(Wrong):
                included(LEAVES[index], index, size, wrong)


@pytest.mark.parametrize("new", range(1, LARGEST + 1))
def test_every_pair_of_small_sizes_is_proven_consistent_and_nothing_else(new: int) -> None:
    root = TREE.root(new)
    for old in range(new + 1):
        before, path = TREE.root(old), TREE.consistency(old, new)
        assert consistency_holds(old, new, before, root, path)
        assert not consistency_holds(old, new, before, leaf_hash(root), path) or old == 0
        assert not consistency_holds(old, new, leaf_hash(before), root, path)
        assert not consistency_holds(old, new, before, root, [*path, root])
        if 0 < old < new:
            assert continued(old, new, path, before, True) == (before, root)
            assert not consistency_holds(old, new, before, root, path[:-1])
            assert not consistency_holds(old, new, before, root, path[::-1]) or len(path) == 1
            assert not consistency_holds(old - 1, new, before, root, path)
            with pytest.raises(Wrong):
                continued(old, new, path[:-1], before, True)
        assert not consistency_holds(new, old, root, before, path) or new == old


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, 33, 64, 100, 257])
def test_roots_and_proofs_equal_those_of_another_library(size: int) -> None:
    entries = [number.to_bytes(2, "big") for number in range(size)]
    tree, other = MerkleTree(map(leaf_hash, entries)), InmemoryTree(algorithm="sha256")
    for entry in entries:
        other.append_entry(entry)

    assert tree.root() == other.get_root()
    for index in range(0, size, 5):
        # It counts from 1, and its paths begin with the leaf.
        assert tree.inclusion(index) == other.prove_inclusion(index + 1).path[1:]
        assert tree.root(index + 1) == other.get_root(index + 1)


@given(st.lists(st.lists(st.binary(max_size=3), max_size=20), max_size=8))
def test_peaks_grow_like_the_tree_whatever_the_batches(batches: list[list[bytes]]) -> None:
    tree, peaks = MerkleTree(), Peaks()
    for batch in batches:
        leaves = [leaf_hash(entry) for entry in batch]
        for leaf in leaves:
            tree.append(leaf)
        peaks.extend(leaves)
        peaks = Peaks.from_bytes(peaks.size, bytes(peaks))
        assert (peaks.size, peaks.root()) == (len(tree), tree.root())


@pytest.mark.parametrize(("size", "data"), [(1, b""), (0, bytes(32)), (3, bytes(32)), (1, b"x")])
def test_peaks_that_do_not_fit_their_size_are_refused(size: int, data: bytes) -> None:
    with pytest.raises(ValueError, match="peak"):
        Peaks.from_bytes(size, data)


def test_what_lies_beyond_a_tree_cannot_be_asked() -> None:
    tree = MerkleTree(LEAVES[:3])

    for size in (-1, 4):
        with pytest.raises(IndexError):
            tree.root(size)
    for index, size in ((3, 3), (-1, 3), (0, 4), (0, 0)):
        with pytest.raises(IndexError):
            tree.inclusion(index, size)
    for old, new in ((3, 2), (-1, 2), (1, 4)):
        with pytest.raises(IndexError):
            tree.consistency(old, new)
