"""`python -m tests.contention`: many processes append to the same games; prints the figures."""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path

from tests.contention.racing import Race, race, require_no_loss
from tests.crash.stores import STORES
from whodecided import open_log


def main() -> None:
    """Race, check, print; AssertionError where something does not hold, and the log stays."""
    parser = argparse.ArgumentParser(prog="python -m tests.contention", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--store", choices=STORES, default="sqlite")
    parser.add_argument("--directory", type=Path, help="where the log lies")
    asked = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="contention-", dir=asked.directory))
    with STORES[asked.store](folder) as store:
        place = store.place("log")
        figures = race(Race(place, asked.processes, asked.games, asked.seconds))
        with open_log(place) as log:
            require_no_loss(log, asked.games, figures)
        events = sum(len(each.stored) for each in figures)
        conflicts = sum(each.conflicts for each in figures)
        print(
            f"{asked.store}: {asked.processes} processes, {asked.games} games,"
            f" {asked.seconds:g} s: {events:,} events acknowledged"
            f" ({events / asked.seconds:,.0f}/s), {conflicts:,} conflicts retried,"
            f" {sum(each.again for each in figures):,} batches sent again,"
            f" {sum(each.checkpoints for each in figures)} checkpoints;"
            f" fewest {min(len(each.stored) for each in figures):,}"
            f" and most {max(len(each.stored) for each in figures):,} of one process"
        )
        print("verified: nothing lost, nothing twice, no fork, heads consistent")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
