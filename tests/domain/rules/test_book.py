"""A rule book: the reading that stamps carry, and numbers of other editions."""

from __future__ import annotations

from domain.rules import KERNEL, RuleBook, RuleRef
from whodecided.rulebook import load_rulebook


def test_a_reading_names_the_edition_the_day_of_its_behaviour_and_the_kernel() -> None:
    assert load_rulebook("2026-09-25").reading == "2026-09-25/kernel-1"
    assert load_rulebook("2010-09-30").reading == "2010-07-16@2010-09-24/kernel-1"
    assert KERNEL == "kernel-1"


def test_a_day_before_the_edition_is_no_later_behaviour() -> None:
    for since in ("2026-09-25", "2026-01-01", ""):
        book = RuleBook("2026-09-25", "723", clauses={}, switches={}, since=since)
        assert book.reading == f"2026-09-25/{KERNEL}"


def test_numbers_of_other_documents_are_no_rules_of_the_edition() -> None:
    tournament = RuleRef("MTR", "sideboard", "3.16", "2026-09-25", "the sideboard")
    book = RuleBook(
        "2026-09-25",
        "723",
        clauses={"sideboard": tournament},
        switches={},
        numbers={"3.16": ("other",)},
    )

    assert book.foreign("3.16") == ("other",)
    assert book.foreign("9.9") == ()
