"""Words and sentences: every key in every language, every sentence that the product says known."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, get_args

import pytest

from domain.control import decide
from domain.events.registry import GAME_EVENTS, sealed_fields
from domain.principals import STAND_IN_KINDS
from domain.rules import LANGUAGES
from domain.rules.policy import Penalty, Role, Situation
from domain.rules.text import Status
from domain.stamp import AuthorityKind, Basis
from projections.game import fold_game
from queries.language import Speech, speech
from queries.named import Why
from queries.record import GameRecord
from queries.who import who
from tests.shared import PROJECT_ROOT
from whodecided.rulebook import load_rulebook, load_rules
from whodecided.scenario.play import play
from whodecided.scenario.scenario import read_scenarios

LANG: Final = PROJECT_ROOT / "queries" / "lang"
WORDS: Final[dict[str, Any]] = tomllib.loads((LANG / "words.toml").read_text(encoding="utf-8"))
SENTENCES: Final[list[dict[str, str]]] = tomllib.loads(
    (LANG / "sentences.toml").read_text(encoding="utf-8")
)["sentences"]
KEYS: Final = [(table, key) for table, words in WORDS.items() for key in words]
PART: Final = re.compile(r"\{\w+\}")
CASES: Final = PROJECT_ROOT / "tests" / "scenarios" / "cases"


@pytest.mark.parametrize(("table", "key"), KEYS)
def test_a_key_has_every_language_and_the_same_parts_in_each(table: str, key: str) -> None:
    texts = WORDS[table][key]

    assert set(texts) == set(LANGUAGES)
    assert table == "joint" or all(text.strip() == text != "" for text in texts.values())
    assert len({tuple(sorted(PART.findall(text))) for text in texts.values()}) == 1


@pytest.mark.parametrize("sentence", SENTENCES, ids=lambda one: one["en"][:40])
def test_a_sentence_has_every_language_and_the_same_parts_in_each(
    sentence: dict[str, str],
) -> None:
    assert set(sentence) == set(LANGUAGES)
    assert len(set(sentence.values())) == len(LANGUAGES)
    assert len({tuple(sorted(PART.findall(text))) for text in sentence.values()}) == 1


def test_no_sentence_is_there_twice() -> None:
    english = [one["en"] for one in SENTENCES]

    assert len(set(english)) == len(english)


def _members(kind: Any) -> set[str]:
    return set(get_args(kind))


@pytest.mark.parametrize(
    ("table", "needed"),
    [
        ("authority", _members(AuthorityKind)),
        ("basis", {str(one) for one in Basis}),
        ("event", set(GAME_EVENTS)),
        ("penalty", _members(Penalty)),
        ("role", _members(Role)),
        ("situation", _members(Situation)),
        ("status", _members(Status)),
        ("why", _members(Why)),
        ("field", {"options_count", *(f for e in GAME_EVENTS.values() for f in sealed_fields(e))}),
        ("principal", {"player", "person", "rules", "undetermined", "unknown", *STAND_IN_KINDS}),
    ],
)
def test_a_table_has_exactly_the_words_that_answers_use(table: str, needed: set[str]) -> None:
    assert set(WORDS[table]) - {"nobody"} == needed


def test_every_label_and_phrase_is_used_somewhere() -> None:
    source = "".join(
        path.read_text(encoding="utf-8")
        for folder in ("queries", "whodecided/cli")
        for path in (PROJECT_ROOT / folder).rglob("*.py")
    )
    made = {"class_game", "class_remedy", "class_tournament"}
    made |= {"chosen_asked", "chosen_occurred_at", "chosen_played_on"}
    keys = {*WORDS["label"], *WORDS["say"]} - made

    assert {key for key in keys if not re.search(rf"""["']{key}["']""", source)} == set()


def test_codes_of_reviews_and_cautions_have_words() -> None:
    judged = (PROJECT_ROOT / "queries" / "judged.py").read_text(encoding="utf-8")
    asked = (PROJECT_ROOT / "queries" / "responsible.py").read_text(encoding="utf-8")

    assert set(re.findall(r'yield "([a-z-]+)"|\("([a-z-]+)",\)', judged)) == {
        (code, "") if code not in ("rule-gap", "nobody-in-role") else ("", code)
        for code in WORDS["reason"]
    }
    assert set(re.findall(r'yield "([a-z-]+)"', asked)) == set(WORDS["caution"])


def test_english_is_left_as_it_is() -> None:
    text = "e1 gives this choice to another player. Nothing anybody knows."

    assert speech("en").sentence(text) == text


@pytest.mark.parametrize(
    ("text", "french", "japanese"),
    [
        (
            "Control of the player is in force: e1, then a.b.",
            "Un contrôle du joueur est en vigueur : e1, puis a.b.",
            "プレイヤーへのコントロールが有効である\uff1ae1、次にa.b",
        ),
        (
            "mw gives this choice to another player. "
            "Nobody controls the player, who decides for themselves.",
            "mw donne ce choix à un autre joueur. "
            "Personne ne contrôle le joueur, qui décide lui-même.",
            "mwがこの選択を他のプレイヤーに与える。"
            "そのプレイヤーは誰にもコントロールされておらず、自分で決定する",
        ),
        ("Nothing anybody knows.", "Nothing anybody knows.", "Nothing anybody knows."),
        ("", "", ""),
    ],
)
def test_sentences_are_said_one_after_another_with_their_parts(
    text: str, french: str, japanese: str
) -> None:
    assert speech("fr").sentence(text) == french
    assert speech("ja").sentence(text) == japanese


def test_half_a_text_is_not_put_into_a_language() -> None:
    text = "The event itself. And more."

    assert not speech("fr").knows(text)
    assert speech("fr").sentence(text) == text


def test_a_code_without_a_word_is_shown_and_a_phrase_without_a_key_is_an_error() -> None:
    assert speech("fr").word("ended", "by_magic-trick") == "by magic trick"
    with pytest.raises(KeyError):
        speech("fr").say("no such phrase")
    with pytest.raises(KeyError):
        speech("fr").say("at_event")
    with pytest.raises(ValueError, match="'de'"):
        speech("de")


def _spoken(record: GameRecord) -> Iterator[str]:
    """Every sentence that answers say about a game."""
    for number in range(1, record.folded.last + 1):
        answer = who(record, number, "judge")
        yield from answer.incomplete
        yield from (one.why for one in answer.proof)
        yield from (one.message for one in answer.findings)
        if answer.computed is not None:
            yield answer.computed.because
        if answer.rule_gap is not None:
            yield answer.rule_gap
        state = record.folded.control_at(number)
        verdicts = (decide(state, seat, "game", record.folded.rules) for seat in state.players)
        yield from (verdict.because for verdict in verdicts)


def _unknown(file: Path, french: Speech) -> Iterator[str]:
    for scenario in read_scenarios(file):
        told = play(scenario, load_rulebook(scenario.rules_date))
        record = GameRecord(told.events[0].game_id, fold_game(told.events, told.rules), {})
        yield from (text for text in _spoken(record) if not french.knows(text))


@pytest.mark.parametrize("file", sorted(CASES.glob("*.yaml")), ids=lambda file: file.stem)
def test_every_sentence_about_a_case_can_be_said_in_every_language(file: Path) -> None:
    assert sorted(set(_unknown(file, speech("fr")))) == []


def test_every_reason_why_a_switch_is_disputed_can_be_said_in_every_language() -> None:
    spans = [span for switch in load_rules().switches.values() for span in switch.disputed]

    assert len(spans) > 5
    assert [span.why for span in spans if span.why and not speech("ja").knows(span.why)] == []
