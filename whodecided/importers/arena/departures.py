"""Who leaves the game, and how the game ends."""

from __future__ import annotations

from typing import Any

from whodecided.importers.arena.desk import Desk
from whodecided.importers.arena.envelope import Json
from whodecided.importers.arena.words import REASONS, bare, snake, whole

__all__ = ["end_by", "game_result", "leave", "winners"]


def leave(desk: Desk, seat: int, reason: str, part: str) -> None:
    """Tell once that a player leaves the game."""
    if seat not in desk.departed:
        desk.departed.add(seat)
        desk.teller.tell("player_left", part, {"seat": seat, "reason": reason})


def game_result(results: Any, number: int | None) -> Json | None:
    """This game's entry in the cumulative list of results: by its number, else the last game's."""
    games = [
        item
        for item in results or ()
        if isinstance(item, dict) and item.get("scope") == "MatchScope_Game"
    ]
    if number is not None:
        return games[number - 1] if len(games) >= number else None
    return games[-1] if games else None


def winners(desk: Desk, result: Json) -> tuple[int, ...]:
    """The seats of the winning team; none when nobody won."""
    team = whole(result.get("winningTeamId"))
    if team is None:
        return ()
    return tuple(seat for seat in desk.players if desk.teams.get(seat, seat) == team)


def end_by(desk: Desk, result: Json, part: str) -> None:
    """Tell once how the game ended: who conceded, who leaves, who won."""
    if desk.ended:
        return
    desk.ended = True
    won = winners(desk, result)
    reason = bare(result.get("reason", ""))
    drawn = bare(result.get("result", "")) == "Draw"
    for seat in desk.players:
        if seat in won or not (won or drawn):
            continue
        if reason == "Concede" and won and seat not in desk.departed:
            conceded = {"observed": True}
            desk.teller.tell("conceded", f"{part}.conceded.{seat}", conceded, seat=seat)
        left = "drew" if drawn else "conceded" if reason == "Concede" else "lost"
        leave(desk, seat, left, f"{part}.left.{seat}")
    ending: dict[str, Any] = {
        "result": "win" if won else "draw" if drawn else "unknown",
        "winners": won,
        "reason": REASONS.get(reason, snake(reason) or None),
    }
    desk.teller.tell("game_ended", part, ending)
