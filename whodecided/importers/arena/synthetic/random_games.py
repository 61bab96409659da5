"""Random matches as logs: valid plays with everything that disturbs a log, for property tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random
from typing import Final

from whodecided.importers.arena.synthetic.cards import CARDS, DECKS
from whodecided.importers.arena.synthetic.combat import attack, block, creatures, deal_damage
from whodecided.importers.arena.synthetic.endings import (
    cancel_a_cast,
    concede,
    edict,
    end_game,
    hide,
    reconnect,
    sideboard,
)
from whodecided.importers.arena.synthetic.plays import Plays, other
from whodecided.importers.arena.synthetic.recording import VARIANTS, Match, Recording
from whodecided.importers.arena.synthetic.table import HAND
from whodecided.importers.arena.synthetic.text import LogText

__all__ = ["CALM", "Wishes", "random_match"]

_COST: Final = {"Creature": 1, "Instant": 1, "Sorcery": 1, "Artifact": 2}


@dataclass(frozen=True, slots=True)
class Wishes:
    """What may happen: how often (0 to 1) per turn, and how long a game lasts at most.

    `swapped` is how often two neighbouring batches are logged in the wrong order.
    """

    turns: int = 8
    undo: float = 0.2
    gap: float = 0.15
    reconnect: float = 0.1
    take_over: float = 0.1
    control: float = 0.2
    swapped: float = 0.0
    answers: bool = True
    best_of: int = 1


CALM: Final = Wishes(undo=0, gap=0, reconnect=0, take_over=0, control=0)
"""Nothing but play."""


def random_match(seed: int, wishes: Wishes = Wishes(), *, newline: str = "\n") -> str:
    """The log of a random match; the same seed and wishes give the same text."""
    rng = Random(seed)
    number = f"{seed & 0xFFFFFFFF:012x}"
    match = Match(f"00000000-0000-4000-8000-{number}", best_of=wishes.best_of)
    local = rng.choice((1, 2))
    text = LogText(match.accounts[local], datetime(2026, 5, 1, 9, tzinfo=UTC), newline=newline)
    text.preamble()
    shape = VARIANTS[rng.choice(sorted(VARIANTS))]
    log = Recording(text, match, local=local, shape=shape, answers=wishes.answers)
    plays = Plays(log)
    game = 1
    plays.open(rng.choice((1, 2)), mulligans=rng.choice((0, 0, 0, 1, 2)))
    while not _play(plays, rng, wishes):
        game += 1
        sideboard(plays)
        log.new_game(game, {seat: rng.sample(deck, len(deck)) for seat, deck in DECKS.items()})
        plays.start_game(rng.choice((1, 2)), mulligans=rng.choice((0, 0, 1)))
    _swap(text, rng, wishes.swapped)
    return text.text()


def _play(plays: Plays, rng: Random, wishes: Wishes) -> bool:
    """One game; whether the match is over."""
    for turn in range(rng.randint(2, wishes.turns)):
        _turn(plays, rng, wishes, draw=turn > 0)
    seat = rng.choice((1, 2))
    if rng.random() < 0.5:
        concede(plays, seat)
    else:
        end_game(plays, winner=seat)
    results = [result["winningTeamId"] for result in plays.recording.results]
    return max(map(results.count, results)) * 2 > wishes.best_of


def _turn(plays: Plays, rng: Random, wishes: Wishes, *, draw: bool) -> None:
    coming = other(plays.active)
    controlled = rng.random() < wishes.control
    if controlled:
        plays.take_control(coming, by=other(coming))
    seat = plays.begin_turn(draw=draw)
    if rng.random() < wishes.take_over and seat == plays.recording.local and not controlled:
        _idle(plays, seat)
    else:
        _moves(plays, rng, wishes, seat)
    plays.take_control(seat, by=seat)


def _moves(plays: Plays, rng: Random, wishes: Wishes, seat: int) -> None:
    mine = plays.recording.controller(seat) == seat == plays.recording.local
    moves: list[Callable[[], object]] = [
        lambda: _land(plays, seat),
        lambda: _cast(plays, rng, seat),
    ]
    if mine and plays.recording.answers and rng.random() < wishes.undo:
        moves.insert(0, lambda: _take_back(plays, seat))
    for move in moves:
        if rng.random() < wishes.gap:
            hide(plays, move)
        elif rng.random() < wishes.reconnect:
            reconnect(plays, move)
        else:
            move()
    if rng.random() < 0.5:
        _fight(plays, rng, seat)
    plays.pass_priority(seat)
    plays.phase("end", asked=seat)
    plays.flush()
    plays.phase("cleanup")


def _idle(plays: Plays, seat: int) -> None:
    """The player does not answer: the server passes for them until the next turn."""
    asked = plays.offer(seat)
    plays.take_over(seat)
    passing = {"actions": [{"actionType": "ActionType_Pass"}]}
    edict(plays, seat, "PerformActionResp", asked, performActionResp=passing)
    plays.flush()
    plays.phase("end")
    plays.flush()
    plays.take_over(seat, mode="Player")
    plays.phase("cleanup")


def _in_hand(plays: Plays, seat: int, kind: str) -> int | None:
    table = plays.table
    for number in table.zones[HAND[seat]]:
        card: int = table.objects[number]["grpId"]
        if (CARDS[card].type == "Land") == (kind == "Land"):
            return card
    return None


def _land(plays: Plays, seat: int) -> None:
    card = _in_hand(plays, seat, "Land")
    if card is not None:
        plays.land(seat, card)


def _take_back(plays: Plays, seat: int) -> None:
    card = _in_hand(plays, seat, "Spell")
    if card is not None:
        cancel_a_cast(plays, seat, card)


def _cast(plays: Plays, rng: Random, seat: int) -> None:
    card = _in_hand(plays, seat, "Spell")
    if card is None:
        return
    victims = [n for s in (1, 2) for n in creatures(plays, s)]
    removal = CARDS[card].removal
    if removal and not victims:
        return
    target = rng.choice(victims) if removal else None
    spell = plays.cast(seat, card, _COST[CARDS[card].type], target=target)
    if target is None:
        plays.resolve(spell)
    else:
        plays.resolve(spell, lambda: plays.destroy(target, spell))


def _fight(plays: Plays, rng: Random, seat: int) -> None:
    mine, theirs = creatures(plays, seat), creatures(plays, other(seat))
    attackers = [number for number in mine if rng.random() < 0.7]
    attack(plays, seat, attackers)
    if not attackers:
        return
    pairs = [(theirs[0], attackers[0])] if theirs and rng.random() < 0.5 else []
    block(plays, other(seat), pairs)
    blocked = {attacker for _, attacker in pairs}
    deal_damage(plays, seat, [number for number in attackers if number not in blocked])


def _swap(text: LogText, rng: Random, often: float) -> None:
    """Log some neighbouring batches in the wrong order."""
    entries, index = text.entries, 0
    while index + 1 < len(entries):
        both = entries[index : index + 2]
        if all('"GREMessageType_GameStateMessage"' in entry for entry in both):
            if rng.random() < often and not any('"GameStateType_Full"' in entry for entry in both):
                entries[index : index + 2] = reversed(both)
            index += 1
        index += 1
