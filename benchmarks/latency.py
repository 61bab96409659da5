"""How long a person waits: `who` on one game, and the help page.

`who` is asked of a game of about 600 events, first in a log just opened (reading and folding the
game), then again while it is kept; for a judge the log first keeps on the disk who has read it. The
help page is a process from start to end.

    python -m benchmarks.latency [--rounds 15]
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from benchmarks.played import play
from whodecided.api import Log, open_log
from whodecided.rulebook import load_rulebook

__all__ = ["main", "measure"]

TURNS: Final = 15
VIEWERS: Final = ("spectator", "judge")
COLD_MS: Final = 25
WARM_MS: Final = 2
HELP_S: Final = 0.4


def _milliseconds(log: Log, game: str, number: int, viewer: str) -> float:
    started = time.perf_counter()
    log.who(game, number, viewer=viewer)
    return (time.perf_counter() - started) * 1000


def who(folder: Path, rounds: int, viewer: str) -> tuple[int, float, float]:
    """Events of the game, and median milliseconds of `who`, cold and kept."""
    with open_log(folder, create=True) as log:
        game = play(1, load_rulebook(), turns=TURNS)
        log.directory.events.append([game])
    events = len(game.events)
    cold, warm = [], []
    for turn in range(rounds):
        with open_log(folder) as log:
            cold.append(_milliseconds(log, game.stream_id, events // 2 + turn, viewer))
            warm.append(_milliseconds(log, game.stream_id, events // 2 - turn, viewer))
    return events, statistics.median(cold), statistics.median(warm)


def help_page(rounds: int) -> float:
    """Median seconds of `whodecided --help`."""
    taken = []
    for _ in range(rounds):
        started = time.perf_counter()
        subprocess.run(
            [sys.executable, "-c", "from whodecided.cli import main; main()", "--help"],
            capture_output=True,
            check=True,
        )
        taken.append(time.perf_counter() - started)
    return statistics.median(taken)


def measure(rounds: int) -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        for viewer in VIEWERS:
            events, cold, warm = who(Path(folder) / viewer, rounds, viewer)
            print(
                f"who for {viewer}, game of {events} events, cold: {cold:.1f} ms"
                f" (wanted: under {COLD_MS})"
            )
            print(f"who for {viewer}, the same game again: {warm:.2f} ms (wanted: under {WARM_MS})")
    print(f"whodecided --help: {help_page(rounds):.2f} s (wanted: under {HELP_S})")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Waiting times of a person.")
    parser.add_argument("--rounds", type=int, default=15)
    measure(parser.parse_args().rounds)


if __name__ == "__main__":
    main()
