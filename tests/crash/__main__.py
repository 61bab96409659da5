"""`python -m tests.crash`: kill work at random moments, again and again, and say what was lost."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random

from tests.crash.running import Outcome, crash, usual_seconds
from tests.crash.stores import STORES
from tests.crash.victims import KINDS, Job, write_files


def main() -> None:
    """Run, print the figures, end with 1 where something did not hold."""
    parser = argparse.ArgumentParser(prog="python -m tests.crash", description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--kinds", default=",".join(KINDS), help="comma-separated")
    parser.add_argument("--store", choices=STORES, default="sqlite")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--directory", type=Path, help="where the logs lie")
    asked = parser.parse_args()
    kinds = asked.kinds.split(",")
    if unknown := set(kinds) - KINDS.keys():
        parser.error(f"no kind is called {min(unknown)}; known: {', '.join(KINDS)}")
    folder = Path(tempfile.mkdtemp(prefix="crash-", dir=asked.directory))
    faults = _runs(asked, kinds, folder)
    if faults:
        sys.exit(f"{faults} of {asked.runs} runs failed; their logs are in {folder}")
    shutil.rmtree(folder)


def _runs(asked: argparse.Namespace, kinds: list[str], folder: Path) -> int:
    """Make the runs and print the figures, also of those before ctrl-C; the number of faults."""
    began = time.monotonic()
    files = write_files(folder)
    counts: Counter[tuple[str, str]] = Counter()
    chance = Random(asked.seed)
    with STORES[asked.store](folder) as store, suppress(KeyboardInterrupt):
        usual = {
            kind: usual_seconds(kind, store.place(kind), Job(0, files, store.place(f"{kind}-copy")))
            for kind in kinds
        }
        for number in range(asked.runs):
            kind, name = kinds[number % len(kinds)], f"{number:05d}"
            job = Job(chance.randrange(1 << 30), files, store.place(f"{name}-copy"))
            outcome = crash(kind, store.place(name), job, usual[kind])
            _count(counts, kind, outcome)
            if outcome.fault is not None:
                print(f"run {name}, {kind}, seed {job.seed}:\n{outcome.fault}", flush=True)
            else:
                store.remove(name)
                store.remove(f"{name}-copy")
            if number % 100 == 99:
                print(f"{number + 1} runs, {time.monotonic() - began:.0f} s", flush=True)
    for kind in kinds:
        print(
            f"{kind:12} {counts[kind, 'runs']:5} runs, {counts[kind, 'at work']:5} killed at work,"
            f" {counts[kind, 'acknowledged']:7,} acknowledgements, {counts[kind, 'faults']} faults"
        )
    made, faults = (sum(counts[kind, what] for kind in kinds) for what in ("runs", "faults"))
    print(f"{asked.store}: {made} runs in {time.monotonic() - began:.0f} s, {faults} faults")
    return faults


def _count(counts: Counter[tuple[str, str]], kind: str, outcome: Outcome) -> None:
    counts[kind, "runs"] += 1
    counts[kind, "at work"] += outcome.at_work
    counts[kind, "acknowledged"] += outcome.acknowledged
    counts[kind, "faults"] += outcome.fault is not None


if __name__ == "__main__":
    main()
