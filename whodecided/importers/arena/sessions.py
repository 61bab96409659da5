"""The games and matches under way: where an item belongs, and when streams are appended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from domain.errors import BadInput
from domain.ids import game_stream, match_stream
from domain.rules import RuleBook
from whodecided.importers.arena.clock import Moment
from whodecided.importers.arena.identity import (
    Identity,
    client_version,
    identify,
    opening_fields,
    seats_of,
    teams_of,
)
from whodecided.importers.arena.items import (
    ClientItem,
    Game,
    MessageItem,
    RoomItem,
    StateItem,
    StateKind,
)
from whodecided.importers.arena.matches import MatchTranslator
from whodecided.importers.arena.records import Place
from whodecided.importers.arena.report import StreamReport
from whodecided.importers.arena.seating import Lobby
from whodecided.importers.arena.streams import (
    FileCounts,
    Refuse,
    Stream,
    game_recorder,
    match_recorder,
)
from whodecided.importers.arena.translate import GENERATION, GameTranslator
from whodecided.importers.arena.words import SYSTEM, bare
from whodecided.rulebook import load_rulebook
from whodecided.store.sealer import LogSealer

__all__ = ["AppendStreams", "KeepNames", "SealerOf", "Sessions"]

AppendStreams = Callable[[Sequence[Stream]], None]
"""Append what waits in these streams in one transaction."""

KeepNames = Callable[[list[tuple[str, str]]], None]

SealerOf = Callable[..., LogSealer]
"""(ids of streams that belong together) -> the sealer for them."""


@dataclass(slots=True)
class _GameSession:
    game: Game
    identity: Identity
    translator: GameTranslator
    stream: Stream
    sealer: LogSealer
    match: _MatchSession | None = None


@dataclass(slots=True)
class _MatchSession:
    match_id: str
    viewpoint: str
    from_start: bool
    translator: MatchTranslator
    stream: Stream


_UNUSABLE: Final = (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError)


class Sessions:
    """Takes items in order; keeps at most one game and one match in memory.

    `sealer_of` gives the sealer of a game; `counts` and `unmapped` are filled per file; `append`
    stores what a finished game leaves; `keep_names`, if given, gets the names of the players of
    every match.
    """

    def __init__(
        self,
        sealer_of: SealerOf,
        counts: dict[int, FileCounts],
        unmapped: dict[int, Counter[str]],
        refuse: Refuse,
        append: AppendStreams,
        keep_names: KeepNames | None,
    ) -> None:
        self.reports: list[StreamReport] = []
        self.by_file: dict[int, set[str]] = {index: set() for index in counts}
        self._sealer_of = sealer_of
        self._counts = counts
        self._unmapped = unmapped
        self._refuse = refuse
        self._append = append
        self._keep_names = keep_names
        self._lobby = Lobby()
        self._client: str | None = None  # the greeting's version, until its match is opened
        self._game: _GameSession | None = None
        self._match: _MatchSession | None = None
        self._rules: dict[str | None, RuleBook] = {}
        self._file = 0

    def take(self, item: StateItem | MessageItem | ClientItem | RoomItem) -> None:
        """Translate one item into the stream it belongs to.

        Content that cannot be understood is refused; what was told of the item before stays. Where
        it is a state, the record of the game gets a gap.
        """
        if isinstance(item, StateItem) and self._begins(item):
            self._close_game()
        self._at(item.origin.place)
        try:
            self._translate(item)
        except _UNUSABLE as error:
            self._refuse(item.origin.place, _unusable(item, error))
            if isinstance(item, StateItem) and not self._begins(item):
                assert self._game is not None
                self._game.translator.lost(item)

    def _begins(self, item: StateItem) -> bool:
        return self._game is None or self._game.game is not item.game

    def _translate(self, item: StateItem | MessageItem | ClientItem | RoomItem) -> None:
        if isinstance(item, StateItem):
            self._state(item)
        elif isinstance(item, RoomItem):
            self._room(item)
        elif isinstance(item, MessageItem):
            self._message(item)
        elif self._game is not None and item.game is self._game.game:
            self._game.translator.client(item)

    def finish(self) -> None:
        """The input, or one run of the client, is over: append what there is."""
        self._close_game()
        self._match = None
        self._client = None
        self._lobby = Lobby()

    def _at(self, place: Place) -> None:
        self._file = place.file
        for session in (self._game, self._match):
            if session is not None:
                session.stream.place = place
        if self._game is not None:
            self._game.translator.desk.counts = self._unmapped[place.file]

    # Items.

    def _state(self, item: StateItem) -> None:
        if self._begins(item):
            self._open_game(item)
        session = self._game
        assert session is not None
        if session.match is None and item.game.match_id is not None:
            self._join_match(session, item)
        self._client = None
        session.translator.state(item)

    def _message(self, item: MessageItem) -> None:
        answer = item.message.connectResp
        if answer is not None:
            self._client = client_version(answer)
        if self._game is not None and item.game is self._game.game:
            self._game.translator.message(item)

    def _room(self, item: RoomItem) -> None:
        if item.match_id is None:
            return
        self._lobby.enter(item.match_id, item.event)
        info = item.event.get("gameRoomInfo")
        final = info.get("finalMatchResult") if isinstance(info, dict) else None
        if not isinstance(final, dict):
            return
        results = final.get("resultList")
        game, match = self._game, self._match
        if game is not None and game.identity.match == item.match_id:
            game.translator.final_result(item, results)
        if match is not None and match.match_id == item.match_id:
            match.translator.results(item.origin.moment, "room", results)

    # Games.

    def _open_game(self, item: StateItem) -> None:
        info = item.state.gameInfo or {}
        identity = identify(item)
        seats = seats_of(item)
        room = self._lobby.room(identity.match)
        stream_id = game_stream(
            SYSTEM,
            identity.match_name,
            identity.number or 0,
            identity.viewpoint,
            GENERATION,
            identity.part,
        )
        sealer = self._sealer(stream_id, identity.match)
        players = self._lobby.principals(identity.match_name, seats, sealer.pseudonym)
        recorder = game_recorder(stream_id, sealer, self._rulebook(item.origin.moment))
        stream = Stream(stream_id, "game", recorder, self._counts, self._refuse, sealer)
        stream.place = item.origin.place
        opening = opening_fields(identity, room.event, info, GENERATION)
        teams = teams_of(item, seats)
        translator = GameTranslator(
            identity.stem, players, teams, identity.local, opening, stream.take
        )
        translator.desk.counts = self._unmapped[self._file]
        session = self._game = _GameSession(item.game, identity, translator, stream, sealer)
        if identity.match is not None:
            self._join_match(session, item)
            if self._keep_names is not None:
                self._keep_names(self._lobby.names(identity.match, sealer.pseudonym))

    def _sealer(self, stream_id: str, match: str | None) -> LogSealer:
        """The secret stays within a match: there one person has one pseudonym."""
        if self._match is not None and self._match.match_id == match:
            return self._sealer_of(stream_id, self._match.stream.stream_id)
        return self._sealer_of(stream_id)

    def _join_match(self, session: _GameSession, item: StateItem) -> None:
        """Link the game to its match's stream; the first game seen of a match opens that."""
        match_id, number = item.game.match_id, item.game.number
        assert match_id is not None
        match = self._match
        if match is None or match.match_id != match_id or number in match.translator.games:
            match = self._match = self._open_match(session, match_id, item)
        session.match = match
        match.stream.place = item.origin.place
        match.translator.link(item.origin.moment, session.stream.stream_id, number)
        session.translator.join(match.translator, match.stream.stream_id)

    def _open_match(self, session: _GameSession, match_id: str, item: StateItem) -> _MatchSession:
        identity = session.identity
        from_start = item.kind is StateKind.START and item.game.number == 1
        part = None if from_start else f"game{item.game.number}/{identity.part or 'start'}"
        viewpoint = identity.viewpoint
        stream_id = match_stream(SYSTEM, match_id, viewpoint, GENERATION, part)
        stream = Stream(
            stream_id,
            "match",
            match_recorder(stream_id),
            self._counts,
            self._refuse,
            session.sealer,
        )
        stream.place = item.origin.place
        stem = f"{match_id}/{viewpoint}" + ("" if part is None else f"/{part}")
        desk = session.translator.desk
        translator = MatchTranslator(
            stem, f"{SYSTEM}/{match_id}", desk.players, desk.teams, stream.take
        )
        translator.open(
            item.origin.moment,
            viewpoint,
            self._lobby.room(match_id),
            item.state.gameInfo or {},
            self._client,
            GENERATION,
            from_start,
        )
        self._client = None
        return _MatchSession(match_id, viewpoint, from_start, translator, stream)

    def _close_game(self) -> None:
        game, self._game = self._game, None
        if game is None:
            return
        match = game.match
        streams = [game.stream] if match is None else [game.stream, match.stream]
        for stream in (stream for stream in streams if stream.waiting):
            if stream is game.stream:
                for file in stream.files:
                    self.by_file[file].add(stream.stream_id)
            self.reports.append(_reported(game, stream))
        self._append(streams)

    def _rulebook(self, moment: Moment) -> RuleBook:
        """The rules of the day it happened; the newest when the day is unknown or too old."""
        day = None if moment.micros is None else _day(moment.micros)
        if day not in self._rules:
            try:
                self._rules[day] = load_rulebook(day)
            except BadInput:
                self._rules[day] = load_rulebook()
        return self._rules[day]


def _unusable(item: StateItem | MessageItem | ClientItem | RoomItem, error: Exception) -> str:
    """Why an item was refused, for a person."""
    if isinstance(item, StateItem):
        what = f"state {item.state_id}"
    elif isinstance(item, MessageItem):
        what = bare(item.message.type)
    else:
        what = item.type if isinstance(item, ClientItem) else "the state of the match"
    if isinstance(error, KeyError):
        return f"{what}: the field {error} is missing"
    return f"{what}: a field holds something else than it should"


def _reported(game: _GameSession, stream: Stream) -> StreamReport:
    identity, match = game.identity, game.match
    is_game = stream is game.stream or match is None
    return StreamReport(
        stream.stream_id,
        stream.kind,
        identity.match,
        identity.number if is_game else None,
        identity.viewpoint,
        identity.part is None if is_game else match is not None and match.from_start,
        game.translator.desk.ended if is_game else match is not None and match.translator.ended,
    )


def _day(micros: int) -> str:
    return datetime.fromtimestamp(micros // 1_000_000, UTC).date().isoformat()
