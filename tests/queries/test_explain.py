"""`explain`: the reasoning of `who` in the reader's language, with nothing left in English."""

from __future__ import annotations

import re
from typing import Final

import pytest

from domain.findings.finding import CODES
from domain.rules import LANGUAGES, Language
from queries.explain import Explanation, explain, rule_text
from queries.language import speech
from queries.naming import Naming
from queries.parts import Citation
from queries.who import WhoAnswer, who
from tests.support.games import ALICE, BOB, Told, act, fact, tell, turn
from tests.support.stories import controlled_turn, gap, hidden_cards, rewound, stand_in
from whodecided.cards import load_cards
from whodecided.provisions import load_provisions
from whodecided.rulebook import load_rules

STORIES: Final = (controlled_turn, stand_in, gap, rewound, hidden_cards)
LATIN: Final = re.compile(r"[A-Za-z]{4,}")
KEPT: Final = {
    "agent",
    "arena",
    "kernel",
    "mindslaver",
    *(word for code in CODES for word in code.split("-")),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_discard_is_explained_as_a_consequence(language: Language) -> None:
    told = tell(turn(1), fact("object_moved", object="o1", to_zone="graveyard", cause="discard"))
    lines = {line.key: line.texts for line in explained(told, 3, language).lines}
    words = speech(language)

    assert lines["decided_by"] == lines["authority"] == (words.say("decided_elsewhere"),)


def explained(told: Told, number: int, language: Language, viewer: str = "judge") -> Explanation:
    return explanation(who(told.record(), number, viewer), language)


def explanation(answer: WhoAnswer, language: Language) -> Explanation:
    naming = Naming(
        speech=speech(language),
        seats={seat.seat: seat for seat in answer.seats},
        catalogue=load_cards(),
        people={ALICE: "A", BOB: "B"},
    )
    return explain(answer, naming, load_rules(), load_provisions())


def text_of(reason: Explanation, key: str) -> str:
    return "\n".join(text for line in reason.lines if line.key == key for text in line.texts)


@pytest.mark.parametrize(
    ("language", "decided", "authority", "because"),
    [
        (
            "en",
            "Seat 1 · A  <- not the acting seat's own player",
            "control effect mindslaver (Mindslaver, next turn)",
            "Control of the player is in force: mindslaver.",
        ),
        (
            "fr",
            "Place 1 · A  <- pas le joueur de la place agissante",
            "effet de contrôle mindslaver (Esclavagiste d'âmes, prochain tour)",
            "Un contrôle du joueur est en vigueur : mindslaver.",
        ),
        (
            "ja",
            "席1 · A  <- 行動した席のプレイヤー本人ではない",
            "コントロール効果 mindslaver(精神隷属器, 次のターン)",
            "プレイヤーへのコントロールが有効である\uff1amindslaver",
        ),
    ],
)
def test_decider_authority_and_reason_are_in_the_language(
    language: Language, decided: str, authority: str, because: str
) -> None:
    told = controlled_turn()
    reason = explained(told, told.number_of("spell_cast"), language)

    assert text_of(reason, "decided_by") == decided
    assert text_of(reason, "authority").partition("\n")[0] == authority
    assert text_of(reason, "because") == because


def test_rules_have_the_number_of_the_edition_and_a_paraphrase_in_the_language() -> None:
    told = controlled_turn()
    found = {
        language: {rule.number: rule for rule in explained(told, 16, language).rules}
        for language in LANGUAGES
    }

    assert [set(rules) for rules in found.values()] == [{"723.1", "723.5"}] * 3
    assert found["fr"]["723.5"].name == "le contrôleur prend les décisions du joueur contrôlé"
    assert found["ja"]["723.5"].name == "コントロールする側が決定を行う"
    paraphrases = [rules["723.5"].paraphrase for rules in found.values()]
    assert None not in paraphrases
    assert len(set(paraphrases)) == 3


@pytest.mark.parametrize(
    ("edition", "number", "topic", "known"),
    [
        ("2019-01-25", "715.5", "player-control.decisions", True),
        ("2005-08-01", "507.3", "player-control.decisions", True),
        ("2026-09-25", "722.5", "player-control.decisions", False),
        ("2026-09-25", "104.3a", "game.concession", False),
        ("1999-01-01", "507.3", "player-control.decisions", False),
    ],
)
def test_only_a_clause_of_the_section_under_its_own_number_is_paraphrased(
    edition: str, number: str, topic: str, known: bool
) -> None:
    rule = Citation(document="CR", number=number, edition=edition, topic=topic, name="name")
    found = rule_text(rule, "ja", load_rules(), load_provisions())

    assert (found.paraphrase is not None) is known
    assert found.number == number


@pytest.mark.parametrize("story", STORIES, ids=lambda story: str(story.__name__))
def test_japanese_leaves_no_english_word_but_labels_and_names(story: object) -> None:
    told = story()  # type: ignore[operator]  # each story is a function
    for number in range(1, len(told.events) + 1):
        reason = explained(told, number, "ja")
        lines = [line for line in reason.lines if line.key not in ("notes", "disputed")]
        texts = [reason.heading, *(line.label for line in reason.lines), *reason.incomplete]
        texts += [text for line in lines for text in line.texts]
        texts += [rule.name for rule in reason.rules]

        assert set(LATIN.findall(" ".join(texts))) <= KEPT


@pytest.mark.parametrize("language", LANGUAGES)
def test_hidden_cards_stay_hidden_in_every_language(language: Language) -> None:
    told = hidden_cards()
    for number in range(1, len(told.events) + 1):
        for viewer in ("1", "2", "spectator"):
            answer = who(told.record(), number, viewer)
            reason = explanation(answer, language)
            texts = [reason.heading, *(text for line in reason.lines for text in line.texts)]
            shown = {str(answer.event.details.get("card")), str(answer.event.details.get("what"))}
            cards = set(re.findall(r"\b8[1-5]10\d\b", " ".join(texts)))

            assert cards <= shown


def test_what_a_gap_hides_is_said_in_the_language() -> None:
    assert explained(gap(), 5, "fr").incomplete == (
        "incomplet : Une lacune du dossier cache à qui est le tour.",
        "incomplet : Une lacune du dossier cache qui a décidé.",
    )


def test_a_stand_in_a_dispute_a_note_and_a_finding_are_told() -> None:
    told = controlled_turn()
    disputed = explained(told, 16, "fr")
    served = explained(stand_in(), 4, "fr")
    foreign = tell(turn(1), act("spell_cast", 1, card="1", paid_from=2), act("priority_passed", 1))

    assert "selon Place 2 · B, Place 2 · B a décidé : I did this myself" in text_of(
        disputed, "disputed"
    )
    assert text_of(disputed, "notes") == "événement 20 : the judge was called here"
    assert "la décision appartient à Place 2 · B" in text_of(served, "computed")
    assert text_of(explained(foreign, 3, "fr"), "findings") == (
        "wrong-resources : Les ressources d'un autre joueur ont payé."
    )


def test_an_event_without_a_decision_says_so() -> None:
    reason = explained(controlled_turn(), 1, "fr")

    assert text_of(reason, "decided_by") == ("personne : cet événement ne consigne aucune décision")
    assert text_of(reason, "authority") == ""


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "object 9018"), ("fr", "objet 9018"), ("ja", "オブジェクト9018")],
)
def test_an_object_that_has_a_number_only_is_called_an_object(
    language: Language, told: str
) -> None:
    choice = tell(turn(1), act("choice_made", 1, kind="order", source_object="9018"))

    assert explained(choice, 3, language).heading.endswith(f"— {told}")
    named = tell(turn(1), act("choice_made", 1, kind="order", source_object="bear"))
    assert explained(named, 3, language).heading.endswith("— bear")


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "turn 4 (not counted: a gap may hide turns)"),
        ("fr", "tour 4 (non compté : une lacune du dossier peut cacher des tours)"),
        ("ja", "ターン4(数えられない\uff1a記録の欠落に隠れたターンがあり得る)"),
    ],
)
def test_a_turn_that_a_gap_leaves_uncounted_is_marked(language: Language, told: str) -> None:
    gone = fact("gap_found", cause="missing")
    game = tell(turn(1, 1), act("priority_passed", 1), gone, turn(2, 4), act("priority_passed", 2))

    assert text_of(explained(game, 6, language), "moment") == told
    assert "(" not in text_of(explained(game, 3, language), "moment")
