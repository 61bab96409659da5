"""Games that are random to look at and always the same: for answers that are pinned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from tests.support.control_games import Game, player
from whodecided.rulebook import load_rulebook

__all__ = ["DAYS", "DECISIONS", "fixed_game"]

T = TypeVar("T")

DAYS: Final = (
    "2026-09-25",
    "1996-06-01",
    "2026-09-25",
    "2004-12-15",
    "2012-06-01",
    "2009-12-01",
    "2026-09-25",
    "2010-09-25",
    "2016-07-18",
    "2020-11-20",
)
"""The days whose rules the games are played under, in turn."""
DECISIONS: Final = (
    "game",
    "searching",
    "attackers",
    "votes",
    "targets",
    "spell_cast",
    "substitute",
    "whole spell_cast",
    "conceded",
    "remedy_chosen",
)
_EVENTS: Final = 40
_SCOPES: Final = (
    "next_turn",
    "next_turn",
    "next_combat_phase",
    "this_turn",
    "while_resolving",
    "while_searching",
)
_STEPS: Final = (
    "upkeep",
    "beginning_of_combat",
    "declare_attackers",
    "end_of_combat",
    "postcombat_main",
    "end",
)
_LASTS: Final = ("this_turn", "this_combat", "this_vote", "while_resolving")
_ACTS: Final = (
    "priority_passed",
    "spell_cast",
    "land_played",
    "attackers_declared",
    "vote_cast",
    "targets_chosen",
    "judge_called",
    "conceded",
)
_REASONS: Final = ("lost", "conceded", "disqualified", "disconnected")


class _Numbers:
    """A sequence of numbers that no version of Python changes (Knuth's MMIX generator)."""

    def __init__(self, seed: int) -> None:
        self._state = seed * 2_654_435_761 + 1

    def below(self, limit: int) -> int:
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self._state >> 33) % limit

    def one_of(self, values: Sequence[T]) -> T:
        return values[self.below(len(values))]

    def often(self, times: int, among: int) -> bool:
        return self.below(among) < times


def fixed_game(seed: int) -> Game:
    """The game with this number: two to five players, at times in teams."""
    numbers = _Numbers(seed)
    seats = 2 + numbers.below(4)
    teams = ((1, 2), (3, 4)) if seats >= 4 and numbers.often(1, 3) else ()
    game = Game(seats, teams=teams, rules=load_rulebook(DAYS[seed % len(DAYS)]))
    while len(game.events) < _EVENTS:
        numbers.one_of(_MOVES)(game, numbers)
    return game


def _seat(game: Game, numbers: _Numbers) -> int:
    return 1 + numbers.below(len(game.states[1].players))


def _seats(game: Game, numbers: _Numbers) -> tuple[int, ...]:
    one, other = _seat(game, numbers), _seat(game, numbers)
    return (one, other) if numbers.often(1, 4) and one != other else (one,)


def _control(game: Game, numbers: _Numbers) -> None:
    by: int | str = "person:zoe" if numbers.often(1, 12) else _seat(game, numbers)
    game.control(
        f"e{len(game.events)}",
        by,
        _seats(game, numbers),
        numbers.one_of(_SCOPES),
        object=numbers.one_of(("o", "p")),
        extra_turn_after=numbers.often(1, 3),
        must=("attackers_declared",) if numbers.often(1, 5) else (),
        may_not=("spell_cast",) if numbers.often(1, 5) else (),
    )


def _choice(game: Game, numbers: _Numbers) -> None:
    decisions = numbers.one_of((("attackers", "blockers"), ("votes",), ("targets", "choice_made")))
    game.choice(
        f"c{len(game.events)}",
        _seat(game, numbers),
        _seats(game, numbers),
        *decisions,
        lasts=numbers.one_of(_LASTS),
        object="o",
    )


def _observation(game: Game, numbers: _Numbers) -> None:
    by = None if numbers.often(1, 3) else _seat(game, numbers)
    game.observe(f"s{len(game.events)}", _seat(game, numbers), by)


def _act(game: Game, numbers: _Numbers) -> None:
    seat = _seat(game, numbers)
    stated = numbers.one_of((None, None, _seat(game, numbers), "server:s", "unknown", "rules"))
    more: dict[str, Any] = {}
    if numbers.often(1, 8):
        more["paid_from"] = _seat(game, numbers)
    if numbers.often(1, 8):
        more["refused"] = True
    if numbers.often(1, 10):
        more["called_for"] = False
    if numbers.often(1, 8):
        more["cites"] = numbers.one_of(("723.5", "712.5", "507.3", "999.9"))
    if numbers.often(1, 10):
        more["whole_action"] = True
    game.acts(seat, numbers.one_of(_ACTS), stated=stated, **more)


def _other_choice(game: Game, numbers: _Numbers) -> None:
    kind = numbers.one_of(("other", "mode", "target", "damage_order", "pay_optional"))
    for_seat = _seat(game, numbers) if numbers.often(1, 3) else None
    game.acts(_seat(game, numbers), "choice_made", kind=kind, for_seat=for_seat)


def _turn(game: Game, numbers: _Numbers) -> None:
    team = game.now.team_of(_seat(game, numbers))
    game.turn(*team, extra=numbers.one_of((False, False, None, True)))


def _rewind(game: Game, numbers: _Numbers) -> None:
    restores = (_seat(game, numbers),) if numbers.often(1, 3) else ()
    game.rewinds(max(1, len(game.events) - numbers.below(9)), restores=restores)


def _anchor(game: Game, numbers: _Numbers) -> None:
    seat = _seat(game, numbers)
    game.anchor(seat, *([(_seat(game, numbers), seat)] if numbers.often(1, 2) else []))


def _end_effect(game: Game, numbers: _Numbers) -> None:
    made = [effect.label for effect in game.now.effects]
    made += [choice.label for choice in game.now.choices]
    if made:
        game.over(numbers.one_of(made))


def _search(game: Game, numbers: _Numbers) -> None:
    seat = _seat(game, numbers)
    game.searches(seat, numbers.one_of((None, seat, _seat(game, numbers))))
    if numbers.often(2, 3):
        game.acts(seat, "card_found")
        game.found(seat)


def _look(game: Game, numbers: _Numbers) -> None:
    viewer, owner = player(_seat(game, numbers)), _seat(game, numbers)
    game.tell("looked_at", viewer=viewer, zone=numbers.one_of(("hand", "outside")), owner=owner)


def _wish(game: Game, numbers: _Numbers) -> None:
    game.acts(_seat(game, numbers), "outside_game_card_chosen", wrong_type=numbers.often(1, 3))


_Move = Callable[[Game, _Numbers], Any]
_FRAME: Final[tuple[_Move, ...]] = (
    *((_turn,) * 6),
    lambda g, n: g.skip(_seat(g, n)),
    *((lambda g, n: g.step(n.one_of(_STEPS), _seat(g, n)),) * 4),
    *((lambda g, n: g.resolves(n.one_of(("o", "p"))),) * 2),
    *((_search,) * 4),
)
_UPSETS: Final[tuple[_Move, ...]] = (
    lambda g, n: g.leaves(_seat(g, n), n.one_of(_REASONS)),
    _rewind,
    _rewind,
    lambda g, n: g.gap(),
    _anchor,
    _end_effect,
    lambda g, n: g.taken_over(_seat(g, n), n.one_of(("server:s", "judge:j"))),
    lambda g, n: g.returned(_seat(g, n)),
    lambda g, n: g.tell(n.one_of(("subgame_started", "subgame_ended", "subgame_ended"))),
    lambda g, n: g.tell("game_restarted") if n.often(1, 4) else None,
    lambda g, n: g.ends() if n.often(1, 4) else None,
    lambda g, n: g.start(len(g.states[1].players)) if n.often(1, 4) else None,
)
_MOVES: Final[tuple[_Move, ...]] = (
    *((_control,) * 8),
    *((_choice,) * 3),
    *((_observation,) * 2),
    *((_act,) * 8),
    *((_other_choice,) * 2),
    _look,
    _wish,
    *_FRAME,
    *_UPSETS,
)
