"""The edition data, told a second time apart from the data files."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

import pytest

from whodecided.rulebook import editions, load_rulebook, load_rules

LIBRARY: Final = load_rules()
ALL: Final = """
1993-08-05 2003-10-01 2005-08-01 2008-02-01 2009-07-08 2009-10-01 2010-02-01 2010-04-23 2010-06-18
2010-07-16 2010-10-01 2011-02-01 2011-07-15 2011-09-30 2013-02-01 2013-05-01 2013-07-13 2013-09-27
2014-02-01 2014-05-01 2014-07-18 2014-09-25 2015-01-23 2015-03-27 2015-07-17 2015-09-26 2015-11-13
2016-01-16 2016-04-08 2016-07-22 2016-08-26 2016-09-30 2016-11-11 2017-01-20 2017-04-28 2017-06-05
2017-07-08 2017-08-25 2017-09-29 2018-01-19 2018-04-27 2018-06-08 2018-07-13 2018-08-10 2018-10-05
2019-01-25 2019-05-03 2019-06-14 2019-07-12 2019-08-23 2019-10-04 2020-01-24 2020-04-17 2020-06-01
2020-07-03 2020-08-07 2020-09-25 2020-11-20 2021-02-05 2021-02-15 2021-04-22 2021-06-18 2021-07-23
2021-11-19 2022-02-18 2022-04-29 2022-07-08 2022-09-09 2022-10-07 2024-02-09 2024-03-08 2024-06-07
2024-11-08 2025-02-07 2025-04-04 2025-06-06 2025-07-25 2025-09-19 2025-11-14 2026-01-16 2026-02-27
2026-04-17 2026-09-25
""".split()  # noqa: SIM905  # a list of eighty days is easier to compare like this
TOURNAMENT: Final = (
    "2011-01-01",
    "2013-02-01",
    "2013-09-27",
    "2014-02-07",
    "2014-07-18",
    "2015-01-23",
    "2015-03-27",
    "2016-01-22",
    "2016-04-08",
    "2016-07-22",
    "2021-09-24",
    "2025-11-10",
)

CLAUSES: Final = (  # topic, then its place in the sections of 2003, of 2009 and of 2010
    ("next-turn", ".1", ".1", ".1"),
    ("overwriting", ".1a", ".1a", ".1a"),
    ("skipped-turn", ".1b", ".1b", ".1b"),
    ("limited-duration", None, None, ".2"),
    ("objects", ".1c", ".1c", ".3"),
    ("active-player", None, ".2", ".3"),
    ("visibility", ".2", ".3", ".4"),
    ("outside-the-game", None, None, ".4"),
    ("decisions", ".3", ".4", ".5"),
    ("resources", ".3a", ".4a", ".5a"),
    ("not-called-for", ".3c", ".4b", ".5b"),
    ("tournament-choices", ".3c", ".4b", ".5b"),
    ("concession", ".3b", ".5", ".6"),
    ("restrictions", None, None, ".7"),
    ("own-decisions", ".3d", ".6", ".8"),
    ("self-control", None, None, ".9"),
    ("mana-burn", ".4", None, None),
)
SECTIONS: Final = (  # a day of each section and its number; the column of CLAUSES
    ("2003-10-01", "507", 1),
    ("2009-07-08", "710", 2),
    ("2010-04-23", "711", 2),
    ("2010-10-01", "711", 3),
    ("2011-09-30", "712", 3),
    ("2016-07-22", "714", 3),
    ("2018-04-27", "715", 3),
    ("2019-10-04", "716", 3),
    ("2021-07-23", "718", 3),
    ("2022-10-07", "719", 3),
    ("2024-02-09", "720", 3),
    ("2025-04-04", "721", 3),
    ("2025-07-25", "722", 3),
    ("2026-04-17", "723", 3),
)

NUMBERS: Final = (  # topic, number, first day, last day: rules outside the section
    ("team.player-control", "606.6g", "2005-08-01", "2009-07-07"),
    ("team.player-control", "805.8", "2013-02-01", None),
    ("game.card-text", "101.1", "2009-07-08", None),
    ("game.turn-order-of-choices", "101.4", "2022-07-08", None),
    ("game.concession", "102.7", "2003-10-01", "2009-07-07"),
    ("game.concession", "104.3a", "2009-07-08", None),
    ("game.restart", "717.1", "2018-01-19", "2018-04-26"),
    ("game.restart", "722.1", "2022-07-08", "2022-09-08"),
    ("game.restart", "727.1", "2026-04-17", None),
    ("game.subgame", "718.1b", "2018-01-19", "2018-04-26"),
    ("game.subgame", "723.1b", "2022-07-08", "2022-09-08"),
    ("game.subgame", "729.1b", "2026-04-17", None),
    ("leaving.control-ends", "800.4a", "2010-10-01", None),
    ("leaving.control-does-not-begin", "800.4b", "2010-10-01", None),
    ("leaving.costs", "800.4f", "2018-01-19", None),
    ("leaving.object-choices", "800.4f", "2018-01-19", "2021-07-22"),
    ("leaving.object-choices", "800.4g", "2021-07-23", None),
    ("leaving.rule-choices", "800.4g", "2018-01-19", "2021-07-22"),
    ("leaving.rule-choices", "800.4h", "2021-07-23", None),
    ("leaving.own-turn", "800.4i", "2018-01-19", "2021-07-22"),
    ("leaving.own-turn", "800.4j", "2021-07-23", None),
    ("leaving.next-turn", "800.4j", "2018-01-19", "2021-07-22"),
    ("leaving.next-turn", "800.4k", "2021-07-23", None),
    ("tournament.sideboard", "3.15", "2011-01-01", "2019-12-31"),
    ("tournament.sideboard", "3.16", "2021-09-24", None),
    ("tournament.concession", "2.4", "2021-09-24", "2025-11-09"),
    ("tournament.concession", "2.5", "2025-11-10", None),
)
OF_2026: Final = """
game.mulligans 103.5 game.opening-hand 103.6 game.object-control 110.2 game.special-actions 116.2
game.companion 116.2g game.passing-priority 117.3d game.costs 118.3 game.outside 400.11
turn.extra 500.7 turn.skip 500.11 combat.attackers 508.1 combat.blockers 509.1 combat.damage 510.1
turn.cleanup-discard 514.1 turn.more-cleanup 514.3 spell.casting 601.2 ability.activating 602.2
ability.trigger-order 603.3b spell.choices-on-resolution 608.2d turn.skip-effects 614.10
choice.mode-by-another 700.2e search.finding 701.23b combat.banding 702.22j game.face-down 708.5
turn.ending-early 724.1d combat.ending-early 724.2 game.shortcuts 732 game.illegal-actions 733.1
team.primary-player 805.2 team.priority 805.5 team.trigger-order 805.7 team.concession 810.8b
variant.planar-controller 901.6 variant.planar-die 901.9 variant.schemes 904.9
""".split()  # noqa: SIM905  # topic and number in turn; read in the document of 2026-04-17

DISPUTED: Final = (  # switch, first and last day on which document and play differ
    ("mana-burn", "2009-07-08", "2009-07-10"),
    ("mana-burn-exempt-if-other-controls", "2009-07-08", "2009-07-10"),
    ("damage-assignment-order", "2009-07-08", "2009-07-10"),
    ("player-control", "2010-09-22", "2010-09-30"),
    ("limited-duration-control", "2010-09-22", "2010-09-30"),
    ("word-of-command-control", "2010-09-22", "2010-09-30"),
    ("restriction-clause", "2010-09-22", "2010-09-30"),
    ("self-control-clause", "2010-09-22", "2010-09-30"),
    ("leaving-ends-control", "2010-09-22", "2010-09-30"),
    ("controller-sees-outside", "2016-07-16", "2016-07-21"),
    ("controller-chooses-outside", "2016-07-16", "2016-07-21"),
    ("outside-hidden-in-rules", "2016-07-16", "2016-07-21"),
)


def _moved(day: str, by: int) -> str:
    return (date.fromisoformat(day) + timedelta(days=by)).isoformat()


def _number(day: str, topic: str) -> str | None:
    rule = load_rulebook(day).clauses.get(topic)
    return rule.number if rule else None


def test_there_are_these_editions_and_no_others() -> None:
    assert list(editions()) == ALL
    assert tuple(document.id for document in LIBRARY.tournament) == TOURNAMENT


def test_one_document_was_played_later_than_it_is_dated() -> None:
    later = {edition.id: edition.in_play_from for edition in LIBRARY.editions}

    assert {key: day for key, day in later.items() if day} == {"2009-07-08": "2009-07-11"}


@pytest.mark.parametrize(("day", "section", "column"), SECTIONS)
def test_every_clause_of_a_section_has_its_number(day: str, section: str, column: int) -> None:
    for clause in CLAUSES:
        suffix = clause[column]
        early = clause[0] == "outside-the-game" and day < "2016-07-22"
        expected = None if suffix is None or early else section + suffix
        assert _number(day, f"player-control.{clause[0]}") == expected


def test_no_clause_is_left_out_of_this_check() -> None:
    told = {f"player-control.{clause[0]}" for clause in CLAUSES}

    assert {topic.id for topic in LIBRARY.topics.values() if topic.clause} == told
    starts = {t.id: t.clause_from for t in LIBRARY.topics.values() if t.clause_from}
    assert starts == {"player-control.outside-the-game": "2016-07-22"}


@pytest.mark.parametrize(("topic", "number", "first", "last"), NUMBERS)
def test_a_rule_outside_the_section_has_its_number_from_its_first_day_to_its_last(
    topic: str, number: str, first: str, last: str | None
) -> None:
    end = last or "2031-01-01"
    assert _number(first, topic) == _number(end, topic) == number
    assert _number(_moved(first, -1), topic) != number
    assert last is None or _number(_moved(last, 1), topic) != number


def test_rules_that_were_read_in_one_document_have_their_numbers_from_its_day() -> None:
    for topic, number in zip(OF_2026[::2], OF_2026[1::2], strict=True):
        assert _number("2026-04-17", topic) == number
        assert _number("2026-04-16", topic) is None


def test_no_number_is_left_out_of_these_checks() -> None:
    told = {(topic, number) for topic, number, _, _ in NUMBERS}
    told |= set(zip(OF_2026[::2], OF_2026[1::2], strict=True))

    assert told == {(t.id, span.number) for t in LIBRARY.topics.values() for span in t.numbers}


def test_a_number_is_seen_in_documents_that_exist_while_it_holds() -> None:
    documents = {"CR": set(ALL), "MTR": set(TOURNAMENT)}
    for topic in LIBRARY.topics.values():
        for span in topic.numbers:
            assert set(span.seen) <= documents[topic.document], topic.id
            assert all(span.first <= day <= (span.last or day) for day in span.seen), topic.id


@pytest.mark.parametrize(("key", "first", "last"), DISPUTED)
def test_a_switch_is_disputed_on_these_days_only(key: str, first: str, last: str) -> None:
    for day in (first, last):
        assert key in load_rulebook(day).disputed
    for day in (_moved(first, -1), _moved(last, 1)):
        assert key not in load_rulebook(day).disputed


def test_no_disputed_switch_is_left_out_of_this_check() -> None:
    disputed = {(s.key, d.first, d.last) for s in LIBRARY.switches.values() for d in s.disputed}

    assert disputed == set(DISPUTED)
