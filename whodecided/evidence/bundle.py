"""Case bundles: one record as one file that anybody can check without the log.

The format is docs/bundle-format.md.
"""

from __future__ import annotations

import base64
import functools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from domain.canonical import canonical_json
from domain.codec import decode
from domain.errors import BadInput, NotFound
from domain.ports import JournalEntry, StoredEvent
from whodecided.evidence.archive import write_archive
from whodecided.evidence.bundle_check import verify_bundle
from whodecided.evidence.bundle_format import (
    FORMAT,
    BundleDisclosure,
    Consistency,
    Counts,
    FileEntry,
    Inclusion,
    LogName,
    Manifest,
    Proofs,
    Root,
    WithheldEvent,
    manifest_text,
)
from whodecided.evidence.checkpoint import Checkpoint
from whodecided.evidence.checkpoints import (
    StoredCheckpoint,
    latest_checkpoint,
    make_checkpoint,
    stored_checkpoints,
)
from whodecided.evidence.keys import known_keys, load_signer
from whodecided.evidence.merkle import MerkleTree, leaf_hash
from whodecided.evidence.notes import write_note
from whodecided.evidence.statement import statement
from whodecided.evidence.summary import EventRow, summary_page
from whodecided.reference import schema_files
from whodecided.store.directory import LogDirectory

__all__ = ["Bundle", "MayShow", "make_bundle"]

MayShow = Callable[[Any], Collection[str] | None]
"""Decoded event -> names of the sealed fields the viewer may see; None withholds the event."""

_EARLIER: Final = 64
_schemas: Final = functools.cache(schema_files)


@dataclass(frozen=True, slots=True)
class Bundle:
    """The archive's bytes, and what its manifest says."""

    content: bytes
    manifest: Manifest


def make_bundle(
    log: LogDirectory,
    stream_id: str,
    *,
    viewer: str,
    may_show: MayShow,
    events: tuple[int, int] | None = None,
    since: Sequence[Checkpoint] = (),
    rules: Mapping[str, bytes] | None = None,
) -> Bundle:
    """Make the bundle of one record, and check it.

    `events` is the range to show (all by default); the others are there by their hashes. `since`
    are checkpoints kept elsewhere, from which the bundle then proves that nothing was taken away.
    `rules` are files of the editions and policies used. Where the log has a key and no checkpoint
    holds the record yet, one is signed. Raises NotFound, BadInput for a range or checkpoint the log
    does not reach, and IntegrityFailure when what the log holds does not prove anything.
    """
    stored = log.events.read(stream_id)
    if not stored:
        raise NotFound("record", stream_id)
    first, last = events or (1, len(stored))
    if not 1 <= first <= last <= len(stored):
        raise BadInput("events", f"{first}-{last} is not a part of events 1-{len(stored)}")
    draft = _Draft(log, stored, viewer, (first, last))
    draft.add_events(may_show)
    draft.add_proofs(since)
    draft.add_files(rules or {})
    bundle = Bundle(draft.archive(), draft.manifest())
    verify_bundle(bundle.content).require()
    return bundle


class _Draft:
    """A bundle in the making."""

    def __init__(
        self, log: LogDirectory, stored: Sequence[StoredEvent], viewer: str, span: tuple[int, int]
    ) -> None:
        self.log = log
        self.stored = stored
        self.viewer = viewer
        self.span = span
        self.files: dict[str, bytes] = {}
        self.rows: list[EventRow] = []
        self.topics: set[str] = set()
        self.disclosed = 0
        self.tree = MerkleTree()
        self.entries: list[JournalEntry] = []
        while page := log.events.journal(after=len(self.tree) - 1):
            for entry in page:
                self.tree.append(leaf_hash(entry.entry))
                if entry.stream_id == stored[0].stream_id:
                    self.entries.append(entry)

    def add_events(self, may_show: MayShow) -> None:
        """The lines of events and disclosures."""
        known: dict[int, list[tuple[str, bytes, bytes]]] = {}
        for number, *disclosure in self.log.events.disclosures(self.stored[0].stream_id):
            known.setdefault(number, []).append(tuple(disclosure))  # type: ignore[arg-type]  # field, value, salt
        lines, disclosures = [], []
        for stored in self.stored:
            inside = self.span[0] <= stored.number <= self.span[1]
            event = decode(stored) if inside else None
            fields = None if event is None else may_show(event)
            if fields is None:
                leaf = leaf_hash(stored.state).hex()
                lines.append(canonical_json(WithheldEvent(leaf=leaf, number=stored.number)))
                self.rows.append((stored.number, None, {}))
                continue
            lines.append(stored.state)
            shown = [item for item in known.get(stored.number, ()) if item[0] in fields]
            disclosures += [_disclosure(stored.number, *item) for item in shown]
            self.topics.add(stored.topic)
            values = {field: value.decode() for field, value, _ in shown}
            self.rows.append((stored.number, event, values))
        self.disclosed = len(disclosures)
        self.files["events.jsonl"] = _lines(lines)
        self.files["disclosures.jsonl"] = _lines(disclosures)

    def add_proofs(self, since: Sequence[Checkpoint]) -> None:
        """The journal's entries, the checkpoint and what proves that they belong together."""
        newest = max([self.entries[-1].journal_index + 1, *(item.size for item in since)])
        if newest > len(self.tree):
            raise BadInput("since", f"size {newest} is not reached by the log's {len(self.tree)}")
        found = latest_checkpoint(self.log)
        if found is None or found.checkpoint.size < newest:
            found = make_checkpoint(self.log, self.tree)
        self.checkpoint: StoredCheckpoint = found
        size = found.checkpoint.size
        earlier = [item.checkpoint.size for item in stored_checkpoints(self.log)][-_EARLIER:]
        sizes = sorted({s for s in (*earlier, *(c.size for c in since)) if 0 < s < size})
        proofs = Proofs(
            consistency=tuple(self._consistency(item, size) for item in sizes),
            inclusion=tuple(
                Inclusion(
                    index=entry.journal_index,
                    path=_texts(self.tree.inclusion(entry.journal_index, size)),
                )
                for entry in self.entries
            ),
        )
        self.files["journal.jsonl"] = _lines([entry.entry for entry in self.entries])
        self.files["proofs.json"] = canonical_json(proofs)
        self.files["checkpoint.note"] = found.text().encode()
        if found.note.signatures:
            keys = known_keys(self.log.keys)
            self.files["log.vkeys"] = "".join(f"{key}\n" for key in keys).encode()

    def _consistency(self, old: int, new: int) -> Consistency:
        path = _texts(self.tree.consistency(old, new))
        return Consistency(path=path, root=self.tree.root(old).hex(), size=old)

    def add_files(self, rules: Mapping[str, bytes]) -> None:
        """What people read: schemas, rules, statement and summary."""
        schemas = _schemas()
        for topic in self.topics:
            name = f"{topic.replace('/', '.')}.json"
            if name in schemas:
                self.files[f"schemas/{name}"] = schemas[name].encode()
        self.files |= {f"rules/{name}": content for name, content in rules.items()}
        self.files["statement.txt"] = statement().encode()
        title = f"{self.entries[0].kind.capitalize()} {self.stored[0].stream_id[:8]}"
        self.files["summary.html"] = summary_page(title, self._facts(), self.rows).encode()

    def _facts(self) -> list[tuple[str, str]]:
        checkpoint, note, _ = self.checkpoint
        shown = sum(event is not None for _, event, _ in self.rows)
        sources = sorted({e.origin.file_digest for e in self.entries if e.origin.file_digest})
        return [
            ("record", f"{self.entries[0].kind} {self.stored[0].stream_id}"),
            ("events", f"{len(self.rows)}: {shown} shown, {len(self.rows) - shown} withheld"),
            ("disclosed values", str(self.disclosed)),
            ("shown to", self.viewer),
            ("recorded", f"{self.entries[0].origin.recorded_at} in {len(self.entries)} parts"),
            *(("source file (SHA-256)", digest) for digest in sources),
            ("root", self.entries[-1].root),
            ("log", checkpoint.origin),
            ("checkpoint", f"size {checkpoint.size}, root {checkpoint.root.hex()}"),
            ("signed by", ", ".join(s.name for s in note.signatures) or "nobody: unsigned"),
        ]

    def manifest(self) -> Manifest:
        """The manifest of the files so far."""
        checkpoint, note, _ = self.checkpoint
        shown = sum(event is not None for _, event, _ in self.rows)
        first, last = self.span
        return Manifest(
            checkpoint=Root(
                root=checkpoint.root.hex(), signed=bool(note.signatures), size=checkpoint.size
            ),
            counts=Counts(disclosed=self.disclosed, shown=shown, withheld=len(self.rows) - shown),
            files=tuple(
                FileEntry(bytes=len(content), name=name, sha256=sha256(content).hexdigest())
                for name, content in sorted(self.files.items())
            ),
            first=first,
            format=FORMAT,
            kind=self.entries[0].kind,
            last=last,
            log=LogName(id=self.log.events.log_id, origin=checkpoint.origin),
            root=self.entries[-1].root,
            size=len(self.stored),
            stream_id=self.stored[0].stream_id,
            viewer=self.viewer,
        )

    def archive(self) -> bytes:
        """The whole bundle; where the log has a key, the manifest is signed with it."""
        manifest = canonical_json(self.manifest())
        files = self.files | {"manifest.json": manifest}
        origin = self.checkpoint.checkpoint.origin
        signer = load_signer(self.log.keys, origin)
        if signer is not None:
            digest = base64.b64encode(sha256(manifest).digest()).decode()
            text = manifest_text(origin, digest)
            files["manifest.note"] = write_note(text, [signer.sign(text)]).encode()
        return write_archive(files)


def _disclosure(number: int, field: str, value: bytes, salt: bytes) -> bytes:
    return canonical_json(
        BundleDisclosure(field=field, number=number, salt=salt.hex(), value=value.decode())
    )


def _lines(lines: Sequence[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def _texts(path: Sequence[bytes]) -> tuple[str, ...]:
    return tuple(base64.b64encode(item).decode() for item in path)
