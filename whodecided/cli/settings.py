"""What the common options say: which log, for whom, in which form."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Common", "default_log", "from_environment"]


@dataclass(frozen=True, slots=True)
class Common:
    """Values of the common options; None where an option was not given."""

    log: Path | None = None
    viewer: str | None = None
    json: bool | None = None
    card_names: Path | None = None
    lang: str | None = None

    def over(self, other: Common) -> Common:
        """These values, and the other's where these are not given."""
        return Common(
            self.log or other.log,
            self.viewer or other.viewer,
            self.json or other.json,
            self.card_names or other.card_names,
            self.lang or other.lang,
        )


def from_environment() -> Common:
    """The values that WHODECIDED_LOG, _VIEWER, _CARD_NAMES and _LANG give."""
    log = os.environ.get("WHODECIDED_LOG")
    names = os.environ.get("WHODECIDED_CARD_NAMES")
    return Common(
        log=Path(log) if log else None,
        viewer=os.environ.get("WHODECIDED_VIEWER") or None,
        card_names=Path(names) if names else None,
        lang=os.environ.get("WHODECIDED_LANG") or None,
    )


def default_log() -> Path:
    """The user's own log: where this platform keeps an application's data."""
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    return base / "whodecided" / "log"
