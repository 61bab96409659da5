"""What the translation of one game keeps in mind from one item to the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from whodecided.importers.arena.board import View
from whodecided.importers.arena.envelope import Json
from whodecided.importers.arena.telling import Teller

__all__ = ["Asked", "Begun", "Desk", "Mark", "details"]


class Asked(NamedTuple):
    """A request that was told: event, correlation, whose decision it is, type and payload."""

    number: int
    correlation: str
    seat: int | None
    kind: str
    payload: Json


class Begun(NamedTuple):
    """An action that the answering side announced; the rules engine has not confirmed it yet.

    `stated` and `performer` are the principals the answer names, `action` is Arena's word for it.
    """

    seat: int
    stated: str
    performer: str
    action: str
    item: int | None
    ability: int | None
    card: int | None
    asked: Asked | None
    part: str


class Mark(NamedTuple):
    """How things stood just after a state, for an undo that returns to it."""

    number: int
    combats: int
    controlled: Mapping[int, int]


@dataclass(slots=True)
class Desk:
    """The memory of one game's translation.

    `players` are the principals by seat, `local` the seat whose client wrote the log. `told` says
    by which event an object came into the record, `made` which event put an object on the stack,
    `held` keeps abilities of which it is open whether they were activated, `played` the spells and
    lands that no action has named yet, with the category of their move, `origins` says from which
    zone a spell or land came, `adrift` are cards played just before a gap, `resolving` what is
    resolving, `stack` which zone is the stack.
    `answered` holds decisions that an answer has already told, so that the annotation which repeats
    them is no second one, `latest` the state and type of the latest
    request to a seat, `lasting` the annotations of an old client that it sends over and over.
    `uncertain` lists the seats that no state has shown since the last gap;
    None: all is certain.
    """

    teller: Teller
    players: dict[int, str]
    local: int | None
    counts: Counter[str]
    teams: dict[int, int] = field(default_factory=dict)
    now: View | None = None
    told: dict[int, int] = field(default_factory=dict)
    made: dict[int, int] = field(default_factory=dict)
    held: dict[int, int] = field(default_factory=dict)
    played: dict[int, str] = field(default_factory=dict)
    adrift: set[int] = field(default_factory=set)
    origins: dict[int, str] = field(default_factory=dict)
    resolving: int | None = None
    stack: int | None = None
    begun: Begun | None = None
    answered: set[tuple[int, str]] = field(default_factory=set)
    asked: dict[int, Asked] = field(default_factory=dict)
    latest: dict[int, tuple[int | None, str]] = field(default_factory=dict)
    lasting: set[tuple[str, int]] = field(default_factory=set)
    marks: dict[int, Mark] = field(default_factory=dict)
    controlled: dict[int, int] = field(default_factory=dict)
    taken: dict[int, str] = field(default_factory=dict)
    observations: int = 0
    undone: int = 0
    combats: int = 0
    turn_due: int | None = None
    passed: int | None = None
    last_update: str = ""
    uncertain: set[int] | None = None
    turn_shown: bool = True
    departed: set[int] = field(default_factory=set)
    ended: bool = False

    def principal(self, seat: int | None) -> str | None:
        """The player of a seat; None for no seat or an unknown one."""
        return None if seat is None else self.players.get(seat)

    def controller(self, seat: int) -> int:
        """Which seat answers for the seat, as the last state shows it."""
        player = None if self.now is None else self.now.player(seat)
        found = seat if player is None else player.get("controllerSeatId", seat)
        return found if found in self.players else seat

    def target(self, number: int) -> str:
        """How a target is named: `seat:<n>` for a player, the id for an object."""
        return f"seat:{number}" if number in self.players else str(number)

    def action(self, item: int) -> str:
        """What the decisions of one action share; an id that an undo gave free may come again."""
        return f"{item}~{self.undone}" if self.undone else str(item)

    def forget_after(self, number: int) -> None:
        """The events after `number` are undone: what they brought is not in the record any more."""
        self.told = {key: when for key, when in self.told.items() if when <= number}
        self.made = {key: when for key, when in self.made.items() if when <= number}
        self.held.clear()
        self.played.clear()
        self.adrift.clear()
        self.answered.clear()
        self.resolving = None
        self.begun = None
        self.passed = None


def details(annotation: Json) -> dict[str, Any]:
    """Key -> list of values of an annotation's details; an empty list where no value was sent."""
    found: dict[str, Any] = {}
    for item in annotation.get("details", ()):
        values = item.get("valueInt32")
        if values is None:
            values = next((v for key, v in item.items() if key.startswith("value")), ())
        found[item["key"]] = values
    return found
