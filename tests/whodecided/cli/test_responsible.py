"""`responsible`, and `who` with a policy or in another language."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rich.cells import cell_len

from tests.support.games import ALICE, BOB, act, tell, turn
from whodecided.api import open_log

Runs = Callable[..., Any]
NARROW = {"COLUMNS": "80"}
WIDE = {"COLUMNS": "160"}
ASKED = (
    ("responsible", 1, 16),
    ("responsible", 1, 16, "--infraction", "GRV", "--infraction", "MT", "--noticed", 20),
    ("responsible", 2, 4, "--policy", "forum-2015-07"),
    ("responsible", 1, 1),
    ("who", 1, 16, "--policy", "2018-06-01"),
    ("who", 1, 16),
    ("who", 2, 4),
)


@pytest.mark.parametrize("asked", ASKED, ids=lambda one: " ".join(map(str, one)))
@pytest.mark.parametrize("language", ["en", "fr", "ja"])
def test_lines_fit_80_columns_in_every_language(
    ask: Runs, asked: tuple[object, ...], language: str
) -> None:
    done = ask(*asked, "--lang", language, env=NARROW)

    lines = done.out.splitlines()
    assert (done.code, done.err) == (0, "")
    assert lines
    assert max(map(cell_len, lines)) <= 80
    assert [line for line in lines if line != line.rstrip()] == []


def test_the_answer_names_roles_persons_penalty_clause_and_differing_policies(ask: Runs) -> None:
    out = ask("responsible", 1, 16, "--infraction", "MT", "--policy", "2018-06-01", env=WIDE).out

    assert "acting seat  Seat 2 · player b0b00000" in out
    assert "decided by   Seat 1 · player a11ce000, control effect" in out
    assert "could notice  Seat 1 · player a11ce000: yes" in out
    assert "policy        2018-06-01 (as asked)" in out
    assert "pack ipg-2018, readings forum-2015-07, ftw-2016-07" in out
    assert "MT  Missed Trigger  (asked about)" in out
    assert "answers for it  Seat 1 · player a11ce000" in out
    assert "MT, IPG 2.1: none; Warning if the ability is usually detrimental" in out
    assert "IPG 2.1: A player who controls another answers for that player's triggers" in out
    assert "[seen; FAM]" in out
    assert "review          not required" in out
    assert "! policies differ" in out
    assert "awareness, intent, remedy: these are for a judge" in out


def test_each_source_is_told_once_with_how_surely_a_statement_can_be_known(ask: Runs) -> None:
    asked = ("responsible", 1, 16, "--infraction", "GRV", "--infraction", "MT")
    out = ask(*asked, "--policy", "2018-06-01", env=WIDE).out
    document = ask(*asked, "--policy", "2018-06-01", "--json").document

    assert out.count("FAM: Rules databases of 2013 to 2017; tournament rules") == 1
    assert out.count("known: seen in the document itself, indirect") == 1
    stated = [one["statement"] for one in document["candidates"]]
    codes = {code for one in stated for code in one["sources"]}
    assert codes == {code for code in codes if f" {code}: " in out}
    for one in stated:
        assert len(one["source_texts"]) == len(one["sources"])


def test_nothing_is_told_of_sources_where_no_statement_is_given(ask: Runs) -> None:
    asked = ("responsible", 1, 16, "--infraction", "HCE", "--policy", "2014-08-01")

    assert "sources" not in ask(*asked, env=WIDE).out


def test_the_answer_never_speaks_of_guilt_or_cheating(ask: Runs) -> None:
    for asked in ASKED:
        out = ask(*asked, env=WIDE).out.lower()
        assert "cheat" not in out
        assert out.count("guilt") == out.count("not a finding of guilt")


def test_the_default_policy_is_that_of_the_day_of_the_game(ask: Runs) -> None:
    document = ask("responsible", 1, 16, "--json").document

    assert document["policy"]["by"] == "played_on"
    assert document["policy"]["pack"] == "ipg-2024-09-23"
    assert document["candidates"][0]["infraction"] is None
    assert document["candidates"][0]["primary"] == [ALICE]


def test_who_with_a_policy_adds_who_answers(ask: Runs) -> None:
    plain = ask("who", 1, 16, "--json").document
    asked = ask("who", 1, 16, "--infraction", "GRV", "--policy", "forum-2015-07", "--json").document

    assert "responsibility" not in plain
    assert asked["responsibility"]["candidates"][0]["primary"] == [BOB]
    del asked["responsibility"]
    assert asked == plain
    out = ask("who", 1, 16, "--policy", "forum-2015-07", env=WIDE).out
    assert out.startswith(ask("who", 1, 16, env=WIDE).out)
    assert "\nResponsibility\n" in out


def test_who_in_another_language_gives_the_same_facts_and_the_reasoning_in_it(ask: Runs) -> None:
    out = ask("who", 1, 16, "--lang", "fr", env=WIDE).out
    document = ask("who", 1, 16, "--lang", "fr", "--json").document

    assert "décidé par       Place 1 · joueur a11ce000  <- pas le joueur" in out
    assert "effet de contrôle mindslaver (Esclavagiste d'âmes, prochain tour)" in out
    assert "CR 723.5 (2026-09-25) le contrôleur prend les décisions du joueur contrôlé" in out
    assert document["deciding_player"] == ALICE
    assert document["explanation"]["language"] == "fr"
    assert [rule["number"] for rule in document["explanation"]["rules"]] == ["723.1", "723.5"]


@pytest.mark.parametrize("asked", [*ASKED, ("rules",), ("rules", "cite", "723.5")])
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_language_only_the_card_names_have_is_explained_in_english_and_that_is_said_once(
    ask: Runs, asked: tuple[object, ...], form: tuple[str, ...]
) -> None:
    english, german = ask(*asked, *form), ask(*asked, *form, "--lang", "de-DE")

    assert german.out == english.out
    assert german.err == (
        "! explanations are in English: there are none in de (there are in en, fr, ja)\n"
    )


def test_what_explains_nothing_says_nothing_of_a_language_of_the_card_names(ask: Runs) -> None:
    assert ask("games", "--lang", "de").err == ""


@pytest.mark.parametrize("language", ["frFR", "fr-FR", "FR"])
def test_a_language_is_spoken_however_it_is_written(ask: Runs, language: str) -> None:
    french = ask("who", 1, 16, "--lang", "fr", env=WIDE)

    assert ask("who", 1, 16, "--lang", language, env=WIDE) == french
    assert "décidé par" in french.out


def test_what_a_gap_hides_ends_with_6_in_every_language(ask: Runs) -> None:
    for language in ("en", "fr", "ja"):
        assert ask("who", 3, 5, "--lang", language).code == 6
    assert ask("responsible", 3, 5).code == 6


@pytest.mark.parametrize("named", ["mt", "Missed Trigger", "missed  TRIGGER", "誘発忘れ"])
def test_an_infraction_is_named_by_code_or_name_in_any_case(ask: Runs, named: str) -> None:
    by_code = ask("responsible", 1, 16, "--infraction", "MT", "--json").document

    assert ask("responsible", 1, 16, "--infraction", named, "--json").document == by_code


@pytest.mark.parametrize(
    ("asked", "code", "words"),
    [
        (("responsible", 1, 16, "--policy", "ipg-1999"), 2, "Known are a date and: ipg-2013"),
        (("responsible", 1, 16, "--infraction", "XX"), 2, "no infraction 'XX'"),
        (("responsible", 1, 16, "--infraction", "XX"), 2, "GRV Game Rule Violation; "),
        (("responsible", 1, 16, "--infraction", "CHEAT"), 2, "CHEAT needs intent"),
        (("responsible", 1, 16, "--infraction", "Cheating"), 2, "CHEAT needs intent"),
        (("responsible", 1, 16, "--noticed", "16"), 2, "event 16 is not after event 16"),
        (("responsible", 1, 16, "--noticed", "99"), 4, "It has the events 1 to 24."),
        (("responsible", 1, 99), 4, "It has the events 1 to 24."),
        (("who", 1, 16, "--policy", "x"), 2, "no policy 'x'"),
        (("who", 1, 16, "--policy", "2018-06-01", "--rules-dir", "/nowhere"), 2, "no such folder"),
    ],
)
def test_a_mistake_is_said_with_advice(
    ask: Runs, asked: tuple[object, ...], code: int, words: str
) -> None:
    done = ask(*asked)

    assert (done.code, done.out) == (code, "")
    assert words in done.err


def test_a_policy_of_the_users_own_is_applied(ask: Runs, tmp_path: Path) -> None:
    file = tmp_path / "policy" / "league.toml"
    file.parent.mkdir()
    file.write_text(
        """
[[packs]]
id = "league-2026"
from = 2026-09-30
documents = [2026-09-30]
status = "seen"
sources = ["FAM"]

[[statements]]
id = "league-performer"
when = ["controlled"]
primary = ["acting_player"]
clause = "League 7"
from = 2026-09-30
status = "seen"
sources = ["FAM"]
text.en = "Whoever is controlled answers."
""",
        encoding="utf-8",
    )
    out = ask("responsible", 1, 16, "--rules-dir", tmp_path, env=WIDE).out

    assert "pack league-2026" in out
    assert "League 7: Whoever is controlled answers. [seen; FAM]" in out
    assert "answers for it  Seat 2 · player b0b00000" in out


def test_of_a_seat_whose_player_is_not_known_nobody_is_said_to_be_named(
    run: Runs, tmp_path: Path
) -> None:
    tell(turn(1), act("priority_passed", 3)).in_directory(tmp_path / "log")
    out = run("--log", tmp_path / "log", "responsible", 1, 3, "--infraction", "GRV", env=WIDE).out

    assert "answers for it  nobody is named" in out
    assert "the acting seat's player is named, if it is known who that is." in out
    assert "it is not known who had the role that answers" in out


def test_an_instruction_is_shown_without_its_words_to_who_may_not_see_them(ask: Runs) -> None:
    document = ask("responsible", 1, 16, "--json").document

    assert document["roles"]["instruction"] is None


def test_the_same_answer_is_given_in_python(ask: Runs, stories_log: Path) -> None:
    document = ask("responsible", 1, 16, "--infraction", "MT", "--policy", "ipg-2018", "--json")
    with open_log(stories_log) as log:
        answer = log.responsible(1, 16, policy="ipg-2018", infractions=["MT"])

    plain = json.loads(msgspec.json.encode(answer))
    assert {key: document.document[key] for key in plain} == plain
