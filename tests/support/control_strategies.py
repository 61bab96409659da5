"""Random games for property tests: up to six players, any edition, everything that matters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from hypothesis import strategies as st

from tests.support.control_games import Game, player
from whodecided.rulebook import load_rulebook

__all__ = ["CONTROL_EVENTS", "DAYS", "Script", "games", "scripts", "tell_all"]

DAYS: Final = (
    "1996-06-01",
    "2003-10-01",
    "2004-12-15",
    "2006-03-01",
    "2009-07-09",
    "2009-12-01",
    "2010-09-25",
    "2010-10-01",
    "2012-06-01",
    "2016-07-18",
    "2020-11-20",
    "2021-07-23",
    "2026-09-25",
)
"""A day for every behaviour of player control, disputed days among them."""

CONTROL_EVENTS: Final = frozenset(
    {"choice_granted", "control_created", "control_ended", "control_observed"}
)
_SCOPES: Final = (
    "next_turn",
    "next_combat_phase",
    "this_turn",
    "while_resolving",
    "while_searching",
)
_STEPS: Final = ("upkeep", "beginning_of_combat", "declare_attackers", "end_of_combat", "end")
_LASTS: Final = ("this_turn", "this_combat", "this_vote", "while_resolving")
_DECISIONS: Final = (
    "priority_passed",
    "spell_cast",
    "attackers_declared",
    "vote_cast",
    "judge_called",
    "conceded",
)
_REASONS: Final = ("lost", "drew", "disqualified", "disconnected")

_ZONES: Final = ("hand", "hand", "library", "outside", "battlefield", "graveyard")
_OBJECTS: Final = ("a", "b", "c", "d")

Move = Callable[[Game], Any]
"""Tells one event; numbers that name earlier events are fitted to the game so far."""


@dataclass(frozen=True)
class Script:
    """A game not told yet: seats, teams, the day of its rules, what happens."""

    seats: int
    teams: tuple[tuple[int, ...], ...]
    day: str
    moves: tuple[Move, ...]

    def told(self, game: Game | None = None) -> Game:
        """The game, told anew or by `game`, which has just begun."""
        game = game or Game(self.seats, teams=self.teams, rules=load_rulebook(self.day))
        for move in self.moves:
            move(game)
        return game


def _label(place: int) -> str:
    return f"e{place}"


def _moves(seats: int) -> st.SearchStrategy[Move]:
    seat = st.integers(1, seats)
    calm, control, upsets = _calm(seat), _control(seat), _upsets(seat)
    return st.one_of(calm, control, control, control, _turns(seat), _turns(seat), upsets)


def _sights(seat: st.SearchStrategy[int]) -> st.SearchStrategy[Move]:
    """Moves about hidden objects."""
    name = st.sampled_from(_OBJECTS)

    def enter(what: str, owner: int, zone: str, down: bool) -> Move:
        return lambda g: g.enters(what, owner, zone, face_down=down)

    def reveal(what: str, to: int | None) -> Move:
        shown = None if to is None else (player(to),)
        return lambda g: g.tell("revealed", object=what, to=shown)

    return st.one_of(
        st.builds(enter, name, seat, st.sampled_from(_ZONES), st.booleans()),
        st.builds(enter, name, seat, st.just("hand"), st.just(False)),
        st.builds(reveal, name, st.none() | seat),
        st.builds(
            lambda n, s: lambda g: g.tell("looked_at", viewer=player(s), object=n), name, seat
        ),
        st.builds(lambda n, s: lambda g: g.tell("card_drawn", seat=s, object=n), name, seat),
        st.builds(
            lambda n, z: lambda g: g.tell("object_moved", object=n, to_zone=z),
            name,
            st.sampled_from(_ZONES),
        ),
    )


def _turns(seat: st.SearchStrategy[int]) -> st.SearchStrategy[Move]:
    extra = st.sampled_from([False, False, None, True])
    return st.one_of(
        st.builds(lambda s, e: lambda g: g.turn(s, extra=e), seat, extra),
        st.builds(lambda s: lambda g: g.turn(s), seat),
        st.builds(lambda s, n: lambda g: g.step(n, s), seat, st.sampled_from(_STEPS)),
        st.builds(lambda s: lambda g: g.skip(s), seat),
        st.just(lambda g: g.resolves("o")),
    )


def _calm(seat: st.SearchStrategy[int]) -> st.SearchStrategy[Move]:
    stated = st.one_of(st.none(), st.none(), seat, st.sampled_from(["server:s", "unknown"]))
    decision = st.sampled_from(_DECISIONS)
    return st.one_of(
        st.builds(lambda s, d, w: lambda g: g.acts(s, d, stated=w), seat, decision, stated),
        st.builds(lambda s: lambda g: g.searches(s), seat),
        st.builds(lambda s: lambda g: g.found(s), seat),
        st.builds(lambda s: lambda g: g.taken_over(s, "server:s"), seat),
        st.builds(lambda s: lambda g: g.returned(s), seat),
    )


def _control(seat: st.SearchStrategy[int]) -> st.SearchStrategy[Move]:
    label = st.integers(1, 5).map(_label)
    who = st.one_of(seat, seat, st.just("person:zoe"))
    affected = st.lists(seat, min_size=1, max_size=2, unique=True)

    def create(name: str, by: int | str, of: list[int], scope: str, more: bool) -> Move:
        must = ("spell_cast",) if more else ()
        return lambda g: g.control(
            name, by, of, scope, object="o", extra_turn_after=more, must=must
        )

    def choose(name: str, by: int, of: list[int], lasts: str) -> Move:
        return lambda g: g.choice(name, by, of, "attackers", "votes", lasts=lasts, object="o")

    scopes = st.sampled_from(_SCOPES)
    return st.one_of(
        st.builds(create, label, seat, affected, scopes, st.booleans()),
        st.builds(create, label, who, affected, scopes, st.just(False)),
        st.builds(create, label, seat, affected, st.just("next_turn"), st.booleans()),
        st.builds(create, label, seat, affected, st.just("this_turn"), st.just(False)),
        st.builds(choose, label, seat, affected, st.sampled_from(_LASTS)),
        st.builds(lambda n, s, b: lambda g: g.observe(n, s, b), label, seat, st.none() | who),
        st.builds(lambda n: lambda g: g.over(n), label),
    )


def _upsets(seat: st.SearchStrategy[int]) -> st.SearchStrategy[Move]:
    restored = st.lists(seat, max_size=1).map(tuple)

    def rewind(back: int, restores: tuple[int, ...]) -> Move:
        return lambda g: g.rewinds(max(1, len(g.events) - back), restores=restores)

    return st.one_of(
        st.builds(rewind, st.integers(0, 8), restored),
        st.builds(rewind, st.integers(0, 8), restored),
        st.builds(lambda s, r: lambda g: g.leaves(s, r), seat, st.sampled_from(_REASONS)),
        st.just(lambda g: g.gap()),
        st.builds(lambda s: lambda g: g.anchor(s), seat),
        st.builds(lambda s, c: lambda g: g.anchor(s, (c, s)), seat, seat),
        st.just(lambda g: g.tell("subgame_started")),
        st.just(lambda g: g.tell("subgame_ended")),
        st.just(lambda g: g.ends()),
    )


@st.composite
def scripts(draw: st.DrawFn, *, sights: bool = False, most: int = 24) -> Script:
    """A random game of two to six players under any edition, at times with teams.

    With `sights` it is also about hidden objects.
    """
    seats = draw(st.integers(2, 6))
    teams = ((1, 2), (3, 4)) if seats >= 4 and draw(st.booleans()) else ()
    day = draw(st.sampled_from(DAYS) | st.just(DAYS[-1]))
    move = _moves(seats)
    if sights:
        move = st.one_of(move, move, _sights(st.integers(1, seats)))
    told = draw(st.lists(move, min_size=6, max_size=most))
    return Script(seats, teams, day, tuple(told))


def games() -> st.SearchStrategy[Game]:
    """A random game of two to six players, told."""
    return scripts().map(Script.told)


def tell_all(game: Game, among: Callable[[Any], bool]) -> list[Any]:
    """The events of a game, with a remark in the place of those that are not wanted."""
    other = Game(len(game.states[1].players), teams=())
    remark = other.tell("note_added", about=None, text="left out")
    template = other.events[remark - 1]
    return [event if among(event) else _as_number(template, event.number) for event in game.events]


def _as_number(event: Any, number: int) -> Any:
    return msgspec.structs.replace(event, number=number)
