"""Verify a whodecided case bundle: one file, Python's standard library and `cryptography`.

    python verify_bundle.py BUNDLE.zip [--trust KEY]... [--against CHECKPOINT]... [--json]

KEY is a verifier key or a file of them, one per line; CHECKPOINT is a file. Both should have been
kept elsewhere than the log: without them the result is "self-consistent only", and with keys of the
log alone it is "signed by the trusted key", by which its owner could still have made all of it.
Exit code 0: everything holds. 3: something does not. 2: the arguments cannot be used.

Written from docs/bundle-format.md alone. It imports nothing of the product, so that a fault in one
of the two verifiers is not a fault in both.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import io
import json
import os
import re
import sys
import zipfile
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NoReturn

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

__all__ = ["Bundle", "Checkpoint", "Key", "Note", "Rejected", "main", "verify"]

FORMAT = "whodecided-bundle/1"
LARGEST = 512 << 20
MOST_FILES = 4096
REQUIRED = {
    "checkpoint.note",
    "disclosures.jsonl",
    "events.jsonl",
    "journal.jsonl",
    "proofs.json",
    "statement.txt",
    "summary.html",
}
ENTRY = {
    "facts_digest": "hex",
    "file_digest": "text?",
    "file_name": "text?",
    "first": "size",
    "kind": "text",
    "last": "size",
    "log_id": "text",
    "provenance_digest": "hex?",
    "recorded_at": "text",
    "root": "hex",
    "size": "size",
    "stream_id": "text",
    "tool": "text",
}
MANIFEST: dict[str, Any] = {
    "checkpoint": {"root": "hex", "signed": "flag", "size": "size"},
    "counts": {"disclosed": "size", "shown": "size", "withheld": "size"},
    "files": [{"bytes": "size", "name": "text", "sha256": "hex"}],
    "first": "size",
    "format": "text",
    "kind": "text",
    "last": "size",
    "log": {"id": "text", "origin": "text"},
    "root": "hex",
    "size": "size",
    "stream_id": "text",
    "viewer": "text",
}
PROOFS: dict[str, Any] = {
    "consistency": [{"path": ["text"], "root": "hex", "size": "size"}],
    "inclusion": [{"index": "size", "path": ["text"]}],
}

# What a result means, in the words of the product.
SELF_CONSISTENT = (
    "self-consistent only: nothing here contradicts itself, but whoever holds it could have made"
    " all of it anew; compare with a key and a checkpoint kept elsewhere"
)
SIGNED = (
    "signed by the trusted key: nobody without that key can have made what it signed, but whoever"
    " has it could have made all of it anew; compare with a checkpoint or a witness kept elsewhere"
)
UNCHANGED = "complete and unchanged since what was kept elsewhere was made"
SOUND = "nothing in it contradicts itself, but"
ANOTHER_KEY = (
    "it is signed by another key than the trusted one: whoever has that key could have made all"
    " of it"
)
NO_KEY = "it is unsigned: the trusted key says nothing of it"


class Rejected(Exception):
    """The first check that fails: its step, its code, and the reason in words."""

    def __init__(self, step: str, code: str, reason: str) -> None:
        super().__init__(f"{step}: {reason} [{code}]")
        self.step = step
        self.code = code
        self.reason = reason


class Unusable(Exception):
    """A key or checkpoint given by the reader is none."""


# ---------------------------------------------------------------- canonical JSON (section 1)


def _no_floats(text: str) -> NoReturn:
    raise ValueError(f"not an integer: {text}")


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a member stands twice")
    return found


def _integer(text: str) -> int:
    if len(text) > 17 or abs(int(text)) >= 1 << 53:
        raise ValueError("integer out of range")
    return int(text)


def parse(data: bytes) -> Any:
    """The value of canonical JSON. ValueError for anything else."""
    try:
        value = json.loads(
            data.decode(),
            object_pairs_hook=_members,
            parse_float=_no_floats,
            parse_constant=_no_floats,
            parse_int=_integer,
        )
        text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        same = text.encode() == data
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if not same:
        raise ValueError("not canonical")
    return value


def fits(value: Any, shape: Any) -> bool:
    """Whether a value has a shape: {member: shape}, [shape of an item], or the name of a type."""
    if isinstance(shape, dict):
        return (
            isinstance(value, dict)
            and value.keys() == shape.keys()
            and all(fits(value[name], inner) for name, inner in shape.items())
        )
    if isinstance(shape, list):
        return isinstance(value, list) and all(fits(item, shape[0]) for item in value)
    if shape.endswith("?"):
        return value is None or fits(value, shape[:-1])
    if shape == "hex":
        return isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value) is not None
    if shape == "size":
        return isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return isinstance(value, bool if shape == "flag" else str)


# ---------------------------------------------------------------- Merkle trees (RFC 6962)


def sha(data: bytes) -> bytes:
    """SHA-256."""
    return hashlib.sha256(data).digest()


def leaf(data: bytes) -> bytes:
    """Hash of a leaf."""
    return sha(b"\0" + data)


class Tree:
    """A growing tree: the hashes of its complete subtrees with their heights, largest first."""

    def __init__(self) -> None:
        self.size = 0
        self.subtrees: list[tuple[int, bytes]] = []

    def add(self, node: bytes) -> None:
        """Add a leaf by its hash."""
        height = 0
        while self.subtrees and self.subtrees[-1][0] == height:
            node = sha(b"\1" + self.subtrees.pop()[1] + node)
            height += 1
        self.subtrees.append((height, node))
        self.size += 1

    def root(self) -> bytes:
        """Root over all leaves (RFC 6962, 2.1)."""
        if not self.subtrees:
            return sha(b"")
        node = self.subtrees[-1][1]
        for _, left in reversed(self.subtrees[:-1]):
            node = sha(b"\1" + left + node)
        return node


class Wrong(Exception):
    """A proof has too few or too many hashes."""


def included(node: bytes, index: int, size: int, path: list[bytes]) -> bytes:
    """The root that an inclusion proof leads to, by the recursion of RFC 6962, 2.1.1."""
    if size == 1:
        if path:
            raise Wrong
        return node
    if not path:
        raise Wrong
    half = 1
    while half * 2 < size:
        half *= 2
    if index < half:
        return sha(b"\1" + included(node, index, half, path[:-1]) + path[-1])
    return sha(b"\1" + path[-1] + included(node, index - half, size - half, path[:-1]))


def continued(
    old: int, new: int, path: list[bytes], old_root: bytes, whole: bool
) -> tuple[bytes, bytes]:
    """Old and new root that a consistency proof leads to, by the recursion of RFC 6962, 2.1.2."""
    if old == new:
        if whole:
            if path:
                raise Wrong
            return old_root, old_root
        if len(path) != 1:
            raise Wrong
        return path[0], path[0]
    if not path:
        raise Wrong
    half = 1
    while half * 2 < new:
        half *= 2
    if old <= half:
        before, after = continued(old, half, path[:-1], old_root, whole)
        return before, sha(b"\1" + after + path[-1])
    before, after = continued(old - half, new - half, path[:-1], old_root, False)
    return sha(b"\1" + path[-1] + before), sha(b"\1" + path[-1] + after)


# ---------------------------------------------------------------- notes and keys (section 8)


def unbase64(text: str) -> bytes:
    """The bytes of base64 in its one spelling. ValueError for anything else."""
    raw = base64.b64decode(text, validate=True)
    if base64.b64encode(raw).decode() != text:
        raise ValueError("not the one spelling")
    return raw


class Key:
    """A verifier key."""

    def __init__(self, text: str) -> None:
        name, _, rest = text.strip().partition("+")
        key_id, _, encoded = rest.partition("+")
        raw = unbase64(encoded)
        named = sha(name.encode() + b"\n" + raw)[:4]
        if not name or re.search(r"\s", name) or len(raw) != 33 or raw[0] not in (1, 4):
            raise ValueError("not an Ed25519 verifier key")
        if named.hex() != key_id:
            raise ValueError("the key does not fit its id")
        self.name = name
        self.is_witness = raw[0] == 4
        self.public = raw[1:]
        self.mark = (name, named)

    def check(self, note: Note) -> int | None:
        """-1 without a signature line of this key, None for an invalid one, else its time or 0."""
        own = [blob for mark, blob in note.signatures if mark == self.mark]
        times = [self._check(note.text, blob) for blob in own]
        if not times:
            return -1
        return None if None in times else times[0]

    def _check(self, text: str, blob: bytes) -> int | None:
        moment, message = 0, text.encode()
        if self.is_witness:
            moment, blob = int.from_bytes(blob[:8], "big"), blob[8:]
            message = f"cosignature/v1\ntime {moment}\n{text}".encode()
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(blob, message)
        except (InvalidSignature, ValueError):
            return None
        return moment if moment < 1 << 63 else None

    def valid(self, note: Note) -> bool:
        """Whether the note has a valid signature of this key."""
        return self.check(note) not in (-1, None)


class Note:
    """A signed note. ValueError for anything else."""

    def __init__(self, data: str, *, may_be_unsigned: bool = False) -> None:
        if re.search(r"[\x00-\x09\x0b-\x1f]", data) or len(data) > 1_000_000:
            raise ValueError("control characters, or too long")
        text, gap, tail = data.rpartition("\n\n")
        if not gap:
            if not may_be_unsigned:
                raise ValueError("not signed")
            text, tail = data, ""
        elif not tail.endswith("\n") or tail.count("\n") > 100:
            raise ValueError("bad signature lines")
        self.text = text + "\n" if gap else text
        self.signatures = [self._signature(line) for line in tail.split("\n")[:-1]]

    @staticmethod
    def _signature(line: str) -> tuple[tuple[str, bytes], bytes]:
        dash, name, encoded = line.split(" ")
        raw = unbase64(encoded)
        if dash != "\u2014" or not name or len(raw) < 5:
            raise ValueError("bad signature line")
        return (name, raw[:4]), raw[4:]

    def names(self) -> str:
        """Who signed, as the lines say."""
        return ", ".join(sorted({mark[0] for mark, _ in self.signatures})) or "nobody"


class Checkpoint:
    """A checkpoint and its note. ValueError for anything else."""

    def __init__(self, data: str) -> None:
        self.note = Note(data, may_be_unsigned=True)
        lines = self.note.text.split("\n")
        if len(lines) < 4 or lines[-1] != "" or "" in lines[:-1]:
            raise ValueError("not the lines of a checkpoint")
        if not re.fullmatch("0|[1-9][0-9]{0,17}", lines[1]):
            raise ValueError("not a size")
        self.origin, self.size, self.root = lines[0], int(lines[1]), unbase64(lines[2])
        if len(self.root) != 32:
            raise ValueError("the root is not 32 bytes")


# ---------------------------------------------------------------- the archive (section 2)


def counted(count: int, word: str, plural: str | None = None) -> str:
    """`1 event`, `2 events`; `plural` where it is not the word with an s."""
    return f"{count} {word if count == 1 else plural or f'{word}s'}"


def safe(name: str) -> bool:
    """Whether a file may have this name."""
    part = "[a-z0-9][a-z0-9_.-]*"
    return len(name) <= 200 and re.fullmatch(f"{part}(/{part})*", name) is not None


def unpack(data: bytes) -> dict[str, bytes]:
    """The files of a canonical archive."""

    def reject(kind: str, reason: str) -> NoReturn:
        raise Rejected("archive", f"archive-{kind}", reason)

    if len(data) > LARGEST:
        reject("unsafe", "larger than 512 MiB")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            listed = archive.infolist()
            names = [item.filename for item in listed]
            if len(names) > MOST_FILES or len(set(names)) < len(names):
                reject("unsafe", "too many files, or two of one name")
            for item in listed:
                if not safe(item.orig_filename):
                    reject("unsafe", f"unsafe name {item.orig_filename[:80]!r}")
                if item.compress_type or item.flag_bits or item.file_size != item.compress_size:
                    reject("unsafe", f"{item.filename} is compressed or encrypted")
            if sum(item.file_size for item in listed) > len(data):
                reject("unsafe", "the files overlap")
            files = {item.filename: archive.read(item) for item in listed}
    except (zipfile.BadZipFile, EOFError, NotImplementedError, OSError, ValueError) as error:
        reject("damaged", str(error))
    if pack(files) != data:
        reject("damaged", "not written in the canonical form")
    return files


def pack(files: dict[str, bytes]) -> bytes:
    """The canonical archive of files."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED, allowZip64=False) as archive:
        for name in sorted(files):
            member = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            member.create_system = 3
            member.external_attr = 0o100644 << 16
            archive.writestr(member, files[name])
    return target.getvalue()


# ---------------------------------------------------------------- the checks (section 9)


class Bundle:
    """A bundle being checked; `said` collects what each step found."""

    def __init__(
        self, data: bytes, keys: Sequence[Key] = (), against: Sequence[Checkpoint] = ()
    ) -> None:
        self.data = data
        self.keys = list(keys)
        self.against = list(against)
        self.said: list[tuple[str, str]] = []

    def check(self) -> None:
        """Take every step in order. Rejected for the first that fails."""
        self.files = unpack(self.data)
        self.said.append(("archive", f"{len(self.files)} files"))
        for step in (
            self.manifest_step,
            self.events_step,
            self.journal_step,
            self.disclosures_step,
            self.checkpoint_step,
            self.inclusion_step,
            self.consistency_step,
            self.signatures_step,
            self.elsewhere_step,
        ):
            self.said.append((step.__name__.removesuffix("_step"), step()))

    def manifest_step(self) -> str:
        """Section 3, and the list of files."""

        def reject(code: str, reason: str) -> NoReturn:
            raise Rejected("manifest", code, reason)

        try:
            self.manifest = parse(self.files["manifest.json"])
        except (KeyError, ValueError) as error:
            reject("manifest-malformed", f"manifest.json: {error}")
        if not fits(self.manifest, MANIFEST) or self.manifest["format"] != FORMAT:
            reject("manifest-malformed", "not a manifest of a known format")
        listed = {item["name"]: item for item in self.manifest["files"]}
        order = [item["name"] for item in self.manifest["files"]]
        if order != sorted(set(order)):
            reject("manifest-malformed", "the files are not in order")
        for name in sorted((set(order) | REQUIRED) - self.files.keys()):
            reject("file-missing", f"{name} is missing")
        for name in sorted(self.files.keys() - {"manifest.json", "manifest.note"}):
            folder = name.startswith(("rules/", "schemas/"))
            if name not in listed or not (folder or name in REQUIRED | {"log.vkeys"}):
                reject("file-unknown", f"{name} does not belong here")
            content, item = self.files[name], listed[name]
            if len(content) != item["bytes"] or sha(content).hex() != item["sha256"]:
                reject("file-changed", f"{name} is not the file that is listed")
        return f"{self.manifest['kind']} {self.manifest['stream_id']}"

    def lines(self, name: str, step: str, code: str) -> Iterator[bytes]:
        """The lines of a file."""
        data = self.files[name]
        if data and data[-1:] != b"\n":
            raise Rejected(step, code, f"{name}: the last line has no end")
        return iter(data.split(b"\n")[:-1])

    def events_step(self) -> str:
        """Section 4."""
        self.leaves: list[bytes] = []
        self.shown: dict[int, dict[str, Any]] = {}
        manifest = self.manifest

        def reject(code: str, reason: str) -> NoReturn:
            raise Rejected("events", f"event-{code}", f"line {number}: {reason}")

        number = 0
        for number, line in enumerate(self.lines("events.jsonl", "events", "event-malformed"), 1):
            try:
                event = parse(line)
            except ValueError as error:
                reject("malformed", str(error))
            if not isinstance(event, dict):
                reject("malformed", "not an object")
            if "leaf" in event:
                if not fits(event, {"leaf": "hex", "number": "size"}):
                    reject("malformed", "neither an event nor withheld")
                self.leaves.append(bytes.fromhex(event["leaf"]))
            else:
                if event.get(f"{manifest['kind']}_id") != manifest["stream_id"]:
                    reject("foreign", "an event of another record")
                self.leaves.append(leaf(line))
                self.shown[number] = event
            given = event.get("number")
            if given != number or isinstance(given, bool):
                reject("number", f"holds event {given}")
        if number != manifest["size"]:
            reject("number", f"{number} of {manifest['size']} events")
        return f"{len(self.shown)} shown, {number - len(self.shown)} withheld"

    def journal_step(self) -> str:
        """Section 5."""
        manifest = self.manifest
        self.entries: list[bytes] = []
        tree = Tree()

        def reject(code: str, reason: str) -> NoReturn:
            raise Rejected("journal", code, f"entry {len(self.entries) + 1}: {reason}")

        for line in self.lines("journal.jsonl", "journal", "entry-malformed"):
            try:
                entry = parse(line)
            except ValueError as error:
                reject("entry-malformed", str(error))
            if not fits(entry, ENTRY):
                reject("entry-malformed", "not the members of an entry")
            place = (manifest["stream_id"], manifest["kind"], manifest["log"]["id"])
            if (entry["stream_id"], entry["kind"], entry["log_id"]) != place:
                reject("entry-foreign", "of another record or log")
            first, last = entry["first"], entry["last"]
            if first != tree.size + 1 or not first <= last <= manifest["size"]:
                reject("entry-order", f"covers {first} to {last} after {tree.size}")
            for node in self.leaves[tree.size : last]:
                tree.add(node)
            if entry["size"] != last or entry["root"] != tree.root().hex():
                reject("root-differs", f"the root of events 1 to {last} is another")
            events = [self.shown.get(number) for number in range(first, last + 1)]
            if None not in events:
                digest = sha(b"".join(facts(event) for event in events if event)).hex()
                if digest != entry["facts_digest"]:
                    reject("facts-differ", "the facts digest is another")
            self.entries.append(line)
        if tree.size != manifest["size"] or not self.entries:
            reject("entry-order", f"the entries end with event {tree.size}")
        if manifest["root"] != tree.root().hex():
            reject("root-differs", "the manifest names another root")
        return f"{counted(len(self.entries), 'entry', 'entries')}, root {manifest['root']}"

    def disclosures_step(self) -> str:
        """Section 6."""
        shape = {"field": "text", "number": "size", "salt": "hex", "value": "text"}
        before: tuple[int, str] | None = None
        count = 0

        def reject(code: str, reason: str) -> NoReturn:
            raise Rejected("disclosures", code, f"line {count + 1}: {reason}")

        for line in self.lines("disclosures.jsonl", "disclosures", "disclosure-malformed"):
            try:
                item = parse(line)
            except ValueError as error:
                reject("disclosure-malformed", str(error))
            if not fits(item, shape):
                reject("disclosure-malformed", "not the members of a disclosure")
            place = (item["number"], item["field"])
            if before is not None and place <= before:
                reject("disclosure-malformed", "out of order")
            before = place
            sealed = self.shown.get(item["number"], {}).get(item["field"])
            if not isinstance(sealed, dict) or list(sealed) != ["digest"]:
                reject("disclosure-without-field", "no shown event has this sealed field")
            parts = (bytes.fromhex(item["salt"]), item["field"].encode(), item["value"].encode())
            if sha(b"\0".join(parts)).hex() != sealed["digest"]:
                reject("disclosure-differs", "not the value that was sealed")
            count += 1
        shown = len(self.shown)
        counts = {"disclosed": count, "shown": shown, "withheld": len(self.leaves) - shown}
        if counts != self.manifest["counts"]:
            reject("counts-differ", "the manifest counts otherwise")
        return counted(count, "value")

    def checkpoint_step(self) -> str:
        """Section 7, the checkpoint."""
        manifest = self.manifest
        try:
            self.checkpoint = Checkpoint(self.files["checkpoint.note"].decode())
        except ValueError as error:
            raise Rejected("checkpoint", "checkpoint-malformed", str(error)) from error
        found = self.checkpoint
        if not found.origin == manifest["log"]["origin"] == f"whodecided/{manifest['log']['id']}":
            raise Rejected("checkpoint", "wrong-origin", f"a checkpoint of {found.origin}")
        said = {
            "root": found.root.hex(),
            "signed": bool(found.note.signatures),
            "size": found.size,
        }
        if said != manifest["checkpoint"]:
            raise Rejected("checkpoint", "checkpoint-differs", "the manifest names another")
        return f"{found.origin} at size {found.size}"

    def inclusion_step(self) -> str:
        """Section 7, one proof per entry."""
        size, before = self.checkpoint.size, -1

        def reject(code: str, reason: str) -> NoReturn:
            raise Rejected("inclusion", code, reason)

        try:
            self.proofs = parse(self.files["proofs.json"])
        except ValueError as error:
            reject("proofs-malformed", str(error))
        if not fits(self.proofs, PROOFS):
            reject("proofs-malformed", "not the members of proofs")
        if len(self.proofs["inclusion"]) != len(self.entries):
            reject("proof-size", "not one proof per entry")
        for entry, proof in zip(self.entries, self.proofs["inclusion"], strict=True):
            path = self.path("inclusion", proof)
            if not before < proof["index"] < size:
                reject("proof-size", f"index {proof['index']} in a tree of {size}")
            before = proof["index"]
            try:
                root = included(leaf(entry), before, size, path)
            except Wrong:
                reject("proof-size", f"not a proof for index {before} in a tree of {size}")
            if root != self.checkpoint.root:
                reject("inclusion-fails", f"entry {before} is not in the checkpoint's tree")
        return counted(len(self.entries), "entry", "entries")

    @staticmethod
    def path(step: str, proof: dict[str, Any]) -> list[bytes]:
        """The hashes of a proof."""
        try:
            found = [unbase64(item) for item in proof["path"]]
        except ValueError as error:
            raise Rejected(step, "proofs-malformed", str(error)) from error
        if any(len(item) != 32 for item in found):
            raise Rejected(step, "proofs-malformed", "a hash is not 32 bytes long")
        return found

    def consistency_step(self) -> str:
        """Section 7, earlier sizes."""
        before, now = 0, self.checkpoint
        for proof in self.proofs["consistency"]:
            path = self.path("consistency", proof)
            if not before < proof["size"] < now.size:
                raise Rejected("consistency", "proof-size", f"size {proof['size']}")
            before = proof["size"]
            root = bytes.fromhex(proof["root"])
            try:
                roots = continued(before, now.size, path, root, True)
            except Wrong:
                roots = (b"", b"")
            if roots != (root, now.root):
                reason = f"does not continue size {before}"
                raise Rejected("consistency", "consistency-fails", reason)
        return counted(len(self.proofs["consistency"]), "earlier size")

    def signatures_step(self) -> str:
        """Section 8, by the keys that the bundle itself names."""
        signed = self.signed()
        self.manifest_note: Note | None = None
        if "manifest.note" in self.files:
            self.manifest_note = self.read_manifest_note(signed)
        if not signed:
            return "unsigned"
        try:
            text = self.files.get("log.vkeys", b"").decode()
            own = [Key(line) for line in text.splitlines()]
        except ValueError as error:
            raise Rejected("signatures", "keys-malformed", str(error)) from error
        for note in filter(None, (self.checkpoint.note, self.manifest_note)):
            checks = [(key, key.check(note)) for key in (*own, *self.keys)]
            if any(found is None for _, found in checks):
                raise Rejected("signatures", "signature-invalid", "a signature is not valid")
            if not any(found != -1 for key, found in checks if not key.is_witness):
                raise Rejected("signatures", "foreign-key", f"signed by {note.names()}")
        return f"signed by {self.checkpoint.note.names()}"

    def read_manifest_note(self, signed: bool) -> Note:
        """The signed note about this manifest."""
        digest = base64.b64encode(sha(self.files["manifest.json"])).decode()
        wanted = f"{FORMAT}\n{self.manifest['log']['origin']}\n{digest}\n"
        try:
            note = Note(self.files["manifest.note"].decode())
        except ValueError as error:
            raise Rejected("signatures", "manifest-signature", str(error)) from error
        if note.text != wanted or not signed:
            raise Rejected("signatures", "manifest-signature", "not about this manifest")
        return note

    def elsewhere_step(self) -> str:
        """What the reader brought along."""

        def reject(code: str, reason: str) -> NoReturn:
            raise Rejected("elsewhere", code, reason)

        now, said = self.checkpoint, []
        log_keys = [key for key in self.keys if not key.is_witness]
        for key in log_keys:
            if key.name != now.origin:
                reject("wrong-origin", f"the key is of {key.name}")
        if log_keys and not any(key.valid(now.note) for key in log_keys):
            reject("foreign-key", f"signed by {now.note.names()}, by no trusted key")
        said += ["signed by a trusted key"] if log_keys else []
        for key in self.keys:
            moment = key.check(now.note) if key.is_witness else 0
            if moment is None or moment == -1:
                reject("not-cosigned", f"not cosigned by {key.name}")
            if key.is_witness:
                time = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=moment)
                said.append(f"cosigned by {key.name} at {time:%Y-%m-%dT%H:%M:%SZ}")
        note = self.manifest_note
        if log_keys and (note is None or not any(key.valid(note) for key in log_keys)):
            reject("manifest-unsigned", "the manifest is not signed by a trusted key")
        roots = {proof["size"]: proof["root"] for proof in self.proofs["consistency"]}
        roots |= {0: sha(b"").hex(), now.size: now.root.hex()}
        for known in self.against:
            if known.origin != now.origin:
                reject("wrong-origin", f"the checkpoint kept elsewhere is of {known.origin}")
            if known.size > now.size:
                reject("rolled-back", f"size {now.size} is older than {known.size}")
            if known.size not in roots:
                reject("no-proof", f"no proof from size {known.size}")
            if known.root.hex() != roots[known.size]:
                reject("fork", f"another root at size {known.size}")
            said.append(f"continues size {known.size}")
        return "; ".join(said) or "nothing was given: self-consistent only"

    def claim(self, rejected: Rejected | None) -> str:
        """What the result of `check` means: `rejected` is what it raised, None for nothing."""
        if rejected is None:
            if self.against or any(key.is_witness for key in self.keys):
                return UNCHANGED
            if self.keys:
                return SIGNED
            return SELF_CONSISTENT if self.signed() else f"unsigned and {SELF_CONSISTENT}"
        if rejected.step != "elsewhere":
            return "not intact: nothing in it can be relied on"
        names = [key.name for key in self.keys if not key.is_witness]
        foreign = any(name != self.checkpoint.origin for name in names)
        if not foreign and rejected.code != "foreign-key":
            return f"{SOUND} it does not agree with what was kept elsewhere"
        return f"{SOUND} {ANOTHER_KEY if self.signed() else NO_KEY}"

    def signed(self) -> bool:
        """Whether anybody signed the checkpoint."""
        return bool(self.checkpoint.note.signatures)


def facts(event: dict[str, Any]) -> bytes:
    """Facts digest of an event (section 5)."""
    if isinstance(event.get("stamp"), dict):
        stamp = dict(event["stamp"])
        if stamp.pop("basis", None) != "stated":
            stamp["deciding_player"] = None
        stamp.pop("authority", None)
        stamp.pop("reading", None)
        event = event | {"stamp": stamp}
    text = json.dumps(event, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return sha(text.encode())


def verify(
    data: bytes, keys: Sequence[Key] = (), against: Sequence[Checkpoint] = ()
) -> list[tuple[str, str]]:
    """Check a bundle; what each step found. Rejected for the first check that fails."""
    bundle = Bundle(data, keys, against)
    bundle.check()
    return bundle.said


# ---------------------------------------------------------------- the command


def read_keys(text: str) -> list[Key]:
    """The keys of an argument: a key, or a file of them."""
    content = text.encode() if text.count("+") >= 2 else _read(text)
    try:
        found = [Key(line) for line in content.decode().splitlines() if line.strip()]
    except ValueError as error:
        raise Unusable(f"--trust {text}: {error}") from error
    if not found:
        raise Unusable(f"--trust {text}: there is no key in it")
    return found


def read_checkpoint(path: str) -> Checkpoint:
    """The checkpoint of a file."""
    try:
        return Checkpoint(_read(path).decode())
    except ValueError as error:
        raise Unusable(f"--against {path}: {error}") from error


def _read(path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            return file.read(LARGEST + 1)
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror}") from error


def main(arguments: Sequence[str] | None = None, write: Callable[[str], object] = print) -> int:
    """Verify the bundle named by the arguments; the exit code."""
    parser = argparse.ArgumentParser(description="Verify a whodecided case bundle.")
    parser.add_argument("bundle", help="the file, as `whodecided bundle` wrote it")
    key = "key of the log or of a witness, kept elsewhere, or a file of keys; repeatable"
    parser.add_argument("--trust", action="append", default=[], metavar="KEY", help=key)
    kept = "file with a checkpoint of the log, kept elsewhere; repeatable"
    parser.add_argument("--against", action="append", default=[], metavar="FILE", help=kept)
    parser.add_argument("--json", action="store_true", help="write JSON")
    chosen = parser.parse_args(arguments)
    try:
        keys = [key for text in chosen.trust for key in read_keys(text)]
        against = [read_checkpoint(path) for path in chosen.against]
        bundle = Bundle(_read(chosen.bundle), keys, against)
    except Unusable as error:
        print(error, file=sys.stderr)
        return 2
    rejected: Rejected | None = None
    try:
        bundle.check()
    except Rejected as found:
        rejected = found
    show = _as_json if chosen.json else _as_text
    try:
        write(show(bundle, rejected))
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader (`head`, a pager) has enough; Python would complain when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 3 if rejected else 0


def _as_json(bundle: Bundle, rejected: Rejected | None) -> str:
    failure = None
    if rejected is not None:
        failure = {"step": rejected.step, "code": rejected.code, "reason": rejected.reason}
    return json.dumps(
        {
            "ok": rejected is None,
            "trusted": rejected is None and bool(bundle.keys or bundle.against),
            "claim": bundle.claim(rejected),
            "steps": [{"name": name, "detail": detail} for name, detail in bundle.said],
            "failure": failure,
        }
    )


def _as_text(bundle: Bundle, rejected: Rejected | None) -> str:
    lines = [f"{n:2} ok    {name:12} {said}" for n, (name, said) in enumerate(bundle.said, 1)]
    if rejected is not None:
        number = len(lines) + 1
        lines.append(f"{number:2} FAIL  {rejected.step:12} {rejected.reason} [{rejected.code}]")
    return "\n".join([*lines, bundle.claim(rejected)])


if __name__ == "__main__":
    sys.exit(main())
