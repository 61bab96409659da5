"""What the log noticed: machine-made observations, never a verdict of guilt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from queries.parts import Citation, SeatView, citations, seats_of
from queries.record import GameRecord
from queries.viewers import named_viewer

__all__ = ["FindingView", "FindingsAnswer", "findings", "findings_about"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingView:
    """A finding about event `number`; `root_cause` is the event it follows from, if another."""

    number: int
    event: str
    code: str
    severity: str
    message: str
    rules: tuple[Citation, ...]
    root_cause: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingsAnswer:
    """The findings of one game in the order of the events they are about."""

    game_id: str
    short_id: str
    viewer: str
    seats: tuple[SeatView, ...]
    findings: tuple[FindingView, ...]


def findings(record: GameRecord, viewer: str = "spectator") -> FindingsAnswer:
    """All findings of a game. They name no hidden card."""
    return FindingsAnswer(
        game_id=record.game_id,
        short_id=record.short_id,
        viewer=named_viewer(viewer, record),
        seats=seats_of(record),
        findings=tuple(
            _view(record, finding) for finding in getattr(record.folded, "findings", ())
        ),
    )


def findings_about(record: GameRecord, number: int) -> tuple[FindingView, ...]:
    """The findings about one event."""
    found = (f for f in getattr(record.folded, "findings", ()) if f.number == number)
    return tuple(_view(record, finding) for finding in found)


def _view(record: GameRecord, finding: Any) -> FindingView:
    return FindingView(
        number=finding.number,
        event=record.folded.event(finding.number).NAME,
        code=finding.code,
        severity=finding.severity,
        message=finding.message,
        rules=citations(finding.rules),
        root_cause=finding.root_cause,
    )
