"""Small events and appends for the tests of the store."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

from domain.errors import PoisonEvent
from domain.ports import Append, Disclosure, Origin, Provenance, StoredEvent
from whodecided.store.planning import FactsOf
from whodecided.store.postgres.log import PostgresEventLog, create_tables
from whodecided.store.postgres.settings import read_settings
from whodecided.store.sqlite_log import SqliteEventLog, create_events_file

GAME = "aaaaaaaa-1111-5111-8111-111111111111"
LOG_ID = "0123456789abcdef0123456789abcdef"
OTHER_GAME = "bbbbbbbb-1111-5111-8111-111111111111"
TOPIC = "game.life_changed/v1"
UNREADABLE = b"bytes of a version that is not known here"
ORIGIN = Origin("2026-03-01T10:00:00.000000Z", "whodecided test", "Player.log", "ab" * 32)


def facts_of(state: bytes) -> bytes:
    """Facts digest of the test events: what stands before the bar, without what was derived."""
    if state == UNREADABLE:
        raise PoisonEvent("", 0, "unknown topic")
    return hashlib.sha256(state.partition(b"|")[0]).digest()


def event(number: int, stream_id: str = GAME, said: str = "", derived: str = "") -> StoredEvent:
    """An event whose facts are `said` and whose stamp is `derived`."""
    state = f"{stream_id} {number} {said}|{derived}".encode()
    return StoredEvent(stream_id, number, TOPIC, state)


def append(
    first: int,
    last: int,
    stream_id: str = GAME,
    *,
    kind: str = "game",
    said: str = "",
    derived: str = "",
    disclosures: Sequence[Disclosure] = (),
    provenance: Sequence[Provenance] = (),
    origin: Origin = ORIGIN,
    secret: int = 1,
) -> Append:
    """An append of events first to last."""
    events = [event(number, stream_id, said, derived) for number in range(first, last + 1)]
    return Append(stream_id, kind, events, disclosures, provenance, origin, secret)


def disclosure(number: int, field: str = "card", value: bytes = b'"70123"') -> Disclosure:
    """A disclosure with a salt of its own."""
    salt = hashlib.sha256(f"{number} {field}".encode()).digest()
    return Disclosure(number, field, value, salt)


def new_sqlite_log(directory: Path, *, lock_timeout: float = 30.0) -> SqliteEventLog:
    """An empty log in a directory."""
    create_events_file(directory / "events.sqlite", LOG_ID)
    return SqliteEventLog(directory / "events.sqlite", facts_of, lock_timeout=lock_timeout)


def new_postgres_log(address: str, facts_of: FactsOf = facts_of) -> PostgresEventLog:
    """An empty log in a schema where nothing is yet."""
    settings = read_settings(address, os.environ)
    create_tables(settings, LOG_ID)
    return PostgresEventLog(settings, facts_of)


def without_positions(events: Sequence[StoredEvent]) -> list[StoredEvent]:
    """The events as they were before they were stored."""
    return [stored._replace(position=0) for stored in events]
