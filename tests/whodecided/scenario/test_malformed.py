"""A malformed scenario gives one clear error that names the file, and nothing of it is run.

Whatever stands in a file, reading and running it either works or raises BadInput; what is accepted
becomes events as the catalogue has them.
"""

from __future__ import annotations

import copy
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.codec import to_model
from domain.errors import BadInput
from whodecided.rulebook import load_rulebook
from whodecided.scenario.play import play
from whodecided.scenario.reader import MAX_BYTES, read_documents
from whodecided.scenario.running import ScenarioResult, run_file
from whodecided.scenario.scenario import read_scenarios
from whodecided.scenario.words import EVENTS, QUESTIONS

_EVERY_WORD: Final = Path(__file__).parent / "every_word.yaml"
_TEXT: Final = _EVERY_WORD.read_text(encoding="utf-8")
(_DOCUMENT,) = read_documents(_EVERY_WORD)
_SLOW: Final = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


def _error(content: bytes | str) -> BadInput:
    """The one error that running a file with this content gives."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "case.yaml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        with pytest.raises(BadInput) as caught:
            run_file(path)
    assert Path(caught.value.where).name == "case.yaml"
    assert len(str(caught.value)) < 1500
    return caught.value


def test_the_example_has_every_word_and_holds() -> None:
    (scenario,) = read_scenarios(_EVERY_WORD)
    (result,) = run_file(_EVERY_WORD)

    assert {told.name for told in scenario.events} == EVENTS.keys()
    assert {question.ask for question in scenario.questions} == QUESTIONS.keys()
    assert result.passed, [one.answer for one in result.questions if not one.passed]


@pytest.mark.parametrize(
    ("content", "reason", "line"),
    [
        (b"", "there is no scenario in the file", None),
        (b"# only a comment\n---\n---\n", "there is no scenario in the file", None),
        (b"\x00\x01\x02\x03", "a character is not allowed in YAML", 1),
        (b"scenario: 1\nid: \x07\n", "a character is not allowed in YAML", 2),
        (b"scenario: 1\nid: \xff\xfe\n", "the file is not UTF-8 text", 2),
        (b"scenario: 1\nevents:\n\t- turn_started\n", "'\\t'", 3),
        (b"scenario: 1\nid: [A\n", "expected ',' or ']'", 3),
        (b"scenario: 1\nscenario: 1\n", "key 'scenario' is written twice", 2),
        (b"scenario: 1\nid: &a A\n", "anchors are refused", 2),
        (b"id: A\ntitle: *a\n", "aliases are refused", 2),
        (b"id: !!python/object:os.system A\n", "tags are refused", 1),
        (b"? [a, b]\n: c\n", "a key must be a word", 1),
        (b'id: "\\ud800"\n', "control characters are refused", 1),
        (b'id: "\\e[31mred"\n', "control characters are refused", 1),
        (b"[" * 50_000, "the file is nested too deeply", None),
        (b"a: " * 50_000, "mapping values are not allowed here", 1),
        (b"{a: " * 5_000 + b"}" * 5_000, "the file is nested too deeply", None),
        (b"x" * (MAX_BYTES + 1), "the file is larger than", None),
        (b"just a text\n", "scenario 1: a mapping is needed, not 'just a text'", None),
        (b"- a\n- b\n", "scenario 1: a mapping is needed, not ['a', 'b']", None),
    ],
)
def test_what_is_no_yaml_of_ours_is_refused_with_its_line(
    content: bytes, reason: str, line: int | None
) -> None:
    error = _error(content)

    assert reason in error.reason
    assert error.line == line


def test_aliases_that_would_unfold_to_gigabytes_are_refused_at_the_first() -> None:
    bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True):
        bomb += f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"

    assert _error(bomb).reason == "anchors are refused"


def test_a_file_that_is_not_there_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "absent.yaml"):
        with pytest.raises(BadInput) as caught:
            run_file(path)
        assert caught.value.where == str(path)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("players: [Ann, Ben, Cat, Dan]", "players: Ann", "there must be 2 to 64"),
        ("people: [Zoe]", "people: [Ann]", "players and people need different names"),
        ("people: [Zoe]", "people: ['12']", "'12' means something else"),
        ("[[Ann, Ben], [Cat, Dan]]", "[[Ann, Ben], [Ben, Dan]]", "a player is in two teams"),
        ("[[Ann, Ben], [Cat, Dan]]", "[[Ann, Zoe]]", "teams: 'Zoe' is no player"),
        ("rules_date: 2026-09-25", "rules_date: 20260925", "is not a date"),
        ("rules_date: 2026-09-25", "rules_date: 1990-01-01", "no edition of the rules"),
        ("label: mind", "label: slaver", "label 'slaver' is that of event 6 already"),
        ("label: mind", "label: null", "label nothing is no simple name"),
        ("effect: mind, reason", "effect: pick, reason", "'pick' is not an earlier event"),
        ("effect: mind, reason", "effect: slip, reason", "'slip' is the label of no effect"),
        ("{to: 35, by", "{to: 40, by", "to: '40' is not an earlier event"),
        ("{to: 35, by", "{to: slip, by", "to: 'slip' is not an earlier event"),
        ("infraction: GRV, at: 17", "infraction: GRV, at: slip", "at: 'slip' is not an earlier"),
        ("infraction: GRV", "infraction: XYZ", "infraction: 'XYZ' is none of: "),
        ("step: beginning_of_combat", "step: lunch", "step: 'lunch' is none of: untap, upkeep"),
        ("zone: battlefield", "zone: table", "zone: 'table' is none of: library, hand"),
        ("reason: lost", "reason: bored", "reason: 'bored' is none of: conceded, lost"),
        ("kind: pile", "kind: heap", "kind: 'heap' is none of: discard"),
        ("scope: this_turn", "scope: for_ever", "scope: 'for_ever' is none of: next_turn"),
        ("scope: this_turn", "scope: while_resolving", "needs the key object"),
        ("scope: this_turn, ", "", "no scope, and no known card as source"),
        ("decisions: [attackers, blockers], ", "", "no decisions, and no known card"),
        ("must: attackers_declared", "must: [winning]", "must: 'winning' is none of: spell_cast"),
        ("may_hide: [control_created", "may_hide: [magic", "'magic' is none of: game_started"),
        ("{team: [Ann, Ben],", "{team: [Ann, Cat],", "they are not of one team"),
        ("{team: [Ann, Ben],", "{team: [Ann, Ann],", "names one twice"),
        ("{team: [Ann, Ben],", "{team: [],", "team: at least one entry is needed"),
        ("{team: [Ann, Ben],", "{seat: Ann, team: [Ann],", "either seat or team is needed"),
        ("{team: [Ann, Ben],", "{", "either seat or team is needed"),
        ("player_left: {seat: Ben", "player_left: {seat: [Ann, Ben]", "only one player is meant"),
        ("by: ai}", "by: rules}", "by: 'rules' is none of: Ann, Ben, Cat, Dan, Zoe, server"),
        ("viewer: Ann, zone: hand, owner: Cat}", "viewer: Ann, zone: hand}", "either object, or"),
        ("amount: 2", "amount: two", "amount: a number from 0 is needed, not 'two'"),
        ("amount: 2", "amount: -2", "amount: a number from 0 is needed, not '-2'"),
        ("{game: 2}", "{game: 0}", "game: a number from 1 is needed"),
        ("keep: true", "keep: maybe", "keep: 'maybe' is none of: true, false"),
        ("text: keep calm", "text: [keep, calm]", "text: a text is needed, not ['keep', 'calm']"),
        ("- subgame_started\n", "- {subgame_started: , subgame_ended: }\n", "one key, not {"),
        ("ask: stamp, at: 17", "ask: stamp, at: 0", "at: the first event is 1"),
        ("ask: stamp, at: 17", "ask: stamp, at: 5", "event 5 is turn_started; stamp asks about"),
        ("at: 38, expect: null", "at: 17, expect: null", "mana_burn asks about one of: mana_lost"),
        ("ask: responsible, at: slip", "ask: responsible, at: 5", "one of: infraction_found, spe"),
        ("policy: 2026-09-25", "policy: ours", "neither a date nor one of: ipg-2013-02-08"),
        ("decision: spell_cast", "decision: dancing", "decision: 'dancing' is none of: game"),
        ("object: bear, after: 37", "object: cub, after: 37", "object: 'cub' is none of: ace"),
        ("{ask: rule_gap, at: 17", "{ask: rule_gap, after: 3, at: 17", "either at or after is"),
        ("player: Ann, after: 16", "player: judge, after: 16", "player: 'judge' is none of: Ann"),
        ("after: 16, decision", "after: 99, decision", "no event 99, the last one is 62"),
        ("rules_date: 2005-01-01", "rules_date: 2005-13-01", "question 13: rules_date: "),
        ("rules_date: 2005-01-01", "rules_date: 1990-01-01", "no edition of the rules for 1990"),
        ("{ask: turn_table}", "{ask: turn_table, after: 3}", "no key is called 'after' here"),
        ("{ask: turn_table}", "turn_table", "question 17: a mapping is needed"),
    ],
)
def test_an_entry_that_cannot_be_is_named_with_what_is_allowed(
    old: str, new: str, reason: str
) -> None:
    assert old in _TEXT

    assert reason in _error(_TEXT.replace(old, new, 1)).reason


def test_one_id_names_one_scenario_of_a_file() -> None:
    assert "the id 'WORDS-01' is used twice" in _error(f"{_TEXT}---\n{_TEXT}").reason


def test_one_bad_scenario_makes_the_file_unusable() -> None:
    good = _TEXT.replace("WORDS-01", "WORDS-02")

    assert "'Ann' is no player" in _error(good + "---\n" + _TEXT.replace("Ann", "Zed", 2)).reason


def test_errors_stay_short_whatever_stands_in_the_file() -> None:
    _error(_TEXT.replace("keep calm", str(["x" * 10_000])))
    labels = "".join(f"  - game_restarted: {{label: restart{n}}}\n" for n in range(1000))

    error = _error(
        _TEXT.replace("questions:\n", labels + "questions:\n").replace("at: slip", "at: x")
    )
    assert "more)" in error.reason


# Anything at all.

_SCALARS: Final = st.one_of(
    st.none(),
    st.text(max_size=12),
    st.sampled_from(
        ["Ann", "Cat", "Zoe", "judge", "all", "opponents", "Mindslaver", "ace", "Forest"]
    ),
    st.sampled_from(["17", "0", "-1", "999999999", "slaver", "slip", "2005-01-01", "true", "hand"]),
)
_ANYTHING: Final = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=6,
)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every (container, key) in nested plain data."""
    keys: Any = value if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield value, key
        if isinstance(value[key], dict | list):
            yield from _places(value[key])


@st.composite
def _changed(draw: st.DrawFn) -> Any:
    """The example with a few changes: values replaced, copied, swapped or taken away."""
    document = copy.deepcopy(_DOCUMENT)
    for _ in range(draw(st.integers(1, 4))):
        places = list(_places(document))
        container, key = places[draw(st.integers(0, len(places) - 1))]
        match draw(st.sampled_from(["replace", "copy", "swap", "remove", "add"])):
            case "replace":
                container[key] = draw(_ANYTHING)
            case "copy":
                other, at = places[draw(st.integers(0, len(places) - 1))]
                container[key] = copy.deepcopy(other[at])
            case "swap":
                events = document.get("events")
                if isinstance(events, list) and events:
                    one, other = (draw(st.integers(0, len(events) - 1)) for _ in range(2))
                    events[one], events[other] = events[other], events[one]
            case "remove":
                del container[key]
            case _ if isinstance(container, dict):
                container[draw(st.sampled_from(["seat", "label", "object", "zone", "x"]))] = draw(
                    _ANYTHING
                )
            case _:
                container.insert(key, draw(_ANYTHING))
    return document


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz") / "case.yaml"


def _results(file: Path) -> list[ScenarioResult]:
    """What running the file gives; nothing where it is refused, which must name the file."""
    try:
        return run_file(file)
    except BadInput as error:
        refused = error.where
    assert refused == str(file)
    return []


@_SLOW
@given(document=_changed())
def test_a_changed_scenario_runs_or_gives_one_error(file: Path, document: Any) -> None:
    file.write_text(json.dumps(document), encoding="utf-8")
    for result in _results(file):
        rules = load_rulebook(result.scenario.rules_date)
        for event in play(result.scenario, rules).events:
            to_model(event)
        json.dumps(result.to_json())


@_SLOW
@given(data=st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_bytes_are_read_or_refused(file: Path, data: bytes) -> None:
    file.write_bytes(data)
    with pytest.raises(BadInput) as caught:
        run_file(file)

    assert caught.value.where == str(file)


@_SLOW
@given(
    at=st.integers(0, len(_TEXT)),
    gone=st.integers(0, 40),
    new=st.text(alphabet="[]{}:,-#&*!|>'\"%@` \n\taA0", max_size=6),
)
def test_a_damaged_text_is_read_or_refused(file: Path, at: int, gone: int, new: str) -> None:
    file.write_text(_TEXT[:at] + new + _TEXT[at + gone :], encoding="utf-8")
    for result in _results(file):
        assert result.scenario.file == str(file)
