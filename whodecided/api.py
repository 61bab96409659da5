"""The Python API: open a log, import files, ask questions.

import whodecided

with whodecided.open_log("my-log") as log:
    answer = log.who("3fa9c2d1", 418)
"""

from __future__ import annotations

import contextlib
import functools
import json
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final

from domain.codec import decode_all
from domain.errors import BadInput, NotEntitled
from domain.observation import Observation
from domain.rules import RuleLibrary, rules_of_game
from projections.game import fold_game
from queries.active import ActiveAnswer, active
from queries.control import ControlAnswer, control
from queries.findings import FindingsAnswer, LogFindingsAnswer, findings, findings_of_log
from queries.games import GamesAnswer, games
from queries.record import GameRecord, Secrets
from queries.replay import ReplayAnswer, replay
from queries.sees import SeesAnswer, sees
from queries.show import ShowAnswer, show
from queries.who import WhoAnswer, who
from whodecided.naming_games import named_game
from whodecided.rulebook import load_rules
from whodecided.status import StatusAnswer, journal_of, status
from whodecided.store.directory import LogDirectory
from whodecided.store.opening import open_store

if TYPE_CHECKING:
    import duckdb

    from domain.rules import Language
    from projections.views import ViewSet, ViewStatus
    from queries.responsible import ResponsibleAnswer
    from queries.sql import SqlAnswer, SqlLimits
    from whodecided.importers.arena.report import FileReport, ImportReport
    from whodecided.live import Acknowledged, LiveGames
    from whodecided.scenario.importing import ScenarioReport

__all__ = ["Log", "Observation", "Progress", "StatusAnswer", "open_log"]

_KEPT_GAMES: Final = 32

Progress = Callable[[int, int], None]
"""Called with how much is done and how much there is."""


class Log:
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
    ) -> None:
        self.viewer = viewer
        self.directory = directory
        self.rules = rules or load_rules()
        self._kept: OrderedDict[tuple[str, str | None], tuple[int, GameRecord]] = OrderedDict()
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

    def games(self) -> GamesAnswer:
        """The games of the log, in the order in which they came into it."""
        self._catch_up()
        return games(self.views, self._order())

    def game(self, name: str | int, *, viewer: str | None = None) -> ShowAnswer:
        """One game at a glance."""
        record = self.game_record(name)
        return show(
            record, journal_of(self.directory.events, record.game_id), viewer or self.viewer
        )

    def at(self, name: str | int, number: int, *, viewer: str | None = None) -> ReplayAnswer:
        """The state just after an event."""
        return replay(self.game_record(name), number, viewer or self.viewer, before=0, after=0)

    def who(
        self,
        name: str | int,
        number: int,
        *,
        viewer: str | None = None,
        edition: str | None = None,
    ) -> WhoAnswer:
        """Acting seat and deciding player of an event, with authority, rules and proof."""
        return who(self.game_record(name, edition), number, viewer or self.viewer)

    def control(
        self, name: str | int, *, viewer: str | None = None, edition: str | None = None
    ) -> ControlAnswer:
        """Who controlled whom, from which event to which."""
        return control(self.game_record(name, edition), viewer or self.viewer)

    def active(
        self,
        name: str | int,
        number: int,
        *,
        viewer: str | None = None,
        edition: str | None = None,
    ) -> ActiveAnswer:
        """Whose turn it is just after an event, and who decides for each seat."""
        return active(self.game_record(name, edition), number, viewer or self.viewer)

    def sees(
        self,
        name: str | int,
        number: int,
        *,
        viewer: str | None = None,
        edition: str | None = None,
    ) -> SeesAnswer:
        """Who may see, and who was shown, what is hidden just after an event."""
        return sees(self.game_record(name, edition), number, viewer or self.viewer)

    def replay(
        self,
        name: str | int,
        at: int | None = None,
        *,
        viewer: str | None = None,
        before: int = 10,
        after: int = 10,
    ) -> ReplayAnswer:
        """State at an event (by default the last) and the events around it."""
        record = self.game_record(name)
        return replay(record, at, viewer or self.viewer, before=before, after=after)

    def responsible(
        self,
        name: str | int,
        number: int,
        *,
        policy: str | None = None,
        infractions: Sequence[str] = (),
        noticed: int | None = None,
        viewer: str | None = None,
        language: Language = "en",
        rules_dir: Path | None = None,
        edition: str | None = None,
    ) -> ResponsibleAnswer:
        """Who would answer for an infraction in an event, and where policies differ.

        `policy` is a day, a pack or a reading; by default that of the day of the game. `rules_dir`
        is a folder of one's own packs and readings.
        """
        from queries.responsible import responsible
        from whodecided.policy import load_policies

        return responsible(
            self.game_record(name, edition),
            number,
            load_policies(rules_dir),
            policy=policy,
            infractions=infractions,
            noticed=noticed,
            viewer=viewer or self.viewer,
            language=language,
        )

    def findings(
        self, name: str | int, *, viewer: str | None = None, edition: str | None = None
    ) -> FindingsAnswer:
        """What the log noticed about a game."""
        return findings(self.game_record(name, edition), viewer or self.viewer)

    def all_findings(self) -> LogFindingsAnswer:
        """What the log noticed about all its games."""
        self._catch_up()
        return findings_of_log(self.views, self._order())

    def import_files(
        self,
        paths: Sequence[str | Path],
        *,
        keep_names: bool = False,
        progress: Progress | None = None,
        on_file: Callable[[FileReport], None] | None = None,
    ) -> ImportReport:
        """Import game logs, which are one record in the order given; make the tables current.

        Unreadable files and bad records are in the report and stop nothing. `progress` is called
        with bytes read and bytes in all, `on_file` with the report of each file.
        """
        from whodecided.importers.arena.importer import import_arena

        files = [Path(path) for path in paths]
        report = import_arena(
            files, self.directory, keep_names=keep_names, progress=progress, on_file=on_file
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
        """Run one reading statement on the tables of all games; for viewer `judge` only."""
        from queries.sql import run_sql

        if (viewer or self.viewer) == "judge":
            self._catch_up()
        return run_sql(self.views, text, viewer or self.viewer, limits)

    def relation(self, table: str, *, viewer: str | None = None) -> duckdb.DuckDBPyRelation:
        """A table as a DuckDB relation, readable until the log is closed; for `judge` only."""
        who_asks = viewer or self.viewer
        if who_asks != "judge":
            raise NotEntitled(who_asks, "the tables: they hold the hidden information of all games")
        from projections.schema import TABLES

        if table not in TABLES:
            raise BadInput("table", f"no table {table!r}", advice=f"Known: {', '.join(TABLES)}.")
        self._catch_up()
        return self._open.enter_context(self.views.reader()).table(table)

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
        """The folded game, as the questions take it; it holds what no viewer may see."""
        game_id = self.resolve(name)
        head = self.directory.events.stream_head(game_id)
        key = (game_id, edition)
        kept = self._kept.get(key)
        if kept is None or kept[0] != head:
            kept = self._kept[key] = (head, self._folded(game_id, head, edition))
            while len(self._kept) > _KEPT_GAMES:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return kept[1]

    def _folded(self, game_id: str, head: int, edition: str | None) -> GameRecord:
        events = decode_all(self.directory.events.read(game_id, upto=head))
        chosen = rules_of_game(self.rules, events, edition)
        folded = fold_game(events, chosen.rules)
        return GameRecord(game_id, folded, self._secrets(game_id), chosen.by)

    def _secrets(self, game_id: str) -> Secrets:
        disclosed = self.directory.events.disclosures(game_id)
        return {(one.number, one.field): json.loads(one.value) for one in disclosed}

    def _order(self) -> list[str]:
        return [stream_id for stream_id, _, _ in self.directory.events.streams("game")]

    def _catch_up(self) -> ViewStatus:
        log = self.directory.events
        status = self.views.status(log, self.rules)
        if status.problem is None and not status.behind:
            return status
        return self.views.catch_up(log, self.rules)


def open_log(
    path: str | Path,
    *,
    create: bool = False,
    viewer: str = "spectator",
    rules_dir: str | Path | None = None,
) -> Log:
    """Open the log in a directory, or at an address `postgres://user@host/database`.

    With `create`, make it when the directory or the database's schema is new or empty.
    `rules_dir` is a folder of editions of one's own, added to the product's. Raises LogUnavailable,
    with advice, for anything that is not a usable log, and BadInput for a folder that is none.
    """
    rules = load_rules(None if rules_dir is None else Path(rules_dir))
    return Log(open_store(path, create=create), viewer, rules)
