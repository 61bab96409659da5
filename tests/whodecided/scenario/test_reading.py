"""Scenario files are read strictly; an error names the file, the place and what is allowed."""

from __future__ import annotations

from pathlib import Path

import pytest

from domain.errors import BadInput
from whodecided.rulebook import load_rulebook
from whodecided.scenario.answers import answer
from whodecided.scenario.compare import holds, typed
from whodecided.scenario.play import play
from whodecided.scenario.reader import MAX_BYTES, read_documents
from whodecided.scenario.scenario import read_scenarios

_HEAD = """\
scenario: 1
id: TST-01
title: A test
source: constructed
rules_date: 2026-09-25
confidence: rule
players: [No, Bob]
"""
_EVENTS = "events:\n  - turn_started: {seat: Bob}\n"
_QUESTIONS = "questions:\n  - {ask: decider, seat: Bob, after: 1, expect: Bob}\n"


def _file(folder: Path, text: str) -> Path:
    path = folder / "case.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_scalars_stay_what_they_look_like(tmp_path: Path) -> None:
    path = _file(tmp_path, "a: No\nb: 12:30\nc: 507.10\nd: null\ne: ''\nf: 2026-09-25\ng: 0x1f")

    assert list(read_documents(path)) == [
        {
            "a": "No",
            "b": "12:30",
            "c": "507.10",
            "d": None,
            "e": "",
            "f": "2026-09-25",
            "g": "0x1f",
        }
    ]


@pytest.mark.parametrize(
    ("text", "reason", "line"),
    [
        ("a: &x 1\n", "anchors are refused", 1),
        ("a: 1\nb: *x\n", "aliases are refused", 2),
        ("a: !!int 1\n", "tags are refused", 1),
        ("a: 1\na: 2\n", "key 'a' is written twice", 2),
        ("[1, 2]: a\n", "a key must be a word", 1),
        ("a: [1\n", "expected ',' or ']'", 2),
    ],
)
def test_what_the_format_does_not_have_is_refused(
    tmp_path: Path, text: str, reason: str, line: int
) -> None:
    with pytest.raises(BadInput) as caught:
        list(read_documents(_file(tmp_path, text)))

    assert reason in caught.value.reason
    assert caught.value.line == line


def test_files_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "case.yaml"
    path.write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(BadInput, match="not UTF-8"):
        list(read_documents(path))

    path.write_bytes(b"a" * (MAX_BYTES + 1))
    with pytest.raises(BadInput, match="larger than"):
        list(read_documents(path))

    path.write_text("[" * 100_000)
    with pytest.raises(BadInput, match="nested too deeply"):
        list(read_documents(path))

    with pytest.raises(BadInput):
        list(read_documents(tmp_path))


def test_names_that_look_like_something_else_are_names(tmp_path: Path) -> None:
    (scenario,) = read_scenarios(_file(tmp_path, _HEAD + _EVENTS + _QUESTIONS))

    assert scenario.players == ("No", "Bob")
    assert scenario.questions[0].expect == "Bob"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("scenario: 1", "scenario: 2", "scenario must be 1"),
        ("confidence: rule", "confidence: sure", "none of: rule, ruling"),
        ("confidence: rule\n", "", "the key 'confidence' is missing"),
        ("title: A test", "title: A test\ncolour: red", "no key is called 'colour'"),
        ("title: A test", "title:", "a text is needed"),
        ("rules_date: 2026-09-25", "rules_date: 2026-02-30", "is not a date"),
        ("[No, Bob]", "[Bob, Bob]", "names one twice"),
        ("[No, Bob]", "[judge, Bob]", "'judge' means something else"),
        ("turn_started", "turn_begun", "no event is called 'turn_begun'"),
        ("{seat: Bob}", "{seat: Zoe}", "event 1 (turn_started): seat: 'Zoe' is no player"),
        ("{seat: Bob}", "{seat: Bob, speed: 2}", "no key is called 'speed'"),
        ("{seat: Bob}", "{seat: Bob, extra: perhaps}", "extra: 'perhaps' is none of: true, false"),
        ("{seat: Bob}", "{seat: Bob, label: 'not simple'}", "no simple name"),
        ("- turn_started: {seat: Bob}", "- [turn_started]", "a mapping with one key"),
        ("- turn_started: {seat: Bob}", "- conceded: {}", "the key 'seat' is missing"),
        ("- turn_started: {seat: Bob}", "- turn_started: [Bob]", "a mapping is needed"),
        ("- turn_started: {seat: Bob}", "- rewound: {to: 7}", "there is no event 7"),
        ("- turn_started: {seat: Bob}", "- rewound: {to: some}", "no event has the label 'some'"),
        ("ask: decider", "ask: winner", "ask: 'winner' is none of: decider"),
        ("after: 1", "after: 2", "there is no event 2"),
        ("ask: decider, seat: Bob, after: 1", "ask: overwritten_by, effect: e1", "no effect"),
        (_EVENTS, "events: none\n", "events: a list of entries is needed"),
    ],
)
def test_an_error_says_what_is_wrong_and_what_is_allowed(
    tmp_path: Path, old: str, new: str, reason: str
) -> None:
    text = (_HEAD + _EVENTS + _QUESTIONS).replace(old, new)
    with pytest.raises(BadInput) as caught:
        read_scenarios(_file(tmp_path, text))

    assert reason in caught.value.reason
    assert caught.value.where.endswith("case.yaml")


def test_an_effect_without_a_scope_needs_a_known_card(tmp_path: Path) -> None:
    created = (
        "events:\n  - control_created: {label: e1, controller: No, affected: Bob, source: X}\n"
    )
    with pytest.raises(BadInput, match=r"event 1 \(control_created\): no scope, and no known card"):
        read_scenarios(_file(tmp_path, _HEAD + created + _QUESTIONS))


def test_a_card_may_let_somebody_decide_who_has_left_the_game(tmp_path: Path) -> None:
    events = """\
events:
  - conceded: {seat: No}
  - control_created: {label: e1, controller: No, affected: Bob, source: Kindslaver}
  - turn_started: {seat: Bob}
"""
    (scenario,) = read_scenarios(_file(tmp_path, _HEAD + events + _QUESTIONS.replace("1,", "3,")))
    told = play(scenario, load_rulebook())

    assert answer(told, scenario.questions[0]).value == "No"


def test_two_cards_of_one_name_are_two_objects(tmp_path: Path) -> None:
    events = """\
events:
  - spell_cast: {seat: Bob, card: Opt}
  - resolved: {object: Opt}
  - spell_cast: {seat: Bob, card: Opt}
  - resolved: {object: Opt}
"""
    questions = "questions:\n  - {ask: object_controller, object: Opt, after: 4}\n"
    (scenario,) = read_scenarios(_file(tmp_path, _HEAD + events + questions))
    told = play(scenario, load_rulebook())

    assert [told.event(number).object for number in (1, 2, 3, 4)] == [
        "Opt",
        "Opt",
        "Opt (2)",
        "Opt (2)",
    ]
    assert told.object("Opt") == "Opt (2)"
    assert not scenario.questions[0].expects
    answer(told, scenario.questions[0])


@pytest.mark.parametrize(
    ("expect", "value", "same"),
    [
        ("Bob", "Bob", True),
        ("Bob", None, False),
        (None, None, True),
        ("true", True, True),
        ("3", 3, True),
        (["Bob"], ["Bob"], True),
        ([], [], True),
        ([["1", "Bob", "Bob", "false"]], [[1, "Bob", "Bob", False]], True),
        ({"kind": "self"}, {"kind": "self", "ref": None}, True),
        ({"kind": "self", "ref": None}, {"kind": "self", "ref": "e1"}, False),
        ({"other": "self"}, {"kind": "self"}, False),
        ({"primary": ["Bob"]}, {"primary": ["Bob"], "also": []}, True),
    ],
)
def test_answers_are_compared_on_what_is_expected(
    expect: object, value: object, same: bool
) -> None:
    assert holds(expect, value) is same


def test_what_is_expected_is_typed_like_the_answer() -> None:
    assert typed({"created": "1", "reason": None}, {"created": 1}) == {"created": 1, "reason": None}
