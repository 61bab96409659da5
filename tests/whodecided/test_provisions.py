"""The provisions are all the clauses, examples and notes of the five rule texts."""

from __future__ import annotations

import re

import pytest

from tests.shared import needs_shared, shared_path
from tests.support.cases import case_citations
from whodecided.provisions import load_provisions
from whodecided.rulebook import load_rulebook, load_rules

PROVISIONS = load_provisions()
SEEDS = ("507", "710", "711", "712", "723")
NUMBER = re.compile(r"(?<![\d.])(\d{3}\.\d+[a-z]?)\b")


def seed_text(seed: str) -> str:
    """The text of the page with this rule, told by the number of its first clause."""
    for path in shared_path("seeds").glob("*.txt"):
        text = path.read_text(encoding="utf-8")
        if f"{seed}.1a" in text:
            return text
    raise AssertionError(f"no page with rule {seed}")


def english_part(seed: str, text: str) -> str:
    """The clauses once: the page with 711 repeats them in French, 723 begins with notes."""
    if seed == "711":
        return text.partition("711. Contrôler un autre joueur")[0]
    return text.partition("引用")[2] if seed == "723" else text


@needs_shared
@pytest.mark.parametrize("seed", SEEDS)
def test_every_numbered_clause_of_the_text_is_a_provision_and_no_other(seed: str) -> None:
    found = {n for n in NUMBER.findall(english_part(seed, seed_text(seed))) if n.startswith(seed)}
    ours = {p.id for p in PROVISIONS.of_seed(seed) if "/" not in p.id}
    assert ours == found


@needs_shared
@pytest.mark.parametrize("seed", SEEDS)
def test_every_example_stands_under_the_clause_that_the_text_prints_it_under(seed: str) -> None:
    examples: dict[str, int] = {}
    clause = ""
    text = english_part(seed, seed_text(seed))
    for found in re.finditer(rf"(?<![\d.])({seed}\.\d+[a-z]?)\b|Ex[ae]mples?\s*:|例\uff1a", text):
        if found[1]:
            clause = found[1]
        else:
            examples[clause] = examples.get(clause, 0) + 1
    ours: dict[str, int] = {}
    for provision in PROVISIONS.of_seed(seed):
        number, _, which = provision.id.partition("/ex")
        if which:
            ours[number] = ours.get(number, 0) + 1
    assert ours == examples


@needs_shared
def test_every_unnumbered_note_of_the_japanese_page_is_a_provision() -> None:
    notes, _, _ = seed_text("723").partition("関連")
    bullets = sum(line.lstrip().startswith("•") for line in notes.splitlines())
    statements = ("効果が存在する", "Mindslaver / 精神隷属器", "ルール\n", "特記しないかぎり")
    assert all(statement in notes for statement in statements)
    ours = [p.id for p in PROVISIONS.of_seed("723") if "/n" in p.id]
    assert ours == [f"723/n{n}" for n in range(1, bullets + len(statements) + 1)]


def test_every_provision_is_put_into_our_own_words_in_each_language() -> None:
    for provision in PROVISIONS.provisions.values():
        texts = (provision.text.en, provision.text.fr, provision.text.ja)
        assert all(texts), provision.id
        assert len(set(texts)) == len(texts), provision.id


@needs_shared
@pytest.mark.parametrize("seed", SEEDS)
def test_no_sentence_is_copied_from_the_text(seed: str) -> None:
    def squeezed(text: str) -> str:
        return re.sub(r"[^\w]", "", text).casefold()

    page = squeezed(seed_text(seed))
    for provision in PROVISIONS.of_seed(seed):
        for words in (provision.text.en, provision.text.fr, provision.text.ja):
            assert words is not None
            if len(words) > 60:
                assert squeezed(words) not in page, provision.id


def test_the_known_mistranslations_are_notes_on_their_provisions() -> None:
    wrong = {p.id for p in PROVISIONS.provisions.values() if p.defect is not None}
    assert {"507.3a", "507.3c", "711.5a", "711.5b"} <= wrong


def test_a_provision_is_of_the_topic_its_number_has_in_its_edition() -> None:
    library = load_rules()
    for provision in PROVISIONS.provisions.values():
        if provision.clause is None:
            continue
        edition = next(
            e
            for e in reversed(library.editions)
            if e.section == provision.seed and e.family == provision.family
        )
        number = f"{provision.seed}{provision.clause}"
        topics = {t for t, rule in library.on(edition.id).clauses.items() if rule.number == number}
        printed_elsewhere = provision.id == "723.5b/ex2"
        assert printed_elsewhere or provision.topic in topics, provision.id


@needs_shared
def test_every_rule_that_a_scenario_demands_exists_in_the_edition_of_its_day() -> None:
    found = list(case_citations())
    assert len(found) > 100
    for case, date, number in found:
        numbers = {rule.number for rule in load_rulebook(date).clauses.values()}
        assert number in numbers, f"{case}: {number} on {date}"
