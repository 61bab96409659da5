"""What became of an imported file, and how its self-check came out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from whodecided.cli.labels import plural

if TYPE_CHECKING:
    from whodecided.importers.arena.report import FileReport

__all__ = ["contradictions", "draw_file", "gaps_in"]


def draw_file(file: FileReport) -> Text:
    """A line with what the file gave, and one with its self-check if it holds game data."""
    line = Text.assemble((file.name, "bold"), "  ")
    if not file.events:
        return line.append("no events", "yellow")
    line.append(f"{plural(file.events, 'event')}, {plural(file.decisions, 'decision')}")
    stamps = ", ".join(f"{count:,} {basis}" for basis, count in file.stamps.items() if count)
    stamped = plural(sum(file.stamps.values()), "event")
    line.append(f"; decider of {stamped}: {stamps}" if stamps else "", "dim")
    return line.append(f"\n  check: {'; '.join(_checked(file))}", "dim")


def gaps_in(file: FileReport) -> int:
    """How many gaps the record has that was made from the file."""
    return _count(file, "chain_gaps") + _count(file, "reconnect_jumps")


def contradictions(file: FileReport) -> Iterator[str]:
    """Where the log contradicts what was read from it, each in a line."""
    undos = _count(file, "undos") - _count(file, "undos_equal_fold")
    if undos:
        yield f"{plural(undos, 'undo')} that cannot be confirmed: not the picture that was read"
    known = _count(file, "actions_decider_known")
    others = known - _count(file, "actions_decider_equal")
    if others:
        yield (
            f"{others:,} of {plural(known, 'action')} by another player than the one whom the log"
            " names as deciding"
        )


def _checked(file: FileReport) -> Iterator[str]:
    gaps = gaps_in(file)
    yield plural(gaps, "gap") if gaps else "no gaps"
    undos, known = _count(file, "undos"), _count(file, "actions_decider_known")
    if undos:
        yield f"{_count(file, 'undos_equal_fold'):,} of {plural(undos, 'undo')} as read"
    if known:
        equal = _count(file, "actions_decider_equal")
        yield f"{equal:,} of {plural(known, 'action')} by the player named as deciding"
    undecoded = _count(file, "client_payloads_undecoded")
    if undecoded:
        yield f"{plural(undecoded, 'message')} of the client not decoded"
    if file.unmapped:
        names = ", ".join(f"{name} ({count:,})" for name, count in file.unmapped.items())
        yield f"without an event: {names}"


def _count(file: FileReport, name: str) -> int:
    figure = file.figures.get(name, 0)
    return figure if isinstance(figure, int) else 0
