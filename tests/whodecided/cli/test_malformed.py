"""A malformed file of rules or scenarios gives one clear error, and nothing of it is taken over."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

Runs = Callable[..., Any]

_EDITION: Final = """
section = "724"
family = "player"

[[documents]]
id = 2027-02-05
status = "seen"
sources = ["EDH"]
"""
_CARDS: Final = '[[control]]\nname.en = "Puppet"\nscope = 3\n'
_SWITCH: Final = """
[[switches]]
key = "mana-burn"
meaning.en = "unspent mana costs life"
on = [
  { from = 2009-01-01, until = 2010-01-01, status = "seen", sources = ["EDH"] },
  { from = 2009-07-10, status = "seen", sources = ["EDH"] },
]
"""
_SECOND: Final = _EDITION.partition("\n\n")[2]
_HUGE: Final = "#" * (1 << 21)

TOML: Final[dict[str, tuple[str, str | bytes, str]]] = {
    "wrong type": (
        "editions/724.toml",
        _EDITION.replace('"724"', "724"),
        "section: a text is needed, not 724",
    ),
    "wrong type of a date": (
        "editions/724.toml",
        _EDITION.replace("2027-02-05", '"2027-02-05"'),
        "documents[1].id: a date without quotes is needed, not '2027-02-05'",
    ),
    "wrong type where the command does not look": (
        "cards.toml",
        _CARDS,
        "control[1].scope: 3 is none of: next_turn, ",
    ),
    "unknown key": (
        "editions/724.toml",
        _EDITION.replace("status", "state"),
        "documents[1].status: the key is missing\nThere is one more mistake in this file.",
    ),
    "unknown key alone": (
        "editions/724.toml",
        _EDITION + "colour = 1\n",
        "documents[1].colour: there is no such key",
    ),
    "unknown word": (
        "editions/724.toml",
        _EDITION.replace('"seen"', '"sure"'),
        "documents[1].status: 'sure' is none of: seen, indirect, inferred",
    ),
    "overlapping dates": (
        "switches.toml",
        _SWITCH,
        "switches[1].on: dates overlap: from 2009-01-01 and from 2009-07-10",
    ),
    "duplicate id": (
        "editions/724.toml",
        f"{_EDITION}\n{_SECOND}",
        "documents[2].id: 2027-02-05 is already in 724.toml, documents[1]",
    ),
    "key written twice": ("editions/724.toml", 'section = "724"\n' * 2, ", line 2: not TOML: "),
    "huge file": ("topics.toml", _HUGE, "the file is larger than 1 MiB"),
    "nested deeply": ("topics.toml", "a = " + "[" * 9_000, "nested too deeply"),
    "not UTF-8": ("topics.toml", b"\n# \xff", ", line 2: the file is not UTF-8 text"),
    "not TOML": ("topics.toml", "topics = [\n", ": not TOML: Invalid value at the end"),
    "unknown file": ("edition.toml", _EDITION, "not a file the rules know"),
}

_CASE: Final = """
scenario: 1
id: HOUSE-01
title: a case
source: constructed
confidence: derived
rules_date: 2026-09-25
players: [Ann, Ben]
events:
  - turn_started: {seat: Ann}
  - control_created: {label: first, controller: Ann, affected: Ben, scope: next_turn, source: ours}
  - control_ended: {label: over, effect: first}
questions:
  - {ask: active_player, after: 1, expect: Ann}
"""
_BOMB: Final = "a: &a [x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a]\nc: &c [*b, *b, *b, *b]\n"

YAML: Final[dict[str, tuple[str | bytes, str]]] = {
    "wrong type": (
        _CASE.replace("events:", "events: 3\nno:"),
        "no key is called 'no' here",
    ),
    "wrong type of a list": (
        _CASE.partition("events:")[0] + "events: 3\n" + _CASE[_CASE.index("questions") :],
        "HOUSE-01: events: a list of entries is needed, not '3'",
    ),
    "unknown key": (
        _CASE.replace("{seat: Ann}", "{seet: Ann}"),
        "event 1 (turn_started): no key is called 'seet' here (there are: seat, team, ",
    ),
    "unknown event": (
        _CASE.replace("turn_started", "turn_begun"),
        "event 1: no event is called 'turn_begun' (there are: game_started, ",
    ),
    "duplicate id": (f"{_CASE}---{_CASE}", "the id 'HOUSE-01' is used twice"),
    "duplicate label": (
        _CASE.replace("label: over", "label: first"),
        "event 3 (control_ended): label 'first' is that of event 2 already",
    ),
    "label of itself": (
        _CASE.replace("effect: first", "effect: over"),
        "event 3 (control_ended): effect: 'over' is the label of no effect (there are: first)",
    ),
    "labels in a circle": (
        _CASE.replace("turn_started: {seat: Ann}", "rewound: {label: one, to: two}").replace(
            "control_ended: {label: over, effect: first}", "rewound: {label: two, to: one}"
        ),
        "event 1 (rewound): to: 'two' is not an earlier event",
    ),
    "key written twice": (_CASE + "id: HOUSE-02\n", "line 15: key 'id' is written twice"),
    "huge file": (_HUGE, "the file is larger than 1 MiB"),
    "alias bomb": (_BOMB, "line 1: anchors are refused"),
    "nested deeply": ("a: " + "[" * 9_000, "nested too deeply"),
    "not UTF-8": (b"scenario: 1\ntitle: \xff\n", "line 2: the file is not UTF-8 text"),
    "not YAML": (_CASE + "more: [\n", "line 16: expected the node content"),
    "no list of events": (
        _CASE.partition("events:")[0] + "events: []\nquestions: []\n",
        "HOUSE-01: events: at least one entry is needed",
    ),
    "impossible date": (
        _CASE.replace("2026-09-25", "2026-02-30"),
        "rules_date: '2026-02-30' is not a date like 2026-09-25",
    ),
}
_EVERY_COMMAND_WITH_RULES: Final = (
    ("rules",),
    ("rules", "diff", "2019-01-01", "2020-01-01"),
    ("rules", "cite", "712.5"),
    ("who", "1", "2"),
    ("responsible", "1", "2"),
)


def _written(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def _one_error(err: str, path: Path, reason: str) -> None:
    """Nothing but one error about the file, in at most two lines."""
    assert err.startswith(f"error {path}")
    assert reason in err
    assert len(err.splitlines()) <= 2


@pytest.mark.parametrize("kind", TOML)
def test_a_malformed_file_of_rules(run: Runs, tmp_path: Path, kind: str) -> None:
    name, content, reason = TOML[kind]
    path = _written(tmp_path / "house" / name, content)
    result = run("rules", "--rules-dir", tmp_path / "house")

    assert (result.code, result.out) == (2, "")
    _one_error(result.err, path, reason)


@pytest.mark.parametrize("command", _EVERY_COMMAND_WITH_RULES, ids=" ".join)
def test_every_command_takes_a_folder_of_rules_whole_or_not_at_all(
    ask: Runs, tmp_path: Path, command: tuple[str, ...]
) -> None:
    for folder in ("sound", "house"):
        _written(tmp_path / folder / "editions" / "724.toml", _EDITION)
    assert ask(*command, "--rules-dir", tmp_path / "sound").code == 0
    path = _written(tmp_path / "house" / "cards.toml", _CARDS)
    result = ask(*command, "--rules-dir", tmp_path / "house")

    assert (result.code, result.out) == (2, "")
    _one_error(result.err, path, "control[1].scope: 3 is none of")


@pytest.mark.parametrize("kind", YAML)
def test_a_malformed_scenario(run: Runs, tmp_path: Path, kind: str) -> None:
    content, reason = YAML[kind]
    path = _written(tmp_path / "case.yaml", content)
    result = run("scenario", path)

    assert result.code == 2
    assert result.out == "0 scenarios, 0 questions: nothing was asked; 1 file could not be read\n"
    _one_error(result.err, path, reason)


@pytest.mark.parametrize("kind", YAML)
def test_nothing_of_a_malformed_scenario_comes_into_a_log(
    run: Runs, tmp_path: Path, kind: str
) -> None:
    path = _written(tmp_path / "case.yaml", YAML[kind][0])
    result = run("scenario", "import", path, "--as", "case", "--log", tmp_path / "log")

    assert (result.code, result.out) == (2, "")
    assert str(path) in result.err
    assert not (tmp_path / "log").exists()


def test_a_sound_scenario_beside_a_malformed_one_is_answered(run: Runs, tmp_path: Path) -> None:
    good = _written(tmp_path / "good.yaml", _CASE)
    bad = _written(tmp_path / "bad.yaml", YAML["unknown key"][0])
    result = run("scenario", bad, good)

    assert result.code == 2
    assert "1 question: all as expected; 1 file could not be read" in result.out


def test_a_scenario_under_malformed_rules_is_one_error_for_all_files(
    run: Runs, tmp_path: Path
) -> None:
    files = [_written(tmp_path / f"{n}.yaml", _CASE) for n in range(2)]
    path = _written(tmp_path / "house" / "switches.toml", _SWITCH)
    result = run("scenario", *files, "--rules-dir", tmp_path / "house")

    assert (result.code, result.out) == (2, "")
    _one_error(result.err, path, "dates overlap")
