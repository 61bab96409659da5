"""Cards are found by name in three languages, and each says whom it controls and when."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.rules.cards import CardCatalogue, folded, names_of
from whodecided.cards import load_cards
from whodecided.rulebook import load_rulebook

CARDS = load_cards()
EXPECTED = {  # name: scope, whom, first day; told apart from the data files
    "Word of Command": ("while_resolving", "target_opponent", "2010-09-24"),
    "Mindslaver": ("next_turn", "target_player", "2003-10-02"),
    "Sorin Markov": ("next_turn", "target_player", "2009-10-02"),
    "Worst Fears": ("next_turn", "target_player", "2014-05-02"),
    "Emrakul, the Promised End": ("next_turn", "target_opponent", "2016-07-22"),
    "Cruel Entertainment": ("next_turn", "two_target_players", "2016-11-11"),
    "Opposition Agent": ("while_searching", "each_opponent", "2020-11-20"),
    "The Dominion Bracelet": ("next_turn", "target_opponent", "2025-08-01"),
    "Secret of Bloodbending": ("next_combat_phase", "target_opponent", "2025-11-21"),
    "Construct a Cosmic Cube": ("next_turn", "target_opponent", "2026-06-26"),
    "Kindslaver": ("next_turn", "target_player", "2017-12-08"),
    "Urza, Academy Headmaster": ("next_turn", "target_player", "2017-12-08"),
}
MOVED = {  # name: the choices that pass to somebody else
    "Master Warcraft": {"attackers", "blockers"},
    "Melee": {"blockers"},
    "Odric, Master Tactician": {"blockers"},
    "Brutal Hordechief": {"blockers"},
    "Berserker's Frenzy": {"blockers"},
    "Invasion Plans": {"blockers"},
    "Camouflage": {"piles"},
    "Raging River": {"piles"},
    "Fight or Flight": {"piles"},
    "Stand or Fall": {"piles"},
    "Oracle en-Vec": {"attackers"},
    "Defensive Formation": {"damage"},
    "Illusion of Choice": {"votes"},
    "Fact or Fiction": {"piles"},
    "Steam Augury": {"piles"},
    "Gifts Ungiven": {"cards"},
    "Intuition": {"cards"},
    "Wormfang Crab": {"permanents"},
    "Psychic Battle": {"targets"},
    "Grip of Chaos": {"targets"},
    "Illusionist's Gambit": set(),
    "Portent of Betrayal": set(),
    "Drain Power": set(),
    "Pygmy Hippo": set(),
    "Sen Triplets": set(),
    "Gonti, Lord of Luxury": set(),
}


def test_every_card_that_controls_players_has_its_scope_its_targets_and_its_day() -> None:
    found = {c.name.en: (c.scope, c.affected, c.first_day) for c in CARDS.control}
    assert found == EXPECTED


def test_every_card_that_moves_a_choice_says_which() -> None:
    assert {c.name.en: set(c.decisions) for c in CARDS.choices} == MOVED
    assert all((c.chooser is None) == (not c.decisions) for c in CARDS.choices)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("mindslaver", "Mindslaver"),
        ("Esclavagiste d'âmes", "Mindslaver"),
        ("ESCLAVAGISTE D\u2019AMES", "Mindslaver"),
        ("精神隷属器", "Mindslaver"),
        ("《敵対工作員》", "Opposition Agent"),
        ("Agente de l'opposition", "Opposition Agent"),
        ("  Pires   craintes ", "Worst Fears"),
        ("emrakul, la fin promise", "Emrakul, the Promised End"),
        ("約束された終末、エムラクール", "Emrakul, the Promised End"),
        ("Le Bracelet d'Hégémonie", "The Dominion Bracelet"),
        ("Secret de la maitrise du sang", "Secret of Bloodbending"),
        ("血の技の秘密", "Secret of Bloodbending"),
        ("コズミック・キューブの構築", "Construct a Cosmic Cube"),
        ("なんとか隷属機", "Kindslaver"),
        ("ソリン・マルコフ", "Sorin Markov"),
        ("残酷な見世物", "Cruel Entertainment"),
        ("最悪の恐怖", "Worst Fears"),
    ],
)
def test_a_card_is_found_by_name_in_any_language(written: str, name: str) -> None:
    card = CARDS.control_card(written)
    assert card is not None
    assert card.name.en == name


@pytest.mark.parametrize("written", ["", "Jedi Mind Trick", "Master Warcraft", "コズミツク"])
def test_another_name_finds_no_card_that_controls_players(written: str) -> None:
    assert CARDS.control_card(written) is None


def test_marks_that_make_another_letter_in_japanese_are_kept() -> None:
    assert folded("キューブ") != folded("キューフ")
    assert folded("ｴﾑﾗｸｰﾙ") == folded("エムラクール")
    assert folded("Œil de l'Œuvre") == "oeil de l'oeuvre"


@given(st.text())
def test_a_folded_name_stays_as_it_is(name: str) -> None:
    assert folded(folded(name)) == folded(name)


@given(st.sampled_from(CARDS.control), st.data())
def test_case_and_accents_do_not_matter(card: object, data: st.DataObject) -> None:
    chosen = data.draw(st.sampled_from(CARDS.control))
    name = data.draw(st.sampled_from(list(names_of(chosen.name))))
    assert CARDS.control_card(data.draw(st.sampled_from([name.upper(), name.lower()]))) is chosen


def test_special_cards_say_what_is_special() -> None:
    by_name = {card.name.en: card for card in CARDS.control}
    assert [n for n, c in by_name.items() if c.extra_turn_after] == ["Emrakul, the Promised End"]
    assert [n for n, c in by_name.items() if c.mutual] == ["Cruel Entertainment"]
    assert [n for n, c in by_name.items() if c.static] == ["Opposition Agent"]
    assert [n for n, c in by_name.items() if c.outside_person] == ["Kindslaver"]
    (other,) = by_name["Secret of Bloodbending"].other
    assert other.scope == "next_turn"


def test_a_card_names_the_switch_that_says_whether_the_rules_name_it() -> None:
    agent = CARDS.control_card("Opposition Agent")
    assert agent is not None
    assert agent.clause is not None
    assert not load_rulebook("2020-11-20").switches[agent.clause]
    assert load_rulebook("2021-02-05").switches[agent.clause]


def test_names_are_told_in_the_language_asked_for() -> None:
    names = CARDS.local_name("Mindslaver")
    assert names is not None
    assert names.get("fr") == "Esclavagiste d'âmes"
    command = CARDS.local_name("word of command")
    assert command is not None
    assert command.get("ja") == "Word of Command"
    assert CARDS.local_name("Opt") is None
    assert CardCatalogue(()).local_name("Mindslaver") is None
