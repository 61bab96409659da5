"""The work that gets killed."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

from domain.ports import Append, Appended
from projections.views import ViewSet
from tests.crash.said import Copied, Published, Recorded, Said, Signed, Streamed
from tests.support.games import act, asks, fresh_identity, tell, turn
from tests.support.live import casts, starts
from whodecided.api import Log
from whodecided.copying import copy_log
from whodecided.evidence.checkpoint import origin_of
from whodecided.evidence.checkpoints import make_checkpoint
from whodecided.evidence.keys import create_key
from whodecided.importers.arena.synthetic.random_games import Wishes, random_match
from whodecided.store.opening import open_store

__all__ = ["KINDS", "Job", "Kind", "new_log", "whole_game", "write_files"]


@dataclass(frozen=True, slots=True)
class Job:
    """What one run does: chance decides about sizes.

    `files` are logs to import, `target` is where a copy goes.
    """

    seed: int
    files: tuple[Path, ...]
    target: str

    def page(self) -> int:
        """How many events the projection takes at once."""
        return Random(self.seed).choice((13, 50, 200, 20_000))

    def views(self, log: Log) -> ViewSet:
        """The tables of the log, made in small steps."""
        return ViewSet(log.views.path, page=self.page())


Work = Callable[[Log, Job, Callable[[Said], None]], None]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of work: what is there before, what is done until it ends or is killed, how it ends.

    `seconds` is about how long it is allowed to work; None: as long as it takes.
    """

    prepare: Callable[[Log, Job], None]
    work: Work
    finish: Work
    seconds: float | None = None


def write_files(folder: Path) -> tuple[Path, ...]:
    """Invented client logs: a match of several games in each."""
    paths = []
    for seed in (3, 8):
        path = folder / f"{seed}.log"
        path.write_text(random_match(seed, Wishes(turns=6, best_of=3)), encoding="utf-8")
        paths.append(path)
    return tuple(paths)


def new_log(place: str | Path) -> None:
    """Make a log that could have sealed the invented games itself."""
    open_store(place, create=True, identity=fresh_identity()).close()


def whole_game(number: int) -> Append:
    """An invented game of some dozens of events."""
    seen = [
        one
        for place in range(6 + number % 9)
        for one in (
            turn(1 + place % 2),
            asks(1 + place % 2, "spell_cast"),
            act("spell_cast", 1 + place % 2, object=f"o{place}", card=str(place)),
        )
    ]
    return tell(*seen, match=f"crash {number}").append()


def _nothing(log: Log, job: Job) -> None:
    """There is an empty log."""


def _import(log: Log, job: Job, say: Callable[[Said], None]) -> None:
    append = log.directory.events.append

    def telling(appends: Any) -> list[Appended]:
        done = append(appends)
        for one in appends:
            say(Streamed(one.stream_id, one.events[-1].number))
        return done

    log.directory.events.append = telling  # type: ignore[method-assign]  # to hear of each append
    log.import_files(job.files, jobs=1 + job.seed % 2)
    say(Published(log.directory.events.head()))


def _record(log: Log, job: Job, say: Callable[[Said], None], last: int | None = None) -> None:
    """Live records of three games; the same ones again in a second run."""
    chance = Random(job.seed)
    sizes = [chance.choice((1, 1, 1, 2, 5)) for _ in range(997)]
    for batch in itertools.count() if last is None else range(last):
        game = f"table-{batch % 3}"
        names = [f"{batch}-{n}" for n in range(sizes[batch % len(sizes)])]
        log.record(game, starts(game_key=game))
        for name, done in zip(names, log.record(game, list(map(casts, names))), strict=True):
            say(Recorded(done.stream_id, done.number, name))


def _record_again(log: Log, job: Job, say: Callable[[Said], None]) -> None:
    _record(log, job, say, last=40)


def _with_key(log: Log, job: Job) -> None:
    create_key(log.directory.keys, origin_of(log.directory.events.log_id))


def _sign(
    log: Log, job: Job, say: Callable[[Said], None], last: int | None = None, prefix: str = "a"
) -> None:
    log.record("table", starts())
    for number in itertools.count() if last is None else range(last):
        log.record("table", casts(f"{prefix}-{number}"))
        made = make_checkpoint(log.directory)
        say(Signed(made.checkpoint.size, made.text()))


def _sign_more(log: Log, job: Job, say: Callable[[Said], None]) -> None:
    _sign(log, job, say, last=2, prefix="b")


def _with_games(log: Log, job: Job) -> None:
    """Games; for every other seed also tables."""
    log.directory.events.append([whole_game(number) for number in range(20)])
    if job.seed % 2:
        log.views.catch_up(log.directory.events, log.rules)


def _project(log: Log, job: Job, say: Callable[[Said], None], last: int | None = None) -> None:
    for number in itertools.count(20) if last is None else range(20, last):
        done = job.views(log).catch_up(log.directory.events, log.rules)
        say(Published(done.position))
        log.directory.events.append([whole_game(number)])
    say(Published(log.views.catch_up(log.directory.events, log.rules).position))


def _project_more(log: Log, job: Job, say: Callable[[Said], None]) -> None:
    _project(log, job, say, last=22)


def _with_tables(log: Log, job: Job) -> None:
    log.directory.events.append([whole_game(number) for number in range(20)])
    log.views.catch_up(log.directory.events, log.rules)


def _rebuild(log: Log, job: Job, say: Callable[[Said], None], last: int | None = None) -> None:
    for _ in itertools.count() if last is None else range(last):
        done = job.views(log).rebuild(log.directory.events, log.rules, jobs=1 + job.seed % 2)
        say(Published(done.position))


def _rebuild_once(log: Log, job: Job, say: Callable[[Said], None]) -> None:
    _rebuild(log, job, say, last=1)


def _with_key_and_games(log: Log, job: Job) -> None:
    if job.seed % 2:
        _with_key(log, job)
    log.directory.events.append([whole_game(number) for number in range(10)])


def _copy(log: Log, job: Job, say: Callable[[Said], None], last: int | None = None) -> None:
    for number in itertools.count(10) if last is None else range(10, last):
        done = copy_log(log.directory, job.target)
        say(Copied(done.present + done.added))
        log.directory.events.append([whole_game(number)])
        log.record("table", [starts(), casts(f"copy-{number}")])
    done = copy_log(log.directory, job.target)
    say(Copied(done.present + done.added))


def _copy_more(log: Log, job: Job, say: Callable[[Said], None]) -> None:
    _copy(log, job, say, last=11)


KINDS: Final = {
    "import": Kind(_nothing, _import, _import),
    "append": Kind(_nothing, _record, _record_again, 0.6),
    "checkpoint": Kind(_with_key, _sign, _sign_more, 0.6),
    "projection": Kind(_with_games, _project, _project_more, 0.8),
    "rebuild": Kind(_with_tables, _rebuild, _rebuild_once, 2.0),
    "copy": Kind(_with_key_and_games, _copy, _copy_more, 0.6),
}
