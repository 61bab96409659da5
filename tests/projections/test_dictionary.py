"""The data dictionary says what the schema says."""

from __future__ import annotations

from projections.bookkeeping import BOOKKEEPING
from projections.dictionary import PAGE, dictionary_page
from projections.schema import TABLES
from tests.shared import PROJECT_ROOT


def test_the_page_is_up_to_date() -> None:
    written = (PROJECT_ROOT / PAGE).read_text(encoding="utf-8")
    assert written == dictionary_page(), "run `python -m projections.dictionary`"


def test_every_column_has_a_meaning_and_a_name_of_its_own() -> None:
    for table in (*TABLES.values(), *BOOKKEEPING.values()):
        assert len(set(table.names)) == len(table.names)
        assert set(table.key) <= set(table.names)
        for column in table.columns:
            assert column.meaning.endswith((".", "..."))
