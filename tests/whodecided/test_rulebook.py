"""The product's rules files are sound; a user's folder adds to them or is refused with reason."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from domain.errors import BadInput
from domain.rules import RuleLibrary
from whodecided.cards import load_cards
from whodecided.policy import load_policies
from whodecided.provisions import load_provisions
from whodecided.rulebook import editions, load_rulebook, load_rules
from whodecided.tomlfiles import MAX_BYTES

Written = Callable[[str, str | bytes], Path]

EDITION = """
section = "724"
family = "player"

[[documents]]
id = 2027-02-05
status = "seen"
sources = ["EDH"]
"""
SWITCH = """
[[switches]]
key = "mana-burn"
meaning.en = "unspent mana costs life"
on = [
  { from = 1993-08-05, until = 2009-07-10, status = "seen", sources = ["EDH"] },
  { from = %s, status = "seen", sources = ["EDH"] },
]
"""
TOPIC = """
[[topics]]
id = "game.house-rule"
name.en = "a rule of the house"
numbers = [%s]
"""
SPAN = '{ number = "%s", from = %s, seen = [2026-04-17], sources = ["EDH"] }'


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """Writes a file into a folder of rules and gives the folder."""

    def write(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return tmp_path

    return write


def refused(folder: Path, load: Callable[[Path], object] = load_rules) -> BadInput:
    with pytest.raises(BadInput) as caught:
        load(folder)
    return caught.value


def test_an_edition_of_the_users_own_is_added(written: Written) -> None:
    folder = written("editions/724.toml", EDITION)
    assert load_rulebook("2027-02-05", folder).section == "724"
    assert load_rulebook("2027-02-04", folder).section == "723"
    (rule,) = load_rulebook("2027-03-01", folder).cite("player-control.decisions")
    assert (rule.number, rule.edition) == ("724.5", "2027-02-05")
    assert "2027-02-05" not in editions()


def test_an_edition_of_the_users_own_replaces_the_products(written: Written) -> None:
    folder = written("editions/mine.toml", EDITION.replace("2027-02-05", "2026-09-25"))
    assert load_rulebook("2026-09-25", folder).section == "724"
    assert len(editions(folder)) == len(editions())


def test_a_switch_of_the_users_own_replaces_the_products(written: Written) -> None:
    folder = written("switches.toml", SWITCH % "2027-01-01")
    assert load_rulebook("2027-01-01", folder).switches["mana-burn"]
    assert not load_rulebook("2027-01-01").switches["mana-burn"]
    assert load_rules(folder).switches.keys() == load_rules().switches.keys()


def test_a_source_of_the_users_own_may_be_named(written: Written) -> None:
    written("sources.toml", '[sources]\nHOUSE = "the rules of the house"\n')
    folder = written("editions/724.toml", EDITION.replace("EDH", "HOUSE"))
    assert load_rules(folder).sources["HOUSE"] == "the rules of the house"


def test_topics_of_the_users_own_are_cited(written: Written) -> None:
    folder = written("topics.toml", TOPIC % (SPAN % ("901.2a", "2026-01-01")))
    (rule,) = load_rulebook("2026-09-25", folder).cite("game.house-rule")
    assert rule.number == "901.2a"


@pytest.mark.parametrize(
    ("old", "new", "key", "reason"),
    [
        ('section = "724"', "section = 724", "section", "a text is needed"),
        ('section = "724"', 'section = "72"', "section", "has not the form"),
        ('section = "724"', 'section = "724"\nsections = 1', "sections", "no such key"),
        ('family = "player"', 'family = "table"', "family", "no family"),
        ('family = "player"\n', "", "family", "missing"),
        ("2027-02-05", '"2027-02-05"', "documents[1].id", "date"),
        ("2027-02-05", "2027-02-05T00:00:00", "documents[1].id", "date"),
        ('status = "seen"', 'status = "sure"', "documents[1].status", "none of: seen"),
        ('sources = ["EDH"]', 'sources = ["XYZ"]', "documents[1].sources", "no source 'XYZ'"),
        ('sources = ["EDH"]', "sources = []", "documents[1].sources", "empty"),
        ('sources = ["EDH"]', 'sources = "EDH"', "documents[1].sources", "list"),
        ("id = 2027", "note = true\nid = 2027", "documents[1].note", "a text is needed"),
        ("id = 2027", 'note = " "\nid = 2027', "documents[1].note", "empty"),
        ("id = 2027", "in_play_from = 2027-02-05\nid = 2027", "documents[1].in_play_from", "later"),
        ("id = 2027", 'changed.de = "neu"\nid = 2027', "documents[1].changed", "missing"),
        ("[[documents]]\nid", "[[documents]]\nids", "documents[1].id", "missing"),
    ],
)
def test_a_mistake_in_an_edition_is_named_by_file_key_and_reason(
    written: Written, old: str, new: str, key: str, reason: str
) -> None:
    assert old in EDITION
    error = refused(written("editions/724.toml", EDITION.replace(old, new)))
    assert error.where.endswith("editions/724.toml")
    assert key in error.reason.partition(": ")[0]
    assert reason in error.reason


def test_one_day_cannot_have_two_editions_in_one_folder(written: Written) -> None:
    written("editions/724.toml", EDITION)
    error = refused(written("editions/725.toml", EDITION.replace("724", "725")))
    assert error.where.endswith("725.toml")
    assert "documents[1].id: 2027-02-05 is already in 724.toml" in error.reason


@pytest.mark.parametrize(
    ("spans", "reason"),
    [
        ((("901.2", "2026-01-01"), ("901.3", "2026-05-01")), "dates overlap"),
        ((("901.2", "2026-01-01, until = 2025-01-01"),), "before it begins"),
        ((("901-2", "2026-01-01"),), "has not the form"),
    ],
)
def test_numbers_of_a_topic_may_not_overlap(
    written: Written, spans: tuple[tuple[str, str], ...], reason: str
) -> None:
    error = refused(written("topics.toml", TOPIC % ", ".join(SPAN % span for span in spans)))
    assert reason in error.reason
    assert error.reason.startswith("topics[1].numbers")


def test_days_of_a_switch_may_not_overlap(written: Written) -> None:
    error = refused(written("switches.toml", SWITCH % "2009-07-10"))
    assert error.reason == "switches[1].on: dates overlap: from 1993-08-05 and from 2009-07-10"


@pytest.mark.parametrize(
    ("name", "entry", "key"),
    [
        ("switches.toml", SWITCH % "2027-01-01", "switches[2].key"),
        ("topics.toml", TOPIC % (SPAN % ("901.2", "2026-01-01")), "topics[2].id"),
    ],
)
def test_an_id_may_stand_once_in_a_folder(
    written: Written, name: str, entry: str, key: str
) -> None:
    error = refused(written(name, entry + entry))
    assert error.reason.startswith(f"{key}: ")
    assert "is already in" in error.reason


@pytest.mark.parametrize(
    ("content", "reason", "line"),
    [
        ('section = "724\n', "not TOML", 1),
        ('section = "724"\nsection = "725"\n', "not TOML", 2),
        ("a = " + "[" * 5000, "nested too deeply", None),
        ("a = " + "9" * 5000, "not TOML", None),
        (b'section = "72\xff"\n', "not UTF-8", 1),
        (b"\xff\xfes\x00e\x00c\x00", "not UTF-8", 1),
        ("# " + "x" * MAX_BYTES, "larger than 1 MiB", None),
        ("", "section: the key is missing", None),
    ],
)
def test_a_file_that_is_no_rules_file_is_one_clear_error(
    written: Written, content: str | bytes, reason: str, line: int | None
) -> None:
    error = refused(written("editions/724.toml", content))
    assert error.where.endswith("724.toml")
    assert reason in error.reason
    assert error.line == line


@pytest.mark.parametrize("name", ["edition.toml", "rules/724.toml", "editions/old/724.toml"])
def test_a_file_of_an_unknown_kind_is_refused(written: Written, name: str) -> None:
    error = refused(written(name, EDITION))
    assert error.where.endswith(name)
    assert error.advice is not None
    assert "editions/*.toml" in error.advice


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path / "absent").reason == "no such folder"
    (tmp_path / "file").touch()
    assert refused(tmp_path / "file").reason == "not a folder"


def test_a_file_that_may_not_be_read_is_refused(written: Written) -> None:
    folder = written("editions/724.toml", EDITION)
    (folder / "topics.toml").mkdir()
    assert refused(folder).where.endswith("topics.toml")


@pytest.mark.parametrize("load", [load_rules, load_cards, load_policies, load_provisions])
def test_a_torn_file_of_any_kind_stops_every_loader(
    written: Written, load: Callable[[Path], object]
) -> None:
    written("editions/724.toml", EDITION)
    error = refused(written("cards.toml", "[[control]]\nname ="), load)
    assert error.where.endswith("cards.toml")


def test_nothing_is_half_loaded(written: Written) -> None:
    written("editions/724.toml", EDITION)
    refused(written("switches.toml", SWITCH % "2000-01-01"))
    assert "2027-02-05" not in editions()
    assert load_rules().edition("2027-02-05") is None


def test_other_files_in_the_folder_do_not_matter(written: Written) -> None:
    folder = written("README.md", "our house rules")
    assert isinstance(load_rules(folder), RuleLibrary)
