"""The event sourcing library's Application works over the log's own recorder and mapper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest
from eventsourcing.persistence import IntegrityError
from pydantic import BaseModel, ConfigDict

from domain.canonical import canonical_json, sha256
from domain.ports import Append, Origin, StoredEvent
from tests.whodecided.store.builders import GAME, LOG_ID, ORIGIN, OTHER_GAME, new_postgres_log
from whodecided.store.application import LogApplication
from whodecided.store.mapper import EventMapper
from whodecided.store.postgres.log import PostgresEventLog
from whodecided.store.sqlite_log import SqliteEventLog, create_events_file

StoredLog = SqliteEventLog | PostgresEventLog


class LifeChanged(BaseModel):
    """A small event; version 1 called its life total `life`."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    TOPIC: ClassVar[str] = "game.life_changed/v2"

    originator_id: str
    originator_version: int
    seat: int
    total: int


def encode(event: LifeChanged) -> StoredEvent:
    state = canonical_json(event.model_dump(mode="json"))
    return StoredEvent(event.originator_id, event.originator_version, event.TOPIC, state)


def decode(stored: StoredEvent) -> LifeChanged:
    plain = msgspec.json.decode(stored.state)
    if stored.topic == "game.life_changed/v1":
        plain["total"] = plain.pop("life")
    return LifeChanged.model_validate(plain)


class Totals(BaseModel):
    """Life totals by seat, as of an event."""

    id: str
    version: int
    totals: dict[int, int]


def project(totals: Totals | None, events: Iterable[Any]) -> Totals | None:
    for event in events:
        known = {} if totals is None else totals.totals
        totals = Totals(
            id=event.originator_id,
            version=event.originator_version,
            totals=known | {event.seat: event.total},
        )
    return totals


def changed(number: int, stream_id: str = GAME) -> LifeChanged:
    return LifeChanged(
        originator_id=stream_id, originator_version=number, seat=number % 2 + 1, total=20 - number
    )


def new_log(directory: Path) -> SqliteEventLog:
    directory.mkdir(exist_ok=True)
    create_events_file(directory / "events.sqlite", LOG_ID)
    return SqliteEventLog(directory / "events.sqlite", sha256)


@pytest.fixture(params=["sqlite", "postgres"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[StoredLog]:
    if request.param == "sqlite":
        with closing(new_log(tmp_path)) as opened:
            yield opened
        return
    address = request.getfixturevalue("postgres_address")
    with closing(new_postgres_log(address, sha256)) as on_server:
        yield on_server


@pytest.fixture
def application(log: StoredLog) -> Iterator[LogApplication]:
    mapper = EventMapper(encode, decode)
    with LogApplication(log.recorder, mapper, kind="game", origin=lambda: ORIGIN) as opened:
        yield opened


def test_saved_events_come_back_equal(application: LogApplication) -> None:
    recordings = application.save(changed(1), changed(2))
    application.save(changed(3))

    assert [recording.notification.id for recording in recordings] == [1, 2]
    assert list(application.events.get(GAME)) == [changed(1), changed(2), changed(3)]
    totals: Totals = application.repository.get(GAME, projector_func=project)
    assert (totals.version, totals.totals) == (3, {1: 18, 2: 17})
    assert [n.id for n in application.recorder.select_notifications(2, 10)] == [2, 3]
    assert application.recorder.max_notification_id() == 3


def test_saving_stores_the_same_rows_as_the_bulk_path(
    application: LogApplication, log: StoredLog, tmp_path: Path
) -> None:
    events = [changed(1), changed(2), changed(1, OTHER_GAME)]
    application.save(*events)

    with closing(new_log(tmp_path / "bulk")) as bulk:
        bulk.append(
            [
                Append(GAME, "game", [encode(event) for event in events[:2]], [], [], ORIGIN),
                Append(OTHER_GAME, "game", [encode(events[2])], [], [], ORIGIN),
            ]
        )
        assert log.read_all() == bulk.read_all()
        assert [event.state for event in log.read_all()] == [encode(e).state for e in events]
        assert log.journal() == bulk.journal()
        assert list(log.streams()) == list(bulk.streams())


def test_a_taken_or_skipped_number_raises_the_librarys_integrity_error(
    application: LogApplication, log: StoredLog
) -> None:
    application.save(changed(1))

    for number in (1, 3):
        with pytest.raises(IntegrityError):
            application.save(changed(1, OTHER_GAME), changed(number))
    assert log.head() == 1
    assert len(log.journal()) == 1


def test_a_reader_on_a_server_is_told_of_what_is_saved(postgres_address: str) -> None:
    with (
        closing(new_postgres_log(postgres_address, sha256)) as log,
        LogApplication(
            log.recorder, EventMapper(encode, decode), kind="game", origin=lambda: ORIGIN
        ) as application,
        application.recorder.subscribe(gt=0) as subscription,
    ):
        application.save(changed(1))
        application.save(changed(2))

        assert [next(subscription).id for _ in range(2)] == [1, 2]


def test_every_save_stands_in_the_journal(application: LogApplication, log: StoredLog) -> None:
    application.save(changed(1), changed(2))
    application.save(changed(3))

    entries = [(e.stream_id, e.kind, e.first, e.last, e.origin) for e in log.journal()]
    assert entries == [(GAME, "game", 1, 2, ORIGIN), (GAME, "game", 3, 3, ORIGIN)]


def test_old_bytes_are_read_in_todays_form_on_every_path_and_stay_as_they_are(
    application: LogApplication, log: StoredLog
) -> None:
    old = canonical_json({"originator_id": GAME, "originator_version": 1, "seat": 2, "life": 19})
    stored = StoredEvent(GAME, 1, "game.life_changed/v1", old)
    origin = Origin("2020-01-01T00:00:00.000000Z", "an older version")
    log.append([Append(GAME, "game", [stored], [], [], origin)])
    application.save(changed(2))

    assert list(application.events.get(GAME)) == [changed(1), changed(2)]
    [notification] = application.recorder.select_notifications(1, 1)
    assert application.mapper.to_domain_event(notification) == changed(1)
    totals: Totals = application.repository.get(GAME, version=1, projector_func=project)
    assert totals.totals == {2: 19}
    assert log.read(GAME)[0].state == old
