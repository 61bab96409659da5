"""The rules of a day are shown, compared and cited."""

from __future__ import annotations

import pytest

from domain.errors import BadInput
from domain.rules.text import LANGUAGES, Language
from queries.rules import cite, diff_rules, rules_on
from whodecided.rulebook import editions, load_rules

LIBRARY = load_rules()


def test_an_edition_is_shown_with_its_clauses_in_their_order() -> None:
    answer = rules_on(LIBRARY, "2005-09-01")
    assert (answer.edition, answer.section) == ("2005-08-01", "507")
    assert (answer.first_day, answer.last_day) == ("2005-08-01", "2008-01-31")
    numbers = [clause.number for clause in answer.clauses if clause.number.startswith("507")]
    assert numbers == sorted(numbers)
    assert {"507.1a", "507.3d", "507.4"} <= set(numbers)
    assert [clause.number for clause in answer.clauses][-2:] == ["606.6g", "102.7"]
    assert answer.tournament_rules is None


def test_without_a_day_the_newest_edition_is_shown() -> None:
    answer = rules_on(LIBRARY)
    assert (answer.edition, answer.last_day) == (editions()[-1], None)
    assert answer.tournament_rules == "2025-11-10"


def test_an_edition_is_shown_by_its_id() -> None:
    assert rules_on(LIBRARY, edition="2010-10-01") == rules_on(LIBRARY, "2010-10-01")


def test_an_edition_that_is_not_known_is_refused_with_the_one_in_force() -> None:
    with pytest.raises(BadInput) as caught:
        rules_on(LIBRARY, edition="2016-07-18")
    assert caught.value.advice == "The edition in force on that day is 2016-04-08."
    with pytest.raises(BadInput, match="not both"):
        rules_on(LIBRARY, "2016-07-18", edition="2016-04-08")


@pytest.mark.parametrize("day", editions())
def test_every_edition_is_shown_in_every_language(day: str) -> None:
    english, french, japanese = (rules_on(LIBRARY, day, language=lang) for lang in LANGUAGES)
    assert english.title != french.title != japanese.title
    for one, other in zip(english.clauses, french.clauses, strict=True):
        assert (one.number, one.topic) == (other.number, other.topic)
        assert one.name != other.name
    assert len(english.switches) == len(japanese.switches) == len(LIBRARY.switches)
    assert (english.changed is None) == (french.changed is None) == (japanese.changed is None)


@pytest.mark.parametrize(
    ("day", "ambiguous"),
    [
        ("2009-07-07", False),
        ("2009-07-08", True),
        ("2009-07-10", True),
        ("2009-07-11", False),
        ("2010-09-21", False),
        ("2010-09-22", True),
        ("2010-09-30", True),
        ("2010-10-01", False),
        ("2016-07-15", False),
        *((f"2016-07-{day}", True) for day in range(16, 22)),
        ("2016-07-22", False),
    ],
)
def test_ambiguous_days_say_so(day: str, ambiguous: bool) -> None:
    answer = rules_on(LIBRARY, day)
    assert answer.ambiguous is ambiguous
    assert ("disputed-day" in answer.notice_codes) is ambiguous
    assert any("Document and play differ" in notice for notice in answer.notices) is ambiguous
    assert any(switch.disputed for switch in answer.switches) is ambiguous


def test_a_switch_says_since_when_it_is_on() -> None:
    by_key = {switch.key: switch for switch in rules_on(LIBRARY, "2012-06-01").switches}
    assert by_key["player-control"].since == "2010-10-01"
    assert by_key["player-control"].value
    assert not by_key["mana-burn"].value
    assert (by_key["mana-burn"].since, by_key["mana-burn"].status) == (None, None)


def test_a_number_that_was_deduced_is_marked() -> None:
    answer = rules_on(LIBRARY, "2023-01-01")
    status = {clause.topic: clause.status for clause in answer.clauses}
    assert status["player-control.decisions"] == "inferred"
    assert status["team.player-control"] == "inferred"
    status = {clause.topic: clause.status for clause in rules_on(LIBRARY, "2022-07-08").clauses}
    assert status["player-control.decisions"] == "seen"
    assert status["team.player-control"] == "seen"


def test_a_difference_tells_numbers_behaviour_and_what_each_edition_changed() -> None:
    answer = diff_rules(LIBRARY, "2010-09-01", "2010-12-01")
    assert (answer.before_edition, answer.after_edition) == ("2010-07-16", "2010-10-01")
    numbers = {change.topic: (change.before, change.after) for change in answer.clauses}
    assert numbers["player-control.decisions"] == ("711.4", "711.5")
    assert numbers["player-control.self-control"] == (None, "711.9")
    assert numbers["leaving.control-ends"] == (None, "800.4a")
    assert "player-control.next-turn" not in numbers
    changed = {change.key: (change.before, change.after) for change in answer.switches}
    assert changed["player-control"] == (False, True)
    assert "mana-burn" not in changed
    assert [edition.edition for edition in answer.editions] == ["2010-10-01"]
    assert answer.editions[0].changed is not None


def test_a_difference_read_backwards_is_its_mirror() -> None:
    there = diff_rules(LIBRARY, "2008-01-01", "2026-09-25")
    back = diff_rules(LIBRARY, "2026-09-25", "2008-01-01")
    assert [(c.before, c.after) for c in there.clauses] == [
        (c.after, c.before) for c in back.clauses
    ]
    assert {s.key for s in there.switches} == {s.key for s in back.switches}
    assert there.editions == back.editions


def test_two_days_of_one_edition_may_differ_in_behaviour() -> None:
    answer = diff_rules(LIBRARY, "2016-07-15", "2016-07-16", "fr")
    assert answer.before_edition == answer.after_edition
    assert {change.key for change in answer.switches} == {
        "controller-chooses-outside",
        "controller-sees-outside",
    }
    assert "réserve" in answer.switches[0].meaning
    assert diff_rules(LIBRARY, "2012-01-01", "2012-12-31").switches == ()


@pytest.mark.parametrize(
    ("number", "date", "here"),
    [
        ("712.5", "2019-05-01", "715.5"),
        ("722.5", "2026-05-20", "723.5"),
        ("723.5", "2026-04-16", "722.5"),
        ("507.3c", "2010-12-01", "711.5b"),
        ("507.4", "2010-12-01", None),
        ("711.9", "2010-09-30", None),
        ("800.4g", "2010-12-01", None),
    ],
)
def test_a_number_of_another_edition_is_told_with_the_right_one(
    number: str, date: str, here: str | None
) -> None:
    answer = cite(LIBRARY, number, date)
    assert not answer.valid
    assert answer.stands_for == ()
    assert here in {use.here for use in answer.belongs_to}
    assert (here or "no number") in answer.because


@pytest.mark.parametrize("day", editions())
def test_a_number_of_the_edition_itself_is_valid(day: str) -> None:
    for clause in rules_on(LIBRARY, day).clauses:
        if clause.document == "CR":
            answer = cite(LIBRARY, clause.number, day)
            assert answer.valid
            assert clause.topic in {use.topic for use in answer.stands_for}


def test_a_number_nobody_knows_belongs_nowhere() -> None:
    answer = cite(LIBRARY, "999.9", "2020-01-01")
    assert not answer.valid
    assert answer.belongs_to == ()
    assert "not a number of any rule" in answer.because


@pytest.mark.parametrize(
    ("language", "word"), [("en", "belongs"), ("fr", "appartient"), ("ja", "番号")]
)
def test_a_citation_is_explained_in_the_language_asked_for(language: Language, word: str) -> None:
    answer = cite(LIBRARY, "712.5", "2019-05-01", language)
    assert word in answer.because
    assert "715.5" in answer.because
