"""Games that were never played, for measurements: about 500 events in the mix of a real record."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from msgspec.structs import replace

from domain.canonical import canonical_json, format_time
from domain.codec import encode, hot
from domain.events.decisions import Attack
from domain.events.frame import SeatInfo
from domain.game import begin, evolve, record
from domain.ids import game_stream
from domain.observation import Observation
from domain.ports import Append, Origin
from domain.rules import RuleBook
from domain.sealed import sealed_digest

__all__ = ["ORIGIN", "play"]

ORIGIN: Final = Origin("2026-10-01T09:00:00.000000Z", "benchmark", "played.log", "ab" * 32)
_PASSES: Final = 3
_STEPS: Final = ("upkeep", "draw", "precombat_main", "declare_attackers", "end")
_SALT: Final = hashlib.sha256(b"benchmark").digest()


@dataclass
class _Table:
    """What is where, as far as the next observation needs it."""

    chance: random.Random
    objects: int = 100
    hands: dict[int, list[str]] = field(default_factory=lambda: {1: [], 2: []})
    board: dict[int, list[str]] = field(default_factory=lambda: {1: [], 2: []})
    asked: int = 0
    life: dict[int, int] = field(default_factory=lambda: {1: 20, 2: 20})

    def new(self) -> str:
        self.objects += 1
        return str(self.objects)

    def card(self) -> str:
        return str(self.chance.randrange(70_000, 95_000))


def play(seed: int, rules: RuleBook, *, turns: int = 12) -> Append:
    """One game, the same for the same seed, ready to be appended."""
    match = f"played-{seed}"
    game_id = game_stream("arena", match, 1, "seat:1", 1, None)
    state = begin(game_id, "arena", rules)
    stored = []
    asked = 0
    for place, seen in enumerate(_observations(seed, match, turns), 1):
        when = format_time(1_790_000_000_000_000 + seed * 10**10 + place * 700_000)
        timed = replace(seen, record=f"{match}:{place}", occurred_at=when, clock="server")
        if seen.event == "decision_requested":
            asked = place
        elif seen.correlation is not None:
            timed = replace(timed, fields={**seen.fields, "request": asked})
        event = record(state, timed, _seal, rules)
        state = evolve(state, event)
        stored.append(encode(event))
    return Append(game_id, "game", stored, (), (), ORIGIN)


def _seal(stream_id: str, number: int, name: str, value: Any) -> str:
    return sealed_digest(_SALT, f"{stream_id}/{number}/{name}", canonical_json(value))


def _fact(event: str, acting: int | None = None, /, **fields: Any) -> Observation:
    secrets = {"card": fields.pop("card")} if "card" in fields else {}
    return Observation(event, "", fields=fields, secrets=secrets, acting_seat=acting)


def _observations(seed: int, match: str, turns: int) -> Iterator[Observation]:
    table = _Table(random.Random(seed))
    yield _start(match)
    for seat in (1, 2):
        for _ in range(7):
            yield _drawn(table, seat)
        yield _fact("mulligan_decided", seat, keep=True)
    for turn in range(1, turns + 1):
        yield from _turn(table, turn, 1 + (turn + 1) % 2, controlled=seed % 5 == 0 and turn == 6)
    yield _fact("conceded", 2, scope="game")
    yield _fact("player_left", seat=2, reason="conceded")
    yield Observation(
        "game_ended", "", fields={"result": "win", "winners": (1,), "reason": "concession"}
    )


def _start(match: str) -> Observation:
    seat = hot(SeatInfo)
    players = (
        "player:a11ce00000000000",
        f"player:{hashlib.sha256(match.encode()).hexdigest()[:16]}",
    )
    fields = {
        "game_key": f"{match}/1",
        "match_key": match,
        "match_stream": None,
        "game_number": 1,
        "viewpoint": "seat:1",
        "seats": tuple(seat(seat=n, player=p, team=None) for n, p in enumerate(players, 1)),
        "played_on": "2026-10-01",
        "format": "Ladder",
        "variant": None,
        "generation": 1,
        "supersedes": None,
        "from_start": True,
    }
    return Observation("game_started", "", fields=fields)


def _drawn(table: _Table, seat: int) -> Observation:
    name = table.new()
    table.hands[seat].append(name)
    return _fact("card_drawn", seat=seat, object=name, card=table.card() if seat == 1 else None)


def _turn(table: _Table, turn: int, active: int, *, controlled: bool) -> Iterator[Observation]:
    other = 3 - active
    yield Observation("turn_started", "", fields={"seat": active, "turn": turn})
    if controlled:
        fields = {
            "label": "mindslaver",
            "controller": "player:a11ce00000000000",
            "affected": (2,),
            "scope": "next_turn",
        }
        yield Observation("control_created", "", fields=fields, acting_seat=1)
    for step in _STEPS:
        yield Observation("step_started", "", fields={"step": step, "seat": active})
        if step == "draw":
            yield _drawn(table, active)
        if step == "precombat_main":
            yield from _main(table, active)
        if step == "declare_attackers":
            yield from _combat(table, active, other)
        for passes in range(_PASSES):
            yield from _asked(table, "priority_passed", active if passes % 2 else other)


def _asked(table: _Table, event: str, seat: int, **fields: Any) -> Iterator[Observation]:
    """A request and its answer, as a client's log has them."""
    table.asked += 1
    about = f"request-{table.asked}"
    asked = {
        "decision": event,
        "request_kind": "ActionsAvailableReq",
        "asked": (seat,),
        "answers_wanted": True,
        "options_count": 3,
    }
    options = {"options": canonical_json([table.card(), table.card()]).decode()}
    yield Observation(
        "decision_requested", "", fields=asked, secrets=options, acting_seat=seat, correlation=about
    )
    yield replace(_fact(event, seat, **fields), correlation=about)


def _main(table: _Table, active: int) -> Iterator[Observation]:
    hand, board = table.hands[active], table.board[active]
    if hand:
        land = hand.pop()
        yield from _asked(
            table, "land_played", active, object=land, card=table.card(), from_zone="hand"
        )
        yield _moved(table, land, "hand", "battlefield", active)
        board.append(land)
    if hand:
        spell = hand.pop(0)
        act = f"cast-{spell}"
        yield from _asked(
            table, "spell_cast", active, object=spell, card=table.card(), from_zone="hand"
        )
        yield _moved(table, spell, "hand", "stack", active)
        yield replace(_fact("cost_paid", active, object=spell, resource="mana"), action=act)
        yield replace(
            _fact("targets_chosen", active, object=spell, targets=("seat:1",)), action=act
        )
        yield _fact("resolved", active, object=spell, seat=active)
        yield _moved(table, spell, "stack", "battlefield", active)
        board.append(spell)


def _moved(table: _Table, name: str, before: str, after: str, seat: int) -> Observation:
    return _fact(
        "object_moved",
        seat,
        object=name,
        from_zone=before,
        to_zone=after,
        owner=seat,
        controller=seat if after in ("battlefield", "stack") else None,
        zone_owner=seat if after in ("hand", "graveyard") else None,
        card=table.card(),
    )


def _combat(table: _Table, active: int, other: int) -> Iterator[Observation]:
    board = table.board[active]
    if len(board) < 3:
        return
    attacker = board[-1]
    attack = hot(Attack)(object=attacker, target=f"seat:{other}")
    yield from _asked(table, "attackers_declared", active, attacks=(attack,))
    yield _fact("damage_dealt", active, source_object=attacker, target=f"seat:{other}", amount=2)
    table.life[other] -= 2
    yield _fact("life_changed", other, seat=other, change=-2, total=table.life[other])
    if table.chance.random() < 0.4:
        yield _moved(table, attacker, "battlefield", "graveyard", active)
        board.pop()
