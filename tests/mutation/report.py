"""What came of the faults: how many were noticed, and why the others were not."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["PINNED", "Outcome", "reasons", "rendered"]

PINNED: Final = "test_pinned_answers"
"""In the names of checks that compare with earlier answers; they come last."""
_REASONS: Final = Path(__file__).with_name("unnoticed.toml")


@dataclass(frozen=True, slots=True)
class Outcome:
    """A fault and what noticed it; `key` names the fault wherever its line is."""

    where: str
    key: str
    noticed_by: str | None


def reasons() -> dict[str, str]:
    """Key of a fault that nothing notices -> why that is right."""
    entries = tomllib.loads(_REASONS.read_text(encoding="utf-8"))["unnoticed"]
    return {entry["fault"]: entry["why"] for entry in entries}


def rendered(title: str, outcomes: Sequence[Outcome], among: int) -> str:
    """The rate, and every fault that was not noticed with the reason where one is known."""
    known = reasons()
    left = [outcome for outcome in outcomes if outcome.noticed_by is None]
    noticed = len(outcomes) - len(left)
    rate = 100 * noticed / len(outcomes) if outcomes else 0.0
    explained = sum(outcome.key in known for outcome in left)
    pinned = sum(PINNED in (outcome.noticed_by or "") for outcome in outcomes)
    lines = [
        f"{title}: {len(outcomes)} of {among} faults tried, {noticed} noticed ({rate:.1f} %),"
        f" {len(left)} not, {explained} of them for a known reason"
    ]
    if pinned:
        lines.append(f"  {pinned} were noticed by pinned answers and by nothing else")
    for outcome in left:
        lines.append(f"  {outcome.where}  {outcome.key}")
        lines.append(f"    {known.get(outcome.key, 'NO REASON KNOWN')}")
    return "\n".join(lines)
