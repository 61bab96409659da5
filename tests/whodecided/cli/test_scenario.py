"""`scenario`: answers for people and for programs, exit codes, a template, a game in a log."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.shared import PROJECT_ROOT

Runs = Callable[..., Any]

TEMPLATE = PROJECT_ROOT / "whodecided" / "scenario" / "template.yaml"


@pytest.fixture
def failing(tmp_path: Path) -> Path:
    file = tmp_path / "failing.yaml"
    text = TEMPLATE.read_text(encoding="utf-8")
    file.write_text(
        text.replace("MINE-01", "MINE-02").replace("expect: slaver", "expect: null"),
        encoding="utf-8",
    )
    return file


@pytest.fixture
def unreadable(tmp_path: Path) -> Path:
    file = tmp_path / "unreadable.yaml"
    text = TEMPLATE.read_text(encoding="utf-8")
    file.write_text(text.replace("turn_skipped", "turn_missed"), encoding="utf-8")
    return file


def test_every_question_is_answered_with_reason_and_rules(run: Runs) -> None:
    result = run("scenario", TEMPLATE, env={"COLUMNS": "80"})

    assert result.code == 0
    assert "MINE-01  Scheduled control waits through a skipped turn" in result.out
    assert "Who decides for Bob after event 6 (turn started)?" in result.out
    assert "CR 723.5 the controller makes the controlled player's decisions" in result.out
    assert "Control of the player is in force: slaver." in result.out
    assert "(rules of 2011-09-30)" in result.out
    assert result.out.rstrip().endswith("1 scenario, 8 questions: all as expected")
    assert max(map(len, result.out.splitlines())) <= 80


def test_an_answer_that_is_not_expected_fails_the_run(run: Runs, failing: Path) -> None:
    result = run("scenario", failing)

    assert result.code == 1
    assert "fail" in result.out
    assert "expected: none" in result.out
    assert "8 questions: 1 not as expected" in result.out


def test_a_file_that_cannot_be_read_is_named_and_the_others_run(
    run: Runs, unreadable: Path, failing: Path
) -> None:
    result = run("scenario", unreadable, failing, TEMPLATE)

    assert result.code == 2
    assert "unreadable.yaml" in result.err
    assert "event 4: no event is called 'turn_missed'" in result.err
    assert "turn_skipped" in result.err
    assert "MINE-02" in result.out
    assert "MINE-01" in result.out
    assert "2 scenarios, 16 questions" in result.out
    assert "1 file could not be read" in result.out


def test_with_json_there_is_a_line_per_scenario_and_per_file_that_cannot_be_read(
    run: Runs, unreadable: Path, failing: Path
) -> None:
    result = run("scenario", TEMPLATE, unreadable, failing, "--json")
    good, error, bad = result.documents

    assert result.code == 2
    assert result.err == ""
    assert good["schema_version"] == error["schema_version"] == bad["schema_version"] == 1
    assert (good["id"], good["passed"]) == ("MINE-01", True)
    assert (bad["id"], bad["passed"]) == ("MINE-02", False)
    assert error.keys() == {"schema_version", "file", "error"}
    assert error["file"] == str(unreadable)
    assert "turn_missed" in error["error"]
    assert good.keys() == {"schema_version", "file", "id", "edition", "passed", "questions"}
    assert [one["passed"] for one in bad["questions"]] == [False] + [True] * 7


def test_the_word_run_and_options_before_the_files_are_understood(run: Runs) -> None:
    plain = run("scenario", TEMPLATE, "--json").out

    assert run("scenario", "--json", TEMPLATE).out == plain
    assert run("scenario", "run", TEMPLATE, "--json").out == plain
    assert run("--json", "scenario", TEMPLATE).out == plain


def test_without_files_the_usage_is_shown(run: Runs) -> None:
    result = run("scenario")

    assert result.code == 2
    assert "scenario [OPTIONS] FILES...|new|import" in result.out + result.err


@pytest.mark.parametrize("file", sorted((PROJECT_ROOT / "tests/scenarios/cases").glob("*.yaml")))
def test_every_case_is_drawn_within_80_columns(run: Runs, file: Path) -> None:
    result = run("scenario", file, env={"COLUMNS": "80"})

    assert result.err == ""
    assert max(map(len, result.out.splitlines())) <= 80


def test_the_template_is_written_to_standard_output(run: Runs) -> None:
    assert run("scenario", "new").out == TEMPLATE.read_text(encoding="utf-8")


def test_the_template_is_written_to_a_new_file_only(run: Runs, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    first = run("scenario", "new", file)
    file.write_text("changed", encoding="utf-8")
    second = run("scenario", "new", file)

    assert first.code == 0
    assert (second.code, file.read_text(encoding="utf-8")) == (2, "changed")
    assert "mine.yaml" in second.err
    assert run("scenario", "new", tmp_path / "no" / "folder.yaml").code == 2


def test_the_template_is_also_a_document(run: Runs, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"

    assert run("scenario", "new", file, "--json").document["file"] == str(file)
    text = TEMPLATE.read_text(encoding="utf-8")
    assert run("scenario", "new", "--json").document["template"] == text


def test_a_scenario_becomes_a_game_of_the_log(run: Runs, tmp_path: Path) -> None:
    log = tmp_path / "log"
    first = run("scenario", "import", TEMPLATE, "--as", "mine", "--log", log, "--keep-names")
    again = run("scenario", "import", TEMPLATE, "--as", "mine", "--log", log, "--json")

    assert first.code == again.code == 0
    assert "mine: 9 new events" in first.out
    assert "Event 1 of the file is event 2 of the game." in first.out
    assert again.document["first_event"] == 2
    assert again.document["events_added"] == 0
    assert again.document["events_present"] == 9
    assert "decided by     Seat 1 · Alice" in run("who", "mine", 8, "--log", log).out
    for command in (("control",), ("replay",), ("show",), ("findings",)):
        assert run(*command, "mine", "--log", log).code == 0
    assert run("sees", "mine", 8, "--log", log).code == 0


def test_a_name_is_needed_to_import(run: Runs, tmp_path: Path) -> None:
    result = run("scenario", "import", TEMPLATE, "--log", tmp_path / "log")

    assert result.code == 2
    assert "--as" in result.err
