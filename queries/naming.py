"""How an answer names seats, people, cards, events and moments in a language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from domain.rules.cards import CardCatalogue
from queries.effects import EffectView
from queries.language import Speech
from queries.parts import EventView, Moment, SeatView

__all__ = ["Naming"]


def _unnamed(ref: str) -> str | None:
    return None


@dataclass(frozen=True)
class Naming:
    """Names for one answer in one language.

    `people` holds names that were kept for principals. `card` and `ability` give the name of a card
    or ability from the source's reference, or None; a known card is then named in the language.
    """

    speech: Speech
    seats: Mapping[int, SeatView]
    catalogue: CardCatalogue
    people: Mapping[str, str] = field(default_factory=dict)
    card: Callable[[str], str | None] = _unnamed
    ability: Callable[[str], str | None] = _unnamed

    def seat(self, seat: int | None) -> str:
        """A seat with its player."""
        if seat is None:
            return self.speech.say("none")
        info = self.seats.get(seat)
        if info is None:
            return self.speech.say("seat", seat=seat)
        return self.speech.say("seat_of", seat=seat, person=self._person(info.player))

    def principal(self, principal: str | None) -> str:
        """Who decides, with the seat where the principal has one."""
        if principal is None:
            return self.speech.say("answers_nobody")
        held = self._held(principal)
        return self._person(principal) if held is None else self.seat(held)

    def short(self, principal: str) -> str:
        """A principal as short as a cell of a table needs it."""
        held = self._held(principal)
        return self._person(principal) if held is None else self.speech.say("seat", seat=held)

    def card_name(self, ref: str) -> str:
        """A card in the language where it is known, else as the source names it."""
        named = self.card(ref) or ref
        local = self.catalogue.local_name(named)
        if local is not None:
            return local.get(self.speech.language)
        return f"{self.speech.word('field', 'card')} {named}" if named.isdecimal() else named

    def thing(self, view: EventView) -> str | None:
        """The card, ability or object that an event is about; None where it is about none."""
        details, hidden = view.details, set(view.hidden)
        number = details.get("object") or details.get("source_object")
        name = None
        if isinstance(details.get("card"), str) and "card" not in hidden:
            name = self.card_name(details["card"])
        elif isinstance(details.get("ability"), str) and "ability" not in hidden:
            name = self._ability(details["ability"])
        if name is None:
            return None if number is None else self._object(str(number))
        if number in (None, name):
            return name
        return self.speech.say("card_of_object", card=name, object=number)

    def _object(self, name: str) -> str:
        """An object as a scenario names it; of a source that has numbers only, with the word."""
        return self.speech.say("object_numbered", object=name) if name.isdecimal() else name

    def _ability(self, ref: str) -> str:
        name = self.ability(ref)
        if name is None and ref.isdecimal():
            return f"{self.speech.word('field', 'ability')} {ref}"
        return name or self.card_name(ref)

    def event(self, view: EventView) -> str:
        """An event's name, and what it is about."""
        parts = (self.speech.word("event", view.event), self.thing(view))
        return " — ".join(part for part in parts if part)

    def moment(self, moment: Moment) -> str:
        """Turn and step."""
        say = self.speech.say
        if moment.turn is None:
            return say("before_first_turn") if moment.certain else say("unknown_gap")
        turn = say("turn_extra" if moment.extra else "turn", turn=moment.turn)
        turn = turn if moment.turn_counted else say("turn_uncounted", turn=turn)
        step = None if moment.step is None else self.speech.word("step", moment.step)
        return turn if step is None else say("turn_step", turn=turn, step=step)

    def effect(self, effect: EffectView) -> str:
        """An effect by its label, with its card and scope."""
        card = None if effect.source_card is None else self.card_name(effect.source_card)
        observed = effect.scope == "observed"
        scope = None if observed else self.speech.word("scope", effect.scope)
        details = ", ".join(part for part in (card, scope) if part)
        if not details:
            return effect.label
        return self.speech.say("of_source", label=effect.label, details=details)

    def in_force(self, effect: EffectView) -> str:
        """When an effect was in force, and why no more."""
        say = self.speech.say
        if effect.began is None:
            never = effect.ended is not None
            return say("effect_never", ended=effect.ended) if never else say("effect_waits")
        if effect.ended is None:
            return say("effect_since", began=effect.began)
        reason = self.speech.word("ended", effect.reason or "ended_by_effect")
        return say("effect_ended", began=effect.began, ended=effect.ended, reason=reason)

    def fields(self, names: Iterable[str]) -> str:
        """The names of sealed fields."""
        return ", ".join(self.speech.word("field", name) for name in names)

    def _held(self, principal: str) -> int | None:
        if principal.startswith("seat:"):
            return int(principal[5:])
        return next((s for s, info in self.seats.items() if info.player == principal), None)

    def _person(self, principal: str) -> str:
        if principal in self.people:
            return self.people[principal]
        kind, _, name = principal.partition(":")
        parts: dict[str, Any] = {"id": name[:8] if kind == "player" else name}
        return self.speech.word("principal", kind).format_map(parts)
