"""Appends games to a log file until it is stopped: `python -m tests.whodecided.store.appender`.

Arguments: the log file, how many games, and optionally the largest file size in bytes that the
operating system shall allow. Prints the number of every game once it is in the log, and at the end
the error that stopped it, if one did.
"""

from __future__ import annotations

import resource
import sys
from contextlib import closing
from pathlib import Path

from domain.errors import LogUnavailable
from domain.ports import Append, Provenance
from tests.whodecided.store.builders import append, disclosure, facts_of
from whodecided.store.sqlite_log import SqliteEventLog

EVENTS = 400


def game(number: int) -> Append:
    """The whole of one game: its events, disclosures and provenance."""
    return append(
        1,
        EVENTS,
        f"game {number:04d}",
        said="x" * 200,
        disclosures=[disclosure(n) for n in range(1, EVENTS, 10)],
        provenance=[Provenance(n, "ab" * 32, n * 100, n) for n in range(1, EVENTS + 1)],
    )


def main(path: Path, count: int, largest: int | None) -> None:
    """Append the games, one per transaction."""
    if largest is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest, resource.RLIM_INFINITY))
    with closing(SqliteEventLog(path, facts_of)) as log:
        try:
            for number in range(count):
                log.append([game(number)])
                print(number, flush=True)
        except LogUnavailable as error:
            print(error.reason)
            assert log.head() % EVENTS == 0


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else None)
