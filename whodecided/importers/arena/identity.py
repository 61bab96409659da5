"""What identifies a recorded game, and what its first state says about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from whodecided.importers.arena.envelope import Json
from whodecided.importers.arena.items import StateItem, StateKind
from whodecided.importers.arena.step import seat_of, seat_or_none
from whodecided.importers.arena.words import SYSTEM, bare, whole

__all__ = ["Identity", "client_version", "identify", "opening_fields", "seats_of", "teams_of"]


@dataclass(frozen=True, slots=True)
class Identity:
    """Match, number of the game, whose view it is, and where a part that starts in mid-game begins.

    `match` is None where the log does not name it; `match_name` then stands for it.
    """

    match: str | None
    match_name: str
    number: int | None
    viewpoint: str
    local: int | None
    part: str | None

    @property
    def stem(self) -> str:
        """The beginning of every record id of the game's stream."""
        name = f"{self.match_name}/{self.number}/{self.viewpoint}"
        return name if self.part is None else f"{name}/{self.part}"


def identify(item: StateItem) -> Identity:
    """The identity of the game that begins, for this log, with a state.

    A part is named by its first state and that message's transaction, which no other part shares.
    """
    game, origin = item.game, item.origin
    local = seat_or_none(game.local_seat)
    if local is None and len(item.message.systemSeatIds) == 1:
        local = seat_or_none(item.message.systemSeatIds[0])
    named = origin.transaction_id or str(origin.moment.micros)
    part = None if item.kind is StateKind.START else f"{item.state_id}:{named}"
    return Identity(
        game.match_id,
        game.match_id or f"unnamed:{named}",
        game.number,
        "unknown" if local is None else f"seat:{local}",
        local,
        part,
    )


def seats_of(item: StateItem) -> list[int]:
    """The seats of the game: those of the first state, else the two of a duel."""
    players = item.after.players().values()
    found = {seat for player in players if (seat := seat_of(player, "systemSeatNumber"))}
    return sorted(found | {1, 2})


def teams_of(item: StateItem, seats: list[int]) -> dict[int, int]:
    """Seat -> team, as the state's teams or players say; else every seat is its own team."""
    teams = {seat: seat for seat in seats}
    for player in item.state.players:
        seat, team = seat_of(player, "systemSeatNumber"), whole(player.get("teamId"))
        if seat in teams and team is not None:
            teams[seat] = team
    for group in item.state.teams or ():
        number = whole(group.get("id"))
        for seat in group.get("playerIds", ()):
            if seat in teams and number is not None:
                teams[seat] = number
    return teams


def opening_fields(
    identity: Identity, event: str | None, info: Json, generation: int
) -> dict[str, Any]:
    """The fields of game_started, but the seats."""
    variant = info.get("variant")
    match = identity.match
    return {
        "game_key": f"{SYSTEM}/{identity.match_name}/{identity.number or 0}",
        "match_key": None if match is None else f"{SYSTEM}/{match}",
        "match_stream": None,
        "game_number": identity.number,
        "viewpoint": identity.viewpoint,
        "played_on": None,
        "format": event,
        "variant": bare(variant) if variant else None,
        "generation": generation,
        "supersedes": None,
        "from_start": identity.part is None,
    }


def client_version(answer: Json) -> str | None:
    """The engine's version as the greeting of a connection states it, such as `2026.60.1`."""
    version = answer.get("greVersion")
    if not isinstance(version, dict):
        return None
    parts = [whole(version.get(f"{name}Version", 0)) for name in ("major", "minor", "build")]
    return ".".join(str(part) for part in parts if part is not None)
