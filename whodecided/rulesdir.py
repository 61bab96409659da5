"""A folder of rules of the user's own is taken whole or not at all."""

from __future__ import annotations

from pathlib import Path

from whodecided.cards import load_cards
from whodecided.policy import load_policies
from whodecided.provisions import load_provisions
from whodecided.rulebook import load_rules

__all__ = ["check_rules_dir"]


def check_rules_dir(folder: Path) -> None:
    """Read everything in the folder, also what the question at hand has no use for.

    Raises BadInput, naming file, key and reason, for the first thing that is wrong.
    """
    for load in (load_rules, load_cards, load_policies, load_provisions):
        load(folder)
