"""Peak memory of processes."""

from __future__ import annotations

import re
import resource
import sys
from pathlib import Path

__all__ = ["peak_mb"]


def peak_mb(process: int | None = None) -> float:
    """Peak resident memory in MB of a process, by default of this one; 0.0 when it has ended.

    `ru_maxrss` also remembers the process that this one was forked from; Linux keeps another figure
    beside it that begins anew with the program. Elsewhere only this process can be asked.
    """
    status = Path("/proc") / (str(process) if process else "self") / "status"
    try:
        found = re.search(r"VmHWM:\s*(\d+) kB", status.read_text())
    except OSError:
        found = None
    if found:
        return int(found[1]) / 1024
    if process is not None or Path("/proc/self/status").exists():
        return 0.0
    units = 1 << 20 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / units
