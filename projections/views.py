"""The views of a log: complete tables for readers, made from the log and disposable.

Views are generations. A writer makes the next one beside the current one and publishes it when it
is complete, so a reader sees old tables or new ones and never a half; a published generation is
never changed, so readers and the writer never wait for each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import duckdb

from domain.errors import LogUnavailable
from domain.ports import EventLog
from domain.rules import RuleLibrary
from projections.database import (
    EVENTS,
    DuckTracking,
    Stamp,
    create_tables,
    interruptible,
    open_writer,
    read_stamp,
    wanted_stamp,
)
from projections.generations import Current, Generations
from projections.lock import WRITER_TIMEOUT, writer_lock
from projections.reader import Limits, is_damage, open_reader
from projections.runner import PAGE, Progress, anchor_of, run

__all__ = ["PoisonedStream", "ViewSet", "ViewStatus"]

_VERIFY: Final = (
    "Run `whodecided verify`; it says whether stored events were changed. If not, a newer version"
    " may read them: install it, then run `whodecided rebuild`."
)
_REBUILD: Final = "Run `whodecided rebuild`; it makes all tables anew from the log."


@dataclass(frozen=True, slots=True)
class PoisonedStream:
    """A stream without rows: `number` is the event that cannot be read, None for the whole fold."""

    stream_id: str
    stream_kind: str
    number: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class ViewStatus:
    """What the views are and how far they have read.

    `problem` says why the tables cannot be used as they are, None when they can. `behind` counts
    the log's positions that were not read yet; with a problem that is all of them. `advice` is what
    to do about a problem or poisoned streams.
    """

    generation: int | None
    position: int
    behind: int
    poison: tuple[PoisonedStream, ...]
    problem: str | None
    advice: str | None = None


@dataclass(frozen=True, slots=True)
class ViewSet:
    """The directory of a log's views. Any number of readers and writers may use it at once."""

    path: Path
    writer_timeout: float = WRITER_TIMEOUT
    page: int = PAGE

    def status(self, log: EventLog, rules: RuleLibrary) -> ViewStatus:
        """Look at the current generation; never raises for one that is damaged or foreign."""
        with _reported(self.path):
            return self._status(log, wanted_stamp(rules.version))

    def catch_up(
        self, log: EventLog, rules: RuleLibrary, progress: Progress | None = None
    ) -> ViewStatus:
        """Read what the log has gained; tables that cannot be used are made anew.

        Work that an earlier writer left unfinished is continued. Raises LogUnavailable when the
        directory cannot be written or another writer does not end.
        """
        with self._writing():
            status = self._status(log, wanted_stamp(rules.version))
            if status.problem is None and not status.behind:
                return status
            target = None if status.problem is None else self._unfinished(log, rules)
            if target is None:
                target = self._next()
                if status.problem is None and status.generation is not None:
                    self._generations.copy(status.generation, target)
            return self._write(target, log, rules, progress)

    def rebuild(
        self,
        log: EventLog,
        rules: RuleLibrary,
        progress: Progress | None = None,
        *,
        jobs: int = 1,
    ) -> ViewStatus:
        """Make all tables anew from the log's first event; readers keep the old ones meanwhile.

        `jobs` is the number of processes; the tables do not depend on it. Raises LogUnavailable as
        `catch_up` does, and when one of the processes dies; then the old tables stay.
        """
        with self._writing():
            return self._write(self._next(), log, rules, progress, jobs)

    @contextmanager
    def reader(self, limits: Limits | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection that can read the current tables and nothing else, for one question.

        Raises LogUnavailable, with advice, when there are no usable tables, also where a question
        comes upon a damaged part of them.
        """
        with interruptible(), closing(self._open_current(limits or Limits())) as connection:
            try:
                yield connection
            except duckdb.Error as error:
                if is_damage(error):
                    raise self._unusable(_first_line(error)) from error
                raise

    @property
    def _generations(self) -> Generations:
        return Generations(self.path)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with _reported(self.path), interruptible():
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            with writer_lock(self.path / "lock", self.writer_timeout):
                yield

    def _write(
        self,
        target: int,
        log: EventLog,
        rules: RuleLibrary,
        progress: Progress | None,
        jobs: int = 1,
    ) -> ViewStatus:
        stamp = wanted_stamp(rules.version)
        try:
            with closing(open_writer(self._generations.file(target))) as connection:
                if read_stamp(connection) is None:
                    create_tables(connection, stamp)
                run(connection, log, rules, progress, page=self.page, jobs=jobs)
                connection.execute("CHECKPOINT")
            self._generations.publish(target)
        except (OSError, duckdb.Error):
            # Where the disk is full, what cannot be completed must not take its last space.
            self._generations.sweep(self._current_number())
            raise
        self._generations.sweep(target)
        return self._status(log, stamp)

    def _next(self) -> int:
        """The number of a new generation; what was left of others takes no more space."""
        self._generations.sweep(self._current_number())
        return self._generations.newest() + 1

    def _unfinished(self, log: EventLog, rules: RuleLibrary) -> int | None:
        """A generation that an earlier writer began, newer than the current one and of this log."""
        newest = self._generations.newest()
        file = self._generations.file(newest)
        if not file.exists() or newest <= self._current_number():
            return None
        try:
            with closing(open_writer(file)) as connection:
                problem = _problem_inside(connection, log, wanted_stamp(rules.version))
        except duckdb.Error:
            return None
        return newest if problem is None else None

    def _current_number(self) -> int:
        try:
            current = self._generations.current()
        except ValueError:
            return 0
        return 0 if current is None else current.generation

    def _status(self, log: EventLog, stamp: Stamp) -> ViewStatus:
        found = self._looked_at(log, stamp)
        if found.problem is not None:
            return replace(found, advice=_REBUILD)
        return replace(found, advice=_VERIFY if found.poison else None)

    def _looked_at(self, log: EventLog, stamp: Stamp) -> ViewStatus:
        head = log.head()
        unusable = ViewStatus(None, 0, head, (), None)
        try:
            current = self._generations.current()
        except ValueError as error:
            return replace(unusable, problem=str(error))
        if current is None:
            return replace(unusable, problem="no tables have been made yet")
        unusable = replace(unusable, generation=current.generation)
        damage = self._generations.damage(current)
        if damage is not None:
            return replace(unusable, problem=damage)
        try:
            with closing(self._open(current.generation, Limits())) as connection:
                problem = _problem_inside(connection, log, stamp)
                if problem is not None:
                    return replace(unusable, problem=problem)
                position = DuckTracking(connection).position(EVENTS)
                poison = _poisoned(connection)
        except duckdb.Error as error:
            return replace(unusable, problem=_first_line(error))
        return ViewStatus(current.generation, position, head - position, poison, None)

    def _open(self, generation: int, limits: Limits) -> duckdb.DuckDBPyConnection:
        return open_reader(self._generations.file(generation), limits)

    def _open_current(self, limits: Limits) -> duckdb.DuckDBPyConnection:
        """Open what is current; when it was replaced in the meantime, open what is current then."""
        before: Current | None = None
        problem = "no tables have been made yet"
        while True:
            try:
                current = self._generations.current()
            except (OSError, ValueError) as error:
                raise self._unusable(str(error)) from error
            if current is None or current == before:
                raise self._unusable(problem)
            before, problem = current, self._generations.damage(current) or ""
            if problem:
                continue
            try:
                return self._open_checked(current.generation, limits)
            except duckdb.Error as error:
                problem = _first_line(error)

    def _open_checked(self, generation: int, limits: Limits) -> duckdb.DuckDBPyConnection:
        connection = self._open(generation, limits)
        try:
            made = read_stamp(connection)
            if made is None or made != wanted_stamp(made.rules):
                raise self._unusable(_other_stamp(made))
        except BaseException:
            connection.close()
            raise
        return connection

    def _unusable(self, problem: str) -> LogUnavailable:
        return LogUnavailable(str(self.path), problem, advice=_REBUILD)


def _problem_inside(
    connection: duckdb.DuckDBPyConnection, log: EventLog, stamp: Stamp
) -> str | None:
    """Why a generation's tables are not those this program would have made of this log."""
    made = read_stamp(connection)
    if made != stamp:
        return _other_stamp(made)
    position = DuckTracking(connection).position(EVENTS)
    found = log.read_all(after=position - 1, limit=1) if position else []
    anchor = connection.execute("SELECT digest FROM anchor").fetchall()
    if [(anchor_of(event),) for event in found if event.position == position] != anchor:
        return "the tables were made from another log"
    return None


def _other_stamp(made: Stamp | None) -> str:
    if made is None:
        return "the file does not hold the tables of a log"
    return (
        f"the tables were made by another version (tables {made.projection},"
        f" DuckDB {made.duckdb}, rules {made.rules})"
    )


def _poisoned(connection: duckdb.DuckDBPyConnection) -> tuple[PoisonedStream, ...]:
    rows = connection.execute(
        "SELECT stream_id, stream_kind, number, reason FROM poison ORDER BY stream_id"
    ).fetchall()
    return tuple(PoisonedStream(*row) for row in rows)


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


@contextmanager
def _reported(path: Path) -> Iterator[None]:
    """Turn faults of the directory, of DuckDB and of processes into the product's own error."""
    try:
        yield
    except BrokenProcessPool as error:
        raise LogUnavailable(
            str(path),
            "a process that was to make tables ended unexpectedly or could not be started; they are"
            " as they were",
            advice="Check the free memory, or use one process: `whodecided rebuild --jobs 1`.",
        ) from error
    except MemoryError as error:
        raise LogUnavailable(
            str(path),
            "there is not enough memory to make tables; they are as they were",
            advice="Free memory, or use one process: `whodecided rebuild --jobs 1`.",
        ) from error
    except OSError as error:
        raise LogUnavailable(
            str(error.filename or path),
            error.strerror or str(error),
            advice="Check that you may read and write the log directory, and the free space.",
        ) from error
    except duckdb.Error as error:
        raise LogUnavailable(
            str(path), _first_line(error), advice=f"Check the free space. {_REBUILD}"
        ) from error
