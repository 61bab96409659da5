"""Cards that control players, and cards that hand a choice to somebody else.

An importer or a scenario names a card; the catalogue says which effect comes into being.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal

from domain.rules.text import LocalText, Status

__all__ = [
    "Affected",
    "CardCatalogue",
    "CardNote",
    "ChoiceCard",
    "Chooser",
    "ControlCard",
    "Lasts",
    "OtherScope",
    "Scope",
    "folded",
    "names_of",
]

Scope = Literal["next_turn", "next_combat_phase", "this_turn", "while_resolving", "while_searching"]
Affected = Literal["target_player", "target_opponent", "two_target_players", "each_opponent"]
Lasts = Literal["this_turn", "this_combat", "this_vote", "while_resolving", "while_in_play"]
Chooser = Literal[
    "effect_controller",
    "attacking_player",
    "defending_player",
    "opponent",
    "highest_revealed_cost",
    "nobody",
]
"""Who chooses instead; `nobody`: it happens at random."""

_LIGATURES: Final = str.maketrans({"æ": "ae", "œ": "oe", "ß": "ss"})
_DROPPED: Final = frozenset('《》「」『』"“”')
_APOSTROPHES: Final = str.maketrans(dict.fromkeys("`\u00b4\u02bc\u2018\u2019\u2032\uff07", "'"))


def folded(name: str) -> str:
    """A name without what people leave out: case, accents, kinds of apostrophe, widths, quotes.

    Marks that make another letter in Japanese are kept.
    """
    plain = unicodedata.normalize("NFKD", name.translate(_APOSTROPHES)).casefold()
    kept = (c for c in plain if not "\u0300" <= c <= "\u036f" and c not in _DROPPED)
    joined = unicodedata.normalize("NFC", "".join(kept)).translate(_LIGATURES)
    return " ".join(joined.translate(_APOSTROPHES).split())


@dataclass(frozen=True, slots=True, kw_only=True)
class CardNote:
    """What a ruling says of a card; `date` is the ruling's day where it is known."""

    text: LocalText
    date: str | None
    status: Status
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherScope:
    """Another scope of the same card; `when` says when it has that one instead or as well."""

    scope: Scope
    when: LocalText


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlCard:
    """A card whose effect controls players.

    `first_day` is the day from which it does so, `printed` the day of its first set. `clause` names
    the switch of the rules that says whether the section on player control names the card. A card
    with `outside_person` lets somebody without a seat decide.
    """

    name: LocalText
    scope: Scope
    affected: Affected
    first_day: str
    printed: str
    sets: tuple[str, ...]
    status: Status
    sources: tuple[str, ...]
    self_allowed: bool = False
    mutual: bool = False
    static: bool = False
    extra_turn_after: bool = False
    outside_person: bool = False
    silver_border: bool = False
    other: tuple[OtherScope, ...] = ()
    may_not: tuple[str, ...] = ()
    must: tuple[str, ...] = ()
    clause: str | None = None
    notes: tuple[CardNote, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceCard:
    """A card that moves a choice without controlling a player, or that only seems to.

    `decisions` are the choices that pass to the chooser; none for a card that moves no choice.
    `lasts` is None where no duration fits. `stays`: what remains with the usual player.
    """

    name: LocalText
    decisions: tuple[str, ...]
    chooser: Chooser | None
    lasts: Lasts | None
    effect: LocalText
    status: Status
    sources: tuple[str, ...]
    stays: LocalText | None = None


@dataclass(frozen=True, slots=True)
class CardCatalogue:
    """All cards known, found by name in any language."""

    control: tuple[ControlCard, ...]
    choices: tuple[ChoiceCard, ...] = ()
    _control: Mapping[str, ControlCard] = field(init=False, repr=False, compare=False)
    _choices: Mapping[str, ChoiceCard] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for key, cards in (("_control", self.control), ("_choices", self.choices)):
            named = {folded(name): card for card in cards for name in names_of(card.name)}
            object.__setattr__(self, key, MappingProxyType(named))

    def control_card(self, name: str) -> ControlCard | None:
        """The player-controlling card with this name in English, French or Japanese."""
        return self._control.get(folded(name))

    def choice_card(self, name: str) -> ChoiceCard | None:
        """The card with this name that moves a choice, or seems to."""
        return self._choices.get(folded(name))

    def local_name(self, name: str) -> LocalText | None:
        """A known card's names."""
        card = self.control_card(name) or self.choice_card(name)
        return card.name if card else None


def names_of(name: LocalText) -> Iterable[str]:
    """The names a card has."""
    return (text for text in (name.en, name.fr, name.ja) if text is not None)
