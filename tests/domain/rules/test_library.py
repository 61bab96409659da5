"""Which edition holds on a day, which numbers it has, and how games behave under it."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.errors import BadInput
from domain.rules import NOTICES
from whodecided.rulebook import editions, load_rulebook, load_rules

LIBRARY = load_rules()
SECTIONS = (  # section and first day, told apart from the data files
    ("", "1993-08-05"),
    ("507", "2003-10-01"),
    ("710", "2009-07-08"),
    ("711", "2010-04-23"),
    ("712", "2011-09-30"),
    ("714", "2016-07-22"),
    ("715", "2018-04-27"),
    ("716", "2019-10-04"),
    ("718", "2021-07-23"),
    ("719", "2022-10-07"),
    ("720", "2024-02-09"),
    ("721", "2025-04-04"),
    ("722", "2025-07-25"),
    ("723", "2026-04-17"),
)
_DOCUMENTS = """
1993-08-05 2003-10-01 2005-08-01 2009-07-08 2009-10-01 2010-02-01 2010-04-23 2010-06-18 2010-07-16
2010-10-01 2011-02-01 2011-07-15 2011-09-30 2013-02-01 2014-05-01 2014-07-18 2016-04-08 2016-07-22
2016-08-26 2017-08-25 2017-09-29 2018-01-19 2018-04-27 2018-06-08 2018-07-13 2018-08-10 2018-10-05
2019-01-25 2019-05-03 2019-06-14 2019-07-12 2019-08-23 2019-10-04 2020-01-24 2020-04-17 2020-06-01
2020-07-03 2020-08-07 2020-09-25 2020-11-20 2021-02-05 2021-02-15 2021-04-22 2021-06-18 2021-07-23
2021-11-19 2022-02-18 2022-04-29 2022-07-08 2022-09-09 2022-10-07 2024-02-09 2024-03-08 2024-06-07
2024-11-08 2025-02-07 2025-04-04 2025-06-06 2025-07-25 2025-09-19 2025-11-14 2026-01-16 2026-02-27
2026-04-17 2026-09-25
"""
SPANS = (  # switch, first day on, last day on, told apart from the data files
    ("mana-burn", "1993-08-05", "2009-07-10"),
    ("mana-burn-exempt-if-other-controls", "2003-10-01", "2009-07-10"),
    ("player-control", "2010-10-01", None),
    ("limited-duration-control", "2010-10-01", None),
    ("word-of-command-control", "2010-09-24", None),
    ("restriction-clause", "2010-10-01", None),
    ("self-control-clause", "2010-10-01", None),
    ("leaving-ends-control", "2010-10-01", None),
    ("departed-cost-not-paid", "2021-07-23", None),
    ("damage-assignment-order", "2009-07-11", "2024-11-07"),
    ("controller-sees-outside", "2011-01-01", "2016-07-15"),
    ("controller-chooses-outside", "2003-10-01", "2016-07-15"),
    ("outside-hidden-in-rules", "2016-07-22", None),
    ("team-control", "2005-08-01", None),
    ("controller-owns-triggers", "2016-09-30", None),
    ("opposition-agent-named", "2021-02-05", None),
    ("active-player-clause", "2009-07-08", None),
)
DISPUTED = (
    ("2009-07-08", "2009-07-10", "mana-burn"),
    ("2010-09-22", "2010-09-30", "player-control"),
    ("2016-07-16", "2016-07-21", "controller-sees-outside"),
)


def before(day: str) -> str:
    return (date.fromisoformat(day) - timedelta(days=1)).isoformat()


def after(day: str) -> str:
    return (date.fromisoformat(day) + timedelta(days=1)).isoformat()


def test_every_document_that_was_read_or_deduced_is_an_edition() -> None:
    assert set(_DOCUMENTS.split()) <= set(editions())


@pytest.mark.parametrize("edition", editions())
def test_an_edition_holds_from_its_day_to_the_day_before_the_next(edition: str) -> None:
    found = LIBRARY.edition(edition)
    assert found is not None
    last = LIBRARY.last_day(found)
    assert LIBRARY.on(edition).edition == edition
    if last is not None:
        assert LIBRARY.on(last).edition == edition
        assert LIBRARY.on(after(last)).edition > edition
    if edition != editions()[0]:
        assert LIBRARY.on(before(edition)).edition < edition


@pytest.mark.parametrize(("section", "first"), SECTIONS)
def test_a_section_number_holds_from_its_first_day(section: str, first: str) -> None:
    place = SECTIONS.index((section, first))
    assert load_rulebook(first).section == section
    if place:
        assert load_rulebook(before(first)).section == SECTIONS[place - 1][0]


@pytest.mark.parametrize(("key", "first", "last"), SPANS)
def test_a_switch_is_on_from_its_first_day_to_its_last(
    key: str, first: str, last: str | None
) -> None:
    assert load_rulebook(first).switches[key]
    if first != "1993-08-05":
        assert not load_rulebook(before(first)).switches[key]
    if last is None:
        assert load_rulebook("2031-01-01").switches[key]
    else:
        assert load_rulebook(last).switches[key]
        assert not load_rulebook(after(last)).switches[key]


def test_no_switch_is_left_out_of_this_check() -> None:
    never = {"self-control-mana-burn-exempt"}
    assert {key for key, _, _ in SPANS} | never == set(LIBRARY.switches)
    assert not any(load_rulebook(day).switches[key] for key in never for day in editions())


@pytest.mark.parametrize(("first", "last", "key"), DISPUTED)
def test_days_on_which_document_and_play_differ_say_so(first: str, last: str, key: str) -> None:
    for day in (first, last):
        book = load_rulebook(day)
        assert "disputed-day" in book.notices
        assert key in book.disputed
    for day in (before(first), after(last)):
        assert not load_rulebook(day).disputed
        assert "disputed-day" not in load_rulebook(day).notices


@pytest.mark.parametrize(
    ("day", "topic", "number"),
    [
        ("2003-09-30", "player-control.next-turn", None),
        ("2003-10-01", "player-control.mana-burn", "507.4"),
        ("2009-07-08", "player-control.mana-burn", None),
        ("2009-07-07", "player-control.active-player", None),
        ("2009-07-08", "player-control.active-player", "710.2"),
        ("2010-09-30", "player-control.visibility", "711.3"),
        ("2010-10-01", "player-control.visibility", "711.4"),
        ("2010-09-30", "player-control.self-control", None),
        ("2010-10-01", "player-control.self-control", "711.9"),
        ("2016-07-21", "player-control.outside-the-game", None),
        ("2016-07-22", "player-control.outside-the-game", "714.4"),
        ("2007-01-01", "team.player-control", "606.6g"),
        ("2012-01-01", "team.player-control", None),
        ("2026-09-25", "team.player-control", "805.8"),
        ("2009-07-07", "game.concession", "102.7"),
        ("2009-07-08", "game.concession", "104.3a"),
        ("2021-07-22", "leaving.object-choices", "800.4f"),
        ("2021-07-23", "leaving.object-choices", "800.4g"),
    ],
)
def test_a_topic_has_the_number_of_its_day(day: str, topic: str, number: str | None) -> None:
    rule = load_rulebook(day).clauses.get(topic)
    assert (rule.number if rule else None) == number


def test_a_tournament_rule_is_cited_by_the_day_of_its_own_document() -> None:
    (rule,) = load_rulebook("2015-08-01").cite("tournament.sideboard")
    assert (rule.document, rule.number, rule.edition) == ("MTR", "3.15", "2015-03-27")
    assert load_rulebook("2009-10-15").cite("tournament.sideboard") == ()


def test_an_edition_that_was_only_deduced_says_so() -> None:
    assert "number-inferred" in load_rulebook("2023-01-01").notices
    assert "day-inferred" in load_rulebook("2010-10-01").notices
    assert load_rulebook("2012-01-01").notices == ()


def test_a_day_after_the_newest_edition_gets_it_with_a_notice() -> None:
    assert load_rulebook("2031-01-01").edition == editions()[-1]
    assert load_rulebook("2031-01-01").notices == ("after-newest-edition",)


def test_a_day_without_a_section_on_control_says_so() -> None:
    book = load_rulebook("1996-06-01")
    assert (book.section, book.notices) == ("", ("no-section",))


@pytest.mark.parametrize("text", ["1993-08-04", "2016-02-30", "2016-7-18", "20160718", "Mirrodin"])
def test_a_text_that_is_no_day_of_an_edition_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match=text):
        load_rulebook(text)


@given(st.dates(date(1993, 8, 5), date(2035, 1, 1)))
def test_days_with_one_reading_behave_alike(day: date) -> None:
    book = load_rulebook(day.isoformat())
    start = load_rulebook(book.since)
    assert book.edition <= book.since <= book.date
    assert start.reading == book.reading
    assert (start.switches, start.disputed) == (book.switches, book.disputed)


@given(st.dates(date(1993, 8, 6), date(2035, 1, 1)))
def test_a_change_of_behaviour_changes_the_reading(day: date) -> None:
    today, yesterday = load_rulebook(day.isoformat()), load_rulebook(before(day.isoformat()))
    if (today.switches, today.disputed) != (yesterday.switches, yesterday.disputed):
        assert today.reading != yesterday.reading


def test_every_notice_has_words_in_each_language() -> None:
    used = {code for day in (*editions(), "2031-01-01") for code in load_rulebook(day).notices}
    assert used | {"disputed-day", "game-undated"} == set(NOTICES)
    assert all(text.fr and text.ja for text in NOTICES.values())


def test_a_number_is_told_with_the_days_on_which_it_stood_for_something() -> None:
    uses = [(use.topic, use.first, use.last) for use in LIBRARY.uses("712.5")]
    assert uses == [("player-control.decisions", "2011-09-30", "2016-07-21")]
    both = [(use.topic, use.last) for use in LIBRARY.uses("711.4")]
    assert both == [
        ("player-control.decisions", "2010-09-30"),
        ("player-control.visibility", "2011-09-29"),
    ]


@pytest.mark.parametrize(
    ("day", "number", "topics"),
    [
        ("2026-05-20", "722.5", {"player-control.decisions"}),
        ("2026-05-20", "723.5", set()),
        ("2026-04-16", "723.5", {"player-control.decisions"}),
        ("2019-05-03", "712.5", {"player-control.decisions"}),
        ("2014-03-15", "712.5", set()),
        ("2011-01-01", "606.6g", {"team.player-control"}),
        ("2011-01-01", "999.9", set()),
        ("2011-01-01", "3.15", set()),
    ],
)
def test_a_number_of_another_edition_is_recognised(day: str, number: str, topics: set[str]) -> None:
    assert set(load_rulebook(day).foreign(number)) == topics
