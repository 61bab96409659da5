"""Policy files of the user's own are added, or refused with file, key and reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from domain.errors import BadInput
from whodecided.policy import load_policies

PACK = """
[[packs]]
id = "league-2027"
from = 2027-01-01
documents = [2027-01-01]
status = "seen"
sources = ["FAM"]
"""
READING = """
[[readings]]
id = "league-note"
published = 2027-02-01
status = "seen"
based_on = "league-2027"
sources = ["FAM"]
text.en = "a note of the league"
"""
STATEMENT = """
[[statements]]
id = "league-rule"
when = ["controlled"]
primary = ["performer"]
from = 2027-01-01
status = "seen"
sources = ["FAM"]
text.en = "whoever moves the cards answers"
"""
INFRACTION = """
[[infractions]]
code = "LATE"
kind = "TE"
name.en = "Late for the league"

[[infractions.forms]]
number = "3.1"
penalty = "warning"
from = 2027-01-01
seen = [2027-01-01]
status = "seen"
sources = ["FAM"]
"""
COUNTING = """
[[counting]]
kind = "GPE"
counts = "warnings"
at = 4
becomes = "game_loss"
resets = "cuts"
from = 2013-02-08
status = "seen"
sources = ["FAM"]
"""
ALL = PACK + READING + STATEMENT + INFRACTION + COUNTING


def folder_with(tmp_path: Path, content: str) -> Path:
    (tmp_path / "policy").mkdir(exist_ok=True)
    (tmp_path / "policy" / "league.toml").write_text(content, encoding="utf-8")
    return tmp_path


def test_a_pack_a_reading_and_a_statement_of_the_users_own_are_used(tmp_path: Path) -> None:
    policies = load_policies(folder_with(tmp_path, ALL))
    assert policies.policy("2027-06-01").pack.id == "league-2027"
    assert policies.policy("2026-12-31").pack.id == "ipg-2024-09-23"
    statement = policies.policy("league-2027").answering("GRV", ["controlled"])
    assert statement is not None
    assert statement.id == "league-rule"
    assert policies.policy("2027-01-31").knows("LATE")
    assert not policies.policy("2026-12-31").knows("LATE")
    assert "league-2027" not in load_policies().ids()


def test_counting_of_the_users_own_replaces_that_of_the_class(tmp_path: Path) -> None:
    policy = load_policies(folder_with(tmp_path, ALL)).policy("2018-08-01")
    game_play, tournament = policy.upgrade("GRV"), policy.upgrade("SP")
    assert game_play is not None
    assert tournament is not None
    assert (game_play.at, tournament.at) == (4, 2)


def test_an_entry_with_a_known_id_replaces_the_products(tmp_path: Path) -> None:
    changed = PACK.replace("league-2027", "ipg-2018").replace("2027-01-01", "2018-04-27")
    policies = load_policies(folder_with(tmp_path, changed))
    assert policies.policy("2018-04-28").pack.id == "ipg-2018"
    assert len(policies.packs) == len(load_policies().packs)


@pytest.mark.parametrize(
    ("old", "new", "key", "reason"),
    [
        ('id = "league-2027"', 'id = "League 2027"', "packs[1].id", "has not the form"),
        ("from = 2027-01-01\ndoc", "from = 2024-09-23\ndoc", "packs[1].from", "dates overlap"),
        ("documents = [2027-01-01]", "documents = [1]", "packs[1].documents[1]", "date"),
        ('based_on = "league-2027"', 'based_on = "none"', "readings[1].based_on", "no pack"),
        ('id = "league-note"', 'id = "ipg-2018"', "readings[1].id", "already a pack"),
        (
            'when = ["controlled"]',
            'when = ["drunk"]',
            "statements[1].when[1]",
            "none of: own_decision",
        ),
        ('primary = ["performer"]', "primary = []", "statements[1].primary", "names nobody"),
        ("primary", "infractions = ['XX']\nprimary", "statements[1].infractions", "'XX'"),
        ("primary", "further = ['performer']\nprimary", "further_infraction", "both or neither"),
        ("primary", "reading = 'nobody'\nprimary", "statements[1].reading", "no reading"),
        ("primary", "until = 2026-01-01\nprimary", "statements[1].from", "before it begins"),
        (
            'penalty = "warning"',
            'penalty = "fine"',
            "infractions[1].forms[1].penalty",
            "none of: none",
        ),
        ('number = "3.1"', "number = 3.1", "infractions[1].forms[1].number", "a text is needed"),
        ("at = 4", "at = 1", "counting[1].at", "greater"),
        ("at = 4", "at = 4.0", "counting[1].at", "a whole number is needed"),
        ('counts = "warnings"', 'counts = "words"', "counting[1].counts", "none of: penalties"),
        ("[[counting]]", "[[countings]]", "countings", "no such key"),
        ('sources = ["FAM"]', 'sources = ["Y"]', "packs[1].sources", "no source 'Y'"),
    ],
)
def test_a_mistake_is_named_by_file_key_and_reason(
    tmp_path: Path, old: str, new: str, key: str, reason: str
) -> None:
    assert old in ALL
    with pytest.raises(BadInput) as caught:
        load_policies(folder_with(tmp_path, ALL.replace(old, new, 1)))
    assert caught.value.where.endswith("policy/league.toml")
    assert key in caught.value.reason.partition(": ")[0]
    assert reason in caught.value.reason


@pytest.mark.parametrize("entry", [PACK, READING, STATEMENT, INFRACTION])
def test_an_id_may_stand_once_in_a_folder(tmp_path: Path, entry: str) -> None:
    with pytest.raises(BadInput, match="is already in"):
        load_policies(folder_with(tmp_path, ALL + entry))


def test_counting_of_one_class_may_not_overlap(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="dates overlap"):
        load_policies(folder_with(tmp_path, ALL + COUNTING))


def test_forms_of_an_infraction_may_not_overlap(tmp_path: Path) -> None:
    form = INFRACTION[INFRACTION.index("[[infractions.forms]]") :]
    with pytest.raises(BadInput, match="dates overlap"):
        load_policies(folder_with(tmp_path, PACK + INFRACTION + form))
