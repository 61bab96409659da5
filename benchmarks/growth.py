"""Whether an event costs more in a large log: import, verify and rebuild per event.

A small log and a large one are made of the same invented matches under different ids, imported,
verified and rebuilt, each with one process. The small one is measured several times; medians are
compared, by the clock and of the processor. On a busy machine only the latter mean something.

    python -m benchmarks.growth [--small 100000] [--events 400000] [--rounds 3] [--directory DIR]
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.large import write_matches
from projections.views import ViewSet
from whodecided.evidence.verify import verify_log
from whodecided.importers.arena.importer import import_arena
from whodecided.rulebook import load_rules
from whodecided.store.directory import open_directory

__all__ = ["main", "measure"]

WANTED: Final = 1.25


class Cost(NamedTuple):
    """Microseconds per event: by the clock, and of the processor."""

    wall: float
    processor: float


def costs(source: Path, folder: Path) -> tuple[int, dict[str, Cost]]:
    """Import a file into a new log, verify and rebuild it: its events, and each cost."""
    log = open_directory(folder, create=True)
    rules = load_rules()
    found = {
        "import": _timed(lambda: import_arena([source], log)),
        "verify": _timed(lambda: verify_log(log, jobs=1).require()),
        "rebuild": _timed(lambda: ViewSet(log.views).rebuild(log.events, rules)),
    }
    events = log.events.head()
    log.close()
    scale = 1e6 / events
    return events, {name: Cost(c.wall * scale, c.processor * scale) for name, c in found.items()}


def _timed(work: Callable[[], object]) -> Cost:
    wall, processor = time.perf_counter(), time.process_time()
    work()
    return Cost(time.perf_counter() - wall, time.process_time() - processor)


def measure(small: int, large: int, rounds: int, directory: Path | None) -> dict[str, float]:
    """Print the costs; the ratios by the clock, by name."""
    with tempfile.TemporaryDirectory(dir=directory) as name:
        few, few_costs = _rounds(Path(name), small, rounds)
    with tempfile.TemporaryDirectory(dir=directory) as name:
        many, many_costs = _rounds(Path(name), large, 1 if large > 10 * small else rounds)
    ratios = {}
    for work, one in few_costs.items():
        other = many_costs[work]
        ratios[work] = other.wall / one.wall
        print(
            f"{work:8} {few:,} events: {one.wall:6.1f} us per event ({one.processor:.1f} of the"
            f" processor); {many:,}: {other.wall:6.1f} ({other.processor:.1f});"
            f" ratio {ratios[work]:.2f} ({other.processor / one.processor:.2f} of the processor;"
            f" wanted: at most {WANTED})"
        )
    return ratios


def _rounds(folder: Path, events: int, rounds: int) -> tuple[int, dict[str, Cost]]:
    source = folder / "matches.log"
    write_matches(source, events)
    # The first log warms the program up: what is made once per process is no cost of an event.
    warm = folder / "warm.log"
    write_matches(warm, 1)
    costs(warm, folder / "warm")
    found = [costs(source, folder / f"log-{number}") for number in range(rounds)]
    medians = {
        work: Cost(*map(statistics.median, zip(*(one[work] for _, one in found), strict=True)))
        for work in found[0][1]
    }
    return found[0][0], medians


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Cost of an event in small and large logs.")
    parser.add_argument("--small", type=int, default=100_000)
    parser.add_argument("--events", type=int, default=400_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--directory", type=Path, help="where the logs are made")
    chosen = parser.parse_args()
    measure(chosen.small, chosen.events, chosen.rounds, chosen.directory)


if __name__ == "__main__":
    main()
