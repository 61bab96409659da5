"""How much faster two processes make all tables of a large log than one, and with what memory.

A log of invented matches is made once; then whole rebuilds with one and with two processes follow
each other, each in a program of its own. Medians are compared. Memory is the peak of the program,
and of the largest of the processes it starts.

    python -m benchmarks.rebuild_jobs [--events 200000] [--jobs 2] [--rounds 3] [--directory DIR]
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.large import imported_log

__all__ = ["main", "measure"]

WANTED: Final = 1.5
_PROGRAM: Final = """
import multiprocessing, resource, sys, time
from pathlib import Path
from benchmarks.peak import peak_mb
from projections.views import ViewSet
from whodecided.rulebook import load_rules
from whodecided.store.directory import open_directory

def main():
    log = open_directory(Path(sys.argv[1]), create=False)
    rules, others = load_rules(), [0.0]
    def look(position, head):
        others.extend(peak_mb(child.pid) for child in multiprocessing.active_children())
    began = time.perf_counter()
    status = ViewSet(log.views).rebuild(log.events, rules, look, jobs=int(sys.argv[2]))
    seconds = time.perf_counter() - began
    if status.problem or status.behind or status.poison:
        sys.exit(f"the tables are not whole: {status}")
    usages = [resource.getrusage(w) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    processor = sum(usage.ru_utime + usage.ru_stime for usage in usages)
    print(seconds, processor, peak_mb(), max(others))

if __name__ == "__main__":
    main()
"""


class Run(NamedTuple):
    """Seconds, processor seconds of all processes, peaks of the program and of another one."""

    seconds: float
    processor: float
    peak: float
    other: float


def rebuild(program: Path, log: Path, jobs: int) -> Run:
    """One rebuild in a program of its own."""
    ran = subprocess.run(
        [sys.executable, str(program), str(log), str(jobs)],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parent.parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    return Run(*map(float, ran.stdout.split()))


def measure(events: int, jobs: int, rounds: int, directory: Path | None) -> float:
    """Print the figures; the ratio."""
    runs: dict[int, list[Run]] = {1: [], jobs: []}
    with tempfile.TemporaryDirectory(dir=directory) as name:
        folder = Path(name)
        log = imported_log(folder / "log", events)
        events = log.events.head()
        log.close()
        program = folder / "rebuild.py"
        program.write_text(_PROGRAM)
        for _ in range(rounds):
            for number, found in runs.items():
                found.append(rebuild(program, folder / "log", number))
    medians = {
        number: Run(*map(statistics.median, zip(*found, strict=True)))
        for number, found in runs.items()
    }
    print(f"{events:,} events")
    for number, run in medians.items():
        print(
            f"rebuild --jobs {number}: {run.seconds:6.2f} s {events / run.seconds:8,.0f} events/s,"
            f" {run.processor:6.2f} s of processor, peak {run.peak:.0f} MB + {run.other:.0f} MB"
        )
    ratio = medians[1].seconds / medians[jobs].seconds
    print(f"{jobs} processes / 1: {ratio:.2f} times as fast (wanted: at least {WANTED})")
    return ratio


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Rebuild with several processes.")
    parser.add_argument("--events", type=int, default=200_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--directory", type=Path, help="where the log is made")
    chosen = parser.parse_args()
    measure(chosen.events, chosen.jobs, chosen.rounds, chosen.directory)


if __name__ == "__main__":
    main()
