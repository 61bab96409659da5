"""Control effects, choice effects and departures as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import msgspec
from msgspec.structs import replace

__all__ = [
    "ChoiceEffect",
    "Departure",
    "Doubt",
    "Effect",
    "Promise",
    "Status",
    "Window",
    "end",
    "is_over",
]

Status = Literal["pending", "in_force", "suspended", "ended"]
Window = Literal["waiting", "open", "closed"]
Promise = Literal["none", "promised", "due", "taken", "void"]


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """One player's share of a player-controlling effect (CR 723.1, 723.2).

    An effect that affects several players is one record for each of them (for each team that takes
    its turns together), all with the same `label` and `created`. Event numbers: `created`; `began`,
    when its window opened, also if it was suspended then; `ended`.

    `window` is the stretch the effect claims. It goes on to be followed after the effect has ended,
    because a promised extra turn hangs on it and so does the question whether the effect could work
    again. `confirms` (of an observation) is the label of the effect that explains it.
    """

    label: str
    created: int
    controller: str
    affected: tuple[int, ...]
    scope: str
    source_card: str | None = None
    object: str | None = None
    extra_turn_after: bool = False
    may_not: tuple[str, ...] = ()
    must: tuple[str, ...] = ()
    status: Status = "pending"
    window: Window = "waiting"
    began: int | None = None
    ended: int | None = None
    reason: str | None = None
    overwritten_by: str | None = None
    confirms: str | None = None
    stated_for: tuple[int, ...] = ()
    """The seats the event itself names, where a team makes `affected` wider (CR 805.8)."""
    waited: bool = False
    """A turn or phase it waited for was skipped (CR 723.1b)."""
    resumed: bool = False
    """It governs again after another effect's window has closed."""
    promise: Promise = "none"
    """What has become of the extra turn it promises."""
    extra_turn: int | None = None
    """Number of the turn_started event of that extra turn."""
    done: tuple[str, ...] = ()
    """Those of `must` that were done while it was in force."""
    doubted_since: int | None = None
    """Number of the gap that hides whether it still exists."""
    idle: bool = False
    """It controls a turn that is not its player's, and so nothing (editions until 2010-09)."""
    share: int = 0
    """Its place among the records of one effect."""

    @property
    def works(self) -> bool:
        """Whether its window is open, it has not ended, and there is something to control."""
        return self.window == "open" and self.ended is None and not self.idle


class ChoiceEffect(msgspec.Struct, frozen=True, kw_only=True):
    """Another player makes certain choices without controlling the player (Master Warcraft).

    `one_play`: it dictates one play and the choices that the play calls for (Word of Command until
    2010-09).
    """

    label: str
    created: int
    chooser: str
    affected: tuple[int, ...]
    decisions: tuple[str, ...]
    lasts: str
    source_card: str | None = None
    object: str | None = None
    one_play: bool = False
    voted: bool = False
    """A vote has been cast under it."""
    played: bool = False
    """The one play has been made."""
    ended: int | None = None
    reason: str | None = None

    @property
    def heeds(self) -> bool:
        """Whether decisions made under it matter to how long it lasts."""
        return self.lasts == "this_vote" or (self.one_play and not self.played)


@dataclass(frozen=True, slots=True)
class Departure:
    """A player has left the game: at which event, why, and whether taken along by the team."""

    number: int
    reason: str
    with_team: bool = False


@dataclass(frozen=True, slots=True)
class Doubt:
    """A gap hides who decides for a seat.

    `gap` is the number of the gap event; `turn` of the seat's turn that began after it, if any.
    """

    gap: int
    turn: int | None = None


def end(effect: Effect, number: int, reason: str) -> Effect:
    """The effect, ended at this event unless it already was."""
    if effect.ended is not None:
        return effect
    return replace(effect, ended=number, reason=reason, status="ended")


def is_over(effect: Effect) -> bool:
    """Whether nothing about the effect can change any more.

    Its window is followed to the end although it may have ended, and a promised turn beyond. A
    permission's next search and what a source would show next do not matter to one that has ended.
    """
    if effect.ended is None:
        return False
    if effect.scope == "observed":
        return True
    if effect.scope == "while_searching":
        return effect.window != "open"
    return effect.window == "closed" and effect.promise not in ("promised", "due")
