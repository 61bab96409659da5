"""`keys`, `checkpoint`, `verify`, `bundle`, `verify-bundle`: what they do."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from domain.canonical import format_time
from domain.errors import BadInput, LogUnavailable, NotFound
from domain.visibility import JUDGE
from queries.viewers import named_viewer
from whodecided.cli.labels import plural
from whodecided.cli.progress import progress_bar
from whodecided.cli.render.evidence import draw_verification
from whodecided.evidence.bundle import make_bundle
from whodecided.evidence.bundle_check import verify_bundle
from whodecided.evidence.checkpoint import origin_of
from whodecided.evidence.checkpoints import StoredCheckpoint, make_checkpoint
from whodecided.evidence.erasure import erase_person, find_person
from whodecided.evidence.keys import PRIVATE_KEY, create_key, known_keys, load_signer
from whodecided.evidence.report import Verification
from whodecided.evidence.showing import (
    may_show_everything,
    may_show_in_game,
    may_show_nothing,
    rule_files,
)
from whodecided.evidence.trust import read_kept_checkpoint, read_trust
from whodecided.evidence.verify import verify_log
from whodecided.store.files import replace_file

if TYPE_CHECKING:
    from whodecided.cli.session import Session
    from whodecided.evidence.bundle import MayShow
    from whodecided.evidence.signing import Verifier

__all__ = [
    "run_bundle",
    "run_checkpoint",
    "run_erase",
    "run_keys",
    "run_new_key",
    "run_rotate_secret",
    "run_verify",
    "run_verify_bundle",
    "warn_unsigned",
    "write_text",
]


def run_keys(session: Session) -> None:
    """Write the log's public keys, one per line, and say which of several signs now."""
    directory = session.log.directory
    found = known_keys(directory.keys)
    try:
        signer = load_signer(directory.keys, origin_of(directory.events.log_id))
    except LogUnavailable:  # a spoiled private key signs nothing; the public ones are good
        signer = None
    signing = None if signer is None else signer.verifier
    if session.json:
        now = None if signing is None else str(signing)
        session.write({"schema_version": 1, "keys": [str(key) for key in found], "signing": now})
    elif found:
        write_text("".join(f"{key}\n" for key in found))
        session.warnings.print(_who_signs(found, signing), end="", soft_wrap=True)
    else:
        warn_unsigned(session)


def _who_signs(keys: Sequence[Verifier], signing: Verifier | None) -> str:
    """One line about several keys, which are told apart by their ids; nothing about a single one.

    Where the private key is not at hand, the newest of them is all that can be named.
    """
    if len(keys) == 1:
        return ""
    if signing is None:
        return f"No key signs here; the newest of these is {keys[-1].key_id.hex()}.\n"
    retired = ", ".join(key.key_id.hex() for key in keys if key != signing)
    return f"{signing.key_id.hex()} signs now; retired: {retired}.\n"


def run_new_key(session: Session, replace: bool) -> None:
    """Make the log's key and write its public half."""
    directory = session.log.directory
    key = create_key(directory.keys, origin_of(directory.events.log_id), replace=replace)
    if session.json:
        session.write({"schema_version": 1, "key": str(key)})
        return
    write_text(f"{key}\n")
    kept = directory.keys / PRIVATE_KEY
    session.warnings.print(f"The private key is in {kept}; only you can read it.", soft_wrap=True)
    session.warnings.print("Give the line above to whoever will verify this log.", style="yellow")


def run_rotate_secret(session: Session) -> None:
    """Make a new log secret, and say what that changes."""
    directory = session.log.directory
    number = directory.secrets.rotate()
    if session.json:
        session.write({"schema_version": 1, "secret": number})
        return
    session.console.print(f"New games are sealed with log secret {number}.")
    session.warnings.print(
        f"It is in {directory.keys}; only you can read it. Keep the older ones: games from before"
        " need theirs to be imported again. Whoever knows an older secret can still guess what it"
        " sealed; players get other pseudonyms in new games, which is no anonymisation.",
        style="yellow",
        soft_wrap=True,
    )


def run_checkpoint(session: Session) -> None:
    """Sign the log's state and write the checkpoint."""
    made = make_checkpoint(session.log.directory)
    if session.json:
        session.write({"schema_version": 1} | _plain(made))
        return
    write_text(made.text())
    if made.path is None:
        warn_unsigned(session)


def warn_unsigned(session: Session) -> None:
    """Say that no private key of the log is at hand, and what to do."""
    session.warnings.print(
        "The log has no key here: this is unsigned. Make one with `whodecided keys new`, unless"
        " another machine or copy signs for it.",
        style="yellow",
        soft_wrap=True,
    )


def run_verify(
    session: Session,
    trust: Sequence[str],
    against: Sequence[Path],
    from_scratch: bool,
    jobs: int | None,
) -> None:
    """Verify the log."""
    brought = read_trust(trust, against)
    with progress_bar(session, "Verifying") as progress:
        found = verify_log(
            session.log.directory,
            brought,
            from_scratch=from_scratch,
            rules=session.log.rules if from_scratch else None,
            jobs=jobs,
            progress=progress,
        )
    _show(session, found)


def run_verify_bundle(
    session: Session, file: Path, trust: Sequence[str], against: Sequence[Path]
) -> None:
    """Verify a bundle."""
    _show(session, verify_bundle(file, read_trust(trust, against)))


def run_bundle(
    session: Session,
    game: str,
    output: Path,
    events: str | None,
    viewer: str,
    since: Sequence[Path],
    force: bool,
) -> None:
    """Write the bundle of one record; over a file that is there only with `force`."""
    if not force and os.path.lexists(output):
        raise BadInput(
            str(output),
            "there is something here already",
            advice="Name a new file, or replace this one with --force.",
        )
    stream_id, viewer, may_show = _record(session, game, viewer)
    shown = _range(events)
    made = make_bundle(
        session.log.directory,
        stream_id,
        viewer=viewer,
        may_show=may_show,
        events=shown,
        since=[read_kept_checkpoint(path) for path in since],
        rules=rule_files(),
    )
    if viewer == JUDGE:
        session.log.note_read("bundle", stream_id, *(shown or ()))
    try:
        replace_file(output, made.content, 0o644)
    except OSError as error:
        raise BadInput(str(output), error.strerror or str(error)) from error
    counts = made.manifest.counts
    if session.json:
        plain = {"file": str(output), "bytes": len(made.content), "root": made.manifest.root}
        counted = {name: getattr(counts, name) for name in ("shown", "withheld", "disclosed")}
        session.write({"schema_version": 1} | plain | counted)
        return
    shown_here = f"{plural(counts.shown, 'event')} shown, {counts.withheld:,} withheld"
    disclosed = f"{plural(counts.disclosed, 'value')} disclosed to {viewer}"
    session.console.print(f"{output}: {shown_here}, {disclosed}", soft_wrap=True)
    session.console.print(f"Next: whodecided verify-bundle {output}", style="dim", soft_wrap=True)


def run_erase(session: Session, named: str, reason: str, by: str) -> None:
    """Erase a person, and say what that means."""
    directory = session.log.directory
    person = find_person(directory, named)
    now = format_time(time.time_ns() // 1000)
    done = erase_person(directory, person, reason=reason, by=by, recorded_at=now)
    if session.json:
        session.write_answer(done)
        return
    what = f"{plural(done.names, 'name')} and {plural(done.values, 'hidden value')}"
    said = f"{person}: {what} deleted; event {done.event} of {done.stream_id} records it"
    session.console.print(said, soft_wrap=True)
    session.warnings.print(
        "The pseudonym stays in the events: this is no anonymisation. Backups and bundles made"
        " before still hold what was deleted here.",
        style="yellow",
    )


def write_text(text: str) -> None:
    """Write a text that programs read as it is."""
    sys.stdout.write(text)
    sys.stdout.flush()


def _show(session: Session, found: Verification) -> None:
    if not found.ok:
        session.ends_with(3)
    if session.json:
        session.write_answer(found)
    else:
        session.print(draw_verification(found))


def _record(session: Session, game: str, asked: str) -> tuple[str, str, MayShow]:
    """The stream that is meant, the viewer, and what of it the viewer may see."""
    log = session.log
    others = {name for name, kind, _ in log.directory.events.streams() if kind != "game"}
    if game in others:
        return game, asked, may_show_everything if asked == JUDGE else may_show_nothing
    try:
        record = log.game_record(game)
    except NotFound as error:
        raise NotFound("record", game, advice=error.advice) from error
    viewer = named_viewer(asked, record)
    return record.game_id, viewer, may_show_in_game(record.folded, viewer)


def _range(events: str | None) -> tuple[int, int] | None:
    """The numbers of `A-B` or `A`. BadInput for anything else."""
    if events is None:
        return None
    match = re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", events)
    if match is None:
        raise BadInput("--events", f"{events!r} is no range", advice="Write it like 120-180.")
    return int(match[1]), int(match[2] or match[1])


def _plain(made: StoredCheckpoint) -> dict[str, object]:
    return {
        "origin": made.checkpoint.origin,
        "size": made.checkpoint.size,
        "root": made.checkpoint.root.hex(),
        "signed_by": [item.name for item in made.note.signatures],
        "note": made.text(),
        "path": None if made.path is None else str(made.path),
    }
