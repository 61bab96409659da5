"""Observations of a game that is recorded while it is played."""

from __future__ import annotations

from typing import Any, Final

from tests.support.games import ALICE, BOB
from whodecided import Observation

__all__ = ["GAME", "casts", "passes", "starts"]

GAME: Final = "table-7"


def starts(record: str = "start", **fields: Any) -> Observation:
    """The game begins between two players."""
    seats = [
        {"seat": 1, "player": ALICE, "team": None},
        {"seat": 2, "player": BOB, "team": None},
    ]
    plain = {
        "game_key": GAME,
        "match_key": None,
        "match_stream": None,
        "game_number": 1,
        "viewpoint": "full",
        "seats": seats,
        "played_on": "2026-10-01",
        "format": None,
        "variant": None,
        "generation": 1,
        "supersedes": None,
        "from_start": True,
    }
    return Observation("game_started", record, fields=plain | fields)


def casts(record: str, seat: int = 1, card: str = "81101") -> Observation:
    """A seat casts a card from the hand."""
    fields = {"object": "o1", "from_zone": "hand"}
    return Observation(
        "spell_cast", record, fields=fields, secrets={"card": card}, acting_seat=seat
    )


def passes(record: str, seat: int = 1) -> Observation:
    """A seat passes."""
    return Observation("priority_passed", record, acting_seat=seat)
