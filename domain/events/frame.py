"""Frame: games, turns, steps, departures, rewinds. These carry no stamp: nobody chooses them."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict

from domain.events.base import GameEvent
from domain.principals import Principal
from domain.stamp import Seat

__all__ = [
    "GameEnded",
    "GameRestarted",
    "GameStarted",
    "PhaseSkipped",
    "PlayerLeft",
    "Rewound",
    "SeatInfo",
    "StateAnchored",
    "StepStarted",
    "SubgameEnded",
    "SubgameStarted",
    "TurnSkipped",
    "TurnStarted",
]

Step = Literal[
    "untap",
    "upkeep",
    "draw",
    "precombat_main",
    "beginning_of_combat",
    "declare_attackers",
    "declare_blockers",
    "combat_damage",
    "end_of_combat",
    "postcombat_main",
    "end",
    "cleanup",
]


class SeatInfo(BaseModel):
    """Who sits where."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=True, defer_build=True
    )

    seat: Seat
    """The seat."""
    player: Principal
    """Its player (pseudonymous), or the program that plays it."""
    team: int | None
    """Team number where the source has teams."""


class GameStarted(GameEvent):
    """A game's record begins."""

    TOPIC: ClassVar[str] = "game.game_started/v1"

    game_key: str
    """Same for every record of one game, whoever recorded it."""
    match_key: str | None
    """Same for every record of the match; null where the source does not name it."""
    match_stream: str | None
    """Stream id of the match record this game belongs to."""
    game_number: int | None
    """Which game of the match, from 1."""
    viewpoint: str
    """Whose view the source is: `seat:<n>`, `full`, `spectator` or `unknown`."""
    seats: tuple[SeatInfo, ...]
    """The seats in turn order, as far as the source names them."""
    played_on: str | None
    """Local date of play as the source states it, YYYY-MM-DD."""
    format: str | None
    """The format or queue as the source names it."""
    variant: str | None
    """The variant as the source names it."""
    generation: int
    """Generation of the importer's numbering."""
    supersedes: str | None
    """Stream id of the older record of the same source that this one replaces."""
    from_start: bool
    """False where the record starts in mid-game."""


class GameEnded(GameEvent):
    """The game is over."""

    TOPIC: ClassVar[str] = "game.game_ended/v1"

    result: Literal["win", "draw", "unknown"]
    """Whether somebody won."""
    winners: tuple[Seat, ...]
    """The seats that won."""
    reason: str | None
    """Why it ended: `concession`, `game`, `timeout`, `loop`, `forced` or null."""


class TurnStarted(GameEvent):
    """A turn that is actually taken begins (CR 500)."""

    TOPIC: ClassVar[str] = "game.turn_started/v1"

    seat: Seat
    """The active player's seat; of a team the primary player's."""
    team_seats: tuple[Seat, ...] | None = None
    """All seats of a team that takes the turn together (CR 805)."""
    turn: int | None = None
    """The source's turn number."""
    extra: bool | None = None
    """Whether it is an extra turn; null where the source does not say."""


class TurnSkipped(GameEvent):
    """The turn that would have come is skipped."""

    TOPIC: ClassVar[str] = "game.turn_skipped/v1"

    seat: Seat
    """Whose turn it would have been."""
    team_seats: tuple[Seat, ...] | None = None
    """All seats of a team whose turn it would have been."""


class StepStarted(GameEvent):
    """A step, or a phase without steps, begins."""

    TOPIC: ClassVar[str] = "game.step_started/v1"

    step: Step
    """The step or phase."""
    seat: Seat | None = None
    """The active player's seat."""
    combat: int | None = None
    """Which combat phase of the turn, from 1."""


class PhaseSkipped(GameEvent):
    """A phase does not take place."""

    TOPIC: ClassVar[str] = "game.phase_skipped/v1"

    phase: str
    """The phase, for example `combat`."""
    seat: Seat
    """Whose phase it would have been."""


class PlayerLeft(GameEvent):
    """A player leaves the game (CR 800.4)."""

    TOPIC: ClassVar[str] = "game.player_left/v1"

    seat: Seat
    """Who leaves."""
    reason: Literal["conceded", "lost", "drew", "disqualified", "disconnected", "unknown"]
    """Why."""


class Rewound(GameEvent):
    """The game state goes back to just after an earlier event; the log keeps everything."""

    TOPIC: ClassVar[str] = "game.rewound/v1"

    to: int
    """Number of the event after which the state is restored; 0 for the empty game."""
    by: Principal | None = None
    """Who ordered it, where known."""
    restores: tuple[Seat, ...] = ()
    """Seats whose departure is undone although departures by choice otherwise stay."""
    cause: Literal["undo", "rollback", "backup", "unknown"] = "unknown"
    """What sort of rewind the source shows."""


class SubgameStarted(GameEvent):
    """A subgame begins (CR 729)."""

    TOPIC: ClassVar[str] = "game.subgame_started/v1"


class SubgameEnded(GameEvent):
    """The subgame is over and the main game goes on."""

    TOPIC: ClassVar[str] = "game.subgame_ended/v1"


class GameRestarted(GameEvent):
    """The game starts again from the beginning (CR 727)."""

    TOPIC: ClassVar[str] = "game.game_restarted/v1"


class StateAnchored(GameEvent):
    """After a gap a snapshot states controllers and turn: the record is certain again."""

    TOPIC: ClassVar[str] = "game.state_anchored/v1"

    active_seat: Seat | None
    """Whose turn it is; null before the first turn."""
    turn: int | None
    """The source's turn number."""
    step: Step | None
    """The step, where stated."""
    controlled: tuple[tuple[Seat, Seat], ...]
    """(controlled seat, controlling seat) for every seat that somebody else answers for."""
