"""Take a bundle apart and put it together again, as somebody without the log's key could."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

import msgspec

from domain.canonical import canonical_json
from tools import verify_bundle as other
from whodecided.evidence.archive import read_archive, write_archive
from whodecided.evidence.bundle_check import verify_bundle
from whodecided.evidence.trust import Trust

__all__ = ["Change", "both", "forge", "lines", "relist", "steps", "unlines"]

Change = Callable[[dict[str, bytes]], object]
"""Changes the files of a bundle in place."""

Verdict = tuple[str, str] | None
"""Step and code of a refusal."""


def forge(bundle: bytes, change: Change, *, list_anew: bool = True) -> bytes:
    """The bundle with changed files; the manifest lists them as they are now."""
    files = read_archive(bundle)
    change(files)
    if list_anew:
        relist(files)
    return write_archive(files)


def relist(files: dict[str, bytes], **members: Any) -> None:
    """Write the manifest for the files as they are, with other members where given."""
    manifest = msgspec.json.decode(files["manifest.json"]) | members
    manifest["files"] = [
        {"bytes": len(content), "name": name, "sha256": sha256(content).hexdigest()}
        for name, content in sorted(files.items())
        if name not in ("manifest.json", "manifest.note")
    ]
    files["manifest.json"] = canonical_json(manifest)


def lines(files: Mapping[str, bytes], name: str) -> list[bytes]:
    """The lines of a file."""
    return files[name].split(b"\n")[:-1]


def unlines(found: list[bytes]) -> bytes:
    """A file of lines."""
    return b"".join(line + b"\n" for line in found)


def both(bundle: bytes, trust: Trust | None = None) -> tuple[str, str] | None:
    """Step and code with which both verifiers refuse a bundle; None when both take it.

    Raises AssertionError when they do not agree, also on what the result means.
    """
    mine, theirs, claims = _verdicts(bundle, trust or Trust())
    assert mine == theirs, f"{mine} and {theirs}"
    assert claims[0] == claims[1]
    return mine


def steps(bundle: bytes) -> tuple[str, str]:
    """The steps in which the two verifiers refuse a bundle; empty where one takes it."""
    mine, theirs, _ = _verdicts(bundle, Trust())
    return (mine or ("",))[0], (theirs or ("",))[0]


def _verdicts(bundle: bytes, trust: Trust) -> tuple[Verdict, Verdict, tuple[str, str]]:
    """What the product says, what the other verifier does, and what both call it."""
    verification = verify_bundle(bundle, trust)
    failed = [step.name for step in verification.steps if step.status == "failed"]
    failure = verification.failure
    mine = None if failure is None else (failed[0], failure.code)
    check = other.Bundle(
        bundle,
        [other.Key(str(key)) for key in trust.keys],
        [other.Checkpoint(known.text()) for known in trust.against],
    )
    try:
        check.check()
    except other.Rejected as rejected:
        claims = (verification.claim, check.claim(rejected))
        return mine, (rejected.step, rejected.code), claims
    return mine, None, (verification.claim, check.claim(None))
