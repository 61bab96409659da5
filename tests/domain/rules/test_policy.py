"""Who answers for an infraction, by date, pack and reading; numbers, penalties and counting."""

from __future__ import annotations

import pytest

from domain.errors import BadInput
from domain.rules.policy import Penalty, Situation
from whodecided.policy import load_policies

POLICIES = load_policies()
PACKS = (
    ("ipg-2013-02-08", "2013-02-08"),
    ("ipg-2014", "2014-07-18"),
    ("ipg-2015", "2015-01-23"),
    ("ipg-2016-04-08", "2016-04-08"),
    ("ipg-2016-07-22", "2016-07-22"),
    ("ipg-2016-09-30", "2016-09-30"),
    ("ipg-2018", "2018-05-01"),
    ("ipg-2019-07-12", "2019-07-12"),
    ("ipg-2024-09-23", "2024-09-23"),
)
READINGS = (
    ("forum-2015-07", "2015-07-01"),
    ("ftw-2016-07", "2016-07-15"),
    ("wiki-ja-723", "2026-09-25"),
)
NOW = "2024-09-23"
LIST_NOW: dict[str, tuple[str, Penalty]] = {
    "MT": ("2.1", "none"),
    "LEC": ("2.2", "warning"),
    "HCE": ("2.3", "warning"),
    "MPE": ("2.4", "warning"),
    "GRV": ("2.5", "warning"),
    "FtMGS": ("2.6", "warning"),
    "TARDY": ("3.1", "game_loss"),
    "OA": ("3.2", "match_loss"),
    "SP": ("3.3", "warning"),
    "DLP": ("3.4", "game_loss"),
    "DP": ("3.5", "warning"),
    "LPV": ("3.6", "warning"),
    "CPV": ("3.7", "warning"),
    "MC": ("3.8", "warning"),
    "IS": ("3.9", "warning"),
    "USC-MINOR": ("4.1", "warning"),
    "USC-MAJOR": ("4.2", "match_loss"),
    "IDW": ("4.3", "match_loss"),
    "BW": ("4.4", "match_loss"),
    "AB": ("4.5", "disqualification"),
    "THEFT": ("4.6", "disqualification"),
    "STALL": ("4.7", "disqualification"),
    "CHEAT": ("4.8", "disqualification"),
}
LIST_2015: dict[str, tuple[str, Penalty]] = LIST_NOW | {
    "DEC": ("2.3", "game_loss"),
    "IDSG": ("2.4", "warning"),
    "IS": ("3.4", "warning"),
    "DDP": ("3.5", "game_loss"),
    "IDW": ("4.3", "disqualification"),
    "BW": ("4.4", "disqualification"),
}
NOT_IN_2015 = {"HCE", "MPE", "DLP", "DP"}


def listed(which: str) -> dict[str, tuple[str, Penalty]]:
    policy = POLICIES.policy(which)
    forms = {code: policy.penalty(code) for code in policy.infractions}
    return {code: (form.number, form.penalty) for code, form in forms.items() if form}


def roles(which: str, infraction: str | None, *situations: Situation) -> tuple[str, ...]:
    statement = POLICIES.policy(which).answering(infraction, situations)
    return statement.primary if statement else ()


def reviewed(which: str, infraction: str | None, *situations: Situation) -> bool:
    policy = POLICIES.policy(which)
    statement = policy.answering(infraction, situations)
    return policy.review or statement is None or statement.review


def test_all_packs_and_readings_are_there_in_order_of_time() -> None:
    assert tuple((pack.id, pack.first) for pack in POLICIES.packs) == PACKS
    assert tuple((r.id, r.published) for r in POLICIES.readings) == READINGS


@pytest.mark.parametrize(("pack", "first"), PACKS)
def test_a_day_selects_the_pack_in_force(pack: str, first: str) -> None:
    place = PACKS.index((pack, first))
    assert POLICIES.policy(first).pack.id == pack
    if place + 1 < len(PACKS):
        following = PACKS[place + 1][1]
        assert POLICIES.policy(following).pack.id != pack
    assert POLICIES.policy(pack).day == first
    assert POLICIES.policy(pack).readings == ()


def test_a_day_before_the_oldest_pack_gets_it_for_review() -> None:
    policy = POLICIES.policy("2006-02-01")
    assert (policy.pack.id, policy.review) == ("ipg-2013-02-08", True)
    assert not POLICIES.policy("2013-02-08").review
    assert POLICIES.policy("2013-02-07").review


def test_a_day_selects_the_readings_published_by_then() -> None:
    assert [r.id for r in POLICIES.policy("2015-06-30").readings] == []
    assert [r.id for r in POLICIES.policy("2015-07-01").readings] == ["forum-2015-07"]
    assert [r.id for r in POLICIES.policy("2016-07-15").readings] == [
        "forum-2015-07",
        "ftw-2016-07",
    ]
    assert len(POLICIES.policy("2026-09-25").readings) == 3


def test_an_unknown_policy_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BadInput) as caught:
        POLICIES.policy("ipg-1999")
    assert caught.value.advice is not None
    assert "ipg-2018" in caught.value.advice


def test_the_infractions_of_2024_have_their_numbers_and_penalties() -> None:
    assert listed(NOW) == LIST_NOW


def test_the_infractions_of_2015_have_their_numbers_and_penalties() -> None:
    expected = {code: form for code, form in LIST_2015.items() if code not in NOT_IN_2015}
    assert listed("2015-03-27") == expected


@pytest.mark.parametrize(
    ("infraction", "first", "last"),
    [
        ("DEC", "2013-02-08", "2015-07-16"),
        ("IDSG", "2013-02-08", "2016-04-07"),
        ("HCE", "2016-04-08", None),
        ("MPE", "2016-04-08", None),
        ("DDP", "2013-02-08", "2017-07-13"),
        ("DLP", "2017-07-14", None),
        ("DP", "2017-07-14", None),
        ("GRV", "2013-02-08", None),
    ],
)
def test_an_infraction_exists_from_its_first_document_to_its_last(
    infraction: str, first: str, last: str | None
) -> None:
    (form,) = POLICIES.infractions[infraction].forms
    assert (form.first, form.last) == (first, last)
    assert POLICIES.policy(first).knows(infraction)


@pytest.mark.parametrize(
    ("infraction", "change"),
    [
        ("USC-MAJOR", "2014-07-18"),
        ("MT", "2016-09-30"),
        ("IS", "2017-07-14"),
        ("IDW", "2020-01-24"),
        ("BW", "2020-01-24"),
    ],
)
def test_an_infraction_changes_on_the_day_of_the_document(infraction: str, change: str) -> None:
    old, new = POLICIES.infractions[infraction].forms
    assert old.last is not None
    assert old.last < change == new.first
    assert POLICIES.policy(change).penalty(infraction) == new


@pytest.mark.parametrize(
    ("which", "primary"),
    [
        ("2013-02-08", "acting_player"),
        ("2015-07-15", "acting_player"),
        ("2016-09-29", "acting_player"),
        ("ipg-2016-07-22", "acting_player"),
        ("2016-09-30", "deciding_player"),
        ("ipg-2016-09-30", "deciding_player"),
        ("2018-06-01", "deciding_player"),
        ("ipg-2024-09-23", "deciding_player"),
        ("forum-2015-07", "acting_player"),
        ("ftw-2016-07", "deciding_player"),
        ("wiki-ja-723", "deciding_player"),
    ],
)
def test_a_missed_trigger_under_control_is_answered_by_date(which: str, primary: str) -> None:
    assert roles(which, "MT", "controlled", "noticed_late") == (primary,)
    assert POLICIES.policy(which).further("MT", ["controlled", "noticed_late"]) == ()


@pytest.mark.parametrize("which", [*POLICIES.ids(), "2018-06-01", "2031-01-01"])
def test_an_own_error_is_ones_own_in_every_policy(which: str) -> None:
    for infraction in ("GRV", "SP", None):
        assert roles(which, infraction, "own_decision") == ("deciding_player",)
        assert not reviewed(which, infraction, "own_decision")
    assert roles(which, "MT", "own_decision") in (("acting_player",), ("deciding_player",))


@pytest.mark.parametrize(
    ("which", "primary"),
    [
        ("2014-08-01", "acting_player"),
        ("2015-07-15", "acting_player"),
        ("2016-07-14", "acting_player"),
        ("2016-07-15", "deciding_player"),
        ("2018-06-01", "deciding_player"),
        ("ipg-2015", "acting_player"),
        ("ipg-2018", "deciding_player"),
        ("forum-2015-07", "acting_player"),
        ("ftw-2016-07", "deciding_player"),
        ("wiki-ja-723", "deciding_player"),
    ],
)
def test_a_controlled_error_rests_on_opinion_and_is_for_review(which: str, primary: str) -> None:
    assert roles(which, "GRV", "controlled") == (primary,)
    assert reviewed(which, "GRV", "controlled")


def test_an_error_on_instruction_is_that_of_both_once_the_guide_says_so() -> None:
    for which in ("2018-06-01", "2019-07-12", "ipg-2016-04-08"):
        assert roles(which, "GRV", "controlled", "instructed") == ("instructor", "performer")
        assert not reviewed(which, "GRV", "controlled", "instructed")
        assert POLICIES.policy(which).further("GRV", ["instructed", "noticed_late"]) == ()
    assert roles("2015-07-15", "GRV", "controlled", "instructed") == ("acting_player",)


def test_those_who_could_have_noticed_fail_to_maintain_the_game_state() -> None:
    (statement,) = POLICIES.policy("2018-06-01").further("GRV", ["own_decision", "noticed_late"])
    assert statement.further == ("others_who_could_notice",)
    assert statement.further_infraction == "FtMGS"
    assert POLICIES.policy("2018-06-01").further("GRV", ["own_decision"]) == ()


def test_a_look_is_answered_by_whoever_looked() -> None:
    assert roles("2022-03-01", "LEC", "controlled") == ("looking_player",)
    assert not reviewed("2022-03-01", "LEC", "own_decision")
    assert reviewed("2018-06-01", "LEC", "controlled", "outside_the_game")


def test_an_unknown_decider_is_for_review() -> None:
    assert reviewed("2024-09-23", "GRV", "decider_unknown")


@pytest.mark.parametrize(
    ("day", "infraction", "at", "counts", "resets"),
    [
        ("2015-03-27", "GRV", 3, "penalties", "days"),
        ("2018-06-30", "GRV", 3, "penalties", "days"),
        ("2018-07-01", "GRV", 3, "penalties", "cuts"),
        ("2018-09-30", "GRV", 3, "penalties", "cuts"),
        ("2018-10-01", "GRV", 3, "penalties", "days"),
        ("2020-01-23", "GRV", 3, "penalties", "days"),
        ("2020-01-24", "GRV", 3, "warnings", "days"),
        ("2015-03-27", "SP", 2, "warnings", "days"),
        ("2018-06-30", "SP", 2, "warnings", "days"),
        ("2018-07-01", "SP", 2, "warnings", "cuts"),
        ("2018-09-30", "SP", 2, "warnings", "cuts"),
        ("2018-10-01", "SP", 2, "warnings", "days"),
        ("2024-09-23", "SP", 2, "warnings", "days"),
    ],
)
def test_penalties_are_counted_as_the_guide_of_the_day_says(
    day: str, infraction: str, at: int, counts: str, resets: str
) -> None:
    counting = POLICIES.policy(day).upgrade(infraction)
    assert counting is not None
    assert (counting.at, counting.counts, counting.resets) == (at, counts, resets)
    assert counting.becomes == "game_loss"


def test_what_is_never_upgraded_is_not_counted() -> None:
    assert POLICIES.policy(NOW).upgrade("FtMGS") is None
    assert POLICIES.policy(NOW).upgrade("USC-MINOR") is None
    assert POLICIES.policy(NOW).upgrade("HCE") is not None


def test_infractions_of_intent_are_marked() -> None:
    intent = {code for code, i in POLICIES.infractions.items() if i.needs_intent}
    assert intent == {"THEFT", "STALL", "CHEAT"}


def test_every_statement_names_its_source_and_speaks_three_languages() -> None:
    for statement in POLICIES.statements:
        assert statement.sources
        assert statement.text.fr
        assert statement.text.ja
    for reading in POLICIES.readings:
        assert reading.text.fr
        assert reading.text.ja
