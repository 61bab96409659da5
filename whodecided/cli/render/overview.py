"""The answers to `show`, `active` and `status`."""

from __future__ import annotations

from typing import Final

from rich.console import RenderableType

from projections.views import PoisonedStream
from queries.active import ActiveAnswer
from queries.parts import PriorityView
from queries.show import GapView, ShowAnswer, SourceView
from whodecided.api import StatusAnswer
from whodecided.cli.labels import Labels, event_range, plural, spoken
from whodecided.cli.render.common import (
    Facts,
    heading,
    incomplete,
    listing,
    moment_text,
    sections,
    stack,
    time_text,
    warning,
)
from whodecided.cli.render.edition import edition_note
from whodecided.cli.render.who import effect_text, in_force

__all__ = ["draw_active", "draw_show", "draw_status"]


def draw_show(answer: ShowAnswer, labels: Labels) -> RenderableType:
    """One game at a glance."""
    facts = Facts()
    facts.add("game", answer.game_id)
    facts.add_all("seats", (labels.seat(seat, marked=True) for seat in sorted(labels.seats)))
    started = time_text(answer.started_at, answer.started_clock)
    times = (started, time_text(answer.ended_at, answer.ended_clock))
    facts.add("played", answer.played_on)
    facts.add("times", " to ".join(time for time in times if time) or None)
    facts.add("format", answer.format)
    facts.add("result", _result(answer))
    facts.add("record", f"{answer.system}, viewpoint {answer.viewpoint}, rules {answer.reading}")
    families = ", ".join(f"{name} {count}" for name, count in answer.families)
    facts.add("events", f"{answer.events} ({families})")
    extra = sum(turn.extra for turn in answer.turns)
    facts.add("turns", f"{len(answer.turns)}{f' ({extra} extra)' if extra else ''}")
    facts.add_all("control", (f"{effect_text(e)}: {in_force(e)}" for e in answer.effects))
    rewound = ", ".join(map(str, answer.rewinds))
    facts.add("rewinds", f"at event {rewound}" if answer.rewinds else None)
    facts.add_all("gaps", map(_gap, answer.gaps), "yellow")
    facts.add("findings", str(answer.findings) if answer.findings else "none")
    facts.add_all("sources", map(_source, answer.sources))
    return sections(
        heading(f"Game {answer.short_id}"),
        facts.drawn(),
        _deciders(answer, labels),
        incomplete(answer.incomplete),
    )


def _result(answer: ShowAnswer) -> str:
    if answer.result is None:
        return "open: the record has no end of the game"
    won = " and ".join(f"seat {seat}" for seat in answer.winners)
    reason = f" ({answer.reason})" if answer.reason else ""
    return f"{f'{won} won' if won else answer.result}{reason}"


def _gap(gap: GapView) -> str:
    until = f", certain again from event {gap.anchored}" if gap.anchored else ""
    return f"event {gap.number}: {spoken(gap.cause)}{until}"


def _source(source: SourceView) -> str:
    where = source.file_name or "a live append"
    return f"{event_range(source.first, source.last)} from {where}, {source.recorded_at[:19]}Z"


def _deciders(answer: ShowAnswer, labels: Labels) -> RenderableType:
    columns = ("acting seat", "decided by", "class", "decisions", "how that is known")
    table = listing(*columns, right=(3,), wide=(4,))
    for one in answer.deciders:
        kinds = ("stated", "derived", "presumed", "unknown")
        counts = ((getattr(one, kind), kind) for kind in kinds)
        table.add_row(
            "-" if one.acting_seat is None else f"Seat {one.acting_seat}",
            labels.short(one.deciding_player),
            one.decision_class,
            str(one.decisions),
            ", ".join(f"{count} {kind}" for count, kind in counts if count),
        )
    return table


def draw_active(answer: ActiveAnswer, labels: Labels) -> RenderableType:
    """The active player, and beside it who decides for each seat."""
    moment = moment_text(answer.moment, labels)
    title = heading(f"Game {answer.short_id}  after event {answer.number}", moment)
    facts = Facts()
    seats = " and ".join(map(labels.seat, answer.moment.active_seats))
    unknown = "none" if answer.moment.certain else "unknown (a gap hides it)"
    facts.add("active player", seats or unknown, "bold")
    facts.add("priority", _priority(answer.priority, labels))
    table = listing("seat", "decided by", "why", "waiting", wide=(0, 2))
    for one in answer.deciders:
        stand_in = f"; {labels.short(one.stand_in)} stands in" if one.stand_in else ""
        left = f"; has left ({spoken(one.left)})" if one.left else ""
        due = f"extra turns due: {one.extra_turns_due}" if one.extra_turns_due else ""
        table.add_row(
            labels.seat(one.seat),
            labels.short(one.decider),
            f"{one.because}{stand_in}{left}",
            " ".join(filter(None, (one.pending, due))) or "-",
        )
    gaps = [warning(f"rule gap: {one.rule_gap}") for one in answer.deciders if one.rule_gap]
    below = stack(*gaps) if gaps else None
    note = edition_note(answer.edition)
    return sections(title, facts.drawn(), table, below, note, incomplete(answer.incomplete))


_PRIORITY: Final = {
    "acted": "acted and has it again",
    "all_passed": "everybody has passed",
    "asked": "the record asks it",
    "no_priority": "nobody is given it here",
    "passed": "the one before passed",
    "resolved": "something has resolved",
    "step_began": "a step has begun",
    "unknown": "the record does not say",
}
"""Why a seat has priority, or nobody, by the word of the answer."""


def _priority(found: PriorityView, labels: Labels) -> str:
    seats = " and ".join(map(labels.seat, found.seats))
    holder = seats or ("unknown" if found.basis == "unknown" else "nobody")
    event = "" if found.number is None else f", event {found.number}"
    by_rules = ", by the rules" if found.basis == "derived" else ""
    return f"{holder} ({_PRIORITY[found.why]}{event}{by_rules})"


def draw_status(answer: StatusAnswer, labels: Labels) -> RenderableType:
    """What the log holds and how its tables are."""
    facts = Facts()
    facts.add("log", answer.path)
    facts.add("id", answer.log_id)
    kinds = ", ".join(plural(count, f"{kind} stream") for kind, count in answer.kinds)
    facts.add("holds", f"{plural(answer.events, 'event')}{f' in {kinds}' if kinds else ''}")
    facts.add(
        "imported",
        f"{plural(answer.files, 'file')}, last at {answer.last_import}"
        if answer.last_import
        else "nothing yet",
    )
    facts.add("rules", f"newest edition {answer.edition} ({answer.rules})")
    tables = answer.tables
    state = (
        f"generation {tables.generation}, up to date"
        if not tables.behind
        else f"{plural(tables.behind, 'event')} behind"
    )
    facts.add("tables", tables.problem or state, "yellow" if tables.problem else "")
    facts.add("advice", tables.advice)
    return stack(facts.drawn(), *map(_poisoned, tables.poison))


def _poisoned(stream: PoisonedStream) -> RenderableType:
    place = f" at event {stream.number}" if stream.number is not None else ""
    what = f"{stream.stream_kind} {stream.stream_id[:8]}"
    return warning(f"{what} has no rows in the tables; it cannot be folded{place}: {stream.reason}")
