"""The guide of the format tells the truth: its example runs, and no word is missing."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

import pytest

from domain.errors import BadInput
from tests.shared import PROJECT_ROOT
from whodecided.scenario.running import run_file
from whodecided.scenario.words import DECISION_KEYS, EVENTS, QUESTIONS

_GUIDE: Final = (PROJECT_ROOT / "docs" / "scenarios.md").read_text(encoding="utf-8")
_BLOCKS: Final = dict(re.findall(r"^```(yaml|json)\n(.*?)^```$", _GUIDE, re.MULTILINE | re.DOTALL))


def _rows(first: str, last: str) -> dict[str, str]:
    """Word -> the cell of its keys, of the tables between two headings."""
    part = _GUIDE.partition(f"## {first}\n")[2].partition(f"## {last}\n")[0]
    rows = re.findall(r"^\| (`[^|]+`) \| ([^|]*)\|", part, re.MULTILINE)
    return {word: keys for cell, keys in rows for word in re.findall(r"`(\w+)`", cell)}


def test_the_example_is_answered_as_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text(_BLOCKS["yaml"], encoding="utf-8")
    (result,) = run_file(Path("mine.yaml"))
    document = {"schema_version": 1} | result.to_json()
    document["questions"] = document["questions"][:1]

    assert result.passed
    assert json.loads(_BLOCKS["json"]) == document


def test_every_event_is_told_with_its_keys() -> None:
    told = _rows("Events", "Questions")

    assert told.keys() == EVENTS.keys()
    for name, shape in EVENTS.items():
        keys = {*shape.needs, *shape.may} - ({"seat"} if shape.decides else set())
        assert keys <= set(re.findall(r"`(\w+)`", told[name])), name
    for key in DECISION_KEYS:
        assert f"`{key}" in _GUIDE


def test_every_question_is_told_with_its_keys() -> None:
    told = _rows("Questions", "What comes out")

    assert told.keys() == QUESTIONS.keys()
    for ask, (needs, may) in QUESTIONS.items():
        named = set(re.findall(r"`(\w+)`", told[ask]))
        for alike in ("decider", "sees"):
            if f"as `{alike}`" in told[ask]:
                named |= set(re.findall(r"`(\w+)`", told[alike]))
        assert {*needs, *may} <= named, ask


def test_a_word_of_the_guide_that_is_misspelt_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(_BLOCKS["yaml"].replace("turn_skipped", "turn_skiped"), encoding="utf-8")
    with pytest.raises(BadInput, match="turn_skiped"):
        run_file(path)
