"""Ways to change a log behind its back, and what it exports.

`python -m tests.whodecided.evidence.tampering --flips 2000` flips random bytes of an event file,
one at a time, and tells how each was found; it fails when a change of an export goes unseen.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from domain.codec import facts_digest
from domain.errors import WhodecidedError
from tests.whodecided.evidence.builders import make_log
from whodecided.evidence.checkpoint import origin_of
from whodecided.evidence.checkpoints import make_checkpoint
from whodecided.evidence.keys import create_key
from whodecided.evidence.verify import verify_log
from whodecided.store.directory import open_directory
from whodecided.store.schema import SCHEMA_STATEMENTS
from whodecided.store.sqlite_log import SqliteEventLog

__all__ = ["exported", "flip_bytes", "signed_log", "spoil"]

_EVERYTHING: Final = 2**62


def signed_log(path: Path, **size: int) -> None:
    """Make a closed log with a signed checkpoint of all but its last append."""
    with closing(make_log(path, **size)) as log:
        create_key(log.keys, origin_of(log.events.log_id))
        make_checkpoint(log)


def spoil(events: Path, *statements: str) -> None:
    """Change an event file as its owner can: without its triggers, which are put back."""
    with closing(sqlite3.connect(events, isolation_level=None)) as raw:
        raw.execute("BEGIN")
        for (name,) in raw.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'trigger'"
        ).fetchall():
            raw.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            raw.execute(statement)
        for statement in SCHEMA_STATEMENTS:
            if statement.lstrip().startswith("CREATE TRIGGER"):
                raw.execute(statement)
        raw.execute("COMMIT")


def exported(events: Path) -> tuple[Any, ...]:
    """Everything a log gives away."""
    with closing(SqliteEventLog(events, facts_digest)) as log:
        journal = log.journal(limit=_EVERYTHING)
        return (
            log.log_id,
            log.read_all(limit=_EVERYTHING),
            journal,
            log.leaves(upto=_EVERYTHING),
            list(log.streams()),
            log.disclosures_between(-_EVERYTHING, _EVERYTHING),
            log.provenance_between(-_EVERYTHING, _EVERYTHING),
            [log.read(stream) for stream, _, _ in log.streams()],
        )


def flip_bytes(log: Path, count: int, seed: int, report: Callable[[str], object]) -> None:
    """Flip bytes of the event file one at a time; `report` gets how each one was found.

    Raises AssertionError for a change of what is exported that verification does not see.
    """
    events = log / "events.sqlite"
    original = events.read_bytes()
    before = exported(events)
    chance = random.Random(seed)
    for _ in range(count):
        place = chance.randrange(len(original))
        flipped = bytearray(original)
        flipped[place] ^= 1 << chance.randrange(8)
        for leftover in log.glob("events.sqlite*"):
            leftover.unlink()
        events.write_bytes(flipped)
        report(_found(log, before, place))
    for leftover in log.glob("events.sqlite*"):
        leftover.unlink()
    events.write_bytes(original)


def _found(path: Path, before: tuple[Any, ...], place: int) -> str:
    try:
        with closing(open_directory(path, create=False)) as log:
            verification = verify_log(log)
    except WhodecidedError as error:
        return f"refused: {type(error).__name__}"
    if verification.failure is not None:
        return verification.failure.code
    assert exported(path / "events.sqlite") == before, f"byte {place} changed unseen"
    return "nothing exported has changed"


def main() -> None:
    """Flip bytes and count how they were found."""
    parser = argparse.ArgumentParser(description="Flip bytes of an event file.")
    parser.add_argument("--flips", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    found: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log"
        signed_log(path, games=6, events=40)
        flip_bytes(path, chosen.flips, chosen.seed, lambda how: found.update([how]))
        shutil.rmtree(path)
    for how, times in found.most_common():
        sys.stdout.write(f"{times:6} {how}\n")


if __name__ == "__main__":
    main()
