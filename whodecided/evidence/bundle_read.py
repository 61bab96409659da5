"""Read the parts of a bundle strictly; whatever is not as written by the format has a code."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any, Final, TypeVar

import msgspec

from domain.canonical import MAX_INT, canonical_json
from whodecided.evidence.bundle_format import FORMAT, REQUIRED_FILES, Manifest
from whodecided.evidence.merkle import HASH_SIZE
from whodecided.evidence.notes import unbase64
from whodecided.evidence.report import Failure

__all__ = ["Unfit", "hashes", "lines", "plain_object", "read_manifest", "text_of", "typed"]

_T = TypeVar("_T", bound=msgspec.Struct)
_MANIFEST: Final = "manifest.json"
_UNLISTED: Final = frozenset({_MANIFEST, "manifest.note"})
_OPTIONAL: Final = "log.vkeys"
_FOLDERS: Final = ("rules/", "schemas/")


class Unfit(Exception):
    """The first check that does not hold, with the name of its step."""

    def __init__(
        self,
        step: str,
        code: str,
        what: str,
        reason: str,
        stored: str | None = None,
        computed: str | None = None,
    ) -> None:
        self.step = step
        self.failure = Failure(code, what, reason, stored, computed)
        super().__init__(str(self.failure))


def read_manifest(files: dict[str, bytes]) -> Manifest:
    """The manifest, after comparing every file with what it says."""
    if _MANIFEST not in files:
        raise Unfit("manifest", "manifest-malformed", _MANIFEST, "is not there")
    manifest = typed("manifest", "manifest-malformed", _MANIFEST, files[_MANIFEST], Manifest)
    if manifest.format != FORMAT:
        reason = f"the format is {manifest.format!r}, known is {FORMAT!r}"
        raise Unfit("manifest", "manifest-malformed", _MANIFEST, reason)
    listed = {entry.name: entry for entry in manifest.files}
    if list(listed) != sorted(listed) or len(listed) < len(manifest.files):
        raise Unfit("manifest", "manifest-malformed", _MANIFEST, "the files are not in order")
    for name in sorted((listed.keys() | REQUIRED_FILES) - files.keys()):
        raise Unfit("manifest", "file-missing", name, "is not there")
    known = REQUIRED_FILES | {_OPTIONAL}
    for name in sorted(files.keys() - _UNLISTED):
        if name not in listed or not (name in known or name.startswith(_FOLDERS)):
            raise Unfit("manifest", "file-unknown", name, "does not belong to this bundle")
        entry, content = listed[name], files[name]
        computed = sha256(content).hexdigest()
        if (entry.bytes, entry.sha256) != (len(content), computed):
            raise Unfit("manifest", "file-changed", name, "digest differs", entry.sha256, computed)
    return manifest


def typed(step: str, code: str, what: str, data: bytes, kind: type[_T]) -> _T:
    """Canonical JSON of one type; Unfit for anything else."""
    try:
        found = msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Unfit(step, code, what, str(error)) from error
    if canonical_json(found) != data:
        raise Unfit(step, code, what, "is not canonical")
    return found


def plain_object(data: bytes) -> dict[str, Any] | None:
    """The members of a canonical JSON object, None for anything else."""
    try:
        found = msgspec.json.decode(data)
        same = isinstance(found, dict) and _fits(found) and canonical_json(found) == data
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return found if same else None


def _fits(value: Any) -> bool:
    """Whether there are no numbers but integers that every reader can hold."""
    if isinstance(value, dict):
        return all(map(_fits, value.values()))
    if isinstance(value, list):
        return all(map(_fits, value))
    return not isinstance(value, float) and (not isinstance(value, int) or abs(value) <= MAX_INT)


def lines(step: str, code: str, name: str, data: bytes) -> Iterator[bytes]:
    """The lines of a file, each ended by a newline."""
    if data and not data.endswith(b"\n"):
        raise Unfit(step, code, name, "the last line is cut short")
    yield from data.split(b"\n")[:-1]


def text_of(step: str, code: str, name: str, data: bytes) -> str:
    """The text of a file in UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise Unfit(step, code, name, "is not UTF-8") from error


def hashes(step: str, what: str, path: tuple[str, ...]) -> list[bytes]:
    """The hashes of a proof."""
    found = [unbase64(item) for item in path]
    if any(item is None or len(item) != HASH_SIZE for item in found):
        raise Unfit(step, "proofs-malformed", what, "a hash is not 32 bytes of base64")
    return [item for item in found if item is not None]
