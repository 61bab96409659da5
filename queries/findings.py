"""What the log noticed: machine-made observations, never a verdict of guilt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, get_args

from domain.errors import BadInput
from domain.findings import CODES, Finding, Severity
from queries.parts import Citation, EditionView, SeatView, citations, edition_view, seats_of
from queries.record import GameRecord
from queries.viewers import named_viewer

if TYPE_CHECKING:
    from projections.views import ViewSet

__all__ = [
    "SEVERITIES",
    "FindingView",
    "FindingsAnswer",
    "LogFinding",
    "LogFindingsAnswer",
    "findings",
    "findings_about",
    "findings_of_log",
]

SEVERITIES: Final[tuple[str, ...]] = get_args(Severity)
"""Every severity, the least first."""

_ALL: Final = """
SELECT f.game_id, g.short_id, f.number, f.code, f.severity, f.message,
       f.rule_document, f.rule, f.rule_edition, nullif(f.root, f.number)
FROM findings f JOIN games g USING (game_id)
ORDER BY f.game_id, f.number, f.code, f.root
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingView:
    """A finding about event `number`; `root_cause` is the event it follows from, if another."""

    number: int
    event: str
    code: str
    severity: str
    message: str
    rule: Citation | None
    root_cause: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingsAnswer:
    """The findings asked for of one game, in the order of the events they are about.

    `recorded` is how many the game has in all.
    """

    game_id: str
    short_id: str
    viewer: str
    seats: tuple[SeatView, ...]
    edition: EditionView
    recorded: int
    findings: tuple[FindingView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LogFinding:
    """A finding of one of the log's games; the rule is None where no rule says so."""

    game_id: str
    short_id: str
    number: int
    code: str
    severity: str
    message: str
    rule_document: str | None
    rule: str | None
    rule_edition: str | None
    root_cause: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LogFindingsAnswer:
    """The findings asked for of all games, game by game in the order they came into the log.

    `recorded` is how many there are in all.
    """

    recorded: int
    findings: tuple[LogFinding, ...]


def findings_of_log(
    views: ViewSet,
    order: Sequence[str],
    *,
    severity: str | None = None,
    code: str | None = None,
) -> LogFindingsAnswer:
    """The findings in the tables, at least that severe and of that code where one is given.

    `order` holds the ids of the log's games in order. Raises BadInput for a severity or code that
    no finding can have.
    """
    wanted = _wanted(severity, code)
    place = {game_id: index for index, game_id in enumerate(order)}
    names = LogFinding.__dataclass_fields__
    with views.reader() as connection:
        rows = connection.execute(_ALL).fetchall()
    found = [LogFinding(**dict(zip(names, row, strict=True))) for row in rows]
    found.sort(key=lambda one: place.get(one.game_id, len(place)))
    return LogFindingsAnswer(recorded=len(found), findings=tuple(filter(wanted, found)))


def findings(
    record: GameRecord,
    viewer: str = "spectator",
    *,
    severity: str | None = None,
    code: str | None = None,
) -> FindingsAnswer:
    """The findings of a game, at least that severe and of that code where one is given.

    They name no hidden card. Raises BadInput for a severity or code that no finding can have.
    """
    wanted, found = _wanted(severity, code), record.folded.findings
    return FindingsAnswer(
        game_id=record.game_id,
        short_id=record.short_id,
        viewer=named_viewer(viewer, record),
        seats=seats_of(record),
        edition=edition_view(record),
        recorded=len(found),
        findings=tuple(_view(record, finding) for finding in found if wanted(finding)),
    )


def _wanted(severity: str | None, code: str | None) -> Callable[[Finding | LogFinding], bool]:
    """Whether a finding is asked for."""
    for name, given, known in (("severity", severity, SEVERITIES), ("code", code, tuple(CODES))):
        if given is not None and given not in known:
            raise BadInput(name, f"no {name} {given!r}", advice=f"Known: {', '.join(known)}.")
    severities = SEVERITIES if severity is None else SEVERITIES[SEVERITIES.index(severity) :]
    return lambda one: one.severity in severities and code in (None, one.code)


def findings_about(record: GameRecord, number: int) -> tuple[FindingView, ...]:
    """The findings about one event."""
    return tuple(_view(record, finding) for finding in record.folded.findings_at(number))


def _view(record: GameRecord, finding: Finding) -> FindingView:
    return FindingView(
        number=finding.number,
        event=record.folded.event(finding.number).NAME,
        code=finding.code,
        severity=finding.severity,
        message=finding.message,
        rule=next(iter(citations(() if finding.rule is None else (finding.rule,))), None),
        root_cause=None if finding.root == finding.number else finding.root,
    )
