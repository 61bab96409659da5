"""Where the shared folder lies: recorded games and cases that are not part of the project.

It is the folder named by `WHODECIDED_SHARED`, or `../shared` beside the project root. Tests that
need it are skipped with a reason when it is absent.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

__all__ = ["PROJECT_ROOT", "arena_samples", "find_shared", "needs_shared", "shared_path"]

PROJECT_ROOT = Path(__file__).resolve().parent.parent


def find_shared() -> Path | None:
    """The shared folder, or None when there is none.

    Raises FileNotFoundError when `WHODECIDED_SHARED` is set but names no folder: a wish that cannot
    be met is not the same as no wish.
    """
    named = os.environ.get("WHODECIDED_SHARED")
    if named:
        folder = Path(named).resolve()
        if not folder.is_dir():
            raise FileNotFoundError(f"WHODECIDED_SHARED names no folder: {folder}")
        return folder
    beside = PROJECT_ROOT.parent / "shared"
    return beside if beside.is_dir() else None


_SHARED = find_shared()
_REASON = "no shared folder: set WHODECIDED_SHARED or put it at ../shared beside the project root"

needs_shared = pytest.mark.skipif(_SHARED is None, reason=_REASON)
"""Mark for a test or a module (`pytestmark = needs_shared`) that reads the shared folder."""


def shared_path(*parts: str) -> Path:
    """The path of something in the shared folder; skips the running test when it is not there."""
    if _SHARED is None:
        pytest.skip(_REASON)
    path = _SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"the shared folder has no {'/'.join(parts)}")
    return path


def arena_samples() -> list[Path]:
    """The recorded Arena logs (gzip files in `samples/arena`) by name; empty without the folder.

    For `parametrize`: pytest skips a test whose parameter set is empty.
    """
    if _SHARED is None:
        return []
    return sorted((_SHARED / "samples" / "arena").glob("*.gz"))
