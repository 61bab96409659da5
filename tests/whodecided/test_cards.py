"""Cards of the user's own are added to the catalogue, or refused with file, key and reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from domain.errors import BadInput
from whodecided.cards import load_cards

CARD = """
[[control]]
name.en = "House Puppet"
name.fr = "Marionnette"
scope = "next_turn"
affected = "target_player"
first_day = 2027-01-01
printed = 2027-01-01
may_not = ["attackers_declared"]
must = ["spell_cast"]
status = "seen"
sources = ["RUL"]
"""
CHOICE = """
[[choice]]
name.en = "House Vote"
decisions = ["votes"]
chooser = "opponent"
lasts = "this_vote"
status = "seen"
sources = ["RUL"]
effect.en = "an opponent votes"
"""
ALL = CARD + CHOICE


def folder_with(tmp_path: Path, content: str) -> Path:
    (tmp_path / "cards.toml").write_text(content, encoding="utf-8")
    return tmp_path


def test_cards_of_the_users_own_are_found(tmp_path: Path) -> None:
    cards = load_cards(folder_with(tmp_path, ALL))
    card = cards.control_card("marionnette")
    assert card is not None
    assert (card.may_not, card.must) == (("attackers_declared",), ("spell_cast",))
    choice = cards.choice_card("HOUSE VOTE")
    assert choice is not None
    assert choice.lasts == "this_vote"
    assert cards.control_card("Mindslaver") is not None
    assert load_cards().control_card("House Puppet") is None


def test_a_card_of_the_users_own_replaces_the_products(tmp_path: Path) -> None:
    cards = load_cards(folder_with(tmp_path, CARD.replace("House Puppet", "MINDSLAVER")))
    assert len(cards.control) == len(load_cards().control)
    card = cards.control_card("Mindslaver")
    assert card is not None
    assert card.first_day == "2027-01-01"


@pytest.mark.parametrize(
    ("old", "new", "key", "reason"),
    [
        ('name.en = "House Puppet"\n', "", "control[1].name.en", "missing"),
        ('name.en = "House Puppet"', 'name.de = "Puppe"', "control[1].name.en", "missing"),
        ('scope = "next_turn"', 'scope = "for_ever"', "control[1].scope", "none of: next_turn"),
        ('scope = "next_turn"\n', "", "control[1].scope", "missing"),
        (
            'affected = "target_player"',
            'affected = "all"',
            "control[1].affected",
            "none of: target_",
        ),
        ("first_day = 2027-01-01", "first_day = 2027", "control[1].first_day", "date"),
        ("attackers_declared", "attack", "control[1].may_not", "no decision 'attack'"),
        ('must = ["spell_cast"]', 'must = ["turn_started"]', "control[1].must", "no decision"),
        ("scope", "clause = 'none'\nscope", "control[1].clause", "no switch"),
        ("scope", "static = 1\nscope", "control[1].static", "true or false is needed"),
        ('name.fr = "Marionnette"', 'name.fr = "Pires craintes"', "name", "Worst Fears"),
        ('chooser = "opponent"\n', "", "choice[1].chooser", "both or neither"),
        (
            'chooser = "opponent"',
            'chooser = "me"',
            "choice[1].chooser",
            "none of: effect_controller",
        ),
        ('lasts = "this_vote"', 'lasts = "long"', "choice[1].lasts", "none of: this_turn"),
        ('sources = ["RUL"]', 'sources = ["?"]', "control[1].sources", "no source"),
        ("effect.en", "effects.en", "effect", "missing"),
    ],
)
def test_a_mistake_is_named_by_file_key_and_reason(
    tmp_path: Path, old: str, new: str, key: str, reason: str
) -> None:
    assert old in ALL
    with pytest.raises(BadInput) as caught:
        load_cards(folder_with(tmp_path, ALL.replace(old, new, 1)))
    assert caught.value.where.endswith("cards.toml")
    assert key in caught.value.reason.partition(": ")[0]
    assert reason in caught.value.reason


@pytest.mark.parametrize("entry", [CARD, CHOICE])
def test_a_card_may_stand_once_in_a_folder(tmp_path: Path, entry: str) -> None:
    with pytest.raises(BadInput, match="is already in"):
        load_cards(folder_with(tmp_path, ALL + entry))
