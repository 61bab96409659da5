"""The demo: a short game in which seat 1 takes a turn of seat 2 with Mindslaver."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from whodecided.importers.arena.synthetic.endings import concede
from whodecided.importers.arena.synthetic.plays import Plays
from whodecided.importers.arena.synthetic.recording import VARIANTS, ControlShape, Match, Recording
from whodecided.importers.arena.synthetic.table import BATTLEFIELD
from whodecided.importers.arena.synthetic.text import LogText

__all__ = ["DEMO_FILE", "DEMO_MATCH", "demo_log"]

DEMO_FILE = Path(__file__).with_name("demo.log")
"""The bundled log: `demo_log()` written down."""

DEMO_MATCH = "00000000-0000-4000-8000-00000000d3b0"
_MATCH = Match(DEMO_MATCH)
_MINE, _PLANT, _TOWER, _SLAVER, _WASTES = 700101, 700102, 700103, 700104, 700105
_SWAMP, _NIGHTHAWK, _MURDER = 700201, 700202, 700203


def demo_log(
    shape: ControlShape = VARIANTS["answers-for-the-other"],
    *,
    local: int = 1,
    match: Match = _MATCH,
    newline: str = "\n",
    concede_while_controlled: bool = False,
) -> str:
    """The log of the demo game as the client of seat `local` writes it.

    Seat 1 uses Mindslaver in turn 7. In turn 8 it decides for seat 2: land, Murder on seat 2's own
    creature. In turn 9 seat 2 is free again and concedes; with `concede_while_controlled` it does
    so at the end of turn 8 already.
    """
    start = datetime(2026, 7, 4, 18, 0, tzinfo=UTC)
    text = LogText(match.accounts[local], start, newline=newline)
    text.preamble()
    plays = Plays(Recording(text, match, local=local, shape=shape))
    plays.open(1)
    _first_turns(plays)
    _the_slaver(plays)
    _the_controlled_turn(plays)
    if not concede_while_controlled:
        plays.take_control(2, by=2)
        plays.begin_turn()
        plays.pass_priority(1)
    concede(plays, 2)
    return text.text()


def _first_turns(plays: Plays) -> None:
    plays.begin_turn(draw=False)
    plays.land(1, _MINE)
    _end(plays, 1)
    plays.begin_turn()
    plays.land(2, _SWAMP)
    _end(plays, 2)
    plays.begin_turn()
    plays.land(1, _TOWER)
    _end(plays, 1)
    plays.begin_turn()
    plays.land(2, _SWAMP)
    _end(plays, 2)
    plays.begin_turn()
    plays.land(1, _PLANT)
    plays.resolve(plays.cast(1, _SLAVER, 6))
    _end(plays, 1)
    plays.begin_turn()
    plays.land(2, _SWAMP)
    plays.resolve(plays.cast(2, _NIGHTHAWK, 3))
    _end(plays, 2)


def _the_slaver(plays: Plays) -> None:
    plays.begin_turn()
    plays.land(1, _WASTES)
    slaver = plays.table.find(_SLAVER, BATTLEFIELD)
    plays.resolve(plays.activate(1, slaver, 4, sacrifice=True))
    _end(plays, 1)


def _the_controlled_turn(plays: Plays) -> None:
    plays.take_control(2, by=1)
    plays.begin_turn()
    plays.land(2, _SWAMP)
    victim = plays.table.find(_NIGHTHAWK, BATTLEFIELD)
    murder = plays.cast(2, _MURDER, 3, target=victim)
    plays.resolve(murder, lambda: plays.destroy(victim, murder))
    plays.pass_priority(2)
    _end(plays, 2)


def _end(plays: Plays, seat: int) -> None:
    """Through the rest of the turn; the other player is stopped at its end."""
    plays.phase("end", asked=seat)
    plays.flush()
    plays.hand_over(3 - seat)
    plays.phase("cleanup")
