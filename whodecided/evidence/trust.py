"""Comparing what a log shows with keys and checkpoints that were kept elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from domain.canonical import format_time
from domain.errors import BadInput
from whodecided.evidence.checkpoint import Checkpoint, read_checkpoint
from whodecided.evidence.notes import Note
from whodecided.evidence.report import SIGNED, UNCHANGED, Failure
from whodecided.evidence.signing import COSIGNATURE, SIGNATURE, Verifier
from whodecided.inputs import read_text

__all__ = [
    "MAX_BYTES",
    "Trust",
    "check_against",
    "check_keys",
    "check_signatures",
    "read_kept_checkpoint",
    "read_trust",
    "signed_by",
]

MAX_BYTES: Final = 1 << 20
"""A file of keys, a checkpoint or a message of a witness is short; a larger one is a mistake."""


@dataclass(frozen=True, slots=True)
class Trust:
    """What the reader brings along: `keys` of the log and of witnesses, checkpoints of the log."""

    keys: tuple[Verifier, ...] = ()
    against: tuple[Checkpoint, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.keys or self.against)

    @property
    def log_keys(self) -> tuple[Verifier, ...]:
        """The keys that sign checkpoints."""
        return tuple(key for key in self.keys if key.kind == SIGNATURE)

    @property
    def witnesses(self) -> tuple[Verifier, ...]:
        """The keys that cosign checkpoints."""
        return tuple(key for key in self.keys if key.kind == COSIGNATURE)

    @property
    def agreement(self) -> str:
        """What it means that a log or bundle agrees with all of this.

        The owner of a key can sign another history with it; what a checkpoint or a witness
        remembers, nobody can take back.
        """
        return UNCHANGED if self.against or self.witnesses else SIGNED


def read_trust(keys: Sequence[str], against: Sequence[Path]) -> Trust:
    """What a command is given: keys or files of keys, and files of checkpoints. BadInput."""
    read = [key for given in keys for key in _read_keys(given)]
    return Trust(tuple(read), tuple(map(read_kept_checkpoint, against)))


def read_kept_checkpoint(path: Path) -> Checkpoint:
    """The checkpoint of a file, signed or not. BadInput for anything else."""
    return read_checkpoint(read_text(path, MAX_BYTES), str(path))[0]


def _read_keys(given: str) -> list[Verifier]:
    if given.count("+") >= 2:
        return [Verifier.parse(given)]
    lines = [line for line in read_text(Path(given), MAX_BYTES).splitlines() if line.strip()]
    if not lines:
        raise BadInput(given, "there is no key in it")
    return [Verifier.parse(line, given) for line in lines]


def check_signatures(what: str, note: Note, keys: Sequence[Verifier]) -> Failure | None:
    """A checkpoint must be signed by one of the log's own keys, and validly wherever it is."""
    for key in keys:
        if key.signed(note) and key.verify(note) is None:
            return Failure("signature-invalid", what, f"the signature of {key.name} is not valid")
    if not any(key.signed(note) for key in keys if key.kind == SIGNATURE):
        names = sorted({item.name for item in note.signatures}) or ["nobody"]
        return Failure("foreign-key", what, f"signed by {', '.join(names)}, by no key of the log")
    return None


def check_keys(
    origin: str, notes: Sequence[tuple[Checkpoint, Note]], trust: Trust
) -> tuple[Failure | None, str]:
    """What speaks against the trusted keys, and in words what they vouch for.

    One of the trusted keys of the log must have signed one of the checkpoints, and every trusted
    witness must have cosigned one.
    """
    said = []
    for key in trust.log_keys:
        if key.name != origin:
            return _wrong_origin("key", key.name, origin), ""
    if trust.log_keys:
        found = signed_by(notes, trust.log_keys)
        if found is None:
            names = sorted({s.name for _, note in notes for s in note.signatures}) or ["nobody"]
            reason = f"signed by {', '.join(names)}, by none of the trusted keys"
            return Failure("foreign-key", "checkpoint", reason), ""
        said.append(f"the trusted key signed size {found[0].size}")
    for witness in trust.witnesses:
        found = signed_by(notes, [witness])
        if found is None:
            return Failure("not-cosigned", "checkpoint", f"not cosigned by {witness.name}"), ""
        time = format_time((witness.verify(found[1]) or 0) * 1_000_000)
        said.append(f"{witness.name} cosigned size {found[0].size} at {time}")
    return None, "; ".join(said)


def check_against(known: Checkpoint, origin: str, size: int, root: bytes | None) -> Failure | None:
    """A checkpoint kept elsewhere must be a state of this log.

    `size` is the log's own; `root` its root at the size of the known checkpoint, None where it has
    not come that far.
    """
    what = f"checkpoint {known.size} kept elsewhere"
    if known.origin != origin:
        return _wrong_origin(what, known.origin, origin)
    if known.size > size or root is None:
        return Failure("rolled-back", what, f"this is an older state, of size {size}")
    if known.root != root:
        reason = "the same size had another root: a fork"
        return Failure("fork", what, reason, known.root.hex(), root.hex())
    return None


def signed_by(
    notes: Sequence[tuple[Checkpoint, Note]], keys: Sequence[Verifier]
) -> tuple[Checkpoint, Note] | None:
    """The largest checkpoint that one of the keys has validly signed."""
    signed = [item for item in notes if any(key.verify(item[1]) is not None for key in keys)]
    return max(signed, default=None, key=lambda item: item[0].size)


def _wrong_origin(what: str, named: str, origin: str) -> Failure:
    return Failure("wrong-origin", what, f"is of {named}, this is {origin}")
