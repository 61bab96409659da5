"""A log signs only what continues what it signed, with keys that only its owner can read."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.errors import BadInput, EvidenceIncomplete, IntegrityFailure, LogUnavailable
from tests.whodecided.evidence.builders import append_game, make_log
from whodecided.evidence.checkpoint import origin_of
from whodecided.evidence.checkpoints import (
    add_cosignatures,
    journal_tree,
    latest_checkpoint,
    make_checkpoint,
    stored_checkpoints,
)
from whodecided.evidence.keys import PRIVATE_KEY, PUBLIC_KEYS, create_key, known_keys, load_signer
from whodecided.evidence.merkle import MerkleTree, leaf_hash
from whodecided.evidence.notes import NoteSignature, write_note
from whodecided.evidence.signing import COSIGNATURE, Signer, Verifier
from whodecided.store.directory import LogDirectory, open_directory


@pytest.fixture
def log(tmp_path: Path) -> Iterator[LogDirectory]:
    with closing(make_log(tmp_path / "log")) as made:
        yield made


def signed(log: LogDirectory) -> Verifier:
    return create_key(log.keys, origin_of(log.events.log_id))


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_a_private_key_can_be_read_by_its_owner_only(log: LogDirectory) -> None:
    signed(log)

    assert stat.S_IMODE((log.keys / PRIVATE_KEY).stat().st_mode) == 0o600
    assert stat.S_IMODE(log.keys.stat().st_mode) == 0o700


def test_a_key_is_named_like_the_log_and_its_public_half_is_kept(log: LogDirectory) -> None:
    key = signed(log)

    assert key.name == origin_of(log.events.log_id) == f"whodecided/{log.events.log_id}"
    assert known_keys(log.keys) == (key,)
    assert (log.keys / PUBLIC_KEYS).read_text() == f"{key}\n"
    signer = load_signer(log.keys, key.name)
    assert signer is not None
    assert signer.verifier == key


def test_a_key_is_not_replaced_unless_that_is_asked(log: LogDirectory) -> None:
    key = signed(log)

    with pytest.raises(LogUnavailable, match="there is a key already") as caught:
        signed(log)
    assert caught.value.advice is not None
    assert "`whodecided keys new --replace`" in caught.value.advice
    assert known_keys(log.keys) == (key,)


def test_a_retired_key_stays_known_and_signs_no_more(log: LogDirectory) -> None:
    old = signed(log)
    first = make_checkpoint(log)
    new = create_key(log.keys, old.name, replace=True)

    second = make_checkpoint(log)

    assert known_keys(log.keys) == (old, new)
    assert [old.verify(first.note), new.verify(first.note)] == [0, None]
    assert [old.verify(second.note), new.verify(second.note)] == [0, 0]
    append_game(log, 5, 3)
    third = make_checkpoint(log)
    assert [old.verify(third.note), new.verify(third.note)] == [None, 0]


def test_a_public_key_that_was_lost_is_found_again_when_the_key_is_replaced(
    log: LogDirectory,
) -> None:
    old = signed(log)
    (log.keys / PUBLIC_KEYS).unlink()

    new = create_key(log.keys, old.name, replace=True)

    assert known_keys(log.keys) == (old, new)


@pytest.mark.parametrize("content", [b"", b"not a key", b"-----BEGIN PRIVATE KEY-----\n"])
def test_a_file_that_is_no_key_is_reported(log: LogDirectory, content: bytes) -> None:
    (log.keys / PRIVATE_KEY).write_bytes(content)

    with pytest.raises(LogUnavailable, match="not a private key") as caught:
        make_checkpoint(log)
    assert caught.value.advice is not None


def test_a_spoiled_list_of_keys_is_reported(log: LogDirectory) -> None:
    signed(log)
    (log.keys / PUBLIC_KEYS).write_text("not a key\n")

    with pytest.raises(BadInput, match="not a verifier key"):
        known_keys(log.keys)


def test_the_tree_of_the_journal_is_that_of_its_entries(log: LogDirectory) -> None:
    leaves = [leaf_hash(entry.entry) for entry in log.events.journal()]

    assert journal_tree(log.events).root() == MerkleTree(leaves).root()
    assert len(leaves) == 4


def test_without_a_key_a_checkpoint_says_the_same_unsigned_and_is_not_stored(
    log: LogDirectory,
) -> None:
    made = make_checkpoint(log)

    assert made.text() == made.checkpoint.text()
    assert made.checkpoint.root == journal_tree(log.events).root()
    assert made.path is None
    assert stored_checkpoints(log) == []
    assert latest_checkpoint(log) is None


def test_a_signed_checkpoint_is_stored_by_its_size(log: LogDirectory) -> None:
    key = signed(log)

    made = make_checkpoint(log)
    append_game(log, 7, 3)
    later = make_checkpoint(log)

    assert key.verify(made.note) == 0
    assert [c.checkpoint.size for c in stored_checkpoints(log)] == [4, 5]
    assert stored_checkpoints(log) == [made, later]
    assert latest_checkpoint(log) == later
    assert later.path is not None
    assert later.path.read_text() == later.text()


def test_signing_the_same_state_again_changes_nothing(log: LogDirectory) -> None:
    signed(log)

    assert make_checkpoint(log) == make_checkpoint(log)
    assert len(stored_checkpoints(log)) == 1


def test_an_empty_log_can_be_signed(tmp_path: Path) -> None:
    with closing(open_directory(tmp_path / "log", create=True)) as empty:
        signed(empty)
        assert make_checkpoint(empty).checkpoint.size == 0
        append_game(empty, 0, 3)
        assert make_checkpoint(empty).checkpoint.size == 1


def test_nothing_is_signed_after_a_roll_back(log: LogDirectory, tmp_path: Path) -> None:
    signed(log)
    events = log.path / "events.sqlite"
    backup = tmp_path / "backup.sqlite"
    shutil.copy(events, backup)
    append_game(log, 7, 3)
    make_checkpoint(log)
    log.close()
    for leftover in events.parent.glob("events.sqlite*"):
        leftover.unlink()
    shutil.copy(backup, events)

    with closing(open_directory(log.path, create=False)) as rolled_back:
        with pytest.raises(IntegrityFailure, match="it was rolled back; nothing is signed"):
            make_checkpoint(rolled_back)
        assert len(stored_checkpoints(rolled_back)) == 1


def test_nothing_is_signed_after_a_signed_entry_was_changed(log: LogDirectory) -> None:
    signed(log)
    made = make_checkpoint(log)
    with closing(sqlite3.connect(log.path / "events.sqlite")) as raw, raw:
        raw.execute("DROP TRIGGER journal_no_update")
        raw.execute(
            "UPDATE journal SET entry ="
            " CAST(replace(CAST(entry AS TEXT), 'Player.log', 'Other.log') AS BLOB)"
            " WHERE journal_index = 1"
        )
    append_game(log, 7, 3)

    with pytest.raises(IntegrityFailure, match="its first 4 journal entries have changed"):
        make_checkpoint(log)
    assert stored_checkpoints(log) == [made]


def test_nothing_is_signed_beside_the_checkpoint_of_another_log(
    log: LogDirectory, tmp_path: Path
) -> None:
    signed(log)
    with closing(make_log(tmp_path / "other")) as other:
        signed(other)
        stored = make_checkpoint(other).path
        assert stored is not None
        shutil.copy(stored, log.checkpoints)

    with pytest.raises(IntegrityFailure, match="is of whodecided/"):
        make_checkpoint(log)


@pytest.mark.parametrize("content", ["", "text\n", "\ud800"])
def test_a_spoiled_checkpoint_file_is_reported(log: LogDirectory, content: str) -> None:
    signed(log)
    make_checkpoint(log)
    [stored] = stored_checkpoints(log)
    assert stored.path is not None
    stored.path.write_bytes(content.encode("utf-8", "surrogatepass"))

    with pytest.raises(IntegrityFailure):
        make_checkpoint(log)


def test_a_checkpoint_under_the_name_of_another_size_is_reported(log: LogDirectory) -> None:
    signed(log)
    path = make_checkpoint(log).path
    assert path is not None
    path.rename(path.with_name(path.name.replace("4", "9")))

    with pytest.raises(IntegrityFailure, match="holds the checkpoint of size 4"):
        stored_checkpoints(log)


def test_of_a_witness_the_newest_cosignature_is_kept_in_any_order(log: LogDirectory) -> None:
    key = signed(log)
    text = make_checkpoint(log).note.text
    witness, other = (
        Signer(name, Ed25519PrivateKey.generate(), COSIGNATURE) for name in ("w/1", "w/2")
    )
    keys = (witness.verifier, other.verifier)
    older, newer, others = witness.sign(text, 100), witness.sign(text, 200), other.sign(text, 50)

    def accept(*answer: NoteSignature) -> tuple[tuple[NoteSignature, ...], tuple[str, ...]]:
        made = add_cosignatures(log, "".join(one.line() for one in answer), keys)
        assert stored_checkpoints(log) == [made.stored]
        own, *cosigned = made.stored.note.signatures
        assert own.name == key.name
        return tuple(cosigned), made.older

    assert accept(older) == ((older,), ())
    assert accept(newer, others) == ((newer, others), ())
    assert accept(older) == ((newer, others), ("w/1",))
    assert accept(newer) == ((others, newer), ())
    assert accept(newer, older) == ((others, newer), ("w/1",))


def test_a_cosignature_that_is_not_valid_is_replaced(log: LogDirectory) -> None:
    signed(log)
    made = make_checkpoint(log)
    assert made.path is not None
    witness = Signer("w/1", Ed25519PrivateKey.generate(), COSIGNATURE)
    wrong = witness.sign("another text\n", 300)
    made.path.write_text(write_note(made.note.text, (*made.note.signatures, wrong)))
    good = witness.sign(made.note.text, 100)

    found = add_cosignatures(log, good.line(), (witness.verifier,))

    assert (found.stored.note.signatures[1:], found.older) == ((good,), ())


def test_a_cosignature_is_added_to_the_checkpoint_it_is_for(log: LogDirectory) -> None:
    signed(log)
    made = [make_checkpoint(log)]
    for number in (7, 8):
        append_game(log, number, 3)
        made.append(make_checkpoint(log))
    witness = Signer("w/1", Ed25519PrivateKey.generate(), COSIGNATURE)
    line = witness.sign(made[1].note.text, 100)

    found = add_cosignatures(log, line.line(), (witness.verifier,))

    assert found.stored.checkpoint == made[1].checkpoint
    assert found.stored.note.signatures == (*made[1].note.signatures, line)
    assert stored_checkpoints(log) == [made[0], found.stored, made[2]]


def test_cosignatures_need_a_signed_checkpoint_and_a_known_witness(log: LogDirectory) -> None:
    with pytest.raises(EvidenceIncomplete):
        add_cosignatures(log, "— witness AAAAAAAAAAAA\n", ())
    signed(log)
    made = make_checkpoint(log)
    with pytest.raises(IntegrityFailure, match="of this log; the last has size 4"):
        add_cosignatures(log, "— witness AAAAAAAAAAAA\n", ())
    with pytest.raises(BadInput, match="there is no signature line"):
        add_cosignatures(log, "", ())
    assert stored_checkpoints(log) == [made]
