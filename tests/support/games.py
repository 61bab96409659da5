"""Small games for tests, told as short lists of observations.

`tell(turn(1), act("priority_passed", 1))` records a game; the result can be folded, appended to a
log in memory or written to a log directory.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from msgspec.structs import replace

from domain.codec import encode, facts_digest, hot
from domain.events.frame import SeatInfo
from domain.game import begin, evolve, record
from domain.ids import game_stream
from domain.observation import Observation
from domain.ports import Append, Disclosure, Origin
from domain.rules import RuleBook, RuleLibrary
from projections.game import fold_game
from queries.record import GameRecord
from whodecided.rulebook import load_rulebook, load_rules
from whodecided.store.directory import Identity, open_directory
from whodecided.store.memory_log import MemoryEventLog
from whodecided.store.sealer import LogSealer

__all__ = [
    "ALICE",
    "BOB",
    "LIBRARY",
    "RULES",
    "Told",
    "act",
    "asks",
    "enters",
    "fact",
    "fresh_identity",
    "tell",
    "turn",
]

ALICE: Final = "player:a11ce00000000000"
BOB: Final = "player:b0b0000000000000"
RULES: Final[RuleBook] = load_rulebook()
LIBRARY: Final[RuleLibrary] = load_rules()
ORIGIN: Final = Origin("2026-10-01T09:00:00.000000Z", "whodecided 0.1.0", "told.log", None)
SECRET: Final = hashlib.sha256(b"the secret of tests").digest()


def fact(event: str, *, acting: int | None = None, **fields: Any) -> Observation:
    """Something that happened; `secrets` (a mapping) holds the values of sealed fields."""
    secrets = fields.pop("secrets", {})
    return Observation(event, "", fields=fields, secrets=secrets, acting_seat=acting)


def asks(seat: int, decision: str, kind: str = "ActionsAvailableReq") -> Observation:
    """The game asks a seat for a decision."""
    fields = {"decision": decision, "request_kind": kind, "asked": (seat,), "answers_wanted": True}
    return Observation("decision_requested", "", fields=fields, acting_seat=seat, decision=decision)


def act(event: str, seat: int, *, stated: str | None = None, **fields: Any) -> Observation:
    """A decision of a seat; `card` is the plain name of a sealed card."""
    secrets = dict(fields.pop("secrets", {}))
    if "card" in fields:
        secrets["card"] = fields.pop("card")
    about = {
        name: fields.pop(name) for name in ("decision", "performer", "action") if name in fields
    }
    return Observation(
        event, "", fields=fields, secrets=secrets, acting_seat=seat, stated=stated, **about
    )


def turn(seat: int, number: int | None = None) -> Observation:
    """A turn begins."""
    return Observation("turn_started", "", fields={"seat": seat, "turn": number})


def enters(name: str, owner: int, zone: str, card: str | None, **fields: Any) -> Observation:
    """An object comes into a zone of its owner."""
    plain = {"object": name, "owner": owner, "zone": zone, "zone_owner": owner} | fields
    return Observation("object_entered", "", fields=plain, secrets={"card": card})


@dataclass(frozen=True)
class Told:
    """A recorded game: its events as structs and the disclosures of its sealed values."""

    game_id: str
    events: tuple[Any, ...]
    disclosures: tuple[Disclosure, ...]

    def number_of(self, event: str, which: int = -1) -> int:
        """The number of an event of this name; by default of the last one."""
        return int([e.number for e in self.events if event == e.NAME][which])

    def record(self) -> GameRecord:
        """The game as the questions take it."""
        secrets = {(one.number, one.field): json.loads(one.value) for one in self.disclosures}
        return GameRecord(self.game_id, fold_game(self.events, RULES), secrets)

    def append(self) -> Append:
        """The game as one append."""
        stored = [encode(event) for event in self.events]
        return Append(self.game_id, "game", stored, self.disclosures, (), ORIGIN)

    def in_memory(self) -> MemoryEventLog:
        """A log in memory that holds this game."""
        log = MemoryEventLog(facts_digest)
        log.append([self.append()])
        return log

    def in_directory(self, path: Path) -> Path:
        """Append the game to the log in a directory, made when it is new."""
        identity = None if path.exists() else fresh_identity()
        directory = open_directory(path, create=True, identity=identity)
        try:
            directory.events.append([self.append()])
        finally:
            directory.close()
        return path


def fresh_identity() -> Identity:
    """What makes a new log one that could have sealed these games itself."""
    return Identity(uuid4().hex, (SECRET,))


def tell(
    *seen: Observation,
    players: Sequence[str] = (ALICE, BOB),
    viewpoint: str = "full",
    match: str = "told",
    played_on: str | None = "2026-10-01",
) -> Told:
    """Record a game that begins with `game_started` and goes on as observed.

    It is recorded under the newest rules, whenever it was played.
    """
    game_id = game_stream("scenario", match, 1, viewpoint, 1, None)
    seal = LogSealer(SECRET)
    state = begin(game_id, "scenario", RULES)
    events = []
    for place, observation in enumerate((_started(match, players, viewpoint, played_on), *seen), 1):
        event = record(state, replace(observation, record=f"told:{place}"), seal, RULES)
        state = evolve(state, event)
        events.append(event)
    return Told(game_id, tuple(events), tuple(seal.take(game_id)))


def _started(
    match: str, players: Sequence[str], viewpoint: str, played_on: str | None
) -> Observation:
    info = hot(SeatInfo)
    fields = {
        "game_key": match,
        "match_key": match,
        "match_stream": None,
        "game_number": 1,
        "viewpoint": viewpoint,
        "seats": tuple(info(seat=s, player=p, team=None) for s, p in enumerate(players, 1)),
        "played_on": played_on,
        "format": "Standard",
        "variant": None,
        "generation": 1,
        "supersedes": None,
        "from_start": True,
    }
    return Observation("game_started", "", fields=fields)
