"""The command as a process: what it loads, colours, pipes, and how it ends."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shared import PROJECT_ROOT

MAIN = "from whodecided.cli import main; main()"


def process(*arguments: object, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", MAIN, *map(str, arguments)],
        cwd=PROJECT_ROOT,
        env=os.environ | env,
        check=False,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )


def test_help_loads_neither_the_events_nor_a_database_nor_rich() -> None:
    script = (
        "import sys\n"
        "from whodecided.cli import main\n"
        "try:\n    main()\n"
        "except SystemExit: pass\n"
        "heavy = {'duckdb', 'pyarrow', 'pydantic', 'msgspec', 'rich', 'eventsourcing', 'sqlite3'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    run = subprocess.run(
        [sys.executable, "-c", script, "--help"],
        cwd=PROJECT_ROOT,
        check=True,
        capture_output=True,
        text=True,
    )

    assert "Commands:" in run.stdout
    assert run.stdout.splitlines()[-1] == "[]"


def test_every_command_of_the_help_has_a_sentence_that_is_not_cut() -> None:
    lines = process("--help", COLUMNS="80").stdout.partition("Commands:\n")[2].splitlines()

    assert len(lines) >= 13
    assert [line for line in lines if line.endswith("...") or not line.endswith(".")] == []


def test_colours_only_where_they_are_wanted(stories_log: Path) -> None:
    asked = ("--log", stories_log, "who", "1", "16")

    assert "\x1b[" not in process(*asked).stdout
    assert "\x1b[" in process(*asked, FORCE_COLOR="1").stdout
    assert "\x1b[3" not in process(*asked, FORCE_COLOR="1", NO_COLOR="1").stdout


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
def test_a_reader_that_has_enough_is_no_error(stories_log: Path) -> None:
    command = f'"{sys.executable}" -c "{MAIN}" --log "{stories_log}" replay 1 --before 99'
    run = subprocess.run(
        f"{command} | head -n 1; echo ended",
        shell=True,
        cwd=PROJECT_ROOT,
        check=True,
        capture_output=True,
        text=True,
    )

    assert run.stderr == ""
    assert run.stdout.splitlines()[-1] == "ended"


def test_json_is_utf8_whatever_the_terminal_speaks(stories_log: Path, tmp_path: Path) -> None:
    table = tmp_path / "names.csv"
    table.write_text("id,name\n82101,真鍮の先触れ\n", encoding="utf-8")
    run = process(
        "--log",
        stories_log,
        "who",
        1,
        16,
        "--json",
        "--card-names",
        table,
        PYTHONIOENCODING="ascii",
    )

    assert "真鍮の先触れ" in run.stdout


def test_completion_can_be_shown_for_the_shell() -> None:
    run = process(
        "--show-completion", _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1", SHELL="/bin/bash"
    )

    assert run.returncode in (0, 2)
    assert "Traceback" not in run.stderr
