"""The Python API: open a log, import files, ask questions.

import whodecided

with whodecided.open_log("my-log") as log:
    answer = log.who("3fa9c2d1", 418)
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final

from domain.codec import decode_all
from domain.errors import BadInput, NotEntitled, WhodecidedError
from domain.events.case import HiddenInformationRead
from domain.ids import access_stream
from domain.observation import Observation
from domain.rules import RuleLibrary
from domain.visibility import JUDGE
from queries.access import AccessAnswer, access
from queries.findings import LogFindingsAnswer, findings_of_log
from queries.games import GamesAnswer, games
from queries.record import GameRecord
from whodecided.access import AccessLog, UnnamedReader, UnrecordedRead
from whodecided.asking import GameQuestions
from whodecided.naming_games import named_game
from whodecided.records import GameRecords, secrets_of
from whodecided.rulebook import load_rules
from whodecided.status import StatusAnswer, status
from whodecided.store.directory import LogDirectory
from whodecided.store.opening import open_store

if TYPE_CHECKING:
    import duckdb

    from projections.views import ViewSet, ViewStatus
    from queries.sql import SqlAnswer, SqlLimits
    from whodecided.importers.arena.report import FileReport, ImportReport
    from whodecided.live import Acknowledged, LiveGames
    from whodecided.scenario.importing import ScenarioReport

__all__ = [
    "Log",
    "Observation",
    "Progress",
    "StatusAnswer",
    "UnnamedReader",
    "UnrecordedRead",
    "open_log",
]

_READS: Final = 500
"""How many reads the tables may lack before they are made current for them alone."""

Progress = Callable[[int, int], None]
"""Called with how much is done and how much there is."""


class Log(GameQuestions):
    """An open log.

    A game is named by its id, by first digits of it that fit no other game, by its place in
    `games()`, or as it was called when its scenario was imported or its recording began. Every
    question takes a viewer (a seat, a player, `spectator` or `judge`); without one the log's own
    counts. A game is judged by the rules of the day it was played; where a question takes an
    `edition`, that day (YYYY-MM-DD, such as an edition's id) counts instead. A folded game is
    kept, and folded again when the log has more of it. Questions raise NotFound for what is not
    there, NotEntitled for what the viewer may not have, and BadInput for an edition that is no day
    or before the oldest known.
    """

    def __init__(
        self,
        directory: LogDirectory,
        viewer: str = "spectator",
        rules: RuleLibrary | None = None,
        *,
        reason: str | None = None,
        access_log: AccessLog | None = None,
    ) -> None:
        self.viewer = viewer
        self.reason = reason
        self.directory = directory
        self.rules = rules or load_rules()
        self._access_log = access_log or AccessLog(directory)
        self._records = GameRecords(directory.events, self.rules)
        self._open = contextlib.ExitStack()

    def __enter__(self) -> Log:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the log and every relation taken from it."""
        self._open.close()
        self.directory.close()

    @functools.cached_property
    def _live(self) -> LiveGames:
        from whodecided.live import LiveGames

        return LiveGames(self.directory, self.rules)

    @functools.cached_property
    def views(self) -> ViewSet:
        """The log's tables; DuckDB is loaded when they are first asked for."""
        from projections.views import ViewSet

        return ViewSet(self.directory.views)

    def games(
        self,
        *,
        since: str | None = None,
        until: str | None = None,
        player: str | None = None,
        remarks: bool = False,
    ) -> GamesAnswer:
        """The games of the log, in the order in which they came into it.

        `since` and `until` are days (YYYY-MM-DD), both included; `player` is a kept name, an id or
        its first digits; with `remarks` only games with gaps or findings, or recorded from their
        middle on. Raises BadInput for what is no day or several players, NotFound for a player of
        no game.
        """
        self._catch_up()
        pseudonyms = [] if player is None else self.directory.people.pseudonyms(player)
        return games(
            self.views,
            self._order(),
            since=since,
            until=until,
            player=player,
            called=[f"player:{one}" for one in pseudonyms],
            remarks=remarks,
        )

    def all_findings(
        self, *, severity: str | None = None, code: str | None = None
    ) -> LogFindingsAnswer:
        """What the log noticed about all its games.

        `severity` (info, warning, serious) leaves out what is less, `code` what is another. Raises
        BadInput for a severity or code that no finding can have.
        """
        self._catch_up()
        return findings_of_log(self.views, self._order(), severity=severity, code=code)

    def import_files(
        self,
        paths: Sequence[str | Path],
        *,
        keep_names: bool = False,
        progress: Progress | None = None,
        on_file: Callable[[FileReport], None] | None = None,
        jobs: int | None = 1,
    ) -> ImportReport:
        """Import game logs, which are one record in the order given; make the tables current.

        Unreadable files and bad records are in the report and stop nothing. `progress` is called
        with bytes read and bytes in all, `on_file` with the report of each file. `jobs` processes
        read the files that begin with a run of the client, None: as many as are useful; with more
        than one, a program's own main module must be safe to import. Raises LogUnavailable.
        """
        from whodecided.importers.arena.importer import import_arena, useful_jobs

        files = [Path(path) for path in paths]
        report = import_arena(
            files,
            self.directory,
            keep_names=keep_names,
            progress=progress,
            on_file=on_file,
            jobs=useful_jobs(files) if jobs is None else jobs,
        )
        self._catch_up()
        return report

    def import_scenario(
        self,
        path: str | Path,
        name: str,
        *,
        scenario: str | None = None,
        keep_names: bool = False,
        rules_dir: Path | None = None,
    ) -> ScenarioReport:
        """Put a scenario into the log as the game `name`; make the tables current.

        `scenario` is the id of one of several in the file. Raises BadInput for a file or name that
        cannot be used; then nothing is stored.
        """
        from whodecided.scenario.importing import import_scenario

        report = import_scenario(
            Path(path),
            self.directory,
            name,
            scenario=scenario,
            keep_names=keep_names,
            rules_dir=rules_dir,
        )
        self._catch_up()
        return report

    def sql(
        self, text: str, *, viewer: str | None = None, limits: SqlLimits | None = None
    ) -> SqlAnswer:
        """Run one reading statement on the tables of all games; for viewer `judge` only.

        It is recorded whether it succeeds or not: what an error says can be hidden too.
        """
        from queries.sql import run_sql

        if (viewer or self.viewer) == JUDGE:
            self._catch_up()
            self.note_read("sql", statement=text)
        return run_sql(self.views, text, viewer or self.viewer, limits)

    def relation(self, table: str, *, viewer: str | None = None) -> duckdb.DuckDBPyRelation:
        """A table as a DuckDB relation, readable until the log is closed; for `judge` only."""
        who_asks = viewer or self.viewer
        if who_asks != JUDGE:
            raise NotEntitled(who_asks, "the tables: they hold the hidden information of all games")
        from projections.schema import TABLES

        if table not in TABLES:
            raise BadInput("table", f"no table {table!r}", advice=f"Known: {', '.join(TABLES)}.")
        self._catch_up()
        found = self._open.enter_context(self.views.reader()).table(table)
        self.note_read("relation", statement=table)
        return found

    def access(
        self, name: str | int | None = None, *, newest: int | None = None, viewer: str | None = None
    ) -> AccessAnswer:
        """Who read hidden information as a judge: of one game or of all, the newest so many.

        Reasons and statements are for a judge, and reading them is recorded too.
        """
        log, who_asks = self.directory.events, viewer or self.viewer
        record = None if name is None else self.resolve(name)
        stream = access_stream(log.log_id)
        events = decode_all(log.read(stream))
        answer = access(events, secrets_of(log, stream), who_asks, record=record, newest=newest)
        if who_asks == JUDGE:
            self.note_read("access", stream)
        return answer

    def note_read(
        self,
        command: str,
        record: str | None = None,
        first: int | None = None,
        last: int | None = None,
        *,
        statement: str | None = None,
    ) -> None:
        """Record that a judge is about to be shown what is hidden."""
        self._access_log.note(command, record, first, last, statement=statement, reason=self.reason)

    def status(self) -> StatusAnswer:
        """What the log holds, and whether its tables are up to date."""
        return status(self.directory, self.views, self.rules)

    def rebuild(self, progress: Progress | None = None, *, jobs: int = 1) -> ViewStatus:
        """Make all tables anew from the log's first event, in so many processes.

        With several, the main module must be importable without side effects, as for
        `multiprocessing`.
        """
        return self.views.rebuild(self.directory.events, self.rules, progress, jobs=jobs)

    def names(self, principals: Iterable[str]) -> dict[str, str]:
        """Principal -> name, for the players whose names were kept at import."""
        people = self.directory.people
        kept = {who: people.names(who.partition(":")[2]) for who in principals}
        return {who: names[0] for who, names in kept.items() if names}

    def resolve(self, name: str | int) -> str:
        """The id of the game that is meant; NotFound when there is none, BadInput when several."""
        return named_game(self._order(), name)

    def record(
        self,
        game: str,
        seen: Observation | Iterable[Observation],
        *,
        expected: int | None = None,
    ) -> tuple[Acknowledged, ...]:
        """Append what was seen to a game that is being played; it is durable when this returns.

        `game` is a name of your choice, which the first observation (a `game_started`) begins, or
        the id of a game that was begun so. Several observations are stored together or not at all.
        Each becomes an event through the same aggregate as in an import: stamped by the rules of
        the game's day unless it states who decided, `secrets` sealed. `record` of an observation is
        its identity: what is stored under it already is acknowledged again and stored once.

        `expected` is the number of what you take for the game's last event, 0 for a new game;
        without it the events go to the end, whoever else appends. Any number of processes may
        append at once. Raises VersionConflict when the game has gone on since, AppendConflict for
        a record id that is stored with other content, and BadInput for what is no event.

        >>> from tempfile import TemporaryDirectory
        >>> from whodecided import Observation, open_log
        >>> table = {
        ...     "game_key": "table-7", "match_key": None, "match_stream": None, "game_number": 1,
        ...     "viewpoint": "full", "played_on": "2026-10-01", "format": "Modern",
        ...     "variant": None, "generation": 1, "supersedes": None, "from_start": True,
        ...     "seats": [
        ...         {"seat": 1, "player": "player:ada", "team": None},
        ...         {"seat": 2, "player": "player:ben", "team": None},
        ...     ],
        ... }
        >>> spell = Observation(
        ...     "spell_cast", "m-2", acting_seat=1,
        ...     fields={"object": "o1", "from_zone": "hand"}, secrets={"card": "Murder"},
        ... )
        >>> with TemporaryDirectory() as folder, open_log(folder, create=True) as log:
        ...     begun = log.record("table-7", Observation("game_started", "m-1", table), expected=0)
        ...     first = log.record("table-7", spell, expected=1)
        ...     again = log.record("table-7", spell, expected=1)
        ...     log.who("table-7", 2).deciding_player, [(one.number, one.added) for one in again]
        ('player:ada', [(2, False)])
        """
        items = [seen] if isinstance(seen, Observation) else list(seen)
        return self._live.record(game, items, expected)

    def game_record(self, name: str | int, edition: str | None = None) -> GameRecord:
        """The folded game; it holds what no viewer may see, and taking it is not recorded."""
        return self._records.record(self.resolve(name), edition)

    def _order(self) -> list[str]:
        return [stream_id for stream_id, _, _ in self.directory.events.streams("game")]

    def _catch_up(self) -> None:
        log = self.directory.events
        status = self.views.status(log, self.rules)
        if status.problem is None and status.behind <= _READS:
            unread = log.read_all(after=status.position, limit=_READS)
            if all(event.topic == HiddenInformationRead.TOPIC for event in unread):
                return  # otherwise every read would make new tables for the next one
        self.views.catch_up(log, self.rules)


def open_log(
    path: str | Path,
    *,
    create: bool = False,
    viewer: str = "spectator",
    rules_dir: str | Path | None = None,
    by: str | None = None,
    reason: str | None = None,
    on_unrecorded: Callable[[WhodecidedError], None] | None = None,
    on_unnamed: Callable[[WhodecidedError], None] | None = None,
) -> Log:
    """Open the log in a directory, or at an address `postgres://user@host/database`.

    With `create`, make it when the directory or the database's schema is new or empty.
    `rules_dir` is a folder of editions of one's own, added to the product's.

    What a judge reads is recorded: `by` says who reads (a principal or a name, by default the user
    of the operating system), `reason` why; `log.reason` may be changed between questions. A read
    that cannot be recorded is answered, and `on_unrecorded` is told why (by default a warning). On
    a machine without the log secrets a name cannot be kept: the reader is recorded as `unknown`,
    and `on_unnamed` is told why (by default a warning).

    Raises LogUnavailable, with advice, for anything that is not a usable log, and BadInput for a
    folder that is none.
    """
    rules = load_rules(None if rules_dir is None else Path(rules_dir))
    directory = open_store(path, create=create)
    access_log = AccessLog(directory, by, on_unrecorded, on_unnamed)
    return Log(directory, viewer, rules, reason=reason, access_log=access_log)
