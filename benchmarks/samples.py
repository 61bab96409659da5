"""The logs that measurements read: the recorded samples where they lie, else invented games."""

from __future__ import annotations

import sys
from pathlib import Path

__all__ = ["sample_files"]

_SAMPLES = Path(__file__).resolve().parent.parent.parent / "shared" / "samples" / "arena"


def sample_files() -> list[Path]:
    """All recorded Arena logs. Leaves the program where there are none: name files instead."""
    found = sorted(_SAMPLES.glob("*.gz"))
    if not found:
        sys.exit(f"no recorded logs in {_SAMPLES}; name files to measure with")
    return found
