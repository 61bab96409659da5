"""Whatever is done to a bundle, both verifiers refuse it, and for the same reason."""

from __future__ import annotations

import base64
import functools
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from typing import Any

import msgspec
import pytest

from domain.canonical import canonical_json
from tests.whodecided.evidence.builders import append_game, game_id, make_log
from tests.whodecided.evidence.forging import Change, both, forge, lines, relist, steps, unlines
from whodecided.evidence.archive import read_archive, write_archive
from whodecided.evidence.bundle import make_bundle
from whodecided.evidence.bundle_format import manifest_text
from whodecided.evidence.checkpoint import Checkpoint, origin_of, read_checkpoint
from whodecided.evidence.checkpoints import make_checkpoint
from whodecided.evidence.keys import create_key, load_signer
from whodecided.evidence.merkle import MerkleTree, leaf_hash
from whodecided.evidence.notes import Note, write_note
from whodecided.evidence.signing import SIGNATURE, Signer, Verifier
from whodecided.evidence.trust import Trust

EVENTS, JOURNAL, DISCLOSURES = "events.jsonl", "journal.jsonl", "disclosures.jsonl"


class Made:
    """Signed bundles of two logs, with the keys and checkpoints of the first."""

    def __init__(self, folder: Any) -> None:
        with closing(make_log(folder / "log")) as log:
            self.origin = origin_of(log.events.log_id)
            self.key = create_key(log.keys, self.origin)
            self.early = make_checkpoint(log).checkpoint
            self.old = self._bundle(log, 1)
            append_game(log, 1, 20)
            self.bundle = self._bundle(log, 1)
            self.other_game = self._bundle(log, 2)
            append_game(log, 5, 9)
            self.late = make_checkpoint(log).checkpoint
            signer = load_signer(log.keys, self.origin)
            assert signer is not None
            self.signer = signer
        with closing(make_log(folder / "unsigned", games=1, events=6)) as log:
            self.small = self._bundle(log, 0, events=(2, 2))
        with closing(make_log(folder / "elsewhere")) as log:
            self.other_key = create_key(log.keys, origin_of(log.events.log_id))
            self.elsewhere = make_checkpoint(log).checkpoint
            append_game(log, 1, 20)
            self.foreign = self._bundle(log, 1)

    @staticmethod
    def _bundle(log: Any, game: int, **options: Any) -> bytes:
        made = make_bundle(
            log,
            game_id(game),
            viewer="judge",
            may_show=lambda event: ["card"] if event.number != 3 else None,
            **options,
        )
        return made.content


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return Made(tmp_path_factory.mktemp("logs"))


def test_the_bundles_are_taken_as_they_are(made: Made) -> None:
    for bundle in (made.bundle, made.old, made.other_game, made.small, made.foreign):
        assert both(bundle) is None
        assert both(forge(bundle, lambda files: None)) is None


def test_every_single_byte_of_a_bundle_counts(made: Made) -> None:
    assert both(made.small) is None
    for place in range(len(made.small)):
        flipped = bytearray(made.small)
        flipped[place] ^= 1 << place % 8
        assert steps(bytes(flipped)) == ("archive", "archive")


@pytest.mark.parametrize(
    "name",
    [EVENTS, JOURNAL, DISCLOSURES, "proofs.json", "checkpoint.note", "log.vkeys", "manifest.note"],
)
def test_a_changed_byte_in_a_file_that_was_listed_anew_is_found_further_on(
    made: Made, name: str
) -> None:
    files = read_archive(made.bundle)
    content = files[name]
    for place in range(0, len(content), max(1, len(content) // 60)):
        flipped = bytearray(content)
        flipped[place] ^= 0x02 << place % 6
        files = read_archive(made.bundle)
        files[name] = bytes(flipped)
        if name != "manifest.note":
            relist(files)
        failed = both(write_archive(files))
        assert failed is not None
        assert failed[0] not in ("archive", "elsewhere")


@pytest.mark.parametrize(
    "name", ["summary.html", "statement.txt", "schemas/game.spell_cast.v1.json"]
)
def test_what_people_read_is_covered_by_the_signature_of_the_manifest(
    made: Made, name: str
) -> None:
    def change(files: dict[str, bytes]) -> None:
        files[name] += b" "

    assert both(forge(made.bundle, change, list_anew=False)) == ("manifest", "file-changed")
    assert both(forge(made.bundle, change)) == ("signatures", "manifest-signature")

    def strip(files: dict[str, bytes]) -> None:
        change(files)
        del files["manifest.note"]

    stripped = forge(made.bundle, strip)
    assert both(stripped) is None
    assert both(stripped, Trust(keys=(made.key,))) == ("elsewhere", "manifest-unsigned")


def test_every_byte_of_the_manifest_counts(made: Made) -> None:
    content = read_archive(made.bundle)["manifest.json"]
    for place in range(0, len(content), 9):
        files = read_archive(made.bundle)
        flipped = bytearray(content)
        flipped[place] ^= 0x01
        files["manifest.json"] = bytes(flipped)
        assert both(write_archive(files)) is not None


def edit(name: str, change: Callable[[list[bytes]], object]) -> Change:
    """A change of the lines of a file."""

    def apply(files: dict[str, bytes]) -> None:
        found = lines(files, name)
        change(found)
        files[name] = unlines(found)

    return apply


def members(name: str, at: int, **changed: Any) -> Change:
    """A change of members of one line, still canonical."""

    def change(found: list[bytes]) -> None:
        found[at] = canonical_json(msgspec.json.decode(found[at]) | changed)

    return edit(name, change)


def both_changes(*changes: Change) -> Change:
    def apply(files: dict[str, bytes]) -> None:
        for change in changes:
            change(files)

    return apply


def without(*names: str) -> Change:
    return lambda files: [files.pop(name) for name in names]


def manifest(**changed: Any) -> Change:
    return lambda files: relist(files, **changed)


def dropped(at: int) -> Callable[[list[bytes]], object]:
    return lambda found: found.pop(at)


def exchanged(found: list[bytes]) -> None:
    found[1], found[3] = found[3], found[1]


def one_more(found: list[bytes]) -> None:
    found.append(canonical_json(msgspec.json.decode(found[3]) | {"number": len(found) + 1}))


def renumbered_after_a_drop(found: list[bytes]) -> None:
    """Take an event out and close the gap."""
    del found[4]
    for at in range(4, len(found)):
        found[at] = canonical_json(msgspec.json.decode(found[at]) | {"number": at + 1})


def withheld(at: int) -> Change:
    def change(found: list[bytes]) -> None:
        found[at] = canonical_json({"leaf": leaf_hash(found[at]).hex(), "number": at + 1})

    return edit(EVENTS, change)


def shortened(files: dict[str, bytes]) -> None:
    """Cut the record off after its first append, as if there were no more."""
    files[EVENTS] = unlines(lines(files, EVENTS)[:9])
    files[JOURNAL] = unlines(lines(files, JOURNAL)[:1])
    kept = [item for item in lines(files, DISCLOSURES) if msgspec.json.decode(item)["number"] < 10]
    files[DISCLOSURES] = unlines(kept)
    root = msgspec.json.decode(lines(files, JOURNAL)[0])["root"]
    counts = {"disclosed": len(kept), "shown": 8, "withheld": 1}
    relist(files, size=9, last=9, root=root, counts=counts)


def proofs(**changed: Any) -> Change:
    def apply(files: dict[str, bytes]) -> None:
        found = msgspec.json.decode(files["proofs.json"])
        for name, change in changed.items():
            change(found[name])
        files["proofs.json"] = canonical_json(found)

    return apply


def other_hash(proof: dict[str, Any]) -> None:
    proof["path"][0] = base64.b64encode(bytes(32)).decode()


CHANGES: dict[str, tuple[Change, str, str]] = {
    "no manifest": (lambda files: files.pop("manifest.json"), "manifest", "manifest-malformed"),
    "another format": (manifest(format="whodecided-bundle/2"), "manifest", "manifest-malformed"),
    "a member more": (manifest(more=1), "manifest", "manifest-malformed"),
    "a size that is no number": (manifest(size="9"), "manifest", "manifest-malformed"),
    "a file missing": (lambda files: files.pop(EVENTS), "manifest", "file-missing"),
    "a file more": (lambda files: files.update(extra=b"x"), "manifest", "file-unknown"),
    "event bytes": (members(EVENTS, 3, change=-4), "journal", "root-differs"),
    "event bytes loosely written": (
        edit(EVENTS, lambda f: f.__setitem__(3, f[3].replace(b",", b", ", 1))),
        "events",
        "event-malformed",
    ),
    "an event with a fraction": (members(EVENTS, 3, change=-3.5), "events", "event-malformed"),
    "an event with a large number": (members(EVENTS, 3, change=2**53), "events", "event-malformed"),
    "a line that is no object": (
        edit(EVENTS, lambda f: f.__setitem__(3, b"[]")),
        "events",
        "event-malformed",
    ),
    "a last line cut short": (
        lambda files: files.update({EVENTS: files[EVENTS][:-1]}),
        "events",
        "event-malformed",
    ),
    "an event dropped": (edit(EVENTS, dropped(4)), "events", "event-number"),
    "the first event dropped": (edit(EVENTS, dropped(0)), "events", "event-number"),
    "the last event dropped": (edit(EVENTS, dropped(-1)), "events", "event-number"),
    "an event inserted": (
        edit(EVENTS, lambda f: f.insert(4, f[4])),
        "events",
        "event-number",
    ),
    "an event appended": (
        edit(
            EVENTS, lambda f: f.append(canonical_json(msgspec.json.decode(f[3]) | {"number": 21}))
        ),
        "events",
        "event-number",
    ),
    "two events exchanged": (edit(EVENTS, exchanged), "events", "event-number"),
    "an event dropped and the rest renumbered": (
        both_changes(edit(EVENTS, renumbered_after_a_drop), manifest(size=19, last=19)),
        "journal",
        "root-differs",
    ),
    "all events cut off": (lambda files: files.update({EVENTS: b""}), "events", "event-number"),
    "an event of another game": (
        members(EVENTS, 3, game_id=game_id(2)),
        "events",
        "event-foreign",
    ),
    "a number that is a truth value": (members(EVENTS, 0, number=True), "events", "event-number"),
    "the hash of a withheld event": (members(EVENTS, 2, leaf="0" * 64), "journal", "root-differs"),
    "an event withheld after the fact": (withheld(3), "disclosures", "counts-differ"),
    "a disclosed event withheld": (withheld(1), "disclosures", "disclosure-without-field"),
    "a journal entry dropped": (edit(JOURNAL, dropped(0)), "journal", "entry-order"),
    "the last journal entry dropped": (edit(JOURNAL, dropped(-1)), "journal", "entry-order"),
    "no journal": (lambda files: files.update({JOURNAL: b""}), "journal", "entry-order"),
    "journal entries exchanged": (edit(JOURNAL, lambda f: f.reverse()), "journal", "entry-order"),
    "a journal entry's time": (
        members(JOURNAL, 0, recorded_at="2020-01-01T00:00:00.000000Z"),
        "inclusion",
        "inclusion-fails",
    ),
    "a journal entry's root": (members(JOURNAL, 0, root="0" * 64), "journal", "root-differs"),
    "a journal entry's size": (members(JOURNAL, 0, size=8), "journal", "root-differs"),
    "a journal entry's facts": (
        members(JOURNAL, 1, facts_digest="0" * 64),
        "journal",
        "facts-differ",
    ),
    "a journal entry of another game": (
        members(JOURNAL, 0, stream_id=game_id(2)),
        "journal",
        "entry-foreign",
    ),
    "a journal entry of another log": (members(JOURNAL, 0, log_id="x"), "journal", "entry-foreign"),
    "a journal entry with more in it": (members(JOURNAL, 0, more=1), "journal", "entry-malformed"),
    "a journal entry that adds less": (members(JOURNAL, 0, last=8), "journal", "root-differs"),
    "a journal entry with a negative number": (
        members(JOURNAL, 0, first=-1),
        "journal",
        "entry-malformed",
    ),
    "the manifest's root": (manifest(root="0" * 64), "journal", "root-differs"),
    "a disclosed value": (
        members(DISCLOSURES, 0, value='"1"'),
        "disclosures",
        "disclosure-differs",
    ),
    "a salt": (members(DISCLOSURES, 0, salt="0" * 64), "disclosures", "disclosure-differs"),
    "a disclosure of another field": (
        members(DISCLOSURES, 0, field="object"),
        "disclosures",
        "disclosure-without-field",
    ),
    "a disclosure of another event": (
        members(DISCLOSURES, 0, number=1),
        "disclosures",
        "disclosure-without-field",
    ),
    "a disclosure taken away": (edit(DISCLOSURES, dropped(0)), "disclosures", "counts-differ"),
    "a disclosure twice": (
        edit(DISCLOSURES, lambda f: f.insert(0, f[0])),
        "disclosures",
        "disclosure-malformed",
    ),
    "a disclosure with more in it": (
        members(DISCLOSURES, 0, more=1),
        "disclosures",
        "disclosure-malformed",
    ),
    "the counts": (
        manifest(counts={"disclosed": 0, "shown": 0, "withheld": 0}),
        "disclosures",
        "counts-differ",
    ),
    "a checkpoint that is none": (
        lambda files: files.update({"checkpoint.note": b"text"}),
        "checkpoint",
        "checkpoint-malformed",
    ),
    "a checkpoint that is no text": (
        lambda files: files.update({"checkpoint.note": b"\xff"}),
        "checkpoint",
        "checkpoint-malformed",
    ),
    "another log in the manifest": (
        manifest(log={"id": "x", "origin": "whodecided/x"}),
        "journal",
        "entry-foreign",
    ),
    "another origin in the manifest": (
        lambda files: relist(
            files,
            log=msgspec.json.decode(files["manifest.json"])["log"] | {"origin": "elsewhere"},
        ),
        "checkpoint",
        "wrong-origin",
    ),
    "another size in the manifest": (
        lambda files: relist(
            files,
            checkpoint=msgspec.json.decode(files["manifest.json"])["checkpoint"] | {"size": 4},
        ),
        "checkpoint",
        "checkpoint-differs",
    ),
    "proofs that are none": (
        lambda files: files.update({"proofs.json": b"[]"}),
        "inclusion",
        "proofs-malformed",
    ),
    "a proof whose hash is none": (
        proofs(inclusion=lambda found: found[0].update(path=["AAAA"])),
        "inclusion",
        "proofs-malformed",
    ),
    "a proof too few": (proofs(inclusion=lambda found: found.pop()), "inclusion", "proof-size"),
    "a proof with a hash too few": (
        proofs(inclusion=lambda found: found[0]["path"].pop()),
        "inclusion",
        "proof-size",
    ),
    "a proof beyond the checkpoint": (
        proofs(inclusion=lambda found: found[1].update(index=99)),
        "inclusion",
        "proof-size",
    ),
    "an index off by one": (
        proofs(inclusion=lambda found: found[0].update(index=2)),
        "inclusion",
        "inclusion-fails",
    ),
    "a proof with another hash": (
        proofs(inclusion=lambda found: other_hash(found[0])),
        "inclusion",
        "inclusion-fails",
    ),
    "proofs exchanged": (
        proofs(inclusion=lambda found: found.reverse()),
        "inclusion",
        "inclusion-fails",
    ),
    "a consistency proof with another hash": (
        proofs(consistency=lambda found: other_hash(found[0])),
        "consistency",
        "consistency-fails",
    ),
    "a consistency proof with a hash too few": (
        proofs(consistency=lambda found: found[0]["path"].pop()),
        "consistency",
        "consistency-fails",
    ),
    "a consistency proof from another root": (
        proofs(consistency=lambda found: found[0].update(root="0" * 64)),
        "consistency",
        "consistency-fails",
    ),
    "a consistency proof from another size": (
        proofs(consistency=lambda found: found[0].update(size=3)),
        "consistency",
        "consistency-fails",
    ),
    "a consistency proof from the same size": (
        proofs(consistency=lambda found: found[0].update(size=5)),
        "consistency",
        "proof-size",
    ),
    "a consistency proof whose hash is none": (
        proofs(consistency=lambda found: found[0].update(path=["x"])),
        "consistency",
        "proofs-malformed",
    ),
    "no keys": (without("log.vkeys", "manifest.note"), "signatures", "foreign-key"),
    "keys that are none": (
        both_changes(without("manifest.note"), lambda files: files.update({"log.vkeys": b"x\n"})),
        "signatures",
        "keys-malformed",
    ),
    "a note about another manifest": (manifest(viewer="me"), "signatures", "manifest-signature"),
    "a manifest's note that is none": (
        lambda files: files.update({"manifest.note": b"x"}),
        "signatures",
        "manifest-signature",
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_is_refused_for_its_own_reason(made: Made, change: str) -> None:
    apply, step, code = CHANGES[change]
    files = read_archive(made.bundle)
    apply(files)
    if "manifest.json" in files and step != "manifest":
        relist(files)
    assert both(write_archive(files)) == (step, code)


def test_a_record_cut_off_at_an_earlier_head_is_an_earlier_state_not_a_lie(made: Made) -> None:
    """It verifies, as what it says: nothing tells that nothing was recorded later."""
    files = read_archive(made.bundle)
    shortened(files)
    found = msgspec.json.decode(files["proofs.json"])
    del found["inclusion"][1:]
    files["proofs.json"] = canonical_json(found)
    del files["manifest.note"]
    relist(files)
    forged = write_archive(files)

    assert both(forged) is None
    assert both(forged, Trust(keys=(made.key,))) == ("elsewhere", "manifest-unsigned")


@pytest.mark.parametrize(
    ("name", "of"),
    [
        (name, of)
        for name in (EVENTS, JOURNAL, DISCLOSURES, "proofs.json", "checkpoint.note")
        for of in ("other_game", "foreign", "old")
        if (name, of) != ("checkpoint.note", "other_game")  # one checkpoint covers both games
    ],
)
def test_a_file_of_another_bundle_does_not_fit(made: Made, name: str, of: str) -> None:
    taken = read_archive(getattr(made, of))[name]
    files = read_archive(made.bundle)
    assert files[name] != taken
    files[name] = taken
    relist(files)

    assert both(write_archive(files)) is not None


def signed_anew(bundle: bytes, signer: Signer, vkeys: list[Verifier]) -> bytes:
    """The bundle with checkpoint and manifest signed by another key."""
    files = read_archive(bundle)
    checkpoint, _ = read_checkpoint(files["checkpoint.note"].decode())
    text = checkpoint.text()
    files["checkpoint.note"] = write_note(text, [signer.sign(text)]).encode()
    files["log.vkeys"] = "".join(f"{key}\n" for key in vkeys).encode()
    relist(files)
    digest = base64.b64encode(sha256(files["manifest.json"]).digest()).decode()
    text = manifest_text(checkpoint.origin, digest)
    files["manifest.note"] = write_note(text, [signer.sign(text)]).encode()
    return write_archive(files)


@functools.cache
def stranger(name: str) -> Signer:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Signer(name, Ed25519PrivateKey.from_private_bytes(bytes(32)))


def test_a_foreign_key_is_caught_by_the_trusted_one_only(made: Made) -> None:
    signer = stranger(made.origin)
    resigned = signed_anew(made.bundle, signer, [signer.verifier])

    assert both(resigned) is None
    assert both(resigned, Trust(keys=(made.key,))) == ("elsewhere", "foreign-key")
    assert both(made.bundle, Trust(keys=(made.key,))) is None


def test_a_foreign_signature_beside_the_logs_own_key_is_foreign(made: Made) -> None:
    resigned = signed_anew(made.bundle, stranger(made.origin), [made.key])

    assert both(resigned) == ("signatures", "foreign-key")


def test_a_signature_that_is_not_valid_is_refused(made: Made) -> None:
    files = read_archive(made.bundle)
    _, note = read_checkpoint(files["checkpoint.note"].decode())
    bad = note.signatures[0]._replace(blob=bytes(64))
    files["checkpoint.note"] = write_note(*Note(note.text, (bad,))).encode()
    relist(files)
    del files["manifest.note"]

    assert both(write_archive(files)) == ("signatures", "signature-invalid")


def test_a_manifest_signed_by_another_key_is_foreign(made: Made) -> None:
    files = read_archive(made.bundle)
    digest = base64.b64encode(sha256(files["manifest.json"]).digest()).decode()
    text = manifest_text(made.origin, digest)
    signature = stranger(made.origin).sign(text)
    files["manifest.note"] = write_note(text, [signature]).encode()

    assert both(write_archive(files)) == ("signatures", "foreign-key")


def test_a_signed_manifest_beside_an_unsigned_checkpoint_is_refused(made: Made) -> None:
    files = read_archive(made.small)
    origin = msgspec.json.decode(files["manifest.json"])["log"]["origin"]
    digest = base64.b64encode(sha256(files["manifest.json"]).digest()).decode()
    text = manifest_text(origin, digest)
    files["manifest.note"] = write_note(text, [stranger(origin).sign(text)]).encode()

    assert both(write_archive(files)) == ("signatures", "manifest-signature")


def test_keys_and_checkpoints_of_another_log_are_of_wrong_origin(made: Made) -> None:
    for trust in (Trust(keys=(made.other_key,)), Trust(against=(made.elsewhere,))):
        assert both(made.bundle, trust) == ("elsewhere", "wrong-origin")


def test_an_unsigned_bundle_does_not_pass_for_a_signed_one(made: Made) -> None:
    origin = msgspec.json.decode(read_archive(made.small)["manifest.json"])["log"]["origin"]
    key = Verifier(origin, SIGNATURE, made.key.public)

    assert both(made.small, Trust(keys=(key,))) == ("elsewhere", "foreign-key")


def test_a_missing_cosignature_is_named(made: Made) -> None:
    witness = Verifier("witness.example/w1", 0x04, made.key.public)

    assert both(made.bundle, Trust(keys=(made.key, witness))) == ("elsewhere", "not-cosigned")


def test_a_roll_back_is_caught_by_a_later_checkpoint(made: Made) -> None:
    assert both(made.old, Trust(against=(made.late,))) == ("elsewhere", "rolled-back")
    assert both(made.bundle, Trust(against=(made.late,))) == ("elsewhere", "rolled-back")
    assert both(made.bundle, Trust(against=(made.early,))) is None


@pytest.mark.parametrize("size", [0, 4, 5])
def test_a_fork_is_caught_by_a_checkpoint_of_the_other_branch(made: Made, size: int) -> None:
    other = MerkleTree(leaf_hash(b"other %d" % number) for number in range(size))
    root = other.root() if size else bytes(32)
    kept = Checkpoint(made.origin, size, root)

    assert both(made.bundle, Trust(against=(kept,))) == ("elsewhere", "fork")


def test_a_checkpoint_of_a_size_without_a_proof_cannot_be_compared(made: Made) -> None:
    kept = Checkpoint(made.origin, 2, bytes(32))

    assert both(made.bundle, Trust(against=(kept,))) == ("elsewhere", "no-proof")


def test_the_owner_of_the_key_can_still_rewrite_history_but_not_past_a_kept_checkpoint(
    made: Made,
) -> None:
    """A whole other log under the same origin, signed with the true key."""
    entries = lines(read_archive(made.bundle), JOURNAL)
    forged = MerkleTree([leaf_hash(b"forged"), *map(leaf_hash, entries)])
    checkpoint = Checkpoint(made.origin, len(forged), forged.root())

    def rewrite(files: dict[str, bytes]) -> None:
        text = checkpoint.text()
        files["checkpoint.note"] = write_note(text, [made.signer.sign(text)]).encode()
        inclusion = [
            {"index": at, "path": [base64.b64encode(h).decode() for h in forged.inclusion(at)]}
            for at in (1, 2)
        ]
        files["proofs.json"] = canonical_json({"consistency": [], "inclusion": inclusion})
        root = {"root": forged.root().hex(), "signed": True, "size": len(forged)}
        relist(files, checkpoint=root)
        digest = base64.b64encode(sha256(files["manifest.json"]).digest()).decode()
        text = manifest_text(made.origin, digest)
        files["manifest.note"] = write_note(text, [made.signer.sign(text)]).encode()

    rewritten = forge(made.bundle, rewrite, list_anew=False)

    assert both(rewritten, Trust(keys=(made.key,))) is None
    assert both(rewritten, Trust(keys=(made.key,), against=(made.early,))) == (
        "elsewhere",
        "rolled-back",
    )
