"""Running a scenario: what its result says, and when it passes."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from domain.errors import BadInput
from tests.shared import PROJECT_ROOT
from whodecided.scenario.running import ScenarioResult, run_file

_HEAD: Final = """\
scenario: 1
id: RUN-01
title: Control of a turn
source: constructed
rules_date: 2026-09-25
confidence: rule
players: [Alice, Bob]
events:
  - control_created: {label: e1, controller: Alice, affected: Bob, source: "%s"}
  - turn_started: {seat: Bob, label: turn}
  - spell_cast: {seat: Bob, card: Opt}
questions:
"""


def _run(folder: Path, questions: str, source: str = "Mindslaver") -> ScenarioResult:
    path = folder / "case.yaml"
    path.write_text(_HEAD % source + questions, encoding="utf-8")
    (result,) = run_file(path)
    return result


def test_a_result_is_the_document_that_the_format_describes(tmp_path: Path) -> None:
    result = _run(
        tmp_path, '  - {ask: decider, seat: Bob, after: 2, expect: Alice, rule: "723.5"}\n'
    )
    document = result.to_json()
    because = document["questions"][0].pop("because")

    assert "e1" in because
    assert document == {
        "file": str(tmp_path / "case.yaml"),
        "id": "RUN-01",
        "edition": "2026-09-25",
        "passed": True,
        "questions": [
            {
                "number": 1,
                "ask": {"ask": "decider", "seat": "Bob", "after": 2, "rule": "723.5"},
                "expect": "Alice",
                "answer": "Alice",
                "passed": True,
                "rules": ["723.1", "723.5"],
                "rule_gap": False,
            }
        ],
    }


def test_a_label_stays_as_it_was_written_and_expectations_get_the_types_of_answers(
    tmp_path: Path,
) -> None:
    (question,) = _run(
        tmp_path, "  - {ask: extra_turns_due, seat: Bob, after: turn, expect: 0}\n"
    ).to_json()["questions"]

    assert question["ask"]["after"] == "turn"
    assert (question["expect"], question["answer"]) == (0, 0)


@pytest.mark.parametrize(
    ("question", "passed"),
    [
        ("{ask: decider, seat: Bob, after: 2, expect: Alice}", True),
        ("{ask: decider, seat: Bob, after: 2, expect: Bob}", False),
        ("{ask: decider, seat: Bob, after: 2}", True),
        ('{ask: decider, seat: Bob, after: 2, rule: "723.5", expect: Alice}', True),
        ('{ask: decider, seat: Bob, after: 2, rule: "723.6", expect: Alice}', False),
        ('{ask: decider, seat: Bob, after: 2, rule: "723.6"}', False),
        ("{ask: stamp, at: 3, expect: {deciding_player: Alice}}", True),
        ("{ask: stamp, at: 3, expect: {deciding_player: Alice, acting_seat: Alice}}", False),
        ("{ask: in_force, seat: Alice, after: 3, expect: null}", True),
        ("{ask: in_force, seat: Bob, after: 3, expect: null}", False),
    ],
)
def test_a_scenario_passes_when_every_answer_is_as_expected(
    tmp_path: Path, question: str, passed: bool
) -> None:
    result = _run(tmp_path, "  - {ask: turn_table}\n" + f"  - {question}\n")

    assert [one.passed for one in result.questions] == [True, passed]
    assert result.passed is passed


def test_without_an_expectation_there_is_none_in_the_document(tmp_path: Path) -> None:
    (question,) = _run(tmp_path, "  - {ask: decider, seat: Bob, after: 2}\n").to_json()["questions"]

    assert "expect" not in question
    assert question["passed"] is True


def test_a_question_may_ask_under_the_rules_of_another_day(tmp_path: Path) -> None:
    result = _run(
        tmp_path,
        "  - {ask: decider, seat: Bob, after: 2}\n"
        "  - {ask: decider, seat: Bob, after: 2, rules_date: 2012-06-01}\n",
    )

    assert result.edition == "2026-09-25"
    assert [one.edition for one in result.questions] == ["2026-09-25", "2011-09-30"]
    assert [one.numbers[-1] for one in result.questions] == ["723.5", "712.5"]


@pytest.mark.parametrize(
    ("source", "scope"),
    [
        ("Mindslaver", "next_turn"),
        ("Esclavagiste d'âmes", "next_turn"),
        ("精神隷属器", "next_turn"),
        ("Agente de l'opposition", "while_searching"),
        ("敵対工作員", "while_searching"),
        ("血の技の秘密", "next_combat_phase"),
        ("SECRET OF BLOODBENDING", "next_combat_phase"),
    ],
)
def test_a_card_named_in_any_language_makes_its_own_effect(
    tmp_path: Path, source: str, scope: str
) -> None:
    result = _run(tmp_path, "  - {ask: turn_table}\n", source)

    assert result.scenario.events[0].keys["scope"] == scope


@pytest.mark.parametrize(
    ("source", "due"),
    [("Emrakul, the Promised End", 1), ("約束された終末、エムラクール", 1), ("Mindslaver", 0)],
)
def test_a_card_brings_the_extra_turn_that_it_promises(
    tmp_path: Path, source: str, due: int
) -> None:
    events = "  - turn_started: {seat: Alice}\nquestions:\n"
    path = tmp_path / "case.yaml"
    path.write_text(
        (_HEAD % source).replace("questions:\n", events)
        + f"  - {{ask: extra_turns_due, seat: Bob, after: 4, expect: {due}}}\n",
        encoding="utf-8",
    )
    (result,) = run_file(path)

    assert result.passed, result.questions[0].answer


def test_a_known_card_that_moves_choices_says_which_and_for_how_long(tmp_path: Path) -> None:
    path = tmp_path / "case.yaml"
    granted = "choice_granted: {label: war, chooser: Alice, affected: Bob, source: Master Warcraft}"
    path.write_text(
        (_HEAD % "Mindslaver").replace("turn_started: {seat: Bob, label: turn}", granted)
        + "  - {ask: decider, seat: Bob, decision: attackers, after: 2, expect: Alice}\n",
        encoding="utf-8",
    )
    (result,) = run_file(path)

    assert result.scenario.events[1].keys["decisions"] == ("attackers", "blockers")
    assert result.passed


def test_cards_of_the_users_own_are_known_too(tmp_path: Path) -> None:
    rules = tmp_path / "rules"
    rules.mkdir()
    card = """\
[[control]]
name.en = "Puppet Strings"
scope = "next_combat_phase"
affected = "target_player"
first_day = 2026-01-01
printed = 2026-01-01
status = "seen"
sources = ["OWN"]
"""
    (rules / "cards.toml").write_text(card, encoding="utf-8")
    (rules / "sources.toml").write_text('[sources]\nOWN = "our own"\n', encoding="utf-8")
    path = tmp_path / "case.yaml"
    path.write_text(_HEAD % "Puppet Strings" + "  - {ask: turn_table}\n", encoding="utf-8")

    with pytest.raises(BadInput, match="no scope, and no known card as source"):
        run_file(path)
    (result,) = run_file(path, rules)
    assert result.scenario.events[0].keys["scope"] == "next_combat_phase"


def test_a_day_before_all_rules_is_an_error_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "case.yaml"
    text = _HEAD % "Mindslaver" + "  - {ask: turn_table}\n"
    path.write_text(text.replace("2026-09-25", "1990-01-01"), encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        run_file(path)

    assert caught.value.where == str(path)
    assert "RUN-01" in caught.value.reason
    assert caught.value.advice


def test_the_template_holds() -> None:
    import whodecided.scenario.running as running

    (result,) = run_file(Path(running.__file__).with_name("template.yaml"))

    assert result.passed
    assert {one.question.ask for one in result.questions if not one.question.expects} == {
        "control_interval"
    }


def test_every_answer_says_why() -> None:
    for result in run_file(PROJECT_ROOT / "tests/whodecided/scenario/every_word.yaml"):
        assert [one.question.ask for one in result.questions if not one.answer.because] == []
