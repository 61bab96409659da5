"""What came of the faults: how many were noticed, and why the others were not."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Final

__all__ = ["PINNED", "Outcome", "rate", "reasons", "rendered"]

PINNED: Final = "test_pinned_answers"
"""In the names of checks that compare with earlier answers; they come last."""
_REASONS: Final = Path(__file__).with_name("unnoticed.toml")


@dataclass(frozen=True, slots=True)
class Outcome:
    """A fault and what noticed it; `key` names the fault wherever its line is.

    `where` is the file (or what else it belongs to), a colon and the line.
    """

    where: str
    key: str
    noticed_by: str | None

    @property
    def file(self) -> str:
        """What the fault is in, without the line."""
        return self.where.rpartition(":")[0]


def reasons() -> dict[str, str]:
    """Key of a fault that nothing notices -> why that is right."""
    entries = tomllib.loads(_REASONS.read_text(encoding="utf-8"))["unnoticed"]
    return {entry["fault"]: entry["why"] for entry in entries}


def rate(outcomes: Sequence[Outcome]) -> float:
    """The share of the faults that were noticed, in percent; reasons count for nothing."""
    noticed = sum(outcome.noticed_by is not None for outcome in outcomes)
    return 100 * noticed / len(outcomes) if outcomes else 0.0


def rendered(title: str, outcomes: Sequence[Outcome], among: int) -> str:
    """The rate, also of each file, and every fault not noticed, with the reason if one is known."""
    known = reasons()
    left = [outcome for outcome in outcomes if outcome.noticed_by is None]
    explained = sum(outcome.key in known for outcome in left)
    pinned = sum(PINNED in (outcome.noticed_by or "") for outcome in outcomes)
    lines = [
        f"{title}: {len(outcomes)} of {among} faults tried, {len(outcomes) - len(left)} noticed"
        f" ({rate(outcomes):.1f} %), {len(left)} not, {explained} of them for a known reason"
    ]
    if pinned:
        lines.append(f"  {pinned} were noticed by pinned answers and by nothing else")
    for file, group in groupby(outcomes, key=lambda outcome: outcome.file):
        here = list(group)
        lost = sum(outcome.noticed_by is None for outcome in here)
        lines.append(f"  {file:<36} {len(here) - lost:>5} of {len(here):>5}  {rate(here):5.1f} %")
    for outcome in left:
        lines.append(f"  {outcome.where}  {outcome.key}")
        lines.append(f"    {known.get(outcome.key, 'NO REASON KNOWN')}")
    return "\n".join(lines)
