"""Bundles, checkpoints and keys of any content end in a verdict, the same from both verifiers."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.canonical import canonical_json
from domain.errors import BadInput
from tests.support.fuzzing import budget
from tests.whodecided.evidence.builders import game_id, make_log
from tests.whodecided.evidence.forging import both, forge, lines, relist, unlines
from tools import verify_bundle as other
from whodecided.evidence.archive import read_archive, write_archive
from whodecided.evidence.bundle import make_bundle
from whodecided.evidence.checkpoint import origin_of, read_checkpoint
from whodecided.evidence.keys import create_key
from whodecided.evidence.signing import Verifier

FILES = (
    "events.jsonl",
    "journal.jsonl",
    "disclosures.jsonl",
    "proofs.json",
    "checkpoint.note",
    "log.vkeys",
    "manifest.note",
)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**54), 2**54)
    | st.floats(allow_nan=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=6,
)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder: Path = tmp_path_factory.mktemp("fuzz")
    with closing(make_log(folder / "log", games=2, events=6)) as log:
        create_key(log.keys, origin_of(log.events.log_id))
        made = make_bundle(log, game_id(1), viewer="judge", may_show=lambda event: ["card"])
    return made.content


@budget(150)
@given(
    name=st.sampled_from(FILES), start=st.integers(0), length=st.integers(0, 40), junk=st.binary()
)
def test_any_bytes_in_the_place_of_others(
    bundle: bytes, name: str, start: int, length: int, junk: bytes
) -> None:
    def change(files: dict[str, bytes]) -> None:
        content = files[name]
        at = start % (len(content) + 1)
        files[name] = content[:at] + junk + content[at + length :]

    both(forge(bundle, change))


@budget(150)
@given(name=st.sampled_from(FILES[:3]), at=st.integers(0), member=st.integers(0), value=JSON)
def test_any_value_in_the_place_of_a_member(
    bundle: bytes, name: str, at: int, member: int, value: object
) -> None:
    def change(files: dict[str, bytes]) -> None:
        found = lines(files, name)
        plain = msgspec.json.decode(found[at % len(found)])
        plain[sorted(plain)[member % len(plain)]] = value
        found[at % len(found)] = canonical_json(plain)
        files[name] = unlines(found)

    both(forge(bundle, change))


@budget(100)
@given(member=st.integers(0), value=JSON)
def test_any_value_in_the_manifest(bundle: bytes, member: int, value: object) -> None:
    files = read_archive(bundle)
    plain = msgspec.json.decode(files["manifest.json"])
    name = sorted(plain)[member % len(plain)]
    if name == "files":
        files["manifest.json"] = canonical_json(plain | {name: value})
    else:
        relist(files, **{name: value})

    both(write_archive(files))


@budget(60)
@given(depth=st.integers(100, 100_000), name=st.sampled_from((*FILES[:4], "manifest.json")))
def test_deeply_nested_json_is_refused(bundle: bytes, depth: int, name: str) -> None:
    files = read_archive(bundle)
    files[name] = b"[" * depth + b"]" * depth + b"\n"
    if name != "manifest.json":
        relist(files)

    assert both(write_archive(files)) is not None


@budget(100)
@given(st.text(max_size=120) | st.from_regex(r"[a-z./]{1,9}\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}"))
def test_keys_of_any_text_are_taken_by_both_or_by_none(text: str) -> None:
    try:
        mine: str | None = str(Verifier.parse(text))
    except BadInput:
        mine = None
    try:
        theirs: tuple[str, bytes] | None = other.Key(text).mark
    except ValueError:
        theirs = None
    assert (mine is None) == (theirs is None)


@budget(100)
@given(st.binary(max_size=300))
def test_checkpoints_of_any_bytes_are_taken_by_both_or_by_none(data: bytes) -> None:
    text = data.decode("utf-8", "surrogateescape")
    try:
        mine: str | None = read_checkpoint(text)[0].origin
    except BadInput:
        mine = None
    try:
        theirs: str | None = other.Checkpoint(text).origin
    except ValueError:
        theirs = None
    assert mine == theirs
