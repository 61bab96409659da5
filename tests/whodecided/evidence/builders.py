"""Small logs of real catalogue events, for the tests of the evidence."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, Final

from domain.codec import encode, hot
from domain.events.base import Source
from domain.events.registry import GAME_EVENTS
from domain.ids import game_stream, uuid5_text
from domain.ports import Append, Origin, Provenance, StoredEvent
from domain.sealed import Sealed
from domain.stamp import Authority, Stamp
from whodecided.store.directory import LogDirectory, open_directory
from whodecided.store.sealer import LogSealer

__all__ = [
    "FILE_DIGEST",
    "append_game",
    "game_id",
    "make_log",
    "part_of_game",
    "stored_events",
]

FILE_DIGEST: Final = "ab" * 32
_KINDS: Final = ("priority_passed", "spell_cast", "card_drawn", "life_changed", "turn_started")
_Stamp, _Authority, _Source, _Sealed = hot(Stamp), hot(Authority), hot(Source), hot(Sealed[str])


def game_id(game: int) -> str:
    """Stream id of a numbered game."""
    return game_stream("arena", f"match-{game}", 1, "1", 1, None)


def make_log(path: Path, games: int = 3, events: int = 9) -> LogDirectory:
    """A new log with games of so many events; the last game was appended in two parts."""
    log = open_directory(path, create=True)
    for game in range(games - 1):
        append_game(log, game, events)
    append_game(log, games - 1, events - 4)
    append_game(log, games - 1, events)
    return log


def append_game(log: LogDirectory, game: int, events: int) -> None:
    """Append a game, or what is new of it."""
    sealer = log.sealer(game_id(game))
    first = log.events.stream_head(game_id(game)) + 1
    log.events.append([part_of_game(sealer, game, first, events)])


def stored_events(game: int, events: int) -> list[StoredEvent]:
    """The events of a game as they would be stored by a log of another secret."""
    return list(part_of_game(LogSealer(b"another secret"), game, 1, events).events)


def part_of_game(sealer: LogSealer, game: int, first: int, last: int) -> Append:
    """The events first to last of a game, with disclosures and provenance."""
    stream = game_id(game)
    stored = [encode(_event(sealer, game, number)) for number in range(first, last + 1)]
    places = [Provenance(e.number, FILE_DIGEST, e.number * 700, e.number) for e in stored]
    origin = Origin(
        f"2026-03-01T10:00:{game % 60:02}.{first:06}Z", "whodecided test", "Player.log", FILE_DIGEST
    )
    return Append(stream, "game", stored, sealer.take(stream), places, origin, sealer.number)


def _event(sealer: LogSealer, game: int, number: int) -> Any:
    chance = random.Random(f"{game} {number}")
    name = _KINDS[(number - 1) % len(_KINDS)]
    stream = game_id(game)
    record = f"match-{game}/1/seat1/gs{number}/0"
    plain = {
        "number": number,
        "event_id": uuid5_text(bytes.fromhex(stream.replace("-", "")), record),
        "game_id": stream,
        "occurred_at": f"2026-03-01T09:{number // 60 % 60:02}:{number % 60:02}.000000Z",
        "clock": "server",
        "source": _Source(system="arena", record=record),
        "correlation_id": None,
        "causation": None,
        "action": None,
    }
    card = str(chance.randrange(70_000, 99_999))
    fields: dict[str, dict[str, Any]] = {
        "priority_passed": {"by_setting": chance.random() < 0.5},
        "spell_cast": {"object": str(number), "from_zone": "hand", "face_down": False}
        | {"targets": ("1", "2"), "card": card},
        "card_drawn": {"seat": 1, "object": str(number), "card": card},
        "life_changed": {"seat": 2, "change": -3, "total": 17},
        "turn_started": {"seat": 1, "team_seats": (1,), "turn": number, "extra": False},
    }
    own = fields[name]
    if "card" in own:
        own["card"] = _Sealed(digest=sealer(stream, number, "card", own["card"]))
    if name != "turn_started":
        own["stamp"] = _stamp(chance, number)
    return hot(GAME_EVENTS[name])(**plain, **own)


def _stamp(chance: random.Random, number: int) -> Any:
    stated = chance.random() < 0.5
    return _Stamp(
        acting_seat=1 + number % 2,
        team_seats=None,
        deciding_player="player:a11ce00000000000",
        performer=None,
        authority=_Authority(kind="self", ref=None),
        decision_class="game",
        basis="stated" if stated else "derived",
        reading=None if stated else "cr-2026-09-25/kernel-1",
    )
