"""Common options: before or after the command, from the environment, and their defaults."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from whodecided.cli.settings import Common, default_log, from_environment

Runs = Callable[..., Any]


def viewer_of(run: Any) -> str:
    return str(run.document["viewer"])


def test_an_option_may_stand_before_or_after_the_command(ask: Runs) -> None:
    assert viewer_of(ask("--viewer", "2", "--json", "show", 1)) == "seat:2"
    assert viewer_of(ask("show", 1, "--viewer", "2", "--json")) == "seat:2"


def test_what_stands_after_the_command_counts_more_than_what_stands_before(ask: Runs) -> None:
    assert viewer_of(ask("--viewer", "2", "show", 1, "--viewer", "1", "--json")) == "seat:1"


def test_the_environment_counts_least(ask: Runs, run: Runs, stories_log: Path) -> None:
    env = {"WHODECIDED_VIEWER": "1", "WHODECIDED_LOG": str(stories_log)}

    assert viewer_of(run("show", 1, "--json", env=env)) == "seat:1"
    assert viewer_of(run("show", 1, "--json", "--viewer", "2", env=env)) == "seat:2"
    assert viewer_of(ask("show", 1, "--json", env={"WHODECIDED_VIEWER": ""})) == "spectator"


def test_without_a_viewer_the_answer_is_a_spectators(ask: Runs) -> None:
    assert viewer_of(ask("show", 1, "--json")) == "spectator"


def test_a_log_that_is_not_there_is_an_error_with_advice(run: Runs, tmp_path: Path) -> None:
    result = run("games", "--log", tmp_path / "absent")

    assert result.code == 2
    assert "there is no log here" in result.err
    assert "Import a game log first" in result.err


def test_card_names_are_shown_in_place_of_numbers(ask: Runs, tmp_path: Path) -> None:
    table = tmp_path / "names.csv"
    table.write_text("id,name\n82101,Fen-Walker\n", encoding="utf-8")

    assert "Seat 2 casts Fen-Walker (object o21)" in ask("who", 1, 16, "--card-names", table).out
    document = ask("who", 1, 16, "--json", "--card-names", table).document
    assert document["event"]["details"]["card"] == "82101"
    assert document["card_names"] == {"82101": "Fen-Walker"}


def test_names_of_cards_that_are_not_shown_stay_out_of_the_answer(
    ask: Runs, tmp_path: Path
) -> None:
    table = tmp_path / "names.csv"
    table.write_text("id,name\n81101,Secret\n", encoding="utf-8")

    assert "card_names" not in ask("replay", 1, "--json", "--card-names", table).document


def test_a_bad_table_of_names_is_refused_with_its_line(ask: Runs, tmp_path: Path) -> None:
    table = tmp_path / "names.csv"
    table.write_text("id,name\nx,y\n", encoding="utf-8")
    result = ask("who", 1, 16, "--card-names", table)

    assert result.code == 2
    assert "names.csv, line 2: id 'x' is not a number" in result.err


def test_values_given_are_kept_and_others_filled_in() -> None:
    given = Common(viewer="1", json=True).over(Common(viewer="2", log=Path("x")))

    assert given == Common(viewer="1", json=True, log=Path("x"))


def test_the_environment_names_log_viewer_card_names_and_language(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in (("LOG", "a"), ("VIEWER", "b"), ("CARD_NAMES", "c"), ("LANG", "d")):
        monkeypatch.setenv(f"WHODECIDED_{name}", value)

    assert from_environment() == Common("a", "b", None, Path("c"), "d")


@pytest.mark.parametrize(
    ("platform", "variable", "expected"),
    [
        ("linux", "XDG_DATA_HOME", ("data", "whodecided", "log")),
        ("win32", "LOCALAPPDATA", ("data", "whodecided", "log")),
    ],
)
def test_the_users_own_log_lies_where_the_platform_keeps_data(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    platform: str,
    variable: str,
    expected: tuple[str, ...],
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setenv(variable, str(tmp_path / "data"))

    assert default_log() == tmp_path.joinpath(*expected)


def test_on_macos_the_users_own_log_lies_in_the_library(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setenv("HOME", str(tmp_path))

    assert default_log() == tmp_path / "Library" / "Application Support" / "whodecided" / "log"


def test_the_library_names_can_put_the_users_own_log_on_a_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PERSISTENCE_MODULE", "eventsourcing.postgres")

    assert default_log() == "postgres://"


@pytest.mark.parametrize("asked", [("games",), ("rules",), ("show", 1), ("findings",)])
def test_a_language_nobody_knows_is_refused_by_every_command(
    ask: Runs, asked: tuple[object, ...]
) -> None:
    result = ask("--lang", "xx", *asked)

    assert (result.code, result.out) == (2, "")
    assert "--lang: no language 'xx'" in result.err


@pytest.mark.parametrize("asked", ["games", "findings", "status"])
def test_a_viewer_whom_the_log_does_not_know_is_refused_without_a_game_too(
    ask: Runs, asked: str
) -> None:
    games = ask("games", "--json").document["games"]
    players = {seat["player"] for game in games for seat in game["seats"]}

    assert ask(asked, "--viewer", "zzz").code == 4
    assert ask(asked, "--viewer", "not anybody").code == 2
    for known in (*players, min(players).removeprefix("player:")[:2], "2", "judge", "person:ann"):
        assert ask(asked, "--viewer", known).code == 0
