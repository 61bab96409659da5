"""`import`: files go in, what is wrong with them is said, and nothing goes in twice."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.support.arena_plays import seated, text_of
from whodecided.importers.arena import importer
from whodecided.importers.arena.strand import read_strand
from whodecided.importers.arena.synthetic.demo import demo_log
from whodecided.importers.arena.synthetic.endings import cancel_a_cast
from whodecided.store.directory import open_directory

Runs = Callable[..., Any]


@pytest.fixture
def player_log(tmp_path: Path) -> Path:
    file = tmp_path / "Player.log"
    file.write_text(demo_log(), encoding="utf-8")
    return file


def documents(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_a_log_is_made_filled_and_named(run: Runs, player_log: Path, tmp_path: Path) -> None:
    result = run("import", player_log, "--log", tmp_path / "log")

    assert result.code == 0
    assert result.out.startswith("Player.log  ")
    assert "decider of 126 events: 103 derived, 23 stated" in result.out
    assert "1 game, " in result.out
    assert str(tmp_path / "log") in result.out
    assert result.out.endswith(f"Next: whodecided --log {tmp_path / 'log'} games\n")


@pytest.mark.parametrize(
    ("options", "much", "wanted"),
    [((), 0, [2]), ((), 1 << 30, []), (("--jobs", "3"), 1 << 30, [3]), (("--jobs", "1"), 0, [])],
)
def test_as_many_processes_read_as_are_asked_for_or_useful(
    run: Runs,
    player_log: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: tuple[str, ...],
    much: int,
    wanted: list[int],
) -> None:
    used: list[int] = []

    def noted(strands: Any, opener: object, keep_names: bool, jobs: int) -> Any:
        used.append(jobs)
        with closing(open_directory(tmp_path / "log", create=False)) as log:
            for strand in strands:
                yield from read_strand(strand, log.sealer, keep_names)

    monkeypatch.setattr(importer, "read_beside", noted)
    monkeypatch.setattr(importer, "_MUCH", much)
    monkeypatch.setattr("os.cpu_count", lambda: 8)
    result = run("import", player_log, player_log, *options, "--log", tmp_path / "log")

    assert result.code == 0
    assert used == wanted


def test_with_json_there_is_a_line_per_file_and_then_the_summary(
    run: Runs, player_log: Path, tmp_path: Path
) -> None:
    zipped = tmp_path / "other.log.gz"
    zipped.write_bytes(gzip.compress(b"nothing of a game\n"))
    result = run("import", player_log, zipped, "--log", tmp_path / "log", "--json")
    first, second, last = documents(result.out)

    assert [first["file"], second["file"]] == ["Player.log", "other.log.gz"]
    assert {one["schema_version"] for one in (first, second, last)} == {1}
    assert first["games"] == 1
    assert last["summary"]["games"] == 1
    assert result.code == 6


def test_what_is_there_already_is_not_imported_twice(
    run: Runs, player_log: Path, tmp_path: Path
) -> None:
    run("import", player_log, "--log", tmp_path / "log")
    result = run("import", player_log, "--log", tmp_path / "log")

    assert "0 new events" in result.out
    assert "were there already" in result.out
    assert result.code == 0


@pytest.mark.parametrize(
    ("content", "code", "said"),
    [
        (b"", 2, "the file is empty"),
        (b"\x1f\x8bnot gzip", 2, "gzip"),
        (b"just text\n", 6, "no game data"),
        (b"DETAILED LOGS: DISABLED\n", 6, "Detailed Logs (Plugin Support)"),
    ],
)
def test_a_file_of_no_use_is_named_and_the_rest_is_imported(
    run: Runs, player_log: Path, tmp_path: Path, content: bytes, code: int, said: str
) -> None:
    useless = tmp_path / "useless.log"
    useless.write_bytes(content)
    result = run("import", useless, player_log, "--log", tmp_path / "log")

    assert result.code == code
    assert "useless.log" in result.err
    assert said in result.err
    assert "1 game, " in result.out


def test_a_folder_and_a_missing_file_are_bad_input(run: Runs, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for name in ("folder", "absent.log"):
        result = run("import", tmp_path / name, "--log", tmp_path / "log")
        assert result.code == 2
        assert name in result.err


def test_the_self_check_of_a_file_is_shown(run: Runs, player_log: Path, tmp_path: Path) -> None:
    text = player_log.read_text(encoding="utf-8")
    odd = tmp_path / "odd.log"
    odd.write_text(text.replace('"decisionPlayer": 1', '"decisionPlayer": 2'), encoding="utf-8")
    message = '"AnnotationType_PhaseOrStepModified"'
    novel = tmp_path / "novel.log"
    novel.write_text(text.replace(message, '"AnnotationType_Novel"'), encoding="utf-8")
    good = run("import", player_log, "--log", tmp_path / "1")
    bad = run("import", odd, "--log", tmp_path / "2")
    unknown = run("import", novel, "--log", tmp_path / "3")

    found = re.search(r"check: no gaps; .*?(\d+) of (\d+) actions by the player", good.out)
    assert found is not None
    assert found[1] == found[2]
    assert "deciding" not in good.err
    assert "by another player than the one whom the log names as deciding" in bad.err
    assert re.search(r"without an event: Novel \(\d+\)", unknown.out)


def test_an_undo_that_contradicts_the_record_is_a_warning(run: Runs, tmp_path: Path) -> None:
    plays = seated()
    plays.open(1)
    plays.begin_turn(draw=False)
    cancel_a_cast(plays, 1, 700106)
    plays.flush()
    text = text_of(plays)
    (undo,) = (line for line in text.splitlines() if "GameStateUpdate_Undo" in line)
    other = undo.replace('"turnNumber": 1', '"turnNumber": 2')
    file = tmp_path / "undo.log"
    file.write_text(text, encoding="utf-8")
    right = run("import", file, "--log", tmp_path / "1")
    file.write_text(text.replace(undo, other), encoding="utf-8")
    wrong = run("import", file, "--log", tmp_path / "2")

    assert "1 of 1 undo as read" in right.out
    assert "cannot be confirmed" not in right.err
    assert "undo.log: 1 undo that cannot be confirmed" in wrong.err


def test_another_version_of_a_game_is_told_and_the_rest_is_imported(
    run: Runs, player_log: Path, tmp_path: Path
) -> None:
    log, forged = tmp_path / "log", tmp_path / "forged.log"
    run("import", player_log, "--log", log)
    kept, other = "MulliganOption_AcceptHand", "MulliganOption_Other"
    forged.write_text(player_log.read_text(encoding="utf-8").replace(kept, other), encoding="utf-8")
    plain = run("import", forged, player_log, "--log", log)
    (told,) = documents(run("import", forged, "--log", log, "--json").out)[-1]["summary"][
        "conflicts"
    ]

    assert plain.code == 3
    assert "forged.log: the log holds another version of " in plain.err
    assert "Import the file into a log of its own" in plain.err
    assert "0 new events" in plain.out
    assert told["file"] == "forged.log"
    assert told["stored"] in plain.err
    assert told["offered"] in plain.err


def test_names_are_shown_only_when_they_were_kept(
    run: Runs, player_log: Path, tmp_path: Path
) -> None:
    run("import", player_log, "--log", tmp_path / "without")
    run("import", player_log, "--keep-names", "--log", tmp_path / "with")

    assert "Alice" not in run("games", "--log", tmp_path / "without").out
    assert "Alice" in run("games", "--log", tmp_path / "with").out


def test_a_directory_that_is_no_log_is_left_alone(
    run: Runs, player_log: Path, tmp_path: Path
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("x", encoding="utf-8")
    result = run("import", player_log, "--log", tmp_path / "mine")

    assert result.code == 2
    assert "not a log" in result.err
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["letter.txt"]


def test_without_files_the_usage_is_shown(run: Runs) -> None:
    assert run("import").code == 2
