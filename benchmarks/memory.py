"""Peak memory of an import, and whether it grows with the length of the log.

One recorded evening is imported in a process of its own, then a log of ten such evenings (the same
text with other match ids). The peak is that of the process itself, whatever was run before it.

    python -m benchmarks.memory [--times 10] [FILE]
"""

from __future__ import annotations

import argparse
import gzip
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from benchmarks.samples import sample_files

__all__ = ["main", "measure"]

_MATCH: Final = re.compile(rb'"match(?:ID|Id)": ?"([0-9a-f]{8})-')
_PROGRAM: Final = """
import sys
from pathlib import Path
from benchmarks.peak import peak_mb
from whodecided.importers.arena.importer import import_arena
from whodecided.store.directory import open_directory
log = open_directory(Path(sys.argv[2]), create=True)
import_arena([Path(sys.argv[1])], log)
print(peak_mb(), log.events.head())
"""
WANTED_MB: Final = 250
WANTED_GROWTH: Final = 1.2


def peak(path: Path, folder: Path) -> tuple[float, int]:
    """Peak resident memory in MB and events of an import in a process of its own."""
    ran = subprocess.run(
        [sys.executable, "-c", _PROGRAM, str(path), str(folder)],
        capture_output=True,
        text=True,
        check=True,
    )
    megabytes, events = ran.stdout.split()
    return float(megabytes), int(events)


def repeated(text: bytes, times: int, target: Path) -> None:
    """Write the log several times over, each time with match ids of its own."""
    names = set(_MATCH.findall(text))
    with target.open("wb") as out:
        for turn in range(times):
            again = text
            for name in names:
                fresh = f"{(int(name, 16) + turn) % 16**8:08x}".encode()
                again = again.replace(name + b"-", fresh + b"-")
            out.write(again)


def measure(path: Path, times: int) -> float:
    """Print both peaks; the ratio."""
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "once.log").write_bytes(text)
        repeated(text, times, folder / "often.log")
        once, few = peak(folder / "once.log", folder / "a")
        often, many = peak(folder / "often.log", folder / "b")
    print(f"{len(text) / 1e6:.0f} MB of log, {few:,} events: peak {once:.0f} MB", end="")
    print(f" (wanted: under {WANTED_MB})")
    print(f"{times} times that, {many:,} events: peak {often:.0f} MB")
    print(f"growth: {often / once:.2f} (wanted: under {WANTED_GROWTH})")
    return often / once


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Peak memory of imports.")
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("file", nargs="?", type=Path, help="by default the largest sample")
    chosen = parser.parse_args()
    largest = chosen.file or max(sample_files(), key=lambda path: path.stat().st_size)
    measure(largest, chosen.times)


if __name__ == "__main__":
    main()
