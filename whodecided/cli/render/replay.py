"""The answer to `replay`: the state at an event and the events around it."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from queries.replay import ObjectView, ReplayAnswer, ReplayEvent, ZoneView
from whodecided.cli.labels import Labels, plural, spoken
from whodecided.cli.phrases import phrase
from whodecided.cli.render.common import Facts, heading, incomplete, listing, moment_text, sections

__all__ = ["draw_replay"]

_OPEN_ZONES = ("battlefield", "stack", "graveyard", "exile", "command")


def draw_replay(answer: ReplayAnswer, labels: Labels) -> RenderableType:
    """Seats, zones and events, as the viewer may see them."""
    title = heading(
        f"Game {answer.short_id}  after event {answer.number} of {answer.last_event}",
        moment_text(answer.moment, labels),
        f"viewer: {labels.short(answer.viewer)}",
    )
    return sections(
        title,
        _seats(answer, labels),
        _zones(answer, labels),
        _events(answer, labels),
        incomplete(answer.incomplete),
    )


def _seats(answer: ReplayAnswer, labels: Labels) -> RenderableType:
    table = listing(
        "", "seat", "life", "hand", "library", "decided by", right=(2, 3, 4), wide=(1, 5)
    )
    totals = {one.seat: one for one in answer.totals}
    counts = {(zone.zone, zone.owner): len(zone.objects) for zone in answer.zones}
    for one in answer.deciders:
        stand_in = f", {labels.short(one.stand_in)} stands in" if one.stand_in else ""
        effect = f" ({one.effect})" if one.effect else ""
        table.add_row(
            ", ".join(_marks(answer, one.seat)),
            labels.seat(one.seat, marked=True),
            _known(totals[one.seat].life),
            str(counts.get(("hand", one.seat), 0)),
            _known(totals[one.seat].library),
            f"{labels.short(one.decider)}{effect}{stand_in}",
        )
    return table


def _marks(answer: ReplayAnswer, seat: int) -> Iterator[str]:
    if seat in answer.moment.active_seats:
        yield "active"
    if seat in answer.priority.seats:
        yield "priority"


def _known(total: int | None) -> str:
    return "?" if total is None else str(total)


def _zones(answer: ReplayAnswer, labels: Labels) -> RenderableType:
    facts = Facts()
    for zone in answer.zones:
        for seat, objects in _by_seat(zone).items():
            owner = f"seat {seat} " if seat is not None else ""
            text = _contents(zone.zone, objects, labels)
            facts.add(f"{owner}{spoken(zone.zone)}", text)
    return facts.drawn()


def _by_seat(zone: ZoneView) -> dict[int | None, list[ObjectView]]:
    """The objects by the zone's owner; on the battlefield by controller."""
    found: dict[int | None, list[ObjectView]] = {}
    for one in zone.objects:
        seat = one.controller if zone.zone == "battlefield" else zone.owner
        found.setdefault(seat, []).append(one)
    return dict(sorted(found.items(), key=lambda item: item[0] or 0))


def _contents(zone: str, objects: list[ObjectView], labels: Labels) -> str | None:
    """The objects in the open, or that the viewer may see; None where there are none."""
    shown = [one for one in objects if zone in _OPEN_ZONES or one.card or one.ability]
    names = [_object(one, labels) for one in shown]
    rest = [one for one in objects if one not in shown]
    hidden = sum(one.hidden for one in rest)
    if names and hidden:
        names.append(f"and {plural(hidden, 'hidden card')}")
    if names and len(rest) > hidden:
        names.append(f"and {plural(len(rest) - hidden, 'card')} that the record does not name")
    return ", ".join(names) or None


def _object(one: ObjectView, labels: Labels) -> str:
    hidden = ("card",) if one.hidden else ()
    name = labels.thing({"card": one.card, "ability": one.ability, "object": one.object}, hidden)
    face = "face down: " if one.face_down else ""
    whose = "" if one.controller in (None, one.owner) else f", controlled by seat {one.controller}"
    return f"{face}{name}{whose}"


def _events(answer: ReplayAnswer, labels: Labels) -> RenderableType:
    table = listing("", "event", "acting", "decided by", "what", right=(1,), wide=(4,))
    for event in answer.events:
        table.add_row(*_row(event, answer.number, labels), style="dim" if event.undone else "")
    return table


def _row(event: ReplayEvent, number: int, labels: Labels) -> tuple[str | Text, ...]:
    view = event.view
    stamp = view.stamp
    undone = " (undone later)" if event.undone else ""
    acting = "" if stamp is None or stamp.acting_seat is None else f"Seat {stamp.acting_seat}"
    decider = "" if stamp is None else labels.short(stamp.deciding_player)
    other = acting and decider not in (acting, "rules", "unknown")
    return (
        ">" if view.number == number else "",
        str(view.number),
        acting,
        Text(decider, "bold magenta" if other else ""),
        phrase(view, labels) + undone,
    )
