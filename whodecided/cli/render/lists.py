"""Answers that are lists: games, findings, rows of SQL."""

from __future__ import annotations

from collections import Counter

from rich.console import RenderableType
from rich.text import Text

from queries.access import AccessAnswer, ReadView
from queries.findings import FindingsAnswer, FindingView, LogFinding, LogFindingsAnswer
from queries.games import GamesAnswer, GameSummary, SeatSummary
from queries.sql import SqlAnswer
from whodecided.cli.labels import Labels, event_range, plural
from whodecided.cli.render.common import heading, listing, sections, stack, warning
from whodecided.cli.render.edition import edition_note
from whodecided.cli.render.listing import Rows

__all__ = ["draw_access", "draw_findings", "draw_games", "draw_sql"]

_SEVERITY = {"serious": "bold red", "warning": "yellow", "info": ""}


def draw_games(answer: GamesAnswer, labels: Labels) -> RenderableType:
    """One line per game; `#` and `game` are what people type."""
    if not answer.recorded:
        return Text("The log holds no game yet. Import one: whodecided import FILE")
    columns = ("#", "game", "played", "players", "won by", "turns", "events", "remarks")
    table = listing(*columns, right=(0, 5, 6), wide=(3, 4, 7))
    for game in answer.games:
        table.add_row(
            str(game.place),
            game.short_id,
            game.day or "-",
            " v ".join(_player(seat, labels) for seat in game.seats),
            _result(game),
            str(game.turns),
            str(game.events),
            _remarks(game),
        )
    some = len(answer.games) < answer.recorded - len(answer.unreadable)
    many = f"{len(answer.games) or 'None'} of {plural(answer.recorded, 'game')}."
    return stack(
        table if answer.games else None,
        Text(many, "dim") if some else None,
        *(_unreadable(game_id) for game_id in answer.unreadable),
    )


def _player(seat: SeatSummary, labels: Labels) -> str:
    return labels.person(seat.player).removeprefix("player ").removeprefix("program ")


def _result(game: GameSummary) -> str:
    won = [str(seat.seat) for seat in game.seats if seat.won]
    if game.result is None:
        return "open"
    text = f"seat {' and '.join(won)}" if won else game.result
    return f"{text} ({game.reason})" if game.reason else text


def _remarks(game: GameSummary) -> str:
    found = [plural(n, noun) for n, noun in ((game.gaps, "gap"), (game.findings, "finding")) if n]
    if not game.from_start:
        found.append("starts in mid-game")
    return ", ".join(found)


def _unreadable(game_id: str) -> Text:
    return warning(f"game {game_id[:8]} has no row in the tables; `whodecided status` says why")


def draw_findings(answer: FindingsAnswer | LogFindingsAnswer, labels: Labels) -> RenderableType:
    """The findings of one game or of all; those of severity info in one line per cause.

    Of all games the serious ones come first.
    """
    note = edition_note(answer.edition) if isinstance(answer, FindingsAnswer) else None
    if not answer.findings:
        some = answer.recorded > 0
        told = f"None of {plural(answer.recorded, 'finding')}." if some else "No findings."
        return sections(Text(told), note)
    table = listing("game", "event", "severity", "finding", "what", right=(1,), wide=(4,))
    groups: dict[tuple[str, ...], list[FindingView | LogFinding]] = {}
    for finding in answer.findings:
        line = (_game_of(answer, finding), finding.severity, finding.code, _what(finding, labels))
        apart = () if finding.severity == "info" else (str(finding.number),)
        groups.setdefault((*line, *apart), []).append(finding)
    lines = list(groups.items())
    if isinstance(answer, LogFindingsAnswer):
        lines.sort(key=lambda one: list(_SEVERITY).index(one[0][1]))
    for (game, severity, code, what, *_), found in lines:
        first, last = found[0].number, found[-1].number
        several = f" {len(found)} events." if len(found) > 1 else ""
        shown = Text(severity, _SEVERITY[severity])
        table.add_row(game, event_range(first, last).split()[-1], shown, code, f"{what}{several}")
    counts = Counter(finding.severity for finding in answer.findings)
    severities = ", ".join(f"{counts[one]} {one}" for one in _SEVERITY if counts[one])
    many = plural(len(answer.findings), "finding")
    if len(answer.findings) < answer.recorded:
        many = f"{len(answer.findings):,} of {plural(answer.recorded, 'finding')}"
    title = heading(many, severities, "observations, not verdicts")
    return sections(title, table, note)


def _game_of(answer: FindingsAnswer | LogFindingsAnswer, finding: FindingView | LogFinding) -> str:
    if isinstance(finding, LogFinding):
        return finding.short_id
    return answer.short_id if isinstance(answer, FindingsAnswer) else ""


def _what(finding: FindingView | LogFinding, labels: Labels) -> str:
    rule = ""
    if isinstance(finding, LogFinding):
        if finding.rule is not None:
            rule = f" {finding.rule_document} {finding.rule} ({finding.rule_edition})."
    elif finding.rule is not None:
        rule = f" {labels.citation(finding.rule)}."
    cause = f" From event {finding.root_cause}." if finding.root_cause is not None else ""
    return f"{finding.message}{rule}{cause}"


def draw_access(answer: AccessAnswer, labels: Labels) -> RenderableType:
    """The reads, one per line."""
    if not answer.reads:
        return Text("Nobody has read hidden information as judge, as far as is recorded.")
    columns = ("#", "read at (UTC)", "reader", "what", "record", "events", "reason")
    table = listing(*columns, right=(0,), wide=(2, 6))
    for read in answer.reads:
        guessed = f" ({read.basis})" if read.basis == "presumed" else ""
        table.add_row(
            str(read.number),
            read.read_at[:19].replace("T", " "),
            f"{labels.person(read.reader)}{guessed}",
            read.command,
            read.short_id or "all",
            _events_read(read),
            _why(read),
        )
    title = heading(plural(len(answer.reads), "read"), f"{answer.recorded} recorded in all")
    return sections(title, table)


def _events_read(read: ReadView) -> str:
    if read.first is None:
        return "-"
    return str(read.first) if read.last in (None, read.first) else f"{read.first}-{read.last}"


def _why(read: ReadView) -> str:
    """Reason and statement, or why they are not shown."""
    said = [read.reason] if read.reason else []
    said += [f"[{read.statement}]"] if read.statement else []
    said += [f"{name}: for judges" for name in read.hidden]
    said += [f"{name}: erased" for name in read.erased]
    return "; ".join(said) or "none given"


def draw_sql(answer: SqlAnswer, labels: Labels) -> RenderableType:
    """The rows as a table, or one below the other where the line is too short for it."""
    numbers = [
        i for i, kind in enumerate(answer.types) if kind.endswith(("INT", "INTEGER", "DOUBLE"))
    ]
    table = listing(*answer.columns, right=numbers, wide=range(len(answer.columns)))
    texts = [["" if value is None else str(value) for value in row] for row in answer.rows]
    rows = Rows(table, answer.columns, texts)
    more = warning(f"only the first {len(answer.rows)} rows") if answer.truncated else None
    return stack(rows, more)
