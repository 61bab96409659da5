"""Signed notes and checkpoints are those of C2SP."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from domain.errors import BadInput
from tools import verify_bundle
from whodecided.evidence.checkpoint import Checkpoint, parse_checkpoint, read_checkpoint
from whodecided.evidence.merkle import EMPTY_ROOT
from whodecided.evidence.notes import Note, NoteSignature, open_note, write_note
from whodecided.evidence.signing import COSIGNATURE, SIGNATURE, Signer, Verifier

# The example of c2sp.org/signed-note, "Verifier keys".
EXAMPLE_KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
EXAMPLE_NOTE = (
    "This is an example message.\n\n"
    "— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONn"
    "cAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n"
)
PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
CHECKPOINT = Checkpoint("example.org/log", 0, EMPTY_ROOT)


def test_the_example_note_of_the_specification_verifies() -> None:
    key = Verifier.parse(EXAMPLE_KEY)
    note = open_note(EXAMPLE_NOTE)

    assert note.text == "This is an example message.\n"
    assert key.verify(note) == 0
    assert str(key) == EXAMPLE_KEY
    assert write_note(*note) == EXAMPLE_NOTE
    assert verify_bundle.Key(EXAMPLE_KEY).check(verify_bundle.Note(EXAMPLE_NOTE)) == 0


def test_a_changed_text_does_not_verify() -> None:
    changed = EXAMPLE_NOTE.replace("example message", "exemplary message")

    assert Verifier.parse(EXAMPLE_KEY).verify(open_note(changed)) is None
    assert verify_bundle.Key(EXAMPLE_KEY).check(verify_bundle.Note(changed)) is None


@pytest.mark.parametrize("kind", [SIGNATURE, COSIGNATURE])
def test_what_is_signed_verifies_with_the_key_of_that_kind_only(kind: int) -> None:
    signer = Signer("example.org/log", PRIVATE, kind)
    other = Signer("example.org/log", PRIVATE, SIGNATURE + COSIGNATURE - kind)
    note = open_note(write_note("text\n", [signer.sign("text\n", 1_700_000_000)]))

    assert signer.verifier.verify(note) == (1_700_000_000 if kind == COSIGNATURE else 0)
    assert other.verifier.verify(note) is None
    assert Verifier.parse(str(signer.verifier)) == signer.verifier
    theirs = verify_bundle.Key(str(signer.verifier))
    assert theirs.check(verify_bundle.Note(write_note(*note))) == signer.verifier.verify(note)


def test_a_cosignature_binds_its_time() -> None:
    signer = Signer("w", PRIVATE, COSIGNATURE)
    good = signer.sign("text\n", 1_700_000_000)

    later = NoteSignature(
        good.name, good.key_id, (1_700_000_001).to_bytes(8, "big") + good.blob[8:]
    )
    short = good._replace(blob=good.blob[:71])
    for wrong in (later, short):
        assert signer.verifier.verify(Note("text\n", (wrong,))) is None


def test_one_invalid_line_of_a_key_spoils_its_valid_ones() -> None:
    signer = Signer("example.org/log", PRIVATE)
    good = signer.sign("text\n")
    bad = good._replace(blob=bytes(64))

    for lines in ((good, bad), (bad, good)):
        assert signer.verifier.verify(Note("text\n", lines)) is None


def test_signatures_of_unknown_keys_are_ignored() -> None:
    signer = Signer("example.org/log", PRIVATE)
    stranger = Signer("example.org/log", Ed25519PrivateKey.from_private_bytes(bytes(32)))
    note = Note("text\n", (stranger.sign("text\n"), signer.sign("text\n")))

    assert signer.verifier.verify(note) == 0
    assert not Verifier("other", SIGNATURE, signer.verifier.public).signed(note)


BAD_NOTES = [
    "text\n",
    "text\n\n",
    "text\n\n— name\n",
    "text\n\n— name AAAA\n",
    "text\n\n— name AAAAAAAA",
    "text\n\n- name AAAAAAAAAAAA\n",
    "text\n\n—  AAAAAAAAAAAA\n",
    "text\n\n— name AAAAAAAAAAB=\n",
    "text\n\n— name AAAAAAAAAAAA extra\n",
    "te\tt\n\n— name AAAAAAAAAAAA\n",
    "text\n\n" + "— name AAAAAAAAAAAA\n" * 101,
    "a" * 1_000_001,
]


@pytest.mark.parametrize("note", BAD_NOTES)
def test_what_is_not_a_note_is_refused_by_both_readers(note: str) -> None:
    with pytest.raises(BadInput):
        open_note(note)
    with pytest.raises(ValueError, match=r".*"):
        verify_bundle.Note(note)


@pytest.mark.parametrize(
    "key",
    [
        "",
        "name",
        "name+530d903a",
        "+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        "example.com/foo+530d903b+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        "example.com/bar+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        "example com+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        "example.com/foo+530d903a+AukyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        "example.com/foo+530d903a+Aeky",
    ],
)
def test_what_is_not_a_key_is_refused_by_both_readers(key: str) -> None:
    with pytest.raises(BadInput):
        Verifier.parse(key)
    with pytest.raises(ValueError, match=r".*"):
        verify_bundle.Key(key)


def test_a_checkpoint_has_the_three_lines_of_the_specification() -> None:
    text = CHECKPOINT.text()

    assert text == "example.org/log\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n"
    assert parse_checkpoint(text) == CHECKPOINT
    assert parse_checkpoint(text + "extension\n") == CHECKPOINT
    assert read_checkpoint(text) == (CHECKPOINT, Note(text, ()))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "example.org/log\n0\n",
        CHECKPOINT.text()[:-1],
        CHECKPOINT.text().replace("\n0\n", "\n00\n"),
        CHECKPOINT.text().replace("\n0\n", "\n-1\n"),
        CHECKPOINT.text().replace("\n0\n", f"\n{10**18}\n"),
        CHECKPOINT.text().replace("uFU=", "uFV="),
        CHECKPOINT.text().replace("47DE", ""),
        "\n" + CHECKPOINT.text().partition("\n")[2],
        CHECKPOINT.text() + "\n",
        CHECKPOINT.text().replace("log", "l\tog"),
    ],
)
def test_what_is_not_a_checkpoint_is_refused_by_both_readers(text: str) -> None:
    with pytest.raises(BadInput):
        read_checkpoint(text)
    with pytest.raises(ValueError, match=r".*"):
        verify_bundle.Checkpoint(text)


@given(st.text(max_size=60))
def test_both_readers_agree_about_any_text(text: str) -> None:
    try:
        mine: object = (read_checkpoint(text)[0].size, len(read_checkpoint(text)[1].signatures))
    except BadInput:
        mine = None
    try:
        found = verify_bundle.Checkpoint(text)
        theirs: object = (found.size, len(found.note.signatures))
    except ValueError:
        theirs = None
    assert mine == theirs
