"""The page that shows what became of every clause tells the truth and leaves nothing out."""

from __future__ import annotations

import importlib
from functools import reduce

import pytest

from tests.shared import PROJECT_ROOT, needs_shared
from tests.support.cases import case_citations, shared_cases
from whodecided.provisions import load_provisions
from whodecided.reference import rules_page
from whodecided.rulebook import load_rules

PROVISIONS = load_provisions()
LIBRARY = load_rules()


def test_the_page_in_the_docs_is_the_one_made_from_the_data() -> None:
    written = (PROJECT_ROOT / "docs" / "rules-coverage.md").read_text(encoding="utf-8")
    assert written == rules_page(), "run: python -m whodecided.reference"


def test_every_clause_of_every_edition_is_implemented_and_tested_or_has_a_reason() -> None:
    for edition in LIBRARY.editions:
        for topic in LIBRARY.topics.values():
            number = topic.in_section(edition)
            if number is not None:
                clause = number.removeprefix(edition.section)
                about = PROVISIONS.of_clause(edition.family, clause)
                assert about, f"{number} of {edition.id}"
                assert all(p.tested_by or p.not_implemented_because for p in about)


@pytest.mark.parametrize(
    "path", sorted({path for p in PROVISIONS.provisions.values() for path in p.implemented_by})
)
def test_what_is_said_to_implement_a_provision_exists(path: str) -> None:
    module, _, name = path.partition(":")
    assert callable(reduce(getattr, name.split("."), importlib.import_module(module)))


@needs_shared
def test_what_is_said_to_test_a_provision_is_a_scenario() -> None:
    for provision in PROVISIONS.provisions.values():
        assert set(provision.tested_by) <= shared_cases().keys(), provision.id


@needs_shared
def test_every_clause_is_cited_by_a_scenario_that_is_said_to_test_it() -> None:
    cited: dict[str, set[str]] = {}
    for case, _, number in case_citations():
        cited.setdefault(number, set()).add(case)
    for provision in PROVISIONS.provisions.values():
        if provision.clause is not None:
            number = provision.id.partition("/")[0]
            wanted = "723.5" if provision.id == "723.5b/ex2" else number
            assert cited[wanted] & set(provision.tested_by), provision.id
