"""`rules`, `rules diff` and `rules cite`: the rules of a day for people and programs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

Runs = Callable[..., Any]
NARROW = {"COLUMNS": "80"}
WIDE = {"COLUMNS": "140"}
ASKED = (
    ("rules",),
    ("rules", "--date", "2016-07-18"),
    ("rules", "--date", "2001-01-01"),
    ("rules", "--edition", "2003-10-01"),
    ("rules", "diff", "2005-01-01", "2026-10-01"),
    ("rules", "diff", "2019-05-01", "2019-05-01"),
    ("rules", "cite", "712.5", "--date", "2019-05-01"),
    ("rules", "cite", "723.5"),
    ("rules", "cite", "999.9"),
)


@pytest.mark.parametrize("asked", ASKED, ids=" ".join)
@pytest.mark.parametrize("language", ["en", "fr", "ja"])
def test_lines_fit_80_columns_in_every_language(
    run: Runs, asked: tuple[str, ...], language: str
) -> None:
    done = run(*asked, "--lang", language, env=NARROW)

    lines = done.out.splitlines()
    assert (done.code, done.err) == (0, "")
    assert lines
    assert max(map(cell_len, lines)) <= 80
    assert [line for line in lines if line != line.rstrip()] == []


@pytest.mark.parametrize("asked", ASKED, ids=" ".join)
def test_a_program_gets_one_document(run: Runs, asked: tuple[str, ...]) -> None:
    assert run(*asked, "--json").document["schema_version"] == 1


def test_an_edition_is_printed_with_its_section_and_days(run: Runs) -> None:
    out = run("rules", "--date", "2019-05-01", env=WIDE).out

    assert out.startswith("Rules on 2019-05-01\n")
    assert "2019-01-25 to 2019-05-02" in out
    assert "Section 715: Controlling another player" in out
    assert "715.5   the controller makes the controlled player's decisions" in out
    assert "LZ: Archive of 26 Comprehensive Rules documents" in out
    assert "known: seen in the document itself" in out
    assert out.index("101.1 ") < out.index("800.4a") < out.index("MTR 3.15")


def test_an_edition_is_named_by_its_day_and_printed_in_a_language(run: Runs) -> None:
    out = run("rules", "--edition", "2018-04-27", "--lang", "fr", env=WIDE).out

    assert "Section 715 : Contrôler un autre joueur" in out
    assert "715.5   le contrôleur prend les décisions du joueur contrôlé" in out
    assert "controlled" not in out


def test_a_disputed_day_says_so(run: Runs) -> None:
    done = run("rules", "--date", "2016-07-18", env=WIDE)

    assert "! Document and play differ on that day; the stricter reading is used." in done.out
    assert run("rules", "--date", "2016-07-18", "--json").document["ambiguous"] is True
    assert run("rules", "--date", "2016-07-22", "--json").document["ambiguous"] is False


def test_a_day_before_the_first_rule_has_no_section(run: Runs) -> None:
    out = run("rules", "--date", "2001-01-01", env=WIDE).out

    assert "Section " not in out
    assert "No rule of that day speaks of controlling a player" in out


def test_a_difference_shows_numbers_and_behaviour_side_by_side(run: Runs) -> None:
    out = run("rules", "diff", "2016-07-01", "2019-05-01", env=WIDE).out

    assert "section  712 -> 715" in out
    assert "712.5   715.5   the controller makes the controlled player's decisions" in out
    assert "no      yes    the controller answers for the controlled player's triggers" in out
    assert "2016-07-22 (714): New number." in out


def test_without_a_difference_nothing_changed(run: Runs) -> None:
    assert (
        "no number and no behaviour changed" in run("rules", "diff", "2019-05-01", "2019-05-01").out
    )


def test_a_number_of_another_edition_is_told_apart_and_put_right(run: Runs) -> None:
    done = run("rules", "cite", "712.5", "--date", "2019-05-01", env=WIDE)
    document = run("rules", "cite", "712.5", "--date", "2019-05-01", "--json").document

    assert "! 712.5 belongs to another edition: on 2019-05-01 that rule is 715.5." in done.out
    assert "2011-09-30 to 2016-07-21" in done.out
    assert document["valid"] is False
    assert document["belongs_to"][0]["here"] == "715.5"


def test_a_number_without_a_day_is_looked_up_in_the_newest_edition(run: Runs) -> None:
    assert run("rules", "cite", "723.5", "--json").document["valid"] is True


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (("rules", "--date", "yesterday"), "is not a date"),
        (("rules", "--date", "1990-01-01"), "no edition of the rules"),
        (("rules", "--edition", "2016-08-01"), "The edition in force on that day is 2016-07-22."),
        (("rules", "--date", "2016-08-01", "--edition", "2016-07-22"), "not both"),
        (("rules", "diff", "2016-08-01", "x"), "is not a date"),
        (("rules", "cite", "712.5", "--date", "x"), "is not a date"),
        (("rules", "--rules-dir", "/nowhere/at/all"), "no such folder"),
        (("rules", "diff", "2016-08-01"), "Missing argument"),
    ],
)
def test_a_mistake_is_said_and_ends_with_2(run: Runs, asked: tuple[str, ...], words: str) -> None:
    done = run(*asked)

    assert done.code == 2
    assert words in done.err
    assert done.out == ""


def test_common_options_may_stand_before_in_or_after_the_group(run: Runs) -> None:
    expected = run("rules", "cite", "723.5", "--json").out

    assert run("--json", "rules", "cite", "723.5").out == expected
    assert run("rules", "--json", "cite", "723.5").out == expected


EDITION = """
section = "724"
family = "player"

[[documents]]
id = 2027-02-05
status = "seen"
sources = ["EDH"]
"""


def folder_with(folder: Path, edition: str) -> Path:
    file = folder / "editions" / "724.toml"
    file.parent.mkdir(parents=True)
    file.write_text(edition, encoding="utf-8")
    return folder


def test_editions_of_the_users_own_are_used(run: Runs, tmp_path: Path) -> None:
    own = folder_with(tmp_path / "own", EDITION)
    asked = ("rules", "--date", "2027-03-01", "--json")

    assert run(*asked, "--rules-dir", own).document["section"] == "724"
    assert run(*asked).document["section"] == "723"


def test_a_mistake_in_the_users_editions_is_named_with_its_file(run: Runs, tmp_path: Path) -> None:
    broken = folder_with(tmp_path / "broken", EDITION.replace("seen", "sen"))
    done = run("rules", "--rules-dir", broken, "--json")

    assert done.code == 2
    assert str(broken / "editions" / "724.toml") in json.loads(done.err)["error"]["message"]
