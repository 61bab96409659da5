"""The checkpoints a log has signed: one file per size, never one that contradicts another."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from domain.errors import BadInput, EvidenceIncomplete, IntegrityFailure
from domain.ports import EventLog
from whodecided.evidence.checkpoint import Checkpoint, origin_of, read_checkpoint
from whodecided.evidence.keys import load_signer
from whodecided.evidence.merkle import MerkleTree, leaf_hash
from whodecided.evidence.notes import Note, NoteSignature, read_signatures, write_note
from whodecided.evidence.signing import Signer, Verifier
from whodecided.store.directory import LogDirectory
from whodecided.store.files import replace_file

__all__ = [
    "Cosigned",
    "StoredCheckpoint",
    "add_cosignatures",
    "journal_tree",
    "latest_checkpoint",
    "make_checkpoint",
    "stored_checkpoints",
]

_SUFFIX: Final = ".checkpoint"


class StoredCheckpoint(NamedTuple):
    """A checkpoint with its note; `path` is None for one that is unsigned and was not stored."""

    checkpoint: Checkpoint
    note: Note
    path: Path | None

    def text(self) -> str:
        """The note as it is exchanged, or only its text when it is unsigned."""
        return write_note(*self.note) if self.note.signatures else self.note.text


class Cosigned(NamedTuple):
    """A checkpoint after the answer of a witness; `older` names those whose newer one was kept."""

    stored: StoredCheckpoint
    older: tuple[str, ...]


def journal_tree(log: EventLog) -> MerkleTree:
    """The tree over the whole journal, made anew from the entries as they are stored."""
    tree = MerkleTree()
    while entries := log.journal(after=len(tree) - 1):
        for entry in entries:
            tree.append(leaf_hash(entry.entry))
    return tree


def stored_checkpoints(log: LogDirectory) -> list[StoredCheckpoint]:
    """Every checkpoint the log has signed, by size. IntegrityFailure for a file that is none."""
    found = []
    for path in sorted(log.checkpoints.glob(f"*{_SUFFIX}")):
        try:
            checkpoint, note = read_checkpoint(path.read_text(encoding="utf-8"), path.name)
        except (BadInput, UnicodeDecodeError) as error:
            raise IntegrityFailure(path.name, str(error)) from error
        if path.name != _name(checkpoint):
            raise IntegrityFailure(path.name, f"holds the checkpoint of size {checkpoint.size}")
        found.append(StoredCheckpoint(checkpoint, note, path))
    return found


def latest_checkpoint(log: LogDirectory) -> StoredCheckpoint | None:
    """The largest checkpoint the log has signed."""
    return max(stored_checkpoints(log), default=None, key=lambda item: item.checkpoint.size)


def make_checkpoint(log: LogDirectory, tree: MerkleTree | None = None) -> StoredCheckpoint:
    """The checkpoint of the log as it is now, signed and stored where the log has a key.

    `tree` may be given when it was just made of the journal. Raises IntegrityFailure, and signs
    nothing, when the log no longer has what its last checkpoint says.
    """
    origin = origin_of(log.events.log_id)
    tree = journal_tree(log.events) if tree is None else tree
    checkpoint = Checkpoint(origin, len(tree), tree.root())
    last = latest_checkpoint(log)
    if last is not None:
        _require_continuation(last.checkpoint, checkpoint, tree)
    signer = load_signer(log.keys, origin)
    if signer is None and last is not None and last.checkpoint == checkpoint:
        return last  # signed where the key is
    if signer is None:
        return StoredCheckpoint(checkpoint, Note(checkpoint.text(), ()), None)
    earlier = last.note if last is not None and last.checkpoint == checkpoint else None
    return _store(log, checkpoint, _signed(checkpoint, earlier, signer))


def add_cosignatures(
    log: LogDirectory, signatures: str, witnesses: tuple[Verifier, ...]
) -> Cosigned:
    """Add the signature lines a witness answered with to the checkpoint they are for.

    That is the newest one that a line fits; other lines are left out, and of a witness only the
    newest cosignature is kept. Raises EvidenceIncomplete without a signed checkpoint, and
    IntegrityFailure when no line is a valid cosignature of a known witness for any of them.
    """
    stored = stored_checkpoints(log)
    if not stored:
        raise EvidenceIncomplete("checkpoint", "the log has signed none", advice=_MAKE_ONE)
    offered = read_signatures(signatures, "cosignatures")
    for one in sorted(stored, key=lambda item: item.checkpoint.size, reverse=True):
        text = one.note.text
        valid = [line for line in offered if _moment(text, line, witnesses) is not None]
        if valid:
            return _with_cosignatures(log, one, valid, witnesses)
    last = max(item.checkpoint.size for item in stored)
    reason = "none is a valid one of a known witness for a checkpoint of this log"
    raise IntegrityFailure("cosignatures", f"{reason}; the last has size {last}")


def _with_cosignatures(
    log: LogDirectory,
    stored: StoredCheckpoint,
    valid: Sequence[NoteSignature],
    witnesses: tuple[Verifier, ...],
) -> Cosigned:
    text, kept, older = stored.note.text, list(stored.note.signatures), []
    for one in valid:
        own = [s for s in (*kept, one) if s[:2] == one[:2]]
        newest = max(reversed(own), key=lambda s: _moment(text, s, witnesses) or 0)
        if newest == one:
            kept = [*(s for s in kept if s not in own), one]
        else:
            older.append(one.name)
    return Cosigned(_store(log, stored.checkpoint, Note(text, tuple(kept))), tuple(older))


def _moment(text: str, one: NoteSignature, witnesses: tuple[Verifier, ...]) -> int | None:
    """When one of the witnesses cosigned; None for what none of them has validly signed."""
    found = (witness.verify(Note(text, (one,))) for witness in witnesses)
    return next((moment for moment in found if moment is not None), None)


def _require_continuation(last: Checkpoint, now: Checkpoint, tree: MerkleTree) -> None:
    what = f"checkpoint {last.size}"
    if last.origin != now.origin:
        raise IntegrityFailure(what, f"is of {last.origin}, this log is {now.origin}")
    if last.size > now.size:
        raise IntegrityFailure(
            what, f"the journal has only {now.size} entries: it was rolled back; nothing is signed"
        )
    root = tree.root(last.size)
    if root != last.root:
        raise IntegrityFailure(
            what,
            f"its first {last.size} journal entries have changed: signed root {last.root.hex()},"
            f" computed root {root.hex()}; nothing is signed",
        )


def _signed(checkpoint: Checkpoint, earlier: Note | None, signer: Signer) -> Note:
    kept: tuple[NoteSignature, ...] = () if earlier is None else earlier.signatures
    if earlier is not None and signer.verifier.verify(earlier) is not None:
        return earlier
    return Note(checkpoint.text(), (*kept, signer.sign(checkpoint.text())))


def _store(log: LogDirectory, checkpoint: Checkpoint, note: Note) -> StoredCheckpoint:
    path = log.checkpoints / _name(checkpoint)
    stored = StoredCheckpoint(checkpoint, note, path)
    content = stored.text().encode()
    if not path.exists() or path.read_bytes() != content:
        replace_file(path, content, 0o644)
    return stored


def _name(checkpoint: Checkpoint) -> str:
    return f"{checkpoint.size:015d}{_SUFFIX}"


_MAKE_ONE: Final = "Make a key with `whodecided keys new`, then a checkpoint."
