"""The cards of the synthetic games: our own numbers, and what the generator must know of each."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final, NamedTuple

__all__ = ["CARDS", "DECKS", "Kind"]


class Kind(NamedTuple):
    """A card: name, type line's main type, mana it makes (lands), size (creatures).

    `ability` is the number of its activated or triggered ability.
    """

    name: str
    type: str
    mana: int = 0
    power: int = 0
    toughness: int = 0
    ability: int | None = None
    removal: bool = False


CARDS: Final = MappingProxyType(
    {
        700101: Kind("Urza's Mine", "Land", mana=2),
        700102: Kind("Urza's Power Plant", "Land", mana=2),
        700103: Kind("Urza's Tower", "Land", mana=3),
        700104: Kind("Mindslaver", "Artifact", ability=700904),
        700105: Kind("Wastes", "Land", mana=1),
        700106: Kind("Ornithopter", "Creature", power=0, toughness=2),
        700201: Kind("Swamp", "Land", mana=1),
        700202: Kind("Vampire Nighthawk", "Creature", power=2, toughness=3),
        700203: Kind("Murder", "Instant", removal=True),
        700204: Kind("Walking Corpse", "Creature", power=2, toughness=2),
        700205: Kind("Duress", "Sorcery"),
    }
)
"""Card number -> card. The numbers are ours: Arena knows no card under them."""

DECKS: Final = MappingProxyType(
    {
        1: (700101, 700103, 700102, 700104, 700106, 700105, 700105, *(700105, 700106) * 8),
        2: (700201, 700201, 700201, 700202, 700203, 700204, 700205, *(700201, 700204) * 8),
    }
)
"""Seat -> its deck, from the top of the library."""
