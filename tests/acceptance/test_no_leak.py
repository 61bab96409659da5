"""No command, in no form, names a card to a viewer whom the raw log never showed it by then.

What was shown to whom is read from the raw log by `tests/support/arena_oracle.py`, which knows
nothing of the product. The full run asks about all events of three games and about 100 random
events of every other recorded game; the fast one about one short game.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.shared import arena_samples, needs_shared
from tests.support.acceptance import FULL, Figure, empty_log, plain
from tests.support.arena_oracle import MARKED, MarkedGame, mark_cards
from tests.support.commands import Commands, run_command
from whodecided.cli.app import active, control, findings, games, replay, sees, show, status, who
from whodecided.cli.settings import Common
from whodecided.importers.arena.synthetic.random_games import Wishes, random_match

_ALL_EVENTS = ("2026-03-05_0000", "test_log.txt", "2026-06-14_1409")
_FAST = "2026-04-25_0841"
_RANDOM = 100
_VIEWERS = ("1", "2", "spectator")
_STATE = re.compile(r"/gs(\d+)(?:/|$)")
_MESSAGE = re.compile(r"/m(\d+)/")


@dataclass
class Told:
    """What was asked, and what should not have been told: (command, event, viewer, form, cards)."""

    asked: int = 0
    cards: Counter[str] = field(default_factory=Counter)
    wrong: list[tuple[str, int, str, str, list[int]]] = field(default_factory=list)


@dataclass
class Game:
    """A stored game, and the same game in the raw log."""

    place: int
    stream: str
    raw: MarkedGame
    log: Path

    @cached_property
    def states(self) -> list[int]:
        """Event number -> how many states of the raw log the record has come to by then."""
        found, states = [0], 0
        with closing(sqlite3.connect(self.log / "events.sqlite")) as connection:
            rows = connection.execute(
                "SELECT state FROM events WHERE originator_id = ? ORDER BY originator_version",
                (self.stream,),
            )
            for (event,) in rows:
                record = json.loads(event)["source"]["record"]
                states = max(states, self._state_of(record))
                found.append(states)
        return found

    def _state_of(self, record: str) -> int:
        if state := _STATE.search(record):
            return self.raw.by_state_id[int(state[1])]
        if message := _MESSAGE.search(record):
            return self.raw.by_message_id[int(message[1])]
        return 0

    @cached_property
    def last(self) -> int:
        """Number of the last event."""
        return len(self.states) - 1

    def may_name(self, viewer: str, number: int) -> set[int]:
        """The card numbers that a viewer was shown up to an event."""
        return self.raw.may_name(viewer, self.states[min(number, self.last)])


def imported(text: str, folder: Path) -> tuple[list[Game], Path]:
    """Import a log with marked cards; its games, and a table of names for the cards."""
    marked = mark_cards(text)
    file, log = folder / "marked.log", empty_log(folder / "log")
    file.write_bytes(marked.data)
    run = run_command("import", file, "--log", log, "--json")
    assert run.documents[0]["bad_records"] == []
    names = folder / "names.csv"
    names.write_text("id,name\n" + "".join(f"{n},Card({n})\n" for n in marked.cards))
    with closing(sqlite3.connect(log / "events.sqlite")) as connection:
        rows = connection.execute(
            "SELECT stream_id, byte_offset FROM streams JOIN events ON originator_id = stream_id"
            " JOIN provenance ON position = rowid"
            " WHERE kind = 'game' AND originator_version = 1 ORDER BY creation"
        ).fetchall()
    found = [
        Game(place, stream, marked.game_at(offset), log)
        for place, (stream, offset) in enumerate(rows, 1)
    ]
    return found, names


def questions(number: int) -> Iterator[tuple[Callable[..., None], tuple[Any, ...]]]:
    """The commands about an event, with what follows the game."""
    yield who, (number,)
    yield active, (number,)
    yield sees, (number,)
    yield replay, (number, 10, 10)


def ask(game: Game, names: Path | None, numbers: list[int], told: Told) -> None:
    """Ask everything about a game for everybody, and compare with what the raw log shows."""
    for viewer in _VIEWERS:
        for form in ("json", "text"):
            common = Common(game.log, viewer, json=form == "json", card_names=names)
            with Commands(common) as commands:
                for number in numbers:
                    for command, more in questions(number):
                        if form == "text" and command is replay:
                            more = (number, 10, 0)
                        run = commands.run(command, str(game.place), *more)
                        check(game, command.__name__, number, viewer, form, run.out, told)
                        assert not MARKED.search(run.err)
                for command in (show, control, findings):
                    run = commands.run(command, str(game.place))
                    check(game, command.__name__, game.last, viewer, form, run.out, told)
                for command in (games, findings, status):
                    assert not MARKED.search(commands.run(command).out)


def check(game: Game, name: str, number: int, viewer: str, form: str, out: str, told: Told) -> None:
    """Note the cards of an answer that the viewer was not shown up to the event."""
    assert out, (name, number)
    told.asked += 1
    if not MARKED.search(out):
        return
    named = {number: marks(out)}
    if form == "json":
        document = json.loads(out)
        names = set(map(int, document.pop("card_names", ())))
        named = by_event(document, number)
        assert names <= set().union(*named.values())
    for event, cards in named.items():
        told.cards[viewer] += len(cards)
        if wrong := cards - game.may_name(viewer, event):
            told.wrong.append((name, event, viewer, form, sorted(wrong)))


def by_event(value: Any, number: int) -> dict[int, set[int]]:
    """Event -> the card numbers in what a JSON answer tells of it; of earlier ones, of `number`."""
    found: dict[int, set[int]] = {}
    if isinstance(value, dict):
        if "event" in value and isinstance(value.get("number"), int):
            number = max(number, value["number"])
        for inner in value.values():
            merge(found, by_event(inner, number))
    elif isinstance(value, list):
        for inner in value:
            merge(found, by_event(inner, number))
    elif cards := marks(str(value)):
        found[number] = cards
    return found


def merge(into: dict[int, set[int]], more: dict[int, set[int]]) -> None:
    """Add the cards of some events."""
    for number, cards in more.items():
        into.setdefault(number, set()).update(cards)


def marks(text: str) -> set[int]:
    """The card numbers in a text."""
    return set(map(int, MARKED.findall(text)))


def samples() -> list[Path]:
    """All recorded logs, or one."""
    return [path for path in arena_samples() if FULL or _FAST in path.name]


@needs_shared
@pytest.mark.parametrize("sample", samples(), ids=lambda path: path.name[-60:])
def test_no_card_is_named_to_whom_it_was_never_shown(
    sample: Path, tmp_path: Path, figure: Figure
) -> None:
    found, names = imported(plain(sample).decode(), tmp_path)
    whole = not FULL or any(part in sample.name for part in _ALL_EVENTS)
    told, events = Told(), 0
    for game in found:
        numbers = list(range(1, game.last + 1))
        if not whole:
            numbers = sorted(Random(game.stream).sample(numbers, min(_RANDOM, len(numbers))))
        ask(game, names if whole else None, numbers, told)
        events += len(numbers)
    assert told.wrong[:20] == []
    figure("asked", f"{told.asked} questions about {events} events of {len(found)} games")
    figure("cards named", dict(told.cards))


@pytest.mark.parametrize("seed", range(30 if FULL else 2))
def test_no_card_of_an_invented_match_is_named_to_whom_it_was_never_shown(
    seed: int, tmp_path: Path, figure: Figure
) -> None:
    """In every other one players are controlled, which no recorded game shows."""
    wishes = Wishes(turns=6, control=0.5, gap=0) if seed % 2 else Wishes(turns=6, control=0)
    found, names = imported(random_match(seed, wishes), tmp_path)
    told = Told()
    for game in found:
        numbers = list(range(1, game.last + 1, 1 if FULL else 7))
        ask(game, names, numbers, told)
    assert told.wrong[:20] == []
    figure("asked", told.asked)
    figure("cards named", dict(told.cards))


@needs_shared
@pytest.mark.parametrize("viewer", ["1", "2", "judge"])
def test_the_check_would_find_a_card_that_is_told_to_the_wrong_viewer(
    viewer: str, tmp_path: Path
) -> None:
    [sample] = [path for path in arena_samples() if _FAST in path.name]
    [game], _ = imported(plain(sample).decode(), tmp_path)
    assert game.raw.local == "1"
    told = Told()
    with Commands(Common(game.log, viewer, json=True)) as commands:
        for number in range(1, game.last + 1):
            run = commands.run(sees, str(game.place), number)
            check(game, "sees", number, "spectator", "json", run.out, told)

    assert bool(told.wrong) is (viewer != "2"), "a spectator was shown what seat 2 was shown"
