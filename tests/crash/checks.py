"""What must hold after every kill, and after the work has gone on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from domain.codec import decode_all
from domain.errors import LogUnavailable
from domain.ports import EventLog, StoredEvent
from projections.runner import run
from tests.crash.said import Copied, Published, Recorded, Said, Signed, Streamed
from tests.support.games import LIBRARY
from tests.support.tables import contents, fresh_tables
from whodecided.api import Log, open_log
from whodecided.evidence.checkpoints import stored_checkpoints
from whodecided.evidence.verify import verify_log

__all__ = ["require_copy", "require_everything", "require_prefix", "stream_bytes"]

_EVERYTHING = 1_000_000


def require_everything(log: Log, said: Sequence[Said]) -> None:
    """The log verifies, holds what was acknowledged and nothing twice; its tables tell the truth.

    Raises AssertionError.
    """
    verification = verify_log(log.directory)
    assert verification.ok, verification.failure
    _require_once(log)
    _require_streams(log, [one for one in said if isinstance(one, Streamed)])
    _require_records(log, [one for one in said if isinstance(one, Recorded)])
    _require_checkpoints(log, [one for one in said if isinstance(one, Signed)])
    _require_tables(log, [one.position for one in said if isinstance(one, Published)])


def require_copy(log: Log, target: str, said: Sequence[Said]) -> None:
    """The copy is a beginning of the log, and holds what was said to be copied."""
    copied = max((one.position for one in said if isinstance(one, Copied)), default=0)
    try:
        copy = open_log(target)
    except LogUnavailable:
        assert not copied, "the copy is gone"
        return
    with copy:
        require_everything(copy, ())
        assert copy.directory.events.head() >= copied, "the copy lost events"
        assert copy.directory.events.log_id == log.directory.events.log_id
        require_prefix(stream_bytes(copy), stream_bytes(log))
        journal = copy.directory.events.journal()
        assert journal == log.directory.events.journal()[: len(journal)]


def stream_bytes(log: Log) -> dict[str, list[tuple[str, bytes]]]:
    """Stream -> topic and bytes of its events, in order."""
    found: dict[str, list[tuple[str, bytes]]] = {}
    for event in log.directory.events.read_all(limit=_EVERYTHING):
        found.setdefault(event.stream_id, []).append((event.topic, event.state))
    return found


def require_prefix(before: dict[str, Any], after: dict[str, Any]) -> None:
    """Going on has added to the streams and changed nothing."""
    for stream_id, events in before.items():
        assert after[stream_id][: len(events)] == events, stream_id


def _require_once(log: Log) -> None:
    stored = log.directory.events.read_all(limit=_EVERYTHING)
    assert [event.position for event in stored] == list(range(1, len(stored) + 1))
    ids = [event.event_id for event in decode_all(stored)]
    assert len(set(ids)) == len(ids), "an event is stored twice"


def _require_streams(log: Log, said: Iterable[Streamed]) -> None:
    for stream_id, number in said:
        assert log.directory.events.stream_head(stream_id) >= number, f"{stream_id} lost events"


def _require_records(log: Log, said: Iterable[Recorded]) -> None:
    found = {
        stream_id: [e.source.record for e in decode_all(log.directory.events.read(stream_id))]
        for stream_id, _, _ in log.directory.events.streams("game")
    }
    for stream_id, number, record in said:
        assert found[stream_id][number - 1] == record, f"event {number} of {stream_id}"


def _require_checkpoints(log: Log, said: Iterable[Signed]) -> None:
    kept = {one.checkpoint.size: one.text() for one in stored_checkpoints(log.directory)}
    for size, text in said:
        assert kept[size] == text, f"checkpoint {size}"


def _require_tables(log: Log, published: Sequence[int]) -> None:
    """Tables that can be read are those of the log up to the position they tell."""
    status = log.views.status(log.directory.events, log.rules)
    assert status.poison == ()
    if status.problem is not None:
        assert "no tables have been made yet" in status.problem, status.problem
        assert not published, "published tables are gone"
        return
    assert status.position >= max(published, default=0), "published tables are gone"
    with log.views.reader() as connection:
        found = contents(connection)
    with fresh_tables() as connection:
        run(connection, _Upto(log.directory.events, status.position), LIBRARY)  # type: ignore[arg-type]  # all that a run reads
        wanted = contents(connection)
    for name, rows in wanted.items():
        if name not in ("sources", "tracking"):
            assert found[name] == rows, f"table {name}"


class _Upto:
    """A log as it was when it had so many positions."""

    def __init__(self, log: EventLog, position: int) -> None:
        self._log = log
        self._position = position
        self.journal = log.journal

    def read(self, stream_id: str) -> list[StoredEvent]:
        return [one for one in self._log.read(stream_id) if one.position <= self._position]

    def read_all(self, *, after: int, limit: int) -> list[StoredEvent]:
        found = self._log.read_all(after=after, limit=limit)
        return [one for one in found if one.position <= self._position]

    def stream_head(self, stream_id: str) -> int:
        return self.read(stream_id)[-1].number

    def head(self) -> int:
        return self._position
