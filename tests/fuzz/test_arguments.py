"""Any arguments end in an answer or a typed error, with a documented exit code."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from tests.support.commands import run_command
from tests.support.fuzzing import bounded, budget
from tests.support.games import ALICE, BOB
from tests.support.stories import STORIES
from whodecided.cli.app import app
from whodecided.importers.arena.synthetic.demo import DEMO_FILE

EXIT_CODES: Final = frozenset(range(7))
_LEFT_OUT: Final = frozenset({"--install-completion", "--show-completion"})
"""Typer's own: they look at, and write to, the files of the user's shell."""

_FILES: Final = (
    "log",
    "new",
    "bundle.zip",
    "kept.note",
    "log.vkey",
    "case.yaml",
    "game.log",
    "names.csv",
    "house",
    "witness",
    "absent/file",
    "game.log/file",
    ".",
    "",
)
"""Paths in the folder in which the commands run."""
_WORDS: Final = (
    "0", "1", "2", "5", "16", "17", "-1", "007", "99999999999999999999999", "1e3", "1-3", "3-1",
    "2012-02-30", "2016-07-20", "2026-09-25", "9999-12-31", "0001-01-01", "1990-01-01", "20260925",
    "en", "fr", "ja", "de", "judge", "spectator", "seat:1", "judge:head", "person:zoe", ALICE, BOB,
    "ipg-2018", "wiki-ja-723", "GRV", "MT", "712.5", "723.5b", "1.", "HYP-001", "witness.test/one",
    "select count(*) from events", "select 'x", "drop table games; select 1", "attach 'x'", "%s",
    "caf\u00e9", "\u2028", "\udcff", "\x1b[2J", "a" * 300, "a" * 5000, "\n", " ", "{}", "[bold]",
)  # fmt: skip
"""What people write, nearly write, or never should."""
_text = st.text(st.characters(exclude_characters="/\0", exclude_categories=()), max_size=10)
_VALUES: Final = (
    st.sampled_from(_FILES)
    | st.sampled_from(_WORDS)
    | st.integers(-3, 40).map(str)
    | _text.filter(lambda text: ".." not in text)
)


def _commands(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command with the words that name it."""
    yield words, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from _commands(inner, (*words, name))


_COMMANDS: Final = dict(_commands(typer.main.get_command(app)))
_OPTIONS: Final = sorted(
    {
        name
        for command in _COMMANDS.values()
        for parameter in command.params
        for name in (*parameter.opts, *parameter.secondary_opts)
        if name.startswith("-") and name not in _LEFT_OUT
    }
)


@st.composite
def _fitting(draw: st.DrawFn, words: tuple[str, ...]) -> list[str]:
    """A command with its arguments and some of its options, and values of any kind."""
    told = [*words]
    for parameter in _COMMANDS[words].params:
        named = [name for name in parameter.opts if name.startswith("-")]
        if not named:
            told += draw(st.lists(_VALUES, min_size=parameter.required, max_size=2))
        elif named[0] not in _LEFT_OUT and (parameter.required or draw(st.integers(0, 3)) == 0):
            told.append(draw(st.sampled_from(named)))
            told += [] if parameter.is_flag else [draw(_VALUES)]
    return told


_anything = st.lists(
    st.sampled_from(_OPTIONS)
    | st.sampled_from([*itertools.chain(*_COMMANDS), "--", "-", "--json", "--help", "--nonsense"])
    | _VALUES,
    max_size=8,
)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a file of every kind that a command reads."""
    folder = tmp_path_factory.mktemp("prepared") / "as"
    folder.mkdir()
    for story in STORIES:
        story().in_directory(folder / "log")
    on_log = ("--log", folder / "log")
    (folder / "log.vkey").write_text(run_command("keys", "new", *on_log).out)
    (folder / "kept.note").write_text(run_command("checkpoint", *on_log).out)
    run_command("bundle", 1, "-o", folder / "bundle.zip", *on_log)
    run_command("scenario", "new", folder / "case.yaml")
    run_command("witness", "new", folder / "witness", "witness.test/one")
    run_command("rebuild", *on_log)
    shutil.copyfile(DEMO_FILE, folder / "game.log")
    (folder / "names.csv").write_text("id,name\n81101,Forest\n")
    (folder / "house").mkdir()
    (folder / "house" / "cards.toml").write_text("control = []\n")
    return folder


def ends_well(prepared: Path, arguments: list[str]) -> None:
    """Run a command in a fresh copy of the folder: it may fail, but only as documented."""
    here = prepared.parent / "run" / "deep" / "down"
    shutil.rmtree(here, ignore_errors=True)
    shutil.copytree(prepared, here)
    with pytest.MonkeyPatch.context() as patch, bounded():
        for name in ("HOME", "XDG_DATA_HOME", "LOCALAPPDATA"):
            patch.setenv(name, str(here))
        patch.chdir(here)
        run = run_command(*arguments, env={"WHODECIDED_LOG": "log"})
    assert run.code in EXIT_CODES
    assert "Traceback" not in run.err
    assert run.code == 0 or run.err or run.out, "it fails without a word"


@budget(200)
@given(arguments=_anything)
def test_any_words_are_answered_or_refused(prepared: Path, arguments: list[str]) -> None:
    ends_well(prepared, arguments)


@pytest.mark.parametrize("words", _COMMANDS, ids=lambda words: " ".join(words) or "none")
def test_any_values_of_a_command_are_answered_or_refused(
    prepared: Path, words: tuple[str, ...]
) -> None:
    @budget(12)
    @given(arguments=_fitting(words))
    def check(arguments: list[str]) -> None:
        ends_well(prepared, arguments)

    check()
