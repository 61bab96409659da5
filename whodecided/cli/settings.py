"""What the common options say: which log, for whom, in which form."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from whodecided.store.places import data_directory
from whodecided.store.postgres.settings import PERSISTENCE_MODULE

__all__ = ["Common", "default_log", "from_environment"]


@dataclass(frozen=True, slots=True)
class Common:
    """Values of the common options; None where an option was not given."""

    log: Path | str | None = None
    viewer: str | None = None
    json: bool | None = None
    card_names: Path | None = None
    lang: str | None = None
    by: str | None = None
    reason: str | None = None

    def over(self, other: Common) -> Common:
        """These values, and the other's where these are not given."""
        return Common(
            self.log or other.log,
            self.viewer or other.viewer,
            self.json or other.json,
            self.card_names or other.card_names,
            self.lang or other.lang,
            self.by or other.by,
            self.reason or other.reason,
        )


def from_environment() -> Common:
    """The values that WHODECIDED_LOG, _VIEWER, _CARD_NAMES, _LANG, _BY and _REASON give."""
    log = os.environ.get("WHODECIDED_LOG")
    names = os.environ.get("WHODECIDED_CARD_NAMES")
    return Common(
        log=log or None,
        viewer=os.environ.get("WHODECIDED_VIEWER") or None,
        card_names=Path(names) if names else None,
        lang=os.environ.get("WHODECIDED_LANG") or None,
        by=os.environ.get("WHODECIDED_BY") or None,
        reason=os.environ.get("WHODECIDED_REASON") or None,
    )


def default_log() -> Path | str:
    """The user's own log: where this platform keeps an application's data.

    The library's name PERSISTENCE_MODULE can say that it is on the PostgreSQL server that the
    library's other names tell of.
    """
    if os.environ.get("PERSISTENCE_MODULE") == PERSISTENCE_MODULE:
        return "postgres://"
    return data_directory() / "log"
