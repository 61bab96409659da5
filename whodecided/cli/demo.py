"""`demo`: an invented game in which one player controls the other, and the questions about it."""

from __future__ import annotations

import csv
import io
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.text import Text

from domain.errors import EvidenceIncomplete
from queries.record import GameRecord
from whodecided.api import open_log
from whodecided.cardnames import KEPT_TABLE, CardNames
from whodecided.cli.importing import import_into
from whodecided.cli.labels import Labels
from whodecided.cli.render.control import draw_control
from whodecided.cli.render.lists import draw_findings
from whodecided.cli.render.sees import draw_sees
from whodecided.cli.render.who import draw_who
from whodecided.importers.arena.synthetic.cards import CARDS
from whodecided.importers.arena.synthetic.demo import demo_log
from whodecided.store.faults import os_fault
from whodecided.store.files import create_once, write_new

if TYPE_CHECKING:
    from whodecided.api import Log
    from whodecided.cli.session import Session

__all__ = ["decisive_event", "run_demo"]


def run_demo(session: Session) -> None:
    """Import the bundled log into the log of `--log`, else into a temporary one.

    A log that the environment names holds the user's own games: nothing invented goes there. The
    names of the invented cards are kept with a log that stays, unless it has such a table already.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="whodecided-")))
        file = folder / "Player.log"
        file.write_text(demo_log(), encoding="utf-8")
        log = stack.enter_context(open_log(session.named_log or folder / "log", create=True))
        _say(session, f"$ whodecided import {file.name}")
        report = import_into(log, session, [file], keep_names=True)
        game_id = next(stream.stream_id for stream in report.streams if stream.kind == "game")
        if session.named_log is not None:
            _keep_names(log.directory.path / KEPT_TABLE)
        _ask(session, log, game_id)


def _keep_names(table: Path) -> None:
    text = io.StringIO()
    csv.writer(text).writerows([("id", "name"), *((n, card.name) for n, card in CARDS.items())])
    try:
        create_once(table, lambda path: write_new(path, text.getvalue().encode(), 0o600))
    except OSError as error:
        raise os_fault(table, error) from error


def decisive_event(record: GameRecord) -> int:
    """The number of the last spell that somebody cast for another player's seat."""
    for event in reversed(record.folded.events):
        if event.NAME == "spell_cast":
            seat, decider = event.stamp.acting_seat, event.stamp.deciding_player
            if record.players.get(seat) not in (None, decider):
                return int(event.number)
    raise EvidenceIncomplete("demo", "no spell was cast for another player's seat")


def _ask(session: Session, log: Log, game_id: str) -> None:
    game = game_id[:8]
    number = decisive_event(log.game_record(game))
    answers: list[tuple[str, Any, Any]] = [
        (f"who {game} {number}", log.who(game, number), draw_who),
        (f"control {game}", log.control(game), draw_control),
        (f"sees {game} {number} --viewer 1", log.sees(game, number, viewer="1"), draw_sees),
        (f"findings {game}", log.findings(game), draw_findings),
    ]
    for asked, answer, draw in answers:
        if session.json:
            session.write_answer(answer)
            continue
        _say(session, f"\n$ whodecided {asked}")
        people = log.names(seat.player for seat in answer.seats)
        session.print(draw(answer, Labels.of(answer.seats, _names(session), people)))
    if session.named_log is None:
        _say(session, "\nThis log was temporary. To keep it: whodecided --log DIR demo")
    elif not session.json:
        session.console.print()
        session.console.print(session.next_step(f"show {game}"), soft_wrap=True)


def _names(session: Session) -> CardNames:
    """The user's own card names, else those of the invented cards."""
    if session.common.card_names is not None:
        return session.names
    return CardNames({str(number): card.name for number, card in CARDS.items()})


def _say(session: Session, text: str) -> None:
    if not session.json:
        session.console.print(Text(text, "bold cyan" if "$" in text else "dim"))
