"""Importing files into a log: reports, what stays out, what stops it."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path

from tests.support.arena_importing import import_into, opened, write_log
from tests.support.arena_plays import seated, text_of
from whodecided.importers.arena.importer import import_arena
from whodecided.importers.arena.report import FileReport
from whodecided.importers.arena.synthetic.demo import demo_log
from whodecided.importers.arena.synthetic.endings import end_game
from whodecided.importers.arena.synthetic.random_games import CALM, random_match


def test_a_report_has_the_figures_and_what_became_of_them(tmp_path: Path) -> None:
    path = write_log(tmp_path, demo_log())
    streams, (report,) = import_into(tmp_path / "log", [path])
    (file,) = report.files
    plain = file.to_json()
    assert json.loads(json.dumps(plain)) == plain
    assert plain["schema_version"] == 1
    assert (plain["file"], plain["games"], plain["games_with_result"]) == ("Player.log", 1, 1)
    assert plain["digest"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert plain["events"] == sum(map(len, streams.values())) == report.events_added
    assert plain["stamps"].keys() == {"derived", "stated"}
    assert 0 < plain["decisions"] < plain["events"]
    assert (plain["unmapped"], plain["bad_records"], plain["message"]) == ({}, [], None)
    (game,) = (stream for stream in report.streams if stream.kind == "game")
    assert (game.finished, game.from_start, game.game, game.viewpoint) == (True, True, 1, "seat:1")
    assert plain["streams"] == [game.stream_id]


def test_importing_again_adds_nothing(tmp_path: Path) -> None:
    path = write_log(tmp_path, demo_log())
    _, (first, second) = import_into(tmp_path / "log", [path], [path])
    assert (second.events_added, second.events_present) == (0, first.events_added)


def test_a_game_without_a_result_is_kept_open_and_grows(tmp_path: Path) -> None:
    plays = seated()
    plays.open(1)
    plays.begin_turn(draw=False)
    plays.pass_priority(1)
    begun = write_log(tmp_path, text_of(plays), name="begun.log")
    end_game(plays, winner=1)
    ended = write_log(tmp_path, text_of(plays), name="ended.log")
    _, (first, second) = import_into(tmp_path / "log", [begun], [ended])
    assert (first.to_json()["games"], first.to_json()["games_unfinished"]) == (1, 1)
    assert (second.to_json()["games"], second.to_json()["games_unfinished"]) == (1, 0)
    assert second.events_present == first.events_added


def test_every_event_says_where_in_which_file_it_stands(tmp_path: Path) -> None:
    path = write_log(tmp_path, demo_log(newline="\r\n"))
    import_into(tmp_path / "log", [path])
    log = opened(tmp_path / "log")
    (game,) = (stream for stream, _, _ in log.events.streams("game"))
    numbers = {event.number for event in log.events.read(game)}
    places = log.events.provenance(game)
    log.close()
    data, digest = path.read_bytes(), hashlib.sha256(path.read_bytes()).hexdigest()
    assert {place.number for place in places} == numbers
    for place in places:
        assert place.file_digest == digest
        assert data[place.offset : place.offset + 1] == b"{"
        assert data[: place.offset].count(b"\n") + 1 == place.line


def test_a_game_in_two_files_names_each_for_its_own_events(tmp_path: Path) -> None:
    text = demo_log()
    middle = text.index("\n", len(text) // 2) + 1
    first = write_log(tmp_path, text[:middle], name="first.log")
    second = write_log(tmp_path, text[middle:], name="second.log")
    later = write_log(tmp_path, random_match(5, CALM), name="later.log")
    _, (report,) = import_into(tmp_path / "log", [first, second, later])
    log = opened(tmp_path / "log")
    game = log.events.read_all(limit=1)[0].stream_id
    journal = [entry for entry in log.events.journal() if entry.stream_id == game]
    places = log.events.provenance(game)
    log.close()
    assert [entry.origin.file_name for entry in journal] == ["first.log", "second.log"]
    assert journal[1].first == journal[0].last + 1
    for entry in journal:
        inside = [place for place in places if entry.first <= place.number <= entry.last]
        assert {place.file_digest for place in inside} == {entry.origin.file_digest}
    holding = [game in file.streams for file in report.files]
    assert holding == [True, True, False]
    assert [bool(file.streams) for file in report.files] == [True, True, True]


def test_compressed_and_plain_logs_give_the_same_events(tmp_path: Path) -> None:
    text = random_match(5, CALM)
    plain = write_log(tmp_path, text)
    packed = tmp_path / "Player.log.gz"
    packed.write_bytes(gzip.compress(text.encode()))
    assert import_into(tmp_path / "a", [plain])[0] == import_into(tmp_path / "b", [packed])[0]


def test_a_log_without_details_gives_no_events_and_says_how_to_get_them(tmp_path: Path) -> None:
    path = write_log(tmp_path, "Mono path[0] = 'x'\nDETAILED LOGS: DISABLED\nnothing else\n")
    streams, (report,) = import_into(tmp_path / "log", [path])
    assert streams == {}
    assert "Detailed Logs" in (report.files[0].message or "")


def test_unusable_files_are_reported_and_the_rest_is_imported(tmp_path: Path) -> None:
    empty, binary, folder = tmp_path / "empty.log", tmp_path / "photo.jpg", tmp_path / "folder"
    empty.touch()
    binary.write_bytes(bytes(range(256)) * 64)
    folder.mkdir()
    good = write_log(tmp_path, demo_log())
    paths = [empty, tmp_path / "missing.log", binary, folder, good]
    streams, (report,) = import_into(tmp_path / "log", paths)
    assert len(streams) == 2
    assert [bool(file.message) for file in report.files] == [True, True, True, True, False]
    assert report.to_json()["files_unreadable"] >= 3


def test_progress_and_reports_come_in_order(tmp_path: Path) -> None:
    paths = [write_log(tmp_path, random_match(n, CALM), name=f"{n}.log") for n in (1, 2)]
    steps: list[tuple[int, int]] = []
    told: list[str] = []

    def note(file: FileReport) -> None:
        told.append(file.name)

    log = opened(tmp_path / "log")
    import_arena(paths, log, progress=lambda done, total: steps.append((done, total)), on_file=note)
    log.close()
    size = sum(path.stat().st_size for path in paths)
    assert {total for _, total in steps} == {size}
    assert [done for done, _ in steps] == sorted(done for done, _ in steps)
    assert steps[-1] == (size, size)
    assert told == ["1.log", "2.log"]


def test_other_facts_under_the_same_numbers_are_a_conflict_and_stop_nothing_else(
    tmp_path: Path,
) -> None:
    text = demo_log()
    log = opened(tmp_path / "log")
    import_arena([write_log(tmp_path, text)], log)
    before = [event.state for event in log.events.read_all(limit=10_000)]
    forged = text.replace('"decision": "MulliganOption_AcceptHand"', '"decision": "other"')
    assert forged != text
    paths = [
        write_log(tmp_path, forged, name="forged.log"),
        write_log(tmp_path, random_match(5, CALM), name="other.log"),
    ]
    report = import_arena(paths, log)
    events = log.events.read_all(limit=10_000)
    log.close()
    (conflict,) = report.conflicts
    assert [event.state for event in events[: len(before)]] == before
    assert {event.stream_id for event in events[len(before) :]} >= set(report.files[1].streams)
    assert (conflict.file, conflict.stream_id) == ("forged.log", report.files[0].streams[0])
    assert conflict.stored != conflict.offered
    assert report.to_json()["conflicts"] == [conflict.to_json()]
    refused = [one for one in report.streams if one.stream_id == conflict.stream_id]
    assert [(one.present, one.added) for one in refused] == [(0, 0)]
