"""A version of the kernel keeps its answers: those to a set of games that never changes are pinned.

Stamps carry the version of the kernel that derived them. A change of answers is a new version:
raise `domain.rules.book.KERNEL`, then `GOLDEN=write python -m pytest` on this file, and tell in the
commit which answers are others now.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from typing import Any, Final

import pytest

from domain.rules import KERNEL
from projections.game import fold_game
from tests.shared import PROJECT_ROOT
from tests.support.control_games import Game
from tests.support.fixed_games import DECISIONS, fixed_game

_GOLDEN: Final = PROJECT_ROOT / "tests" / "golden" / "control_answers.json"
_GAMES: Final = 150
_PER_TEST: Final = 10
_OF_EFFECTS: Final = (
    *("label", "created", "controller", "affected", "scope", "status", "window", "began", "ended"),
    *("reason", "overwritten_by", "promise", "extra_turn"),
)
_OF_CHOICES: Final = ("label", "created", "chooser", "affected", "decisions", "ended", "reason")


def _answers(game: Game) -> Iterator[list[Any]]:
    """Everything that the kernel says of a game, without words for people."""
    seats = sorted(game.states[1].players)
    for number, event in enumerate(game.events, 1):
        state = game.states[number]
        yield [number, state.active_seats, state.active_certain, state.turn]
        for seat in seats:
            yield [number, seat, *_verdicts(game, seat, number)]
            waits, holds = state.pending(seat), state.in_force(seat)
            yield [waits and waits.label, holds and holds.label, state.extra_turns_due(seat)]
        stamp = getattr(event, "stamp", None)
        if stamp is not None:
            yield [stamp.deciding_player, stamp.basis, stamp.authority.kind, stamp.authority.ref]
            yield [game.lawful(number)]
        for found in game.findings(number):
            yield [found.code, found.severity, found.root, found.rule and found.rule.number]
    last = game.now
    for effect in last.effects:
        yield [getattr(effect, name) for name in _OF_EFFECTS]
    for choice in last.choices:
        yield [getattr(choice, name) for name in _OF_CHOICES]
    folded = fold_game(game.events, game.rules)
    for interval in folded.intervals:
        yield [*interval[:3], interval.effect.label, interval.certain]
    yield [[found.code, found.number] for found in folded.findings]
    yield [folded.reading_at(number) is not None for number in range(1, folded.last + 1)]


def _verdicts(game: Game, seat: int, number: int) -> Iterator[list[Any]]:
    for decision in DECISIONS:
        found = game.verdict(seat, decision, number)
        yield [
            *(found.decider, found.authority, found.ref, found.ref_label),
            [(step.seat, step.player, step.effect, step.ref) for step in found.path],
            [rule.number for rule in found.rules],
            *(found.rule_gap, sorted(found.candidates), found.uncertain, found.gap),
        ]


def _digest(seed: int) -> str:
    told = json.dumps(list(_answers(fixed_game(seed))), default=sorted)
    return hashlib.sha256(told.encode()).hexdigest()[:12]


def _pinned() -> dict[str, Any]:
    pinned: dict[str, Any] = json.loads(_GOLDEN.read_text(encoding="utf-8"))
    return pinned


@pytest.mark.parametrize("first", range(0, _GAMES, _PER_TEST))
def test_the_answers_to_these_games_are_those_of_this_version(first: int) -> None:
    seeds = range(first, first + _PER_TEST)
    if os.environ.get("GOLDEN") == "write":
        pytest.skip("written by the last test")

    assert [_digest(seed) for seed in seeds] == _pinned()["answers"][first : first + _PER_TEST]


def test_the_pinned_answers_are_those_of_the_version_in_use() -> None:
    if os.environ.get("GOLDEN") == "write":
        pinned = {"kernel": KERNEL, "answers": [_digest(seed) for seed in range(_GAMES)]}
        _GOLDEN.write_text(json.dumps(pinned, indent=1) + "\n", encoding="utf-8")
        pytest.skip("the answers were written anew")

    assert _pinned()["kernel"] == KERNEL
    assert len(_pinned()["answers"]) == _GAMES


def test_the_games_are_about_everything_that_the_kernel_knows() -> None:
    games = [fixed_game(seed) for seed in range(_GAMES)]
    effects = [effect for game in games for effect in game.now.effects]
    codes = {found.code for game in games for found in fold_game(game.events, game.rules).findings}
    deciders = {
        game.verdict(seat, at=number).decider
        for game in games
        for number in range(1, len(game.events) + 1)
        for seat in game.states[1].players
    }

    assert {effect.reason for effect in effects} >= {
        None,
        "affected_left",
        "combat_ended",
        "controller_left",
        "ended_by_effect",
        "game_ended",
        "next_turn_started",
        "overwritten",
        "resolved",
        "rewound",
    }
    assert {effect.promise for effect in effects} >= {"promised", "due", "taken", "void"}
    assert deciders >= {"undetermined", "unknown", "nobody", "person:zoe"}
    assert len(codes) >= 12
