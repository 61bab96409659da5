"""Who may see, and who has been shown, what is hidden just after an event."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from domain.visibility import SPECTATOR, ObjectFacts
from projections.visibility import Sight
from queries.parts import (
    Citation,
    EditionView,
    Moment,
    SeatView,
    citations,
    edition_view,
    incomplete_at,
    moment_at,
    named_card,
    seats_of,
)
from queries.record import GameRecord
from queries.viewers import named_viewer

__all__ = ["CardView", "HiddenItem", "SeesAnswer", "SightView", "sees"]

_ZONES = ("hand", "library", "sideboard")


@dataclass(frozen=True, slots=True, kw_only=True)
class SightView:
    """Whether a viewer may see an item, and what the viewer has been shown of it.

    `entitled`: may see it now, by the rules. `known` counts the item's cards that the viewer has
    been shown up to now, which is never un-learned; `learned` is the first event that showed one.
    `certain` is false where a gap could make the answer another.
    """

    viewer: str
    entitled: bool
    certain: bool
    because: str
    rules: tuple[Citation, ...]
    proof: tuple[int, ...]
    rule_gap: str | None
    known: int
    learned: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardView:
    """An object and its card (or ability), None where the asking viewer may not see it.

    `hidden`: the record has the card, but not for this viewer. Otherwise nobody recorded it.
    """

    object: str
    card: str | None
    ability: str | None
    hidden: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenItem:
    """A zone (`object` is None) or a single object that somebody may not see."""

    zone: str
    owner: int | None
    object: str | None
    face_down: bool
    cards: tuple[CardView, ...]
    sights: tuple[SightView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeesAnswer:
    """The matrix of viewers against hidden information just after event `number`.

    `viewers` are the seats, whoever controls a seat without holding one, and a spectator; a judge
    sees everything. Single objects are listed where a viewer's sight differs from that of the zone,
    and where they are face down. Cards are named as far as the asking viewer may see them.
    """

    game_id: str
    short_id: str
    viewer: str
    seats: tuple[SeatView, ...]
    edition: EditionView
    number: int
    moment: Moment
    viewers: tuple[str, ...]
    items: tuple[HiddenItem, ...]
    incomplete: tuple[str, ...]


def sees(record: GameRecord, number: int, viewer: str = SPECTATOR) -> SeesAnswer:
    """The matrix just after event `number` (0: before the first)."""
    record.checked(number)
    matrix = _Matrix(record, number, named_viewer(viewer, record))
    return SeesAnswer(
        game_id=record.game_id,
        short_id=record.short_id,
        viewer=matrix.asking,
        seats=seats_of(record),
        edition=edition_view(record),
        number=number,
        moment=moment_at(record, number),
        viewers=matrix.viewers,
        items=tuple(matrix.items()),
        incomplete=incomplete_at(record, number),
    )


class _Matrix:
    """The matrix of one moment, for one asking viewer."""

    def __init__(self, record: GameRecord, number: int, asking: str) -> None:
        self.record = record
        self.number = number
        self.asking = asking
        self.viewers = _viewers(record, number)
        self._sight = record.folded.visibility
        self._objects = self._sight.objects_at(number)
        self._clear = record.folded.visible_cards(asking, number)
        self._learned = {
            who: {one.object: one.number for one in record.folded.knowledge.learned(who, number)}
            for who in self.viewers
        }

    def items(self) -> Iterable[HiddenItem]:
        """Zones by seat, then the single objects that differ from their zone."""
        singles = [name for name, facts in self._objects.items() if self._stands_alone(name, facts)]
        for seat in sorted(self.record.players):
            for zone in _ZONES:
                held = self._held(zone, seat)
                if held or zone != "sideboard":
                    yield self._zone(zone, seat, held)
        for name in singles:
            yield self._object(name)

    def _held(self, zone: str, seat: int) -> list[str]:
        return [n for n, f in self._objects.items() if (f.zone, f.zone_owner) == (zone, seat)]

    def _stands_alone(self, name: str, facts: ObjectFacts) -> bool:
        if facts.zone not in _ZONES:
            return facts.face_down and facts.zone in ("battlefield", "exile", "stack", "command")
        return any(
            self._sight.entitled(who, self.number, name)
            != self._sight.entitled_zone(who, self.number, facts.zone, facts.zone_owner)
            for who in self.viewers
        )

    def _zone(self, zone: str, seat: int, held: list[str]) -> HiddenItem:
        sights = (
            self._view(who, self._sight.why_zone(who, self.number, zone, seat), held)
            for who in self.viewers
        )
        return HiddenItem(
            zone=zone,
            owner=seat,
            object=None,
            face_down=False,
            cards=tuple(map(self._card, held)),
            sights=tuple(sights),
        )

    def _object(self, name: str) -> HiddenItem:
        facts = self._objects[name]
        sights = (
            self._view(who, self._sight.why(who, self.number, name), [name]) for who in self.viewers
        )
        return HiddenItem(
            zone=facts.zone,
            owner=facts.owner if facts.zone_owner is None else facts.zone_owner,
            object=name,
            face_down=facts.face_down,
            cards=(self._card(name),),
            sights=tuple(sights),
        )

    def _view(self, who: str, sight: Sight, held: list[str]) -> SightView:
        shown = [self._learned[who][name] for name in held if name in self._learned[who]]
        return SightView(
            viewer=who,
            entitled=sight.entitled,
            certain=sight.certain,
            because=sight.because,
            rules=citations(self.record.folded.rules.cite(*sight.topics)),
            proof=sight.proof,
            rule_gap=sight.rule_gap,
            known=len(shown),
            learned=min(shown, default=None),
        )

    def _card(self, name: str) -> CardView:
        card, ability, hidden = named_card(self.record, self.number, name, self._clear)
        return CardView(object=name, card=card, ability=ability, hidden=hidden)


def _viewers(record: GameRecord, number: int) -> tuple[str, ...]:
    """The seats, then whoever controls one without holding a seat, then a spectator."""
    state = record.folded.control_at(number)
    seats = [f"seat:{seat}" for seat in sorted(record.players)]
    governing = (state.in_force(seat) for seat in state.players)
    controllers = {effect.controller for effect in governing if effect is not None}
    others = sorted(controllers - set(state.players.values()))
    return (*seats, *others, SPECTATOR)
