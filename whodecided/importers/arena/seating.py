"""Who sits where: accounts of the match's room become pseudonyms, bots become programs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from whodecided.importers.arena.envelope import Json
from whodecided.importers.arena.words import SYSTEM, whole

__all__ = ["BOT", "Lobby", "Pseudonym", "Room"]

BOT: Final = "program:arena-bot"
_ACCOUNT: Final = re.compile(r"[A-Za-z0-9_-]{6,}")
_REMEMBERED: Final = 64

Pseudonym = Callable[[str, str], str]
"""(system, account) -> stable stand-in."""


class Room(NamedTuple):
    """What a match's room says: account and team by seat, seats that a bot plays, event, names."""

    accounts: dict[int, str]
    teams: dict[int, int | None]
    bots: frozenset[int]
    event: str | None
    names: dict[int, str]


_EMPTY: Final = Room({}, {}, frozenset(), None, {})


class Lobby:
    """The rooms seen so far, by match, and the principals of their seats."""

    def __init__(self) -> None:
        self._rooms: dict[str, Room] = {}

    def enter(self, match_id: str, event: Json) -> None:
        """Note what a change of the room says; the latest one counts."""
        info = event.get("gameRoomInfo")
        config = info.get("gameRoomConfig") if isinstance(info, dict) else None
        seats = config.get("reservedPlayers") if isinstance(config, dict) else None
        found = [item for item in seats if isinstance(item, dict)] if seats else []
        if not found:
            return
        self._rooms.pop(match_id, None)
        self._rooms[match_id] = _room(found)
        if len(self._rooms) > _REMEMBERED:
            del self._rooms[next(iter(self._rooms))]

    def room(self, match_id: str | None) -> Room:
        """The room of a match; an empty one when none was logged."""
        return self._rooms.get(match_id or "", _EMPTY)

    def principals(self, match: str, seats: Sequence[int], pseudonym: Pseudonym) -> dict[int, str]:
        """Seat -> principal. Without a usable account a player is known in this match only."""
        room = self.room(match)
        persons = Counter(room.accounts.get(seat, "") for seat in seats if seat not in room.bots)
        found = {}
        for seat in seats:
            account = room.accounts.get(seat, "")
            usable = persons[account] == 1 and _ACCOUNT.fullmatch(account)
            known = account if usable else f"{match}|{seat}"
            is_bot = seat in room.bots
            found[seat] = BOT if is_bot else f"player:{pseudonym(SYSTEM, known)}"
        return found

    def names(self, match: str, pseudonym: Pseudonym) -> list[tuple[str, str]]:
        """(pseudonym, name) of the persons in the room, as far as the room shows both."""
        room = self.room(match)
        players = self.principals(match, sorted(room.accounts), pseudonym)
        return [
            (player.partition(":")[2], room.names[seat])
            for seat, player in players.items()
            if player != BOT and room.names.get(seat)
        ]


def _room(seats: list[Json]) -> Room:
    numbered = {
        seat: item for item in seats if (seat := whole(item.get("systemSeatId"))) is not None
    }
    return Room(
        {seat: str(item.get("userId", "")) for seat, item in numbered.items()},
        {seat: whole(item.get("teamId")) for seat, item in numbered.items()},
        frozenset(seat for seat, item in numbered.items() if item.get("isBotPlayer") is True),
        next((str(item["eventId"]) for item in seats if item.get("eventId")), None),
        {seat: str(item.get("playerName", "")) for seat, item in numbered.items()},
    )
