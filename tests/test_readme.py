"""The README tells the truth: its commands run, its output is real, its table of commands is whole.

`GOLDEN=write python -m pytest tests/test_readme.py` writes the demo's output anew.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tests.shared import PROJECT_ROOT
from whodecided.cli.app import app
from whodecided.importers.arena.synthetic.demo import demo_log

README = PROJECT_ROOT / "README.md"
TEXT = README.read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+)( demo)?\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
COMMANDS = [
    line.removeprefix("$ ")
    for kind, demo, body in BLOCK.findall(TEXT)
    if kind == "console" and not demo
    for line in body.splitlines()
    if line.startswith("$ ")
]
OURS = [command for command in COMMANDS if command.startswith("whodecided ")]


def invoke(command: str, env: dict[str, str] | None = None) -> Result:
    return CliRunner().invoke(app, shlex.split(command)[1:], env=env)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a player's log files and card names, and a log into which they are imported."""
    folder = tmp_path_factory.mktemp("readme")
    for name in ("Player.log", "Player-prev.log"):
        (folder / name).write_text(demo_log(), encoding="utf-8")
    (folder / "cards.csv").write_text("id,name\n700203,Murder\n", encoding="utf-8")
    imported = invoke(f"whodecided --log {folder / 'my-log'} import {folder / 'Player.log'}")
    assert imported.exit_code == 0
    return folder


def test_every_command_of_the_readme_runs(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(desk)

    # In order: a command may need the files of those before it.
    assert [failed for failed in map(run, OURS) if failed is not None] == []


def run(command: str) -> tuple[str, int, str] | None:
    """Run a command as a shell does; the command, its exit code and its errors if it failed."""
    arguments, _, file = command.partition(" > ")
    result = invoke(arguments, env={"WHODECIDED_LOG": "my-log"})
    if file:
        Path(file).write_text(result.stdout, encoding="utf-8")
    bad = result.exit_code or re.search(r"^(error |! )", result.stderr, flags=re.MULTILINE)
    return (command, result.exit_code, result.stderr) if bad else None


def test_every_make_target_of_the_readme_exists() -> None:
    makefile = (PROJECT_ROOT / "Makefile").read_text(encoding="utf-8")
    targets = {c.split()[1] for c in COMMANDS if c.startswith("make ")}

    assert targets == {"setup", "demo", "test"}
    assert [t for t in targets if not re.search(rf"^{t}:", makefile, flags=re.MULTILINE)] == []
    assert [c for c in COMMANDS if not c.startswith(("make ", "whodecided "))] == []


def test_the_python_of_the_readme_runs(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(desk)
    [code] = [body for kind, _, body in BLOCK.findall(TEXT) if kind == "python"]
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(code, "README.md", "exec"), {})

    assert "player:" in said.getvalue()


def test_the_output_in_the_readme_is_that_of_the_demo() -> None:
    parts = re.split(r"^(?=\$ whodecided )", invoke("whodecided demo").stdout, flags=re.MULTILINE)
    [answer] = [part for part in parts if part.startswith("$ whodecided who ")]
    shown = answer.rstrip() + "\n"
    if os.environ.get("GOLDEN") == "write":
        now = re.sub(
            r"(^```console demo\n).*?(^```$)",
            lambda found: found[1] + shown + found[2],
            TEXT,
            flags=re.MULTILINE | re.DOTALL,
        )
        README.write_text(now, encoding="utf-8")
        pytest.skip("README.md was written anew")
    [block] = [body for kind, demo, body in BLOCK.findall(TEXT) if demo]

    assert block == shown


def test_every_command_is_in_the_readme_and_every_one_there_exists() -> None:
    commands = {command.name for command in app.registered_commands}
    names = commands | {group.name for group in app.registered_groups}
    rows = re.findall(r"^\| (`.*?) \|", TEXT.partition("## Ask")[2], flags=re.MULTILINE)
    told = {name for row in rows for name in re.findall(r"`([a-z-]+)", row)}

    assert told & names == names
    assert {command.split()[1] for command in OURS} <= names


def test_links_of_the_readme_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", TEXT)

    assert links
    assert [link for link in links if not (PROJECT_ROOT / link).exists()] == []
