"""Run measurements: `python -m benchmarks [NAME ...]`, or `make bench`.

Without names every measurement is made but the long ones, which take minutes to an hour.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence
from typing import Final, NamedTuple


class Measurement(NamedTuple):
    """A module of this folder, and the arguments its program gets."""

    module: str
    arguments: tuple[str, ...] = ()


MEASUREMENTS: Final = {
    name: Measurement(name)
    for name in (
        "import_speed",
        "store_append",
        "evidence",
        "projection",
        "rebuild_jobs",
        "growth",
        "macro_who",
        "memory",
        "latency",
        "scenarios",
    )
}
LONG: Final = {
    "growth_5m": Measurement("growth", ("--events", "5000000")),
    "macro_who_5m": Measurement("macro_who", ("--games", "10000")),
    "rebuild_jobs_5m": Measurement("rebuild_jobs", ("--events", "5000000", "--rounds", "1")),
}


def chosen(arguments: Sequence[str]) -> dict[str, Measurement]:
    """The measurements that are asked for, in the order of the names."""
    known = MEASUREMENTS | LONG
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(known))
    names = parser.parse_args(arguments).names or list(MEASUREMENTS)
    for name in names:
        if name not in known:
            parser.error(f"no measurement is called {name}; known: {', '.join(known)}")
    return {name: known[name] for name in names}


def main() -> None:
    """Make them one after the other."""
    for name, measurement in chosen(sys.argv[1:]).items():
        print(f"\n== {name}", flush=True)
        sys.argv[1:] = measurement.arguments
        importlib.import_module(f"benchmarks.{measurement.module}").main()


if __name__ == "__main__":
    main()
