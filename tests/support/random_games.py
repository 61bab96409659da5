"""Random games for property tests: abstract moves, and the same game at other seats and names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from hypothesis import strategies as st

from domain.observation import Observation
from tests.support.games import act
from tests.support.said import said

__all__ = ["PLAYERS", "Move", "moves", "observed"]

Move: TypeAlias = tuple[str, tuple[int, ...]]
"""What happens, and the numbers that say to whom, to which object and where."""

PLAYERS: Final = ("player:ann", "player:ben", "player:cat")
_KINDS: Final = (
    *("enters", "moves", "moves", "renamed", "drawn", "cast", "turned up", "changes hands"),
    *("turn", "turn", "control", "control", "observed", "combat", "left"),
    *("granted", "zone granted", "looks", "reveals", "zone revealed", "search", "search over"),
    *("shuffled", "scried", "rewound", "gap"),
)
_ZONES: Final = ("library", "hand", "battlefield", "exile", "graveyard", "stack", "outside")
_SCOPES: Final = ("this_turn", "next_turn", "next_combat_phase", "while_searching")
_LASTS: Final = ("this_turn", "while_in_zone", "rest_of_game")


def moves(most: int = 40) -> st.SearchStrategy[list[Move]]:
    """Up to `most` moves."""
    number = st.integers(0, 11)
    one = st.tuples(st.sampled_from(_KINDS), st.tuples(number, number, number, number))
    return st.lists(one, max_size=most)


def observed(
    told: Sequence[Move],
    seats: Sequence[int] = (1, 2, 3),
    players: Sequence[str] = PLAYERS,
) -> list[Observation]:
    """The moves as observations; place i of them sits at `seats[i]`, `players` in turn order."""
    teller = _Teller(seats, players)
    for kind, numbers in told:
        teller.tell(kind, numbers)
    return teller.seen


class _Teller:
    def __init__(self, seats: Sequence[int], players: Sequence[str]) -> None:
        self._seats = seats
        self._players = players
        self.seen: list[Observation] = []
        # The names of the six objects just after each event; event 1 is the beginning of the game.
        self._names: list[tuple[str, ...]] = [tuple(f"o{i}" for i in range(6))] * 2

    def tell(self, kind: str, n: tuple[int, ...]) -> None:
        self._names.append(self._names[-1])
        self.seen.append(_TELLERS[kind](self, n))

    @property
    def number(self) -> int:
        """The number of the event that is being told."""
        return len(self._names) - 1

    def name(self, n: int) -> str:
        return self._names[-1][n % 6]

    def rename(self, n: int) -> str:
        after = f"o{n % 6}at{self.number}"
        names = list(self._names[-1])
        names[n % 6] = after
        self._names[-1] = tuple(names)
        return after

    def back_to(self, number: int) -> None:
        self._names[-1] = self._names[number]

    def seat(self, n: int) -> int:
        return self._seats[n % 3]

    def player(self, n: int) -> str:
        return self._players[self.seat(n) - 1]


def _enters(t: _Teller, n: tuple[int, ...]) -> Observation:
    return said(
        "object_entered",
        object=t.name(n[0]),
        owner=t.seat(n[1]),
        controller=t.seat(n[3]),
        zone=_ZONES[n[2] % len(_ZONES)],
        face_down=n[3] > 8,
    )


def _moves(t: _Teller, n: tuple[int, ...]) -> Observation:
    zone = _ZONES[n[2] % len(_ZONES)]
    return said("object_moved", object=t.name(n[0]), to_zone=zone, face_down=n[3] > 8)


def _renamed(t: _Teller, n: tuple[int, ...]) -> Observation:
    former = t.name(n[0])
    return said("object_renamed", former=former, object=t.rename(n[0]))


def _control(t: _Teller, n: tuple[int, ...]) -> Observation:
    return said(
        "control_created",
        label=f"effect{t.number}",
        controller=t.player(n[0]),
        affected=(t.seat(n[1]),),
        scope=_SCOPES[n[2] % len(_SCOPES)],
    )


def _observed(t: _Teller, n: tuple[int, ...]) -> Observation:
    by = t.player(n[1]) if n[2] % 2 else None
    return said("control_observed", label=f"seen{t.number}", seat=t.seat(n[0]), by=by)


def _granted(t: _Teller, n: tuple[int, ...]) -> Observation:
    viewers, lasts = (t.player(n[0]),), _LASTS[n[2] % 3]
    return said("look_granted", viewers=viewers, object=t.name(n[1]), lasts=lasts)


def _zone_granted(t: _Teller, n: tuple[int, ...]) -> Observation:
    return said(
        "look_granted",
        viewers=(t.player(n[0]),),
        zone=_ZONES[n[3] % 2],
        owner=t.seat(n[1]),
        lasts=_LASTS[n[2] % 3],
    )


def _zone_revealed(t: _Teller, n: tuple[int, ...]) -> Observation:
    to = None if n[2] > 8 else (t.player(n[2]),)
    return said("revealed", to=to, zone=_ZONES[n[0] % 2], owner=t.seat(n[1]))


def _shuffled(t: _Teller, n: tuple[int, ...]) -> Observation:
    former = (t.name(n[1]),) if n[2] % 2 else ()
    after = (t.rename(n[1]),) if former else ()
    return said("shuffled", owner=t.seat(n[0]), former=former, objects=after)


def _rewound(t: _Teller, n: tuple[int, ...]) -> Observation:
    to = max(1, t.number - 1 - n[0])
    t.back_to(to)
    return said("rewound", to=to)


_TELLERS: Final[Mapping[str, Callable[[_Teller, tuple[int, ...]], Observation]]] = {
    "cast": lambda t, n: act(
        "spell_cast", t.seat(n[0]), object=t.name(n[1]), face_down=n[2] > 8, refused=n[3] > 9
    ),
    "changes hands": lambda t, n: said(
        "object_control_changed", object=t.name(n[0]), controller=t.seat(n[1])
    ),
    "combat": lambda t, n: said(
        "step_started", step=("beginning_of_combat", "postcombat_main")[n[0] % 2]
    ),
    "control": _control,
    "drawn": lambda t, n: said("card_drawn", seat=t.seat(n[0]), object=t.name(n[1])),
    "enters": _enters,
    "gap": lambda t, n: said("gap_found", cause="missing"),
    "granted": _granted,
    "left": lambda t, n: said("player_left", seat=t.seat(n[0]), reason="lost"),
    "looks": lambda t, n: said("looked_at", viewer=t.player(n[0]), object=t.name(n[1])),
    "moves": _moves,
    "observed": _observed,
    "renamed": _renamed,
    "reveals": lambda t, n: said("revealed", to=(t.player(n[0]),), object=t.name(n[1])),
    "rewound": _rewound,
    "scried": lambda t, n: said("scried", seat=t.seat(n[0]), top=(t.name(n[1]),)),
    "search": lambda t, n: act("library_search_started", t.seat(n[0]), owner=t.seat(n[1])),
    "search over": lambda t, n: said("library_search_ended", seat=t.seat(n[0])),
    "shuffled": _shuffled,
    "turn": lambda t, n: said("turn_started", seat=t.seat(n[0])),
    "turned up": lambda t, n: said("turned_face_up", object=t.name(n[0])),
    "zone granted": _zone_granted,
    "zone revealed": _zone_revealed,
}
