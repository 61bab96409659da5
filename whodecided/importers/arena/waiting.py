"""What is held back because a state before it has not come yet."""

from __future__ import annotations

from typing import NamedTuple

from whodecided.importers.arena.chain import Arrival, Chain
from whodecided.importers.arena.envelope import GreMessage, Json
from whodecided.importers.arena.items import Origin
from whodecided.importers.arena.words import whole

__all__ = ["HELD_ITEMS", "HELD_STATES", "Held", "HeldClient", "HeldMessage", "Waiting"]

HELD_STATES = 64
"""States that wait for a missing predecessor before it is given up as a gap."""

HELD_ITEMS = 1024
"""The same for all messages together."""


class HeldMessage(NamedTuple):
    """A message of the rules engine that is no state."""

    origin: Origin
    message: GreMessage

    @property
    def state_id(self) -> int | None:
        """The state it belongs to."""
        return self.message.gameStateId


class HeldClient(NamedTuple):
    """A message of the client."""

    origin: Origin
    body: Json

    @property
    def state_id(self) -> int | None:
        """The state it answers in."""
        return whole(self.body.get("gameStateId"))


Held = Arrival | HeldMessage | HeldClient
"""States, and messages that belong to them or came after them."""


class Waiting:
    """What waits, in the order of arrival (`items`), and the ids of its states (`ids`)."""

    def __init__(self) -> None:
        self.items: list[Held] = []
        self.ids: set[int] = set()

    @property
    def too_much(self) -> bool:
        """Whether to give up waiting."""
        return len(self.ids) > HELD_STATES or len(self.items) > HELD_ITEMS

    def hold(self, arrival: Arrival) -> None:
        """Hold a state back."""
        self.items.append(arrival)
        self.ids.add(arrival.state_id)

    def concerns(self, held: HeldMessage | HeldClient) -> bool:
        """Whether a message belongs to what waits, or may belong to it."""
        return held.state_id is None or held.state_id in self.ids

    def next(self, chain: Chain) -> Held | None:
        """Take out the first that need not wait any more; None when all must wait."""
        for index, held in enumerate(self.items):
            if self._may_go(chain, held, index):
                del self.items[index]
                return held
        return None

    def take_all(self) -> list[Held]:
        """Take out everything."""
        items, self.items = self.items, []
        self.ids.clear()
        return items

    def _may_go(self, chain: Chain, held: Held, index: int) -> bool:
        if isinstance(held, Arrival):
            return held.prev_id == chain.head or chain.knows(held.state_id)
        if held.state_id is None:
            return index == 0
        return held.state_id not in self.ids
