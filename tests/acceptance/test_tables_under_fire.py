"""Tables while things go wrong: no space, ctrl-C, a killed command, several commands at once."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.shared import PROJECT_ROOT
from tests.support.commands import COMMAND, run_command, run_process
from tests.support.games import act, asks, tell, turn
from tests.support.tables import contents
from whodecided.api import open_log

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and limits of POSIX")

_CHILDREN = "/proc/{0}/task/{0}/children"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of 24 games with about 500 events each, and its tables."""
    seen = [
        one
        for place in range(150)
        for one in (
            turn(1 + place % 2),
            asks(1 + place % 2, "spell_cast"),
            act("spell_cast", 1 + place % 2, object=f"o{place}", card=str(place)),
        )
    ]
    path = tmp_path_factory.mktemp("fire") / "log"
    for name in range(24):
        tell(*seen, match=f"fire {name}").in_directory(path)
    assert run_command("rebuild", "--log", path).code == 0
    return path


def rows(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every table as a reader sees it now."""
    with open_log(path) as log, log.views.reader() as connection:
        return contents(connection)


def files(path: Path) -> set[str]:
    """What lies in the folder of the tables."""
    return set(os.listdir(path / "views"))


def status(path: Path) -> dict[str, Any]:
    """What `status` says of the tables."""
    found: dict[str, Any] = run_command("status", "--log", path, "--json").document["tables"]
    return found


def begin(path: Path, *arguments: str) -> subprocess.Popen[str]:
    """A command in a session of its own, which ctrl-C reaches as a whole."""
    return subprocess.Popen(
        [*COMMAND, *arguments, "--log", str(path)],
        cwd=PROJECT_ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def wait_for_children(process: subprocess.Popen[str], number: int) -> None:
    """Until the command has so many processes of its own."""
    while process.poll() is None:
        if len(Path(_CHILDREN.format(process.pid)).read_text().split()) >= number:
            return
    pytest.fail(f"it ended before it had {number} processes")


needs_proc = pytest.mark.skipif(
    not Path(_CHILDREN.format(os.getpid())).exists(), reason="the system does not list children"
)


@pytest.mark.parametrize("limit", [4_096, 400_000])
def test_without_space_the_old_tables_stay_and_the_space_is_free_again(
    whole: Path, limit: int
) -> None:
    before, left = rows(whole), files(whole)
    run = subprocess.run(
        [*COMMAND, "rebuild", "--jobs", "2", "--log", str(whole)],
        cwd=PROJECT_ROOT,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == 2, run.stderr
    assert "Traceback" not in run.stderr
    assert "free space" in run.stderr
    assert files(whole) == left
    assert rows(whole) == before
    assert (status(whole)["problem"], status(whole)["behind"]) == (None, 0)

    assert run_command("rebuild", "--log", whole).code == 0
    assert {**rows(whole), "generation": before["generation"]} == before


@needs_proc
def test_ctrl_c_stops_all_processes_and_leaves_the_old_tables(whole: Path) -> None:
    before = rows(whole)
    with begin(whole, "rebuild", "--jobs", "2") as process:
        wait_for_children(process, 2)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert (out, err) == ("", "")
    assert rows(whole) == before
    assert status(whole)["problem"] is None


@needs_proc
def test_the_processes_of_a_killed_command_end_too(whole: Path) -> None:
    before = rows(whole)
    with begin(whole, "rebuild", "--jobs", "2") as process:
        wait_for_children(process, 2)
        process.kill()
        # They have its standard output: it ends when the last of them has ended.
        process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    assert rows(whole) == before
    assert run_command("rebuild", "--log", whole).code == 0
    assert rows(whole) == before
    assert len(files(whole)) == 3


def test_commands_that_make_tables_at_once_take_turns(whole: Path) -> None:
    before = rows(whole)
    generation = status(whole)["generation"]
    tell(turn(1), match="new").in_directory(whole)
    running = [
        begin(whole, *arguments, "--json")
        for arguments in (("rebuild", "--jobs", "2"), ("games",), ("rebuild",), ("games",))
    ]
    said = [process.communicate(timeout=300) for process in running]
    assert [process.returncode for process in running] == [0, 0, 0, 0], said
    assert [len(json.loads(said[place][0])["games"]) for place in (1, 3)] == [25, 25]
    now = status(whole)
    assert (now["problem"], now["behind"], now["poison"]) == (None, 0, [])
    assert generation + 2 <= now["generation"] <= generation + 4
    assert len(rows(whole)["games"]) == len(before["games"]) + 1
    assert len(files(whole)) == 3


def test_a_game_that_cannot_be_read_is_told_with_advice_and_no_other_is_touched(
    tmp_path: Path,
) -> None:
    good, bad = tell(turn(1), match="good"), tell(turn(1), turn(2), match="bad").append()
    path = good.in_directory(tmp_path / "log")
    events = list(bad.events)
    wrong = events[2].state.replace(b'"game.turn_started/v1"', b'"game.unheard_of/v7"')
    events[2] = events[2]._replace(state=wrong, topic="game.unheard_of/v7", facts=bytes(32))
    with open_log(path) as log:
        log.directory.events.append([bad._replace(events=events)])

    for command in (("rebuild",), ("rebuild", "--jobs", "2"), ("status",)):
        run = run_process(*command, "--log", path)
        assert run.code == 3, run.err
        assert bad.stream_id[:8] in run.out
        assert "at event 3" in run.out
        assert "whodecided verify" in run.out
    assert [row[0] for row in rows(path)["games"]] == [good.game_id]
    assert run_command("games", "--log", path).code == 0
