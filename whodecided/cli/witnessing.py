"""`witness`: what its commands do."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from domain.errors import BadInput
from whodecided.cli.document import SCHEMA_VERSION
from whodecided.cli.proving import warn_unsigned, write_text
from whodecided.evidence.checkpoints import (
    add_cosignatures,
    journal_tree,
    latest_checkpoint,
    make_checkpoint,
)
from whodecided.evidence.trust import MAX_BYTES, read_trust
from whodecided.evidence.witness import create_witness, open_witness, witness_request
from whodecided.inputs import read_text, text_of

if TYPE_CHECKING:
    from whodecided.cli.session import Session

__all__ = ["run_accept", "run_cosign", "run_new_witness", "run_request", "run_trust"]


def run_new_witness(session: Session, directory: Path, name: str) -> None:
    """Make a witness and write its public key."""
    key = create_witness(directory, name)
    if session.json:
        session.write({"schema_version": SCHEMA_VERSION, "key": str(key)})
    else:
        write_text(f"{key}\n")


def run_trust(session: Session, directory: Path, key: str) -> None:
    """Let a witness know the keys of a log."""
    witness = open_witness(directory)
    keys = read_trust([key], []).keys
    for found in keys:
        witness.trust(found)
        if not session.json:
            session.console.print(f"Trusted: {found.name}", soft_wrap=True)
    if session.json:
        session.write({"schema_version": SCHEMA_VERSION, "trusted": [str(one) for one in keys]})


def run_request(session: Session, old: int) -> None:
    """Write what a witness is asked."""
    directory = session.log.directory
    tree = journal_tree(directory.events)
    made = make_checkpoint(directory, tree)
    if old > made.checkpoint.size:
        reason = f"the log has {made.checkpoint.size} entries, not {old}"
        raise BadInput("--old", reason)
    _write(session, "request", witness_request(made, tree, old))
    if made.path is None and not session.json:
        warn_unsigned(session)


def run_cosign(session: Session, directory: Path, file: Path | None) -> None:
    """Answer a request."""
    line = open_witness(directory).add_checkpoint(_text(file, "request"), int(time.time()))
    _write(session, "answer", line)


def run_accept(session: Session, key: str, file: Path | None) -> None:
    """Add an answer to the checkpoint it is for, and write that; say what was not taken from it."""
    from whodecided.cli.render.common import warning

    keys = read_trust([key], []).keys
    directory = session.log.directory
    made = add_cosignatures(directory, _text(file, "answer"), keys)
    last = latest_checkpoint(directory)
    if last is not None and last.checkpoint.size > made.stored.checkpoint.size:
        said = f"this is an earlier checkpoint: the last one has size {last.checkpoint.size}"
        session.warnings.print(warning(said), soft_wrap=True)
    for name in made.older:
        said = f"{name} has cosigned this checkpoint again since this answer; the newer one is kept"
        session.warnings.print(warning(said), soft_wrap=True)
    _write(session, "note", made.stored.text())


def _write(session: Session, what: str, text: str) -> None:
    """Write a text of the protocol as it is, or as the one value of a document."""
    if session.json:
        session.write({"schema_version": SCHEMA_VERSION, what: text})
    else:
        write_text(text)


def _text(file: Path | None, what: str) -> str:
    """The text of a file or of standard input."""
    if file is not None:
        return read_text(file, MAX_BYTES)
    return text_of(sys.stdin.buffer.read(MAX_BYTES), what)
