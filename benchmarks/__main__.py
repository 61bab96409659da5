"""Run every measurement: `python -m benchmarks`, or `make bench`."""

from __future__ import annotations

import importlib
import sys
from typing import Final

MEASUREMENTS: Final = (
    "import_speed",
    "store_append",
    "evidence",
    "projection",
    "macro_who",
    "memory",
    "latency",
    "scenarios",
)


def main() -> None:
    """Run them one after the other."""
    sys.argv = sys.argv[:1]
    for name in MEASUREMENTS:
        print(f"\n== {name}")
        importlib.import_module(f"benchmarks.{name}").main()


if __name__ == "__main__":
    main()
