"""The answer to `sees`: a matrix of viewers and hidden information."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from queries.sees import HiddenItem, SeesAnswer, SightView
from whodecided.cli.labels import Labels, plural, spoken
from whodecided.cli.render.common import (
    Facts,
    heading,
    incomplete,
    listing,
    moment_text,
    sections,
    stack,
)
from whodecided.cli.render.edition import edition_note

__all__ = ["draw_sees"]


def draw_sees(answer: SeesAnswer, labels: Labels) -> RenderableType:
    """The matrix, the reasons that are not plain, and the cards this viewer may see."""
    title = heading(
        f"Game {answer.short_id}  who may see what after event {answer.number}",
        moment_text(answer.moment, labels),
    )
    legend = (
        "yes: may see it now   (3): was shown 3 of its cards   ?: uncertain after a gap\n"
        "cards: how many the record names   A judge sees everything."
    )
    return sections(
        title,
        stack(_matrix(answer, labels), Text(), Text(legend, "dim")),
        _reasons(answer, labels),
        _cards(answer, labels),
        edition_note(answer.edition),
        incomplete(answer.incomplete),
    )


def _matrix(answer: SeesAnswer, labels: Labels) -> RenderableType:
    table = listing(
        "hidden information", "cards", *map(labels.short, answer.viewers), right=(1,), wide=(0,)
    )
    for item in answer.items:
        table.add_row(
            _name(item), str(len(item.cards) or "-"), *(_cell(sight) for sight in item.sights)
        )
    return table


def _name(item: HiddenItem) -> str:
    owner = f"seat {item.owner} " if item.owner is not None else ""
    if item.object is None:
        return f"{owner}{item.zone}"
    face = "face-down " if item.face_down else ""
    return f"{owner}{face}object {item.object} ({spoken(item.zone)})"


def _cell(sight: SightView) -> Text:
    doubt = "" if sight.certain else "?"
    known = f" ({sight.known})" if sight.known else ""
    return Text(
        f"{'yes' if sight.entitled else 'no'}{doubt}{known}", "green" if sight.entitled else ""
    )


def _reasons(answer: SeesAnswer, labels: Labels) -> RenderableType | None:
    facts, some = Facts(), False
    for item in answer.items:
        for sight in item.sights:
            own = sight.viewer == f"seat:{item.owner}" and item.zone == "hand"
            if (sight.entitled and not own and item.cards) or sight.rule_gap:
                facts.add_all(f"{labels.short(sight.viewer)}: {_name(item)}", _why(sight, labels))
                some = True
    return facts.drawn() if some else None


def _why(sight: SightView, labels: Labels) -> Iterator[str]:
    yield sight.because
    if sight.rule_gap:
        yield f"rule gap: {sight.rule_gap}"
    if sight.rules:
        yield "; ".join(map(labels.citation, sight.rules))
    if sight.proof:
        numbers = ", ".join(map(str, sight.proof))
        yield f"proof: {'event' if len(sight.proof) == 1 else 'events'} {numbers}"


def _cards(answer: SeesAnswer, labels: Labels) -> RenderableType:
    facts, some = Facts(), False
    for item in answer.items:
        shown = [card for card in item.cards if card.card or card.ability]
        if shown:
            names = (
                labels.thing({"card": c.card, "ability": c.ability, "object": c.object}, ())
                for c in shown
            )
            facts.add_all(_name(item), names)
            some = True
    who = labels.short(answer.viewer)
    hidden = sum(card.hidden for item in answer.items for card in item.cards)
    left = f"{plural(hidden, 'card')} of the record hidden from this viewer" if hidden else None
    return stack(
        heading(f"Hidden cards that {who} may see"),
        facts.drawn() if some else Text("None whose card the record names."),
        Text(left, "dim") if left else None,
    )
