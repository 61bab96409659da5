"""Processes for tests that need many of them, or kill them."""

from __future__ import annotations

import os
from functools import cache
from multiprocessing import get_context
from multiprocessing.context import ForkServerContext
from typing import Final

__all__ = ["forking"]

_LOADED: Final = (
    "projections.views",
    "tests.support.games",
    "whodecided.evidence.checkpoints",
    "whodecided.evidence.verify",
    "whodecided.importers.arena.importer",
    "whodecided.live",
)


@cache
def forking() -> ForkServerContext:
    """Processes are forked from one that has loaded the product and opened nothing.

    They start in milliseconds, and nothing that this process has open is open in them.
    """
    # The pools of killed processes leave semaphores behind, which end with all the others.
    os.environ.setdefault("PYTHONWARNINGS", "ignore:resource_tracker")
    context = get_context("forkserver")
    context.set_forkserver_preload(list(_LOADED))
    return context
