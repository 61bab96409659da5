"""The answer to `control`: effects, lanes, stretches, stand-ins."""

from __future__ import annotations

from rich.console import RenderableType
from rich.text import Text

from domain.principals import UNKNOWN
from queries.control import ControlAnswer
from whodecided.cli.labels import Labels, event_range, spoken
from whodecided.cli.render.common import heading, incomplete, listing, sections
from whodecided.cli.render.edition import edition_note
from whodecided.cli.render.who import in_force

__all__ = ["draw_control"]

_LANE = 60


def draw_control(answer: ControlAnswer, labels: Labels) -> RenderableType:
    """The control timeline of a game."""
    title = heading(f"Game {answer.short_id}  control", f"events 1-{answer.last_event}")
    nothing = not (answer.effects or answer.stand_ins)
    said = "No player was controlled and nobody stood in for one"
    stretches = answer.intervals or answer.stand_ins or answer.uncertain
    return sections(
        title,
        Text(f"{said}{', as far as recorded' if answer.gaps else ''}.") if nothing else None,
        _lanes(answer, labels) if answer.uncertain or not nothing else None,
        _effects(answer, labels) if answer.effects else None,
        _stretches(answer, labels) if stretches else None,
        edition_note(answer.edition),
        incomplete(answer.incomplete),
    )


def _effects(answer: ControlAnswer, labels: Labels) -> RenderableType:
    table = listing(
        "event", "effect", "who decides", "for", "when", "history", right=(0,), wide=(1, 5)
    )
    for effect in answer.effects:
        card = f" ({effect.source_card})" if effect.source_card else ""
        table.add_row(
            str(effect.created),
            f"{effect.label}{card}",
            labels.short(effect.controller),
            ", ".join(f"Seat {seat}" for seat in effect.affected),
            spoken(effect.scope),
            in_force(effect),
        )
    return table


def _stretches(answer: ControlAnswer, labels: Labels) -> RenderableType:
    table = listing("events", "turn", "seat", "decided by", "why", right=(1,), wide=(2, 3, 4))
    rows = []
    for one in answer.intervals:
        why = one.effect if one.certain else f"{one.effect} (uncertain: a gap)"
        rows.append((one.first + 1, one.last, one.turn, one.seat, one.controller, why))
    for other in answer.stand_ins:
        mode = f" ({other.mode})" if other.mode else ""
        rows.append(
            (other.first + 1, other.last, other.turn, other.seat, other.by, f"stand-in{mode}")
        )
    for hidden in answer.uncertain:
        rows.append((hidden.first + 1, hidden.last, None, hidden.seat, UNKNOWN, "a gap hides it"))
    for first, last, turn, seat, by, why in sorted(rows, key=lambda row: (row[0], row[3])):
        table.add_row(
            event_range(first, last).partition(" ")[2],
            "-" if turn is None else str(turn),
            labels.seat(seat),
            labels.principal(by),
            why,
        )
    return table


def _lanes(answer: ControlAnswer, labels: Labels) -> RenderableType:
    """One line per seat: who decides for it, from the first event to the last."""
    width = min(_LANE, answer.last_event)
    lines = Text()
    for seat in sorted(labels.seats):
        lane = ["-"] * width
        for hidden in answer.uncertain:
            if hidden.seat == seat:
                _fill(lane, answer, hidden.first + 1, hidden.last, "?")
        for one in answer.stand_ins:
            if one.seat == seat:
                _fill(lane, answer, one.first + 1, one.last, "s")
        for stretch in answer.intervals:
            if stretch.seat == seat:
                mark = labels.short(stretch.controller).removeprefix("Seat ")[:1]
                _fill(
                    lane, answer, stretch.first + 1, stretch.last, mark if stretch.certain else "?"
                )
        for gap in answer.gaps:
            _fill(lane, answer, gap, gap, "|")
        lines.append(f"Seat {seat}  ", "dim")
        lines.append("".join(lane) + "\n")
    legend = "- own player  1 2 .. seat that decides  s stand-in  | gap  ? uncertain"
    return lines.append(legend, "dim")


def _fill(lane: list[str], answer: ControlAnswer, first: int, last: int | None, mark: str) -> None:
    scale = len(lane) / answer.last_event
    start = int((first - 1) * scale)
    end = int(((last or answer.last_event) - 1) * scale)
    for place in range(min(start, len(lane) - 1), min(end, len(lane) - 1) + 1):
        lane[place] = mark
