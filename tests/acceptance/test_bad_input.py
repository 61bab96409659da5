"""Bad input is named with file, line and reason, and everything else is imported.

The fast run uses a line of 80 MB where the full one uses 300 MB.
"""

from __future__ import annotations

import json
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from tests.shared import PROJECT_ROOT
from tests.support.acceptance import FULL, Figure, Stored, empty_log, import_into, stored
from tests.support.commands import COMMAND, Run, run_command, run_process
from whodecided.importers.arena.synthetic.demo import demo_log
from whodecided.importers.arena.synthetic.random_games import Wishes, random_match
from whodecided.importers.arena.synthetic.recording import Match

LINES = tuple(demo_log().splitlines(keepends=True))
"""The log of an invented game."""
HIT = [index for index, line in enumerate(LINES) if '"greToClientEvent"' in line][40]
"""Index of the line that the tests damage: a state in the middle of the game."""
OTHER = demo_log(match=Match("00000000-0000-4000-8000-0000000000aa"))
"""The log of another game, to be imported beside it."""
LINE = (300 if FULL else 80) << 20
"""Length of a line that is longer than the limit of 64 MB."""


def damaged(line: str) -> str:
    """The log with another text in place of the damaged line."""
    return "".join((*LINES[:HIT], line, *LINES[HIT + 1 :]))


def replaced(text: str) -> str:
    """The damaged line with a text before its first state id."""
    return LINES[HIT].replace('"gameStateId"', f'{text}"gameStateId"', 1)


def beside(folder: Path, bad: str | bytes | None, name: str = "bad.log") -> Run:
    """Import a bad file, and a good one after it, in one call."""
    file, good = folder / name, folder / "good.log"
    if bad is not None:
        file.write_bytes(bad.encode() if isinstance(bad, str) else bad)
    good.write_text(OTHER, encoding="utf-8")
    return run_command("import", file, good, "--log", empty_log(folder / "log"))


def require_rest(folder: Path, run: Run) -> list[str]:
    """The good game was imported as it is alone; the lines that speak of the bad file."""
    good = import_into(folder / "alone", [folder / "good.log"])
    held = stored(folder / "log")
    assert {stream: held.get(stream) for stream in good} == good
    assert "good.log" not in run.err
    assert "Traceback" not in run.err
    return [line for line in run.err.splitlines() if "bad.log" in line]


# Files that are no logs.


@pytest.mark.parametrize(
    ("content", "said", "code"),
    [
        (b"", "the file is empty", 2),
        (Random(1).randbytes(200_000), "binary data", 2),
        (b"\x1f\x8b" + Random(2).randbytes(5_000), "gzip", 2),
        (b"Mono path[0] = 'x'\n" * 500, "no game data", 6),
        (b"Mono path\nDETAILED LOGS: DISABLED\n", "Detailed Logs (Plugin Support)", 6),
        ("".join(LINES).encode("utf-32"), "", 6),
        ("".join(LINES).encode("cp500"), "", 6),
    ],
    ids=["empty", "binary", "broken gzip", "no game data", "no details", "UTF-32", "EBCDIC"],
)
def test_a_file_that_is_no_log_is_named_with_the_reason(
    tmp_path: Path, content: bytes, said: str, code: int
) -> None:
    run = beside(tmp_path, content)

    [line] = require_rest(tmp_path, run)
    assert said in line
    assert run.code == code
    assert len(import_into(tmp_path / "none", [tmp_path / "bad.log"])) == 0


def test_a_directory_and_a_missing_file_are_named(tmp_path: Path) -> None:
    (tmp_path / "bad.log").mkdir()
    run = beside(tmp_path, None)

    assert "this is a directory" in "".join(require_rest(tmp_path, run))
    assert run.code == 2
    missing = run_command("import", tmp_path / "absent.log", "--log", tmp_path / "log")
    assert missing.code == 2
    assert "absent.log" in missing.err


# Damage inside a log: (what is written in place of one line, said of it, line number less HIT + 1).

DAMAGES: dict[str, tuple[Callable[[], str], str]] = {
    "torn JSON": (lambda: LINES[HIT][: len(LINES[HIT]) // 2] + "\n", "stops part-way"),
    "no JSON": (lambda: LINES[HIT].replace(":", ";", 9), ""),
    "huge state id": (
        lambda: re.sub(r'"gameStateId": \d+', '"gameStateId": ' + "9" * 400, LINES[HIT], count=1),
        "gameStateId",
    ),
    "nesting of 10,000": (
        lambda: replaced('"x":' + '{"a":' * 10_000 + "1" + "}" * 10_000 + ","),
        "nested too deeply",
    ),
    "nesting of 10,000 lists": (
        lambda: replaced('"x":' + "[" * 10_000 + "]" * 10_000 + ","),
        "nested too deeply",
    ),
}


@pytest.mark.parametrize("kind", DAMAGES)
def test_a_damaged_record_is_named_with_its_line_and_leaves_a_gap(
    tmp_path: Path, kind: str
) -> None:
    make, said = DAMAGES[kind]
    run = beside(tmp_path, damaged(make()))

    lines = require_rest(tmp_path, run)
    assert any(f"line {HIT + 1}: " in line and said in line for line in lines), run.err
    assert any("1 gap" in line for line in lines)
    assert run.code == 0
    document = run_command("import", tmp_path / "bad.log", "--log", tmp_path / "log", "--json")
    [bad] = document.documents[0]["bad_records"]
    assert bad["line"] == HIT + 1
    assert said in bad["reason"]
    assert_all_but_the_gap(tmp_path)


def assert_all_but_the_gap(folder: Path) -> None:
    """The damaged game is there to its end, with one gap; what lies before it is as it was."""
    whole = folder / "whole.log"
    whole.write_text("".join(LINES), encoding="utf-8")
    right = import_into(folder / "right", [whole])
    found = {name: rows for name, rows in stored(folder / "log").items() if name in right}
    [game] = [name for name, rows in right.items() if rows.events[0][0].startswith("game.")]
    topics = [topic for topic, _ in found[game].events]
    gap = topics.index("game.gap_found/v1")
    assert found[game].events[:gap] == right[game].events[:gap]
    assert topics.count("game.gap_found/v1") == 1
    assert topics[-1] == "game.game_ended/v1"
    assert 0 < gap < len(topics) - 50


@pytest.mark.parametrize(
    "content",
    [
        replaced('"x":' + "9" * 5_000 + ","),
        replaced('"x":1' + "0" * 400 + ".5,"),
        replaced('"x":-1e999,'),
    ],
    ids=["whole", "decimal", "infinite"],
)
def test_a_huge_number_that_nobody_asks_for_harms_nothing(tmp_path: Path, content: str) -> None:
    run = beside(tmp_path, damaged(content))

    assert require_rest(tmp_path, run) == []
    assert run.code == 0
    assert game_of(tmp_path / "log") == game_of_all_lines(tmp_path)


def test_a_line_above_the_limit_is_skipped_in_bounded_memory(
    tmp_path: Path, figure: Figure
) -> None:
    file, good = tmp_path / "bad.log", tmp_path / "good.log"
    with file.open("w", encoding="utf-8") as out:
        out.writelines(LINES[:HIT])
        begin, _, end = LINES[HIT].partition('"gameStateId"')
        out.write(f'{begin}"x":"')
        for _ in range(LINE >> 20):
            out.write("a" * (1 << 20))
        out.write(f'","gameStateId"{end}')
        out.writelines(LINES[HIT + 1 :])
    good.write_text(OTHER, encoding="utf-8")
    run = measured(file, good, "--log", str(empty_log(tmp_path / "log")))

    lines = require_rest(tmp_path, run)
    assert any(f"line {HIT + 1}: longer than 67108864 bytes" in line for line in lines), run.err
    assert run.code == 0
    assert_all_but_the_gap(tmp_path)
    peak = int(run.out.rsplit(maxsplit=1)[-1])
    assert peak < 250 << 10, f"{peak} KiB"
    figure("peak memory", f"{peak >> 10} MiB with a line of {LINE >> 20} MiB")


def measured(*arguments: object) -> Run:
    """Import in a process that writes its greatest memory, in KiB, last."""
    script = (
        "import re\n"
        "from pathlib import Path\n"
        "from whodecided.cli import main\n"
        "try:\n    main()\n"
        "finally:\n    status = Path('/proc/self/status').read_text()\n"
        "    print(re.search('VmHWM: *(.*) kB', status.replace('\\t', ' '))[1].strip())"
    )
    run = subprocess.run(
        [sys.executable, "-c", script, "import", *map(str, arguments)],
        cwd=PROJECT_ROOT,
        check=False,
        capture_output=True,
        text=True,
        timeout=600,
    )
    return Run(run.stdout, run.stderr, run.returncode)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
def test_other_unicode_encodings_are_read(tmp_path: Path, encoding: str) -> None:
    run = beside(tmp_path, "".join(LINES).encode(encoding))

    assert require_rest(tmp_path, run) == []
    assert run.code == 0
    assert game_of(tmp_path / "log") == game_of_all_lines(tmp_path)


def test_bytes_that_are_no_utf_8_are_named_and_the_entry_is_used(tmp_path: Path) -> None:
    text = "".join(LINES).replace("Alice", "Ali\xe7e")
    assert "Ali\xe7e" in text
    run = beside(tmp_path, text.encode("latin-1"))

    [line] = require_rest(tmp_path, run)
    assert re.search(r"line \d+: invalid UTF-8", line)
    assert run.code == 0
    assert game_of(tmp_path / "log") == game_of_all_lines(tmp_path)


def game_of(log: Path) -> Stored:
    """What is stored of the invented game."""
    key = next(line for line in LINES if '"matchId"' in line)
    match = re.findall(r'"matchId": "([^"]+)"', key)[0]
    [rows] = [
        rows
        for rows in stored(log).values()
        if json.loads(rows.events[0][1]).get("game_key") == f"arena/{match}/1"
    ]
    return rows


def game_of_all_lines(folder: Path) -> Stored:
    """What is stored of the invented game when its log is whole."""
    whole = folder / "whole.log"
    whole.write_text("".join(LINES), encoding="utf-8")
    import_into(folder / "right", [whole])
    return game_of(folder / "right")


# State ids.


def test_a_state_logged_twice_counts_once(tmp_path: Path) -> None:
    run = beside(tmp_path, damaged(LINES[HIT] + LINES[HIT - 1] + LINES[HIT]))

    assert require_rest(tmp_path, run) == []
    assert run.code == 0
    assert game_of(tmp_path / "log") == game_of_all_lines(tmp_path)


def test_two_states_with_one_id_are_named(tmp_path: Path) -> None:
    entry = json.loads(LINES[HIT])
    state = entry["greToClientEvent"]["greToClientMessages"][0]["gameStateMessage"]
    state["annotations"] = [{"id": 1, "type": ["AnnotationType_NewTurnStarted"]}]
    run = beside(tmp_path, damaged(LINES[HIT] + LINES[HIT - 1] + json.dumps(entry) + "\n"))

    [line] = require_rest(tmp_path, run)
    assert f"line {HIT + 3}: " in line
    assert f"another state has the id {state['gameStateId']}" in line
    assert game_of(tmp_path / "log") == game_of_all_lines(tmp_path)


def test_a_missing_state_is_a_gap(tmp_path: Path) -> None:
    run = beside(tmp_path, damaged(""))

    [line] = require_rest(tmp_path, run)
    assert "1 gap" in line
    assert_all_but_the_gap(tmp_path)


def test_a_state_without_an_id_is_named(tmp_path: Path) -> None:
    run = beside(tmp_path, damaged(LINES[HIT].replace('"gameStateId"', '"gameStateXX"')))

    lines = require_rest(tmp_path, run)
    assert any(f"line {HIT + 1}: " in line and "without gameStateId" in line for line in lines)
    assert_all_but_the_gap(tmp_path)


def test_another_version_of_a_stored_game_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    whole, other = tmp_path / "whole.log", tmp_path / "other.log"
    whole.write_text("".join(LINES), encoding="utf-8")
    other.write_text(damaged(""), encoding="utf-8")
    right = import_into(tmp_path / "log", [whole])
    run = run_command("import", other, "--log", tmp_path / "log")

    assert run.code == 3
    told = r"! other.log: the log holds another version of [0-9a-f-]{36}, from event \d+ on"
    assert re.search(told, run.err), run.err
    assert stored(tmp_path / "log") == right


# Files and folders that change, or may not be used.


def test_a_file_that_is_written_while_it_is_read_is_completed_later(tmp_path: Path) -> None:
    data = random_match(3, Wishes(turns=12, best_of=3)).encode()
    file, log = tmp_path / "Player.log", empty_log(tmp_path / "log")
    file.write_bytes(b"Mono path[0] = 'x'\n")
    written = threading.Event()

    def write() -> None:
        with file.open("ab", buffering=0) as out:
            for at in range(0, len(data), 1 << 12):
                out.write(data[at : at + (1 << 12)])
                written.set()

    writer = threading.Thread(target=write)
    writer.start()
    assert written.wait(timeout=60)
    codes = {run_command("import", file, "--log", log).code for _ in range(3)}
    writer.join(timeout=60)
    assert codes <= {0, 6}
    assert run_command("import", file, "--log", log).code == 0
    whole = tmp_path / "whole.log"
    whole.write_bytes(data)
    assert stored(log) == import_into(tmp_path / "right", [whole])


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder outside of pytest's own, which other users may not enter."""
    folder = Path(tempfile.mkdtemp(prefix="whodecided-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


_AS_NOBODY = """
import os, sys
from whodecided.cli import main
asked, folder = sys.argv[2:], sys.argv[1]

def run(*arguments):
    sys.argv = ["whodecided", *arguments]
    try:
        main()
    except SystemExit as end:
        return end.code

if os.geteuid() == 0:
    # The files of the interpreter may be another user's business: load all that is needed now.
    out, err = sys.stdout, sys.stderr
    with open(os.devnull, "w") as sys.stdout, open(os.devnull, "w") as sys.stderr:
        run("import", folder + "/good.log", folder + "/absent.log", "--log", folder + "/warm")
        run("games", "--log", folder + "/good.log")
    sys.stdout, sys.stderr = out, err
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
sys.exit(run(*asked))
"""


def as_nobody(folder: Path, *arguments: object) -> Run:
    """Run a command without the rights of the administrator."""
    run = subprocess.run(
        [sys.executable, "-c", _AS_NOBODY, folder, *map(str, arguments)],
        cwd=PROJECT_ROOT,
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    return Run(run.stdout, run.stderr, run.returncode)


def test_a_file_without_permission_is_named_and_the_rest_is_imported(open_folder: Path) -> None:
    bad, good = open_folder / "bad.log", open_folder / "good.log"
    bad.write_text("".join(LINES), encoding="utf-8")
    bad.chmod(0)
    good.write_text(OTHER, encoding="utf-8")
    log = open_folder / "log"
    log.mkdir()
    log.chmod(0o777)
    run = as_nobody(open_folder, "import", bad, good, "--log", log)

    assert "bad.log: Permission denied" in run.err
    assert run.code == 2
    assert "1 game, " in run.out
    assert "Traceback" not in run.err


def test_a_log_that_may_not_be_written_is_named_with_advice(open_folder: Path) -> None:
    good, log = open_folder / "good.log", open_folder / "log"
    good.write_text(OTHER, encoding="utf-8")
    made = as_nobody(open_folder, "import", good, "--log", open_folder / "new")
    assert made.code != 0
    assert "Permission denied" in made.err
    assert not (open_folder / "new").exists()

    assert run_command("import", good, "--log", log).code == 0
    before = stored(log)
    for path in (log, *log.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    again = as_nobody(open_folder, "import", good, "--log", log)
    assert again.code == 0  # all of it is there: nothing has to be written
    assert "0 new events" in again.out
    more = open_folder / "more.log"
    more.write_text("".join(LINES), encoding="utf-8")
    run = as_nobody(open_folder, "import", more, "--log", log)
    assert run.code != 0
    assert str(log) in run.err
    assert "it cannot be written" in run.err
    assert "Traceback" not in run.err
    for path in (log, *log.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    assert stored(log) == before


# No space.


@pytest.fixture
def matches(tmp_path: Path) -> list[Path]:
    """Logs of some matches, which together need more than a MB."""
    files = []
    for seed in range(10 if FULL else 5):
        file = tmp_path / f"match-{seed}.log"
        file.write_text(random_match(seed, Wishes(turns=8, best_of=3)), encoding="utf-8")
        files.append(file)
    return files


def require_whole_games_only(log: Path, right: dict[str, Stored]) -> int:
    """How many streams there are; each game is there as a whole."""
    held = stored(log)
    for stream, rows in held.items():
        if rows.events[0][0].startswith("game."):
            assert rows == right[stream]
        assert rows.events == right[stream].events[: len(rows.events)]
    return len(held)


@pytest.mark.skipif(sys.platform == "win32", reason="RLIMIT_FSIZE is of POSIX")
@pytest.mark.parametrize("limit", [200_000, 700_000, 1_300_000] if FULL else [700_000])
def test_a_limit_of_the_file_size_leaves_whole_games_and_can_be_completed(
    tmp_path: Path, matches: list[Path], limit: int
) -> None:
    right = import_into(tmp_path / "right", matches)
    log = empty_log(tmp_path / "log")
    run = subprocess.run(
        [*COMMAND, "import", *map(str, matches), "--log", str(log)],
        cwd=PROJECT_ROOT,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    require_refused_for_space(Run(run.stdout, run.stderr, run.returncode), log)
    assert require_whole_games_only(log, right) < len(right)

    assert run_process("import", *matches, "--log", log).code == 0
    assert stored(log) == right


def require_refused_for_space(run: Run, log: Path) -> None:
    """The command said that there is no space, and what to do, and of which log."""
    assert run.code not in (0, 6)
    assert "Traceback" not in run.err
    assert str(log) in run.err
    assert re.search("disk is full|writing failed|No space|too large|free space", run.err), run.err


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 1 MB; only the administrator of a Linux system can make one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], capture_output=True, check=False
    )
    if made.returncode:
        pytest.skip("no file system can be mounted here")
    yield folder
    subprocess.run(["umount", folder], check=True)


@pytest.mark.skipif(shutil.which("mount") is None, reason="needs mount")
def test_a_full_disk_leaves_whole_games_and_can_be_completed(
    tmp_path: Path, matches: list[Path], small_disk: Path
) -> None:
    right = import_into(tmp_path / "right", matches)
    log = empty_log(small_disk / "log")
    require_refused_for_space(run_process("import", *matches, "--log", log), log)
    require_whole_games_only(log, right)

    grow = ["mount", "-o", "remount,size=100m", str(small_disk)]
    subprocess.run(grow, check=True)
    assert run_process("import", *matches, "--log", log).code == 0
    assert stored(log) == right
