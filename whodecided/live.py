"""Appending to a game while it is played, event by event, from several processes at once.

What is seen becomes an event through the aggregate, exactly as in every import: it is numbered,
stamped and sealed there, never by the caller.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from domain.canonical import format_time
from domain.codec import decode, decode_all, encode, facts_digest
from domain.errors import AppendConflict, BadInput, IntegrityFailure, PoisonEvent, VersionConflict
from domain.events.registry import GAME_EVENTS, sealed_fields
from domain.game import GameState, begin, evolve, record
from domain.ids import LIVE, event_uuid, live_stream
from domain.observation import Observation
from domain.ports import Append, Origin, StoredEvent
from domain.rules import RuleBook, RuleLibrary, rules_of_game
from domain.sealed import Seal
from whodecided.evidence.merkle import leaf_hash
from whodecided.naming_games import require_name
from whodecided.store.directory import LogDirectory

__all__ = ["Acknowledged", "LiveGames"]

_TOOL: Final = "whodecided-live/1"
_OPENING: Final = "game_started"
_KEPT: Final = 32
_HIDDEN: Final = {name: frozenset(sealed_fields(item)) for name, item in GAME_EVENTS.items()}
_UNUSABLE: Final = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


@dataclass(frozen=True, slots=True, kw_only=True)
class Acknowledged:
    """An event that the log holds for good.

    `position` is its place in the whole log, `leaf` (hex) its leaf hash in the record's tree;
    `added` is false for one that was there already.
    """

    stream_id: str
    number: int
    event_id: str
    position: int
    leaf: str
    added: bool


@dataclass(slots=True)
class _Game:
    """What is known of a game: its state (None before it begins), its events' numbers by id."""

    stream_id: str
    library: RuleLibrary
    state: GameState | None = None
    rules: RuleBook | None = None
    numbers: dict[str, int] = field(default_factory=dict)

    @property
    def number(self) -> int:
        """The number of its last event."""
        return 0 if self.state is None else self.state.number

    def take(self, event: Any) -> None:
        """Fold an event; the first one says under which rules."""
        if self.state is None:
            if event.source.system != LIVE:
                raise BadInput(
                    self.stream_id,
                    "this game was imported",
                    advice="Only a game that was begun live goes on live; import the rest of it.",
                )
            self.rules = rules_of_game(self.library, [event]).rules
            self.state = begin(self.stream_id, LIVE, self.rules)
        self.state = evolve(self.state, event)
        self.numbers[event.event_id] = event.number

    def next_event(self, seen: Observation, seal: Seal) -> Any:
        """What an observation becomes now, as it will be read. BadInput for what is no event."""
        if self.state is None and seen.event != _OPENING:
            raise BadInput(seen.record, f"a game begins with {_OPENING}, not with {seen.event}")
        if self.state is not None and seen.event == _OPENING:
            raise BadInput(seen.record, "the game has begun already; its restart is game_restarted")
        rules = self.rules or self.library.undated()
        state = self.state or begin(self.stream_id, LIVE, rules)
        with _said_of(seen):
            return decode(encode(record(state, seen, seal, rules)))

    def require_seat(self, seen: Observation) -> None:
        """BadInput when an observation names an acting seat that the game does not have."""
        seats = {} if self.state is None else self.state.control.players
        if seen.acting_seat is not None and seen.acting_seat not in seats:
            there_are = ", ".join(map(str, sorted(seats)))
            reason = f"{seen.event}: the game has no seat {seen.acting_seat}"
            raise BadInput(seen.record, reason, advice=f"Its seats are: {there_are}.")

    def ahead(self) -> _Game:
        """A copy to try events on."""
        return _Game(self.stream_id, self.library, self.state, self.rules)


class LiveGames:
    """The games of one log that are recorded live; what was read of them is kept."""

    def __init__(self, directory: LogDirectory, library: RuleLibrary) -> None:
        self._directory = directory
        self._library = library
        self._kept: OrderedDict[str, _Game] = OrderedDict()
        self._busy = threading.Lock()

    def record(
        self, name: str, seen: Sequence[Observation], expected: int | None
    ) -> tuple[Acknowledged, ...]:
        """Append observations to a game in one transaction; see `Log.record`."""
        with self._busy:
            game = self._game(name)
            checked = [_checked(item) for item in seen]
            ids = [event_uuid(game.stream_id, item.record) for item in checked]
            if len(set(ids)) < len(ids):
                raise BadInput(name, "one record stands twice in the batch")
            while True:
                self._advance(game)
                try:
                    return self._record(game, checked, ids, expected)
                except IntegrityFailure:
                    # Another process was faster; if none was, the failure stands.
                    if self._directory.events.stream_head(game.stream_id) == game.number:
                        raise

    def _record(
        self, game: _Game, seen: Sequence[Observation], ids: Sequence[str], expected: int | None
    ) -> tuple[Acknowledged, ...]:
        known = [game.numbers[one] for one in ids if one in game.numbers]
        count = len(known)
        if any(one not in game.numbers for one in ids[:count]):
            raise BadInput(game.stream_id, "a new record stands before one that is stored already")
        present = self._present(game, seen[:count], known)
        if count == len(seen):
            return present
        if expected is not None:
            expected += sum(number > expected for number in known)
            if expected != game.number:
                raise VersionConflict(game.stream_id, expected, game.number)
        return present + self._append(game, seen[count:])

    def _game(self, name: str) -> _Game:
        stream_id = name
        if not self._directory.events.stream_head(name):
            require_name("game", name)
            stream_id = live_stream(name)
        game = self._kept.setdefault(stream_id, _Game(stream_id, self._library))
        self._kept.move_to_end(stream_id)
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return game

    def _advance(self, game: _Game) -> None:
        """Fold what the log has gained."""
        for event in decode_all(self._directory.events.read(game.stream_id, after=game.number)):
            game.take(event)

    def _append(self, game: _Game, seen: Sequence[Observation]) -> tuple[Acknowledged, ...]:
        stream_id, log = game.stream_id, self._directory.events
        sealer = self._directory.sealer(stream_id)
        ahead, events = game.ahead(), []
        for item in seen:
            event = ahead.next_event(item, sealer)
            with _said_of(item):
                ahead.take(event)
            ahead.require_seat(item)
            events.append(encode(event))
        origin = Origin(format_time(time.time_ns() // 1000), _TOOL)
        [done] = log.append(
            [Append(stream_id, "game", events, sealer.take(stream_id), (), origin, sealer.number)]
        )
        stored = log.read(stream_id, after=game.number, upto=ahead.number)
        return tuple(_acknowledged(one, one.number > game.number + done.present) for one in stored)

    def _present(
        self, game: _Game, seen: Sequence[Observation], numbers: Sequence[int]
    ) -> tuple[Acknowledged, ...]:
        """What is stored already, if it says the same; AppendConflict otherwise."""
        offered = dict(zip(numbers, seen, strict=True))
        again, sealer = _Game(game.stream_id, self._library), self._directory.sealer(game.stream_id)
        found = {}
        for one in self._directory.events.read(game.stream_id, upto=max(numbers, default=0)):
            if one.number in offered:
                event = encode(again.next_event(offered[one.number], sealer))
                stored, facts = facts_digest(one.state).hex(), facts_digest(event.state).hex()
                if stored != facts:
                    raise AppendConflict(game.stream_id, one.number, stored, facts)
                found[one.number] = _acknowledged(one, False)
            again.take(decode(one))
        return tuple(found[number] for number in numbers)


def _acknowledged(stored: StoredEvent, added: bool) -> Acknowledged:
    return Acknowledged(
        stream_id=stored.stream_id,
        number=stored.number,
        event_id=decode(stored).event_id,
        position=stored.position,
        leaf=leaf_hash(stored.state).hex(),
        added=added,
    )


def _is_text(given: str) -> bool:
    """Whether it can be encoded, which half of a surrogate pair cannot."""
    try:
        given.encode()
    except UnicodeEncodeError:
        return False
    return True


@contextmanager
def _said_of(seen: Observation) -> Iterator[None]:
    """Turn what goes wrong with an observation into BadInput that names it."""
    try:
        yield
    except PoisonEvent as error:
        raise BadInput(seen.record, f"{seen.event}: {error.reason}") from error
    except _UNUSABLE as error:
        raise BadInput(seen.record, f"{seen.event}: {error}") from error


def _checked(seen: Observation) -> Observation:
    """The observation in plain form, hidden values apart; BadInput for what is none."""
    try:
        plain = msgspec.convert(msgspec.to_builtins(seen), Observation)
    except (msgspec.MsgspecError, TypeError) as error:
        raise BadInput("observation", str(error)) from error
    if not plain.record:
        raise BadInput("observation", f"{plain.event} has no record id")
    if not _is_text(plain.record):
        raise BadInput("observation", f"the record id of {plain.event} is no text")
    hidden = _HIDDEN.get(plain.event, frozenset())
    for name in sorted(hidden):
        if plain.fields.get(name) is not None:
            raise BadInput(plain.record, f"{plain.event}: {name} is hidden; it belongs in secrets")
    for name, value in plain.secrets.items():
        if name not in hidden or not isinstance(value, str | None):
            raise BadInput(plain.record, f"{plain.event}: {name} is no hidden text of it")
    return plain
