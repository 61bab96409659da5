"""A witness cosigns what continues what it saw, and says by the rules why it does not."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from domain.errors import BadInput, LogUnavailable
from tests.whodecided.evidence.builders import append_game, make_log
from whodecided.evidence.checkpoint import Checkpoint, origin_of, read_checkpoint
from whodecided.evidence.checkpoints import (
    StoredCheckpoint,
    add_cosignatures,
    journal_tree,
    latest_checkpoint,
    make_checkpoint,
)
from whodecided.evidence.keys import create_key, load_signer
from whodecided.evidence.merkle import MerkleTree, leaf_hash
from whodecided.evidence.notes import Note
from whodecided.evidence.signing import COSIGNATURE, Signer, Verifier
from whodecided.evidence.witness import (
    Witness,
    WitnessRefusal,
    create_witness,
    open_witness,
    witness_request,
)
from whodecided.store.directory import LogDirectory

NOW = 1_790_000_000


@pytest.fixture
def log(tmp_path: Path) -> Iterator[LogDirectory]:
    with closing(make_log(tmp_path / "log")) as made:
        create_key(made.keys, origin_of(made.events.log_id))
        yield made


@pytest.fixture
def witness(tmp_path: Path, log: LogDirectory) -> Witness:
    create_witness(tmp_path / "witness", "witness.example/w1")
    opened = open_witness(tmp_path / "witness")
    opened.trust(signer_of(log).verifier)
    return opened


def signer_of(log: LogDirectory) -> Signer:
    signer = load_signer(log.keys, origin_of(log.events.log_id))
    assert signer is not None
    return signer


def ask(log: LogDirectory, old: int) -> str:
    return witness_request(make_checkpoint(log), journal_tree(log.events), old)


def forged(log: LogDirectory, size: int) -> tuple[StoredCheckpoint, MerkleTree]:
    """A signed checkpoint of another history."""
    tree = MerkleTree(leaf_hash(f"other {number}".encode()) for number in range(size))
    checkpoint = Checkpoint(origin_of(log.events.log_id), size, tree.root())
    signature = signer_of(log).sign(checkpoint.text())
    return StoredCheckpoint(checkpoint, Note(checkpoint.text(), (signature,)), None), tree


def refused(witness: Witness, request: str) -> tuple[int, int | None]:
    before = latest(witness, request)
    with pytest.raises(WitnessRefusal) as caught:
        witness.add_checkpoint(request, NOW)
    assert latest(witness, request) == before
    return caught.value.status, caught.value.size


def latest(witness: Witness, request: str) -> Checkpoint | None:
    return witness.latest(read_checkpoint(request.partition("\n\n")[2])[0].origin)


def test_a_witness_cosigns_a_log_as_it_grows(log: LogDirectory, witness: Witness) -> None:
    first = witness.add_checkpoint(ask(log, 0), NOW)
    append_game(log, 7, 3)
    second = witness.add_checkpoint(ask(log, 4), NOW + 5)

    last = add_cosignatures(log, second, (witness.signer.verifier,)).stored
    assert first != second
    assert witness.latest(last.checkpoint.origin) == last.checkpoint
    assert witness.signer.verifier.verify(last.note) == NOW + 5
    assert signer_of(log).verifier.verify(last.note) == 0
    assert latest_checkpoint(log) == last


def test_a_cosigned_checkpoint_stays_cosigned_when_it_is_made_again(
    log: LogDirectory, witness: Witness
) -> None:
    lines = witness.add_checkpoint(ask(log, 0), NOW)
    cosigned = add_cosignatures(log, lines, (witness.signer.verifier,)).stored

    assert make_checkpoint(log) == cosigned


def test_a_later_cosignature_of_the_same_size_takes_the_place_of_the_first(
    log: LogDirectory, witness: Witness
) -> None:
    add_cosignatures(log, witness.add_checkpoint(ask(log, 0), NOW), (witness.signer.verifier,))
    again = witness.add_checkpoint(ask(log, 4), NOW + 60)

    last = add_cosignatures(log, again, (witness.signer.verifier,)).stored

    assert witness.signer.verifier.verify(last.note) == NOW + 60
    assert len(last.note.signatures) == 2


def test_the_answer_of_an_unknown_witness_is_left_out(
    log: LogDirectory, witness: Witness, tmp_path: Path
) -> None:
    line = witness.add_checkpoint(ask(log, 0), NOW)
    other = create_witness(tmp_path / "other", "witness.example/w2")
    stranger = open_witness(tmp_path / "other")
    stranger.trust(signer_of(log).verifier)
    strange = stranger.add_checkpoint(ask(log, 0), NOW)

    last = add_cosignatures(log, line + strange, (witness.signer.verifier,)).stored

    assert not other.signed(last.note)
    assert witness.signer.verifier.signed(last.note)


def test_an_unknown_log_is_not_found(log: LogDirectory, tmp_path: Path) -> None:
    create_witness(tmp_path / "w", "w")

    assert refused(open_witness(tmp_path / "w"), ask(log, 0)) == (404, None)


def test_a_checkpoint_without_a_trusted_signature_is_forbidden(
    log: LogDirectory, witness: Witness
) -> None:
    create_key(log.keys, origin_of(log.events.log_id), replace=True)

    assert refused(witness, ask(log, 0)) == (403, None)


def test_a_request_from_another_size_is_told_the_size(log: LogDirectory, witness: Witness) -> None:
    assert refused(witness, ask(log, 2)) == (409, 0)
    witness.add_checkpoint(ask(log, 0), NOW)
    append_game(log, 7, 3)
    assert refused(witness, ask(log, 0)) == (409, 4)


def test_sizes_that_run_backwards_are_a_bad_request(log: LogDirectory, witness: Witness) -> None:
    older, tree = forged(log, 3)
    request = witness_request(older, tree, 0).replace("old 0", "old 4")

    assert refused(witness, request) == (400, None)


def test_a_fork_at_the_same_size_is_a_conflict(log: LogDirectory, witness: Witness) -> None:
    witness.add_checkpoint(ask(log, 0), NOW)
    fork, tree = forged(log, 4)

    assert refused(witness, witness_request(fork, tree, 4)) == (409, 4)


def test_a_rewritten_history_cannot_be_proven(log: LogDirectory, witness: Witness) -> None:
    witness.add_checkpoint(ask(log, 0), NOW)
    rewritten, tree = forged(log, 9)

    assert refused(witness, witness_request(rewritten, tree, 4)) == (422, None)


def test_a_first_checkpoint_takes_no_proof(log: LogDirectory, witness: Witness) -> None:
    line = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    request = ask(log, 0).replace("old 0\n", f"old 0\n{line}\n")

    assert refused(witness, request) == (422, None)


@pytest.mark.parametrize(
    "request_text",
    [
        "",
        "old 0\n",
        "old 00\n\nx\n1\ny\n",
        "new 0\n\nx\n1\ny\n",
        "old 0\nnot base64\n\nx\n1\ny\n",
        "old 0\nAAAA\n\nx\n1\ny\n",
        "old 0\n" + "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n" * 64 + "\nx\n1\ny\n",
        "old 0\n\nno checkpoint\n",
    ],
)
def test_what_is_no_request_is_bad_input(witness: Witness, request_text: str) -> None:
    with pytest.raises(BadInput):
        witness.add_checkpoint(request_text, NOW)


def test_of_two_requests_at_once_one_is_a_conflict(log: LogDirectory, witness: Witness) -> None:
    honest = ask(log, 0)
    other = witness_request(*forged(log, 9), 0)

    def send(request: str) -> int:
        try:
            open_witness(witness.path).add_checkpoint(request, NOW)
        except WitnessRefusal as refusal:
            return refusal.status
        return 200

    with ThreadPoolExecutor(4) as pool:
        answers = sorted(pool.map(send, [honest, other, honest, other]))

    assert answers == [200, 409, 409, 409]


def test_a_witness_trusts_keys_of_logs_only(witness: Witness, log: LogDirectory) -> None:
    key = signer_of(log).verifier
    with pytest.raises(BadInput, match="the key of a witness"):
        witness.trust(Verifier(key.name, COSIGNATURE, key.public))


def test_a_directory_without_a_witness_is_reported(tmp_path: Path) -> None:
    with pytest.raises(LogUnavailable, match="there is no witness here") as caught:
        open_witness(tmp_path)
    assert caught.value.advice is not None


def test_a_file_in_the_place_of_a_witness_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(LogUnavailable, match="Not a directory"):
        open_witness(tmp_path / "file")


def test_a_second_witness_does_not_take_the_place_of_the_first(
    witness: Witness, tmp_path: Path
) -> None:
    with pytest.raises(LogUnavailable, match="there is a key already") as caught:
        create_witness(tmp_path / "witness", "another")
    assert caught.value.advice is not None
    assert "a new directory for another witness" in caught.value.advice
    assert "keys new" not in caught.value.advice
    with pytest.raises(LogUnavailable):
        create_witness(Path("/dev/null/witness"), "w")
