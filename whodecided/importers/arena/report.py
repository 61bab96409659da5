"""What an import found and did, per file and as a whole."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Final

from domain.errors import BadInput
from domain.ports import Appended
from whodecided.importers.arena.figures import Figure

__all__ = [
    "CONFLICT_ADVICE",
    "SCHEMA_VERSION",
    "BadLine",
    "Conflict",
    "FileReport",
    "ImportReport",
    "StreamReport",
]

SCHEMA_VERSION: Final = 1
NO_DETAILS: Final = (
    "this log has no detailed entries: in Arena, turn on Options, Account,"
    " 'Detailed Logs (Plugin Support)', restart the client and play"
)
NO_GAMES: Final = "no game data was found in this file"
NOT_JOINED: Final = (
    "the game data in this file follows something that is missing: give the file that comes before"
    " it, or this one in a call of its own"
)

CONFLICT_ADVICE: Final = (
    "Import the file into a log of its own with --log, and compare: either it was changed, or the"
    " stored version comes from a changed file or another version of this program."
)


@dataclass(frozen=True, slots=True)
class BadLine:
    """A record that could not be used: line from 1 (0: the whole file), kind and reason."""

    line: int
    kind: str
    reason: str


@dataclass(frozen=True, slots=True)
class Conflict:
    """A stream that was not appended to: the log holds other facts under an event's number.

    `file` is the base name of the file with the other version, `stored` and `offered` are the facts
    digests (hex SHA-256) of event `number` in the log and in the file.
    """

    file: str | None
    stream_id: str
    number: int
    stored: str
    offered: str

    @property
    def reason(self) -> str:
        """What is wrong, for a person."""
        return (
            f"the log holds another version of {self.stream_id}, from event {self.number} on"
            f" (in the log {self.stored}, in the file {self.offered}); nothing was added to it"
        )

    def to_json(self) -> dict[str, Any]:
        """The conflict as one JSON object."""
        return {
            "file": self.file,
            "stream": self.stream_id,
            "event": self.number,
            "stored": self.stored,
            "offered": self.offered,
            "advice": CONFLICT_ADVICE,
        }


@dataclass(frozen=True, slots=True)
class StreamReport:
    """One stream: its id and kind, events that were there before and that were added.

    `match`, `game` and `viewpoint` say what it records; `finished` whether the game or match has a
    result.
    """

    stream_id: str
    kind: str
    match: str | None
    game: int | None
    viewpoint: str
    from_start: bool
    finished: bool
    present: int = 0
    added: int = 0

    def stored(self, done: Appended) -> StreamReport:
        """The same after its append."""
        return replace(self, present=done.present, added=done.added)


@dataclass(slots=True)
class FileReport:
    """One file: the figures of its self-check and what became of its records.

    `stamps` counts by basis, `unmapped` names messages and annotations that no event tells although
    none of them was left out on purpose, `bad` lists records that could not be used, `streams` the
    streams of its games.
    """

    name: str
    digest: str | None
    size: int
    figures: dict[str, Figure] = field(default_factory=dict)
    events: int = 0
    decisions: int = 0
    stamps: dict[str, int] = field(default_factory=dict)
    unmapped: dict[str, int] = field(default_factory=dict)
    bad: list[BadLine] = field(default_factory=list)
    bad_left_out: int = 0
    streams: list[str] = field(default_factory=list)
    unfinished_bytes: int = 0
    detailed_logs: bool | None = None
    problem: BadInput | None = None

    @property
    def message(self) -> str | None:
        """What a person should know about the file; None when all is well."""
        if self.problem is not None:
            return self.problem.reason
        if self.events:
            return None
        if self.figures.get("game_states"):
            return NOT_JOINED
        return NO_DETAILS if self.detailed_logs is False else NO_GAMES

    def to_json(self) -> dict[str, Any]:
        """The file as one JSON object: the figures by name, and the rest."""
        return {
            "schema_version": SCHEMA_VERSION,
            "file": self.name,
            **self.figures,
            "events": self.events,
            "decisions": self.decisions,
            "stamps": self.stamps,
            "unmapped": self.unmapped,
            "bad_records": [
                {"line": item.line, "kind": item.kind, "reason": item.reason} for item in self.bad
            ],
            "bad_records_left_out": self.bad_left_out,
            "streams": self.streams,
            "unfinished_bytes": self.unfinished_bytes,
            "detailed_logs": self.detailed_logs,
            "digest": self.digest,
            "bytes_read": self.size,
            "message": self.message,
        }


@dataclass(slots=True)
class ImportReport:
    """All files in order, all streams that were to be appended to, and those that could not be.

    `held_states` counts states at the end of the input whose predecessor is missing: they are not
    used until a longer input brings it.
    """

    files: list[FileReport] = field(default_factory=list)
    streams: list[StreamReport] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    held_states: int = 0

    @property
    def events_added(self) -> int:
        """Events that the log did not have before."""
        return sum(stream.added for stream in self.streams)

    @property
    def events_present(self) -> int:
        """Events that the log had already, with equal facts."""
        return sum(stream.present for stream in self.streams)

    def to_json(self) -> dict[str, Any]:
        """The import as a whole as one JSON object."""
        games = [stream for stream in self.streams if stream.kind == "game"]
        return {
            "schema_version": SCHEMA_VERSION,
            "files": len(self.files),
            "files_without_games": sum(not report.events for report in self.files),
            "files_unreadable": sum(report.problem is not None for report in self.files),
            "games": len({stream.stream_id for stream in games}),
            "games_unfinished": len({s.stream_id for s in games if not s.finished}),
            "events_added": self.events_added,
            "events_present": self.events_present,
            "held_states": self.held_states,
            "conflicts": [conflict.to_json() for conflict in self.conflicts],
        }
