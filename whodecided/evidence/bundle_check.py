"""Check a case bundle by itself, without the log, as docs/bundle-format.md says.

`tools/verify_bundle.py` does the same and shares no code with this module.
"""

from __future__ import annotations

import base64
from hashlib import sha256
from pathlib import Path
from typing import Final

from domain.errors import BadInput, IntegrityFailure
from domain.ports import JournalEntry
from domain.sealed import sealed_digest
from whodecided.evidence.archive import MAX_ARCHIVE, ArchiveFault, read_archive
from whodecided.evidence.bundle_format import (
    BundleDisclosure,
    Counts,
    Inclusion,
    Proofs,
    WithheldEvent,
    manifest_text,
)
from whodecided.evidence.bundle_read import (
    Unfit,
    hashes,
    lines,
    plain_object,
    read_manifest,
    text_of,
    typed,
)
from whodecided.evidence.checkpoint import Checkpoint, origin_of, read_checkpoint
from whodecided.evidence.facts import facts_of_bytes
from whodecided.evidence.merkle import EMPTY_ROOT, Peaks, leaf_hash
from whodecided.evidence.notes import Note, open_note
from whodecided.evidence.proofs import consistency_holds, inclusion_holds, inclusion_length
from whodecided.evidence.report import (
    SELF_CONSISTENT,
    Failure,
    StepList,
    Verification,
    counted,
    disagreement,
)
from whodecided.evidence.signing import Verifier
from whodecided.evidence.trust import Trust, check_against, check_keys, check_signatures
from whodecided.store.journal import read_entry

__all__ = ["verify_bundle"]

_STEPS: Final = {
    "archive": "the archive is canonical: every byte is accounted for",
    "manifest": "every file is there and is the one the manifest lists",
    "events": "every event has its line, in order and of this record",
    "journal": "the events give the roots in the journal's entries",
    "disclosures": "every disclosed value fits its sealed digest",
    "checkpoint": "the checkpoint is the one the manifest names",
    "inclusion": "the journal's entries are in the checkpoint's tree",
    "consistency": "the checkpoint continues the earlier ones",
    "signatures": "checkpoint and manifest are signed by the log's key",
    "elsewhere": "keys and checkpoints kept elsewhere agree",
}
_NO_TRUST: Final = Trust()


def verify_bundle(bundle: Path | bytes, trust: Trust = _NO_TRUST) -> Verification:
    """Check a bundle, as a file or as its bytes, step by step; what was found.

    Raises BadInput for a file that cannot be read.
    """
    subject = "bundle" if isinstance(bundle, bytes) else str(bundle)
    check = _BundleCheck(trust)
    try:
        check.run(bundle if isinstance(bundle, bytes) else _content(bundle))
    except Unfit as unfit:
        check.steps.fail(unfit.step, unfit.failure)
    except ArchiveFault as fault:
        check.steps.fail("archive", Failure(fault.code, fault.what, fault.reason))
    failure = check.steps.failure
    trusted = bool(trust) and failure is None
    return Verification(
        subject, check.steps.steps(), failure, check.counts, trusted, check.claim(trusted)
    )


def _content(path: Path) -> bytes:
    """The bytes of a file; of one that is too large only so many that it is refused."""
    try:
        with path.open("rb") as file:
            return file.read(MAX_ARCHIVE + 1)
    except OSError as error:
        raise BadInput(str(path), error.strerror or str(error)) from error


class _BundleCheck:
    """The steps one after the other; each raises Unfit when it does not hold."""

    def __init__(self, trust: Trust) -> None:
        self.trust = trust
        self.steps = StepList(_STEPS)
        self.counts: dict[str, int] = {}
        self.signed = False

    def run(self, data: bytes) -> None:
        """Take every step."""
        self.files = read_archive(data)
        self.steps.ok("archive", f"{len(self.files)} files, {len(data)} bytes")
        self.manifest = read_manifest(self.files)
        self.steps.ok("manifest", f"{self.manifest.kind} {self.manifest.stream_id}")
        self._events()
        self._journal()
        self._disclosures()
        self._checkpoint()
        self._inclusion()
        self._consistency()
        self._signatures()
        self._elsewhere()

    def claim(self, trusted: bool) -> str:
        """What the result means."""
        if self.steps.failure is not None:
            if self.steps.failed == "elsewhere":
                return disagreement(self.steps.failure, self.signed)
            return "not intact: nothing in it can be relied on"
        if trusted:
            return self.trust.agreement
        return SELF_CONSISTENT if self.signed else f"unsigned and {SELF_CONSISTENT}"

    def _events(self) -> None:
        manifest = self.manifest
        self.leaves: list[bytes] = []
        self.shown: dict[int, bytes] = {}
        found = lines("events", "event-malformed", "events.jsonl", self.files["events.jsonl"])
        for number, line in enumerate(found, 1):
            name = f"event {number}"
            event = plain_object(line)
            if event is None:
                raise Unfit("events", "event-malformed", name, "is not canonical JSON")
            if "leaf" in event:
                kept = typed("events", "event-malformed", name, line, WithheldEvent)
                self.leaves.append(bytes.fromhex(kept.leaf))
            else:
                stream = event.get(f"{manifest.kind}_id")
                if stream != manifest.stream_id:
                    raise Unfit("events", "event-foreign", name, f"belongs to {stream}")
                self.leaves.append(leaf_hash(line))
                self.shown[number] = line
            given = event.get("number")
            if given != number or isinstance(given, bool):
                reason = f"event {given} stands in its place"
                raise Unfit("events", "event-number", name, reason)
        if len(self.leaves) != manifest.size:
            reason = f"there are {len(self.leaves)} of {manifest.size} events"
            raise Unfit("events", "event-number", f"event {len(self.leaves) + 1}", reason)
        withheld = len(self.leaves) - len(self.shown)
        self.counts = {"shown": len(self.shown), "withheld": withheld}
        self.steps.ok("events", f"{counted(len(self.shown), 'event')} shown, {withheld} withheld")

    def _journal(self) -> None:
        self.entries: list[JournalEntry] = []
        tree = Peaks()
        found = lines("journal", "entry-malformed", "journal.jsonl", self.files["journal.jsonl"])
        for line in found:
            name = f"entry {len(self.entries) + 1}"
            try:
                entry = read_entry(0, line)
            except IntegrityFailure as error:
                raise Unfit("journal", "entry-malformed", name, error.reason) from error
            if plain_object(line) is None:
                raise Unfit("journal", "entry-malformed", name, "is not canonical JSON")
            self._check_entry(name, entry, tree)
            self.entries.append(entry)
        if tree.size != self.manifest.size or not self.entries:
            reason = f"the entries end with event {tree.size} of {self.manifest.size}"
            raise Unfit("journal", "entry-order", "journal.jsonl", reason)
        root = tree.root().hex()
        if root != self.manifest.root:
            raise Unfit(
                "journal", "root-differs", "manifest", "root differs", self.manifest.root, root
            )
        self.steps.ok("journal", f"{counted(len(self.entries), 'entry', 'entries')}, root {root}")

    def _check_entry(self, name: str, entry: JournalEntry, tree: Peaks) -> None:
        manifest = self.manifest
        named = (entry.stream_id, entry.kind, entry.log_id)
        if named != (manifest.stream_id, manifest.kind, manifest.log.id):
            reason = f"is of {entry.kind} {entry.stream_id} in log {entry.log_id}"
            raise Unfit("journal", "entry-foreign", name, reason)
        after = tree.size
        if entry.first != after + 1 or not entry.first <= entry.last <= manifest.size:
            reason = f"adds events {entry.first} to {entry.last} after event {after}"
            raise Unfit("journal", "entry-order", name, reason)
        tree.extend(self.leaves[after : entry.last])
        root = tree.root().hex()
        if entry.size != entry.last or entry.root != root:
            reason = f"root of events 1 to {entry.last} differs"
            raise Unfit("journal", "root-differs", name, reason, entry.root, root)
        numbers = range(entry.first, entry.last + 1)
        if all(number in self.shown for number in numbers):
            facts = [facts_of_bytes(self.shown[number]) for number in numbers]
            digest = sha256(b"".join(facts)).hexdigest()
            if digest != entry.facts_digest:
                reason = "facts digest differs"
                raise Unfit("journal", "facts-differ", name, reason, entry.facts_digest, digest)

    def _disclosures(self) -> None:
        step, code = "disclosures", "disclosure-malformed"
        places: list[tuple[int, str]] = []
        for line in lines(step, code, "disclosures.jsonl", self.files["disclosures.jsonl"]):
            found = typed(step, code, f"disclosure {len(places) + 1}", line, BundleDisclosure)
            places.append((found.number, found.field))
            name = f"event {found.number}, field {found.field}"
            if len(places) > 1 and places[-2] >= places[-1]:
                raise Unfit(step, code, name, "is out of order")
            event = plain_object(self.shown.get(found.number, b"")) or {}
            sealed = event.get(found.field)
            if not isinstance(sealed, dict) or sealed.keys() != {"digest"}:
                reason = "no shown event has this sealed field"
                raise Unfit(step, "disclosure-without-field", name, reason)
            computed = sealed_digest(bytes.fromhex(found.salt), found.field, found.value.encode())
            if sealed["digest"] != computed:
                stored = str(sealed["digest"])
                raise Unfit(
                    step, "disclosure-differs", name, "sealed digest differs", stored, computed
                )
        self.counts["disclosed"] = len(places)
        if self.manifest.counts != Counts(**self.counts):
            raise Unfit(step, "counts-differ", "manifest", "the counts are others")
        self.steps.ok(step, counted(len(places), "disclosed value"))

    def _checkpoint(self) -> None:
        manifest, name, code = self.manifest, "checkpoint.note", "checkpoint-malformed"
        text = text_of("checkpoint", code, name, self.files[name])
        try:
            self.checkpoint, self.note = read_checkpoint(text, name)
        except BadInput as error:
            raise Unfit("checkpoint", code, name, error.reason) from error
        origin = self.checkpoint.origin
        if origin != manifest.log.origin or origin != origin_of(manifest.log.id):
            reason = f"is of {origin}, the manifest names {manifest.log.origin}"
            raise Unfit("checkpoint", "wrong-origin", name, reason)
        self.signed = bool(self.note.signatures)
        named = (manifest.checkpoint.size, manifest.checkpoint.root, manifest.checkpoint.signed)
        if (self.checkpoint.size, self.checkpoint.root.hex(), self.signed) != named:
            reason = f"has size {self.checkpoint.size}, the manifest says {named[0]}"
            raise Unfit("checkpoint", "checkpoint-differs", name, reason)
        self.steps.ok("checkpoint", f"{origin}, size {self.checkpoint.size}")

    def _inclusion(self) -> None:
        step, size = "inclusion", self.checkpoint.size
        data = self.files["proofs.json"]
        self.proofs = typed(step, "proofs-malformed", "proofs.json", data, Proofs)
        if len(self.proofs.inclusion) != len(self.entries):
            reason = f"{len(self.proofs.inclusion)} proofs for {len(self.entries)} entries"
            raise Unfit(step, "proof-size", "proofs.json", reason)
        before = -1
        for number, (entry, proof) in enumerate(
            zip(self.entries, self.proofs.inclusion, strict=True), 1
        ):
            self._check_inclusion(f"entry {number}", entry, proof, before)
            before = proof.index
        self.steps.ok(step, f"{counted(len(self.entries), 'entry', 'entries')} in a tree of {size}")

    def _check_inclusion(
        self, name: str, entry: JournalEntry, proof: Inclusion, before: int
    ) -> None:
        size, root = self.checkpoint.size, self.checkpoint.root
        path = hashes("inclusion", name, proof.path)
        if not before < proof.index < size or len(path) != inclusion_length(proof.index, size):
            reason = f"the proof is not one for index {proof.index} in a tree of {size}"
            raise Unfit("inclusion", "proof-size", name, reason)
        if not inclusion_holds(leaf_hash(entry.entry), proof.index, size, path, root):
            reason = "its proof does not lead to the checkpoint's root"
            raise Unfit("inclusion", "inclusion-fails", name, reason)

    def _consistency(self) -> None:
        step, now = "consistency", self.checkpoint
        before = 0
        for proof in self.proofs.consistency:
            name = f"size {proof.size}"
            path = hashes(step, name, proof.path)
            if not before < proof.size < now.size:
                reason = f"does not lie between {before} and {now.size}"
                raise Unfit(step, "proof-size", name, reason)
            root = bytes.fromhex(proof.root)
            if not consistency_holds(proof.size, now.size, root, now.root, path):
                raise Unfit(step, "consistency-fails", name, "the checkpoint does not continue it")
            before = proof.size
        if self.proofs.consistency:
            self.steps.ok(step, counted(len(self.proofs.consistency), "earlier size"))
        else:
            self.steps.skip(step, "there are no earlier ones")

    def _signatures(self) -> None:
        step = "signatures"
        self.manifest_note = self._read_manifest_note()
        if not self.signed:
            self.steps.skip(step, "the log is unsigned")
            return
        keys = (*self._own_keys(), *self.trust.keys)
        failure = check_signatures("checkpoint.note", self.note, keys)
        if failure is None and self.manifest_note is not None:
            failure = check_signatures("manifest.note", self.manifest_note, keys)
        if failure is not None:
            raise Unfit(step, failure.code, failure.what, failure.reason)
        names = ", ".join(dict.fromkeys(item.name for item in self.note.signatures))
        manifest = "" if self.manifest_note else "; the manifest is not signed"
        self.steps.ok(step, f"signed by {names}{manifest}")

    def _own_keys(self) -> list[Verifier]:
        step, code, name = "signatures", "keys-malformed", "log.vkeys"
        text = text_of(step, code, name, self.files.get(name, b""))
        try:
            return [Verifier.parse(line, name) for line in text.splitlines()]
        except BadInput as error:
            raise Unfit(step, code, name, error.reason) from error

    def _read_manifest_note(self) -> Note | None:
        name, code = "manifest.note", "manifest-signature"
        if name not in self.files:
            return None
        text = text_of("signatures", code, name, self.files[name])
        digest = base64.b64encode(sha256(self.files["manifest.json"]).digest()).decode()
        try:
            note = open_note(text, name)
        except BadInput as error:
            raise Unfit("signatures", code, name, error.reason) from error
        if note.text != manifest_text(self.manifest.log.origin, digest):
            raise Unfit("signatures", code, name, "is about another manifest")
        if not self.signed:
            raise Unfit("signatures", code, name, "stands beside an unsigned checkpoint")
        return note

    def _elsewhere(self) -> None:
        if not self.trust:
            self.steps.skip("elsewhere", "none was given")
            return
        origin = self.checkpoint.origin
        failure, said = check_keys(origin, [(self.checkpoint, self.note)], self.trust)
        failure = failure or self._manifest_trust()
        for known in self.trust.against:
            failure = failure or self._check_known(known)
            said = "; ".join(filter(None, (said, f"size {known.size} is as it was")))
        if failure is not None:
            raise Unfit(
                "elsewhere",
                failure.code,
                failure.what,
                failure.reason,
                failure.stored,
                failure.computed,
            )
        self.steps.ok("elsewhere", said)

    def _manifest_trust(self) -> Failure | None:
        """With a trusted key of the log, what people read must be signed by it too."""
        keys, note = self.trust.log_keys, self.manifest_note
        if not keys or (note and any(key.verify(note) is not None for key in keys)):
            return None
        reason = "the manifest is not signed by a trusted key"
        return Failure("manifest-unsigned", "manifest.json", reason)

    def _check_known(self, known: Checkpoint) -> Failure | None:
        now = self.checkpoint
        roots = {proof.size: bytes.fromhex(proof.root) for proof in self.proofs.consistency}
        roots |= {0: EMPTY_ROOT, now.size: now.root}
        if known.origin == now.origin and known.size < now.size and known.size not in roots:
            name = f"checkpoint {known.size} kept elsewhere"
            return Failure("no-proof", name, "the bundle has no proof from this size")
        return check_against(known, now.origin, now.size, roots.get(known.size))
