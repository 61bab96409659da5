"""A match's stream: opened, games linked, who plays first, decks between games, result."""

from __future__ import annotations

from typing import Any, Final

from domain.codec import hot
from domain.events.frame import SeatInfo
from whodecided.importers.arena.answers import Answer
from whodecided.importers.arena.clock import Moment
from whodecided.importers.arena.seating import Room
from whodecided.importers.arena.telling import Sink, Teller
from whodecided.importers.arena.words import REASONS, bare, snake, whole

__all__ = ["MatchTranslator"]

_SeatInfo: Any = hot(SeatInfo)
_BEST_OF: Final = {"Best2of3": 3, "SingleElimination": 1, "BestOf3": 3, "BestOf1": 1}


class MatchTranslator:
    """Tells what concerns the match as a whole to a sink; `stem` begins every record id."""

    def __init__(
        self,
        stem: str,
        match_key: str,
        players: dict[int, str],
        teams: dict[int, int],
        sink: Sink,
    ) -> None:
        self.games: list[int] = []
        self.ended = False
        self._key = match_key
        self._players = players
        self._teams = teams
        self._teller = Teller(stem, sink)

    def open(
        self, moment: Moment, viewpoint: str, room: Room, info: dict[str, Any], client: str | None,
        generation: int, from_start: bool,
    ) -> None:  # fmt: skip
        """The record of the match begins."""
        self._turn_to("opened", moment)
        seats = tuple(
            _SeatInfo(seat=seat, player=player, team=self._teams.get(seat))
            for seat, player in sorted(self._players.items())
        )
        self._teller.tell(
            "match_opened",
            "opened",
            {
                "match_key": self._key,
                "viewpoint": viewpoint,
                "seats": seats,
                "format": room.event,
                "best_of": _BEST_OF.get(bare(info.get("matchWinCondition", ""))),
                "client": client,
                "generation": generation,
                "from_start": from_start,
            },
        )
        if not from_start:
            self._teller.tell("gap_found", "gap", {"cause": "starts_in_mid_match"})

    def link(self, moment: Moment, game_id: str, number: int | None) -> None:
        """A game of the match has its own stream."""
        if number is not None:
            if self.games and number > self.games[-1] + 1:
                self._turn_to(f"before-game{number}", moment)
                self._teller.tell("gap_found", "gap", {"cause": "missing"})
            self.games.append(number)
        self._turn_to(f"game{number}", moment)
        self._teller.tell("game_linked", "linked", {"game_id": game_id, "game_number": number})

    def chosen(
        self, moment: Moment, number: int | None, seat: int | None, first: int, stated: str | None
    ) -> None:
        """A player has chosen who plays first in a game."""
        self._turn_to(f"game{number}/first", moment)
        fields = {"game_number": number, "first": first}
        self._teller.tell(
            "play_or_draw_chosen", "first", fields, seat=seat, stated=stated, performer=stated
        )

    def sideboarded(self, moment: Moment, record: str, answer: Answer) -> None:
        """A deck is submitted for the next game."""
        before = self.games[-1] + 1 if self.games else None
        self._turn_to(record, moment)
        self._teller.tell(
            "sideboarded",
            "deck",
            {"before_game": before},
            seat=answer.seat,
            stated=answer.stated,
            performer=answer.stated,
        )

    def results(self, moment: Moment, record: str, results: Any) -> None:
        """Tell once how the match ended, when the results say so."""
        listed = [item for item in results or () if isinstance(item, dict)]
        final = next((item for item in listed if item.get("scope") == "MatchScope_Match"), None)
        if final is None or self.ended:
            return
        self.ended = True
        won = whole(final.get("winningTeamId"))
        games = [item for item in listed if item.get("scope") == "MatchScope_Game"]
        draw = bare(final.get("result", "")) == "Draw"
        reason = bare(final.get("reason", ""))
        winners = tuple(
            seat for seat in self._players if won and self._teams.get(seat, seat) == won
        )
        self._turn_to(record, moment)
        self._teller.tell(
            "match_ended",
            "ended",
            {
                "result": "win" if won else "draw" if draw else "unknown",
                "winners": winners,
                "reason": REASONS.get(reason, snake(reason) or None),
                "games": tuple(
                    (index, whole(item.get("winningTeamId"))) for index, item in enumerate(games, 1)
                ),
                "by": None,
            },
        )

    def _turn_to(self, record: str, moment: Moment) -> None:
        self._teller.turn_to(record, moment.micros, moment.clock)
