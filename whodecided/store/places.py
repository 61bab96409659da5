"""Where this platform keeps an application's data."""

from __future__ import annotations

import os
import sys
from pathlib import Path

__all__ = ["data_directory"]


def data_directory() -> Path:
    """The product's own folder among the user's data; it need not exist."""
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    return base / "whodecided"
