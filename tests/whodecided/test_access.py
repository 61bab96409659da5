"""What a judge is shown is recorded: every question, once, whoever reads at the same time."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from domain.codec import decode_all
from domain.errors import BadInput, NotEntitled, NotFound, WhodecidedError
from domain.ids import access_stream
from tests.support.games import fresh_identity
from tests.support.stories import controlled_turn
from tests.whodecided.evidence.forging import both
from whodecided import Log, UnnamedReader, UnrecordedRead, open_log
from whodecided.evidence.bundle import make_bundle
from whodecided.evidence.erasure import erase_person, find_person
from whodecided.evidence.showing import may_show_nothing
from whodecided.evidence.trust import Trust
from whodecided.evidence.verify import verify_log
from whodecided.store.opening import open_store

TEMPLATE = Path(__file__).parents[2] / "whodecided" / "scenario" / "template.yaml"
GAME = controlled_turn().game_id
QUESTIONS: dict[str, tuple[Callable[[Log, str], Any], int | None]] = {
    "show": (lambda log, viewer: log.game(1, viewer=viewer), None),
    "who": (lambda log, viewer: log.who(1, 16, viewer=viewer), 16),
    "responsible": (lambda log, viewer: log.responsible(1, 16, viewer=viewer), 16),
    "control": (lambda log, viewer: log.control(1, viewer=viewer), None),
    "active": (lambda log, viewer: log.active(1, 16, viewer=viewer), 16),
    "sees": (lambda log, viewer: log.sees(1, 16, viewer=viewer), 16),
    "replay": (lambda log, viewer: log.replay(1, viewer=viewer), 24),
    "findings": (lambda log, viewer: log.findings(1, viewer=viewer), None),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return controlled_turn().in_directory(tmp_path / "log")


@pytest.fixture
def log(path: Path) -> Iterator[Log]:
    with open_log(path, by="judge:hana", reason="complaint 7") as opened:
        yield opened


def reads(log: Log) -> list[Any]:
    return decode_all(log.directory.events.read(access_stream(log.directory.events.log_id)))


@pytest.mark.parametrize("command", QUESTIONS)
def test_what_a_judge_asks_about_a_game_is_recorded(log: Log, command: str) -> None:
    ask, number = QUESTIONS[command]
    ask(log, "judge")

    [read] = reads(log)
    assert (read.command, read.record, read.first, read.last) == (command, GAME, number, None)
    assert (read.viewer, read.statement) == ("judge", None)
    assert read.stamp.deciding_player == "judge:hana"
    assert (read.stamp.basis, read.stamp.authority.kind) == ("stated", "judge")
    [shown] = log.access(viewer="judge").reads
    assert (shown.reason, shown.read_at) == ("complaint 7", read.occurred_at)


@pytest.mark.parametrize("viewer", ["spectator", "1", "seat:2", "judge:hana"])
@pytest.mark.parametrize("command", QUESTIONS)
def test_what_others_ask_is_not_recorded(log: Log, command: str, viewer: str) -> None:
    QUESTIONS[command][0](log, viewer)

    assert reads(log) == []


def test_the_state_at_an_event_is_a_replay(log: Log) -> None:
    log.at(1, 16, viewer="judge")

    assert [(read.command, read.first) for read in reads(log)] == [("replay", 16)]


def test_statements_and_tables_are_recorded_and_sealed(log: Log) -> None:
    log.sql("SELECT count(*) FROM events", viewer="judge")
    log.relation("objects", viewer="judge")

    assert [(read.command, read.record) for read in reads(log)] == [
        ("sql", None),
        ("relation", None),
    ]
    answer = log.access(viewer="judge")
    assert [read.statement for read in answer.reads] == ["SELECT count(*) FROM events", "objects"]
    states = b"".join(
        event.state
        for event in log.directory.events.read(access_stream(log.directory.events.log_id))
    )
    assert b"SELECT" not in states
    assert b"complaint" not in states


def test_a_question_that_is_not_answered_is_no_read(log: Log) -> None:
    with pytest.raises(NotFound):
        log.who(1, 99, viewer="judge")
    with pytest.raises(NotEntitled):
        log.sql("SELECT 1", viewer="1")
    with pytest.raises(NotEntitled):
        log.relation("events", viewer="1")

    assert reads(log) == []


def test_a_statement_that_fails_is_recorded_since_errors_tell_what_is_hidden(log: Log) -> None:
    statement = "SELECT error(string_agg(object, ' ')) FROM learned"
    with pytest.raises(BadInput, match="Invalid Input Error"):
        log.sql(statement, viewer="judge")

    assert [read.statement for read in log.access(viewer="judge").reads] == [statement]


def test_the_access_log_is_for_everybody_and_its_reasons_are_for_judges(log: Log) -> None:
    log.who(1, 16, viewer="judge")

    assert [read.hidden for read in log.access().reads] == [("reason",)]
    assert len(reads(log)) == 1
    assert [read.reason for read in log.access(viewer="judge").reads] == ["complaint 7"]
    [_, again] = reads(log)
    assert (again.command, again.record) == ("access", access_stream(log.directory.events.log_id))
    assert [read.command for read in log.access(1).reads] == ["who"]


def test_a_read_without_a_reason_is_recorded_as_such(path: Path) -> None:
    with open_log(path, viewer="judge", by="judge:hana") as log:
        log.who(1, 16)
        log.reason = "  "
        log.who(1, 16)
        log.reason = "second look"
        log.who(1, 16)

        found = log.access(viewer="judge").reads
        assert [(read.reason, read.hidden, read.erased) for read in found] == [
            (None, (), ()),
            (None, (), ()),
            ("second look", (), ()),
        ]


def test_what_is_no_text_is_recorded_escaped(path: Path) -> None:
    with open_log(path, viewer="judge", by="Han\udcffa", reason="why\udcff") as log:
        log.who(1, 16)

        [read] = log.access(viewer="judge").reads
        assert read.reason == "why\\udcff"
        assert log.names([read.reader]) == {read.reader: "Han\\udcffa"}


def test_a_name_is_kept_apart_under_a_pseudonym(path: Path) -> None:
    for by in ("Hana M.", "person:anna", "Hana M."):
        with open_log(path, viewer="judge", by=by) as log:
            log.who(1, 16)

    with open_log(path) as log:
        first, second, third = (read.stamp.deciding_player for read in reads(log))
        assert (first, second) == (third, "person:anna")
        assert log.names([first, second]) == {first: "Hana M."}
        assert b"Hana" not in (path / "events.sqlite").read_bytes()
        log.directory.secrets.rotate()
    with open_log(path, viewer="judge", by="Hana M.") as log:
        log.who(1, 16)
        assert reads(log)[-1].stamp.deciding_player == first


def test_without_a_name_it_is_the_user_of_the_system(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("whodecided.access._user", lambda: "hana")
    with open_log(path, viewer="judge") as log:
        log.who(1, 16)
        [read] = reads(log)
        assert read.stamp.basis == "presumed"
        assert log.names([read.stamp.deciding_player]) == {read.stamp.deciding_player: "hana"}
    monkeypatch.setattr("whodecided.access._user", lambda: None)
    with open_log(path, viewer="judge", by=" ") as log:
        log.who(1, 16)
        stamp = reads(log)[-1].stamp
        assert (stamp.deciding_player, stamp.basis) == ("unknown", "unknown")


def test_reads_are_part_of_the_evidence(log: Log, path: Path) -> None:
    log.who(1, 16, viewer="judge")
    log.sees(1, 16, viewer="judge")
    stream = access_stream(log.directory.events.log_id)

    assert verify_log(log.directory, from_scratch=True, rules=log.rules).ok
    made = make_bundle(log.directory, stream, viewer="spectator", may_show=may_show_nothing)
    assert both(made.content, Trust()) is None
    assert (made.manifest.counts.shown, made.manifest.counts.disclosed) == (2, 0)
    log.close()
    with closing(sqlite3.connect(path / "events.sqlite")) as raw:
        for statement in ("DELETE FROM events", "UPDATE events SET topic = 'x'"):
            with pytest.raises(sqlite3.IntegrityError, match="is not allowed"):
                raw.execute(f"{statement} WHERE originator_id = ?", (stream,))


def test_erasing_a_reader_takes_the_name_and_the_reasons(path: Path) -> None:
    with open_log(path, viewer="judge", by="Hana M.", reason="complaint 7") as log:
        log.who(1, 16)
        reader = find_person(log.directory, "Hana M.")
        assert reader == reads(log)[0].stamp.deciding_player

        moment = "2026-10-02T09:00:00.000000Z"
        erase_person(log.directory, reader, reason="asked", by="judge:x", recorded_at=moment)

        assert log.names([reader]) == {}
        assert log.access(viewer="judge").reads[0].erased == ("reason",)
        assert verify_log(log.directory).ok


@pytest.mark.parametrize("store", ["file", "server"])
def test_readers_at_once_are_all_recorded(
    request: pytest.FixtureRequest, tmp_path: Path, store: str
) -> None:
    file = store == "file"
    place = str(tmp_path / "log") if file else request.getfixturevalue("postgres_address")
    with closing(open_store(place, create=True, identity=fresh_identity())) as made:
        made.events.append([controlled_turn().append()])

    def read(reader: int) -> None:
        with open_log(place, viewer="judge", by=f"judge:{reader}") as log:
            for number in range(1, 11):
                log.who(1, number)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(read, range(4)))

    with open_log(place) as log:
        found = [(read.stamp.deciding_player, read.first) for read in reads(log)]
        assert sorted(found) == [(f"judge:{n}", at) for n in range(4) for at in range(1, 11)]
        assert verify_log(log.directory).ok


@pytest.fixture
def read_only(path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The log as on read-only media: permissions are no hindrance to the superuser."""
    monkeypatch.setattr("whodecided.store.connection.os.access", lambda *_: False)
    return path


def test_a_log_that_cannot_be_written_is_read_and_the_missing_record_is_told(
    read_only: Path,
) -> None:
    before = set(read_only.rglob("*"))
    told: list[WhodecidedError] = []
    with open_log(read_only, viewer="judge", by="judge:hana", on_unrecorded=told.append) as log:
        assert log.who(1, 16).deciding_player is not None
        assert log.access(viewer="spectator").reads == ()
        assert verify_log(log.directory).ok
    assert len(told) == 1
    assert "cannot be written" in str(told[0])
    assert set(read_only.rglob("*")) == before


def test_without_the_log_secrets_a_named_reader_is_recorded_as_unknown(
    postgres_address: str,
) -> None:
    with closing(open_store(postgres_address, create=True, identity=fresh_identity())) as made:
        made.events.append([controlled_turn().append()])
        (made.keys / "log.secret").unlink()
    told: list[WhodecidedError] = []

    for by in ("Hana M.", "judge:hana"):
        with open_log(postgres_address, viewer="judge", by=by, on_unnamed=told.append) as log:
            assert log.who(1, 16).deciding_player is not None
            assert log.who(1, 17).deciding_player is not None

    assert [str(error).endswith("the log has events") for error in told] == [True, True]
    with open_log(postgres_address, viewer="judge", by="Hana M.") as log:
        with pytest.warns(UnnamedReader, match="calls the reader of this read unknown"):
            log.who(1, 18)
        assert [
            (read.first, read.stamp.deciding_player, read.stamp.basis) for read in reads(log)
        ] == [
            (16, "unknown", "unknown"),
            (17, "unknown", "unknown"),
            (16, "judge:hana", "stated"),
            (17, "judge:hana", "stated"),
            (18, "unknown", "unknown"),
        ]
        assert log.directory.people.everyone() == []


def test_without_somebody_to_tell_a_warning_is_given(read_only: Path) -> None:
    with (
        open_log(read_only, viewer="judge", by="judge:hana") as log,
        pytest.warns(UnrecordedRead, match="not in the access log"),
    ):
        log.who(1, 16)


def test_a_log_that_somebody_writes_to_is_not_taken_for_one_at_rest(
    log: Log, read_only: Path
) -> None:
    log.who(1, 16, viewer="judge")  # leaves a write-ahead log as long as it is open

    with open_log(read_only) as other:
        assert len(other.access().reads) == 1


def test_reading_does_not_make_the_tables_anew(log: Log) -> None:
    log.sql("SELECT 1", viewer="judge")
    generation = log.status().tables.generation

    for _ in range(3):
        assert log.sql("SELECT count(*) FROM games", viewer="judge").rows == ((1,),)

    assert log.status().tables.generation == generation
    log.import_scenario(TEMPLATE, "hypothetical")
    assert log.sql("SELECT count(*) FROM games", viewer="judge").rows == ((2,),)
    assert log.status().tables.generation != generation
