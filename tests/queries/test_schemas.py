"""The JSON of every answer keeps its shape: the schemas are pinned in golden files.

`GOLDEN=write python -m pytest tests/queries/test_schemas.py` writes them anew; read the diff.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import msgspec
import pytest

from queries.access import AccessAnswer
from queries.active import ActiveAnswer
from queries.control import ControlAnswer
from queries.explain import Explanation
from queries.findings import FindingsAnswer, LogFindingsAnswer
from queries.games import GamesAnswer
from queries.penalties import PenaltiesAnswer
from queries.replay import ReplayAnswer
from queries.responsible import ResponsibleAnswer
from queries.rules import EditionAnswer, NumberAnswer, RulesDiff
from queries.sees import SeesAnswer
from queries.show import ShowAnswer
from queries.sql import SqlAnswer
from queries.who import WhoAnswer
from tests.shared import PROJECT_ROOT
from whodecided.cli.document import SCHEMA_VERSION

GOLDEN = PROJECT_ROOT / "tests" / "golden" / "answers"
ANSWERS = (
    AccessAnswer,
    ActiveAnswer,
    ControlAnswer,
    EditionAnswer,
    Explanation,
    FindingsAnswer,
    GamesAnswer,
    LogFindingsAnswer,
    NumberAnswer,
    PenaltiesAnswer,
    ReplayAnswer,
    ResponsibleAnswer,
    RulesDiff,
    SeesAnswer,
    ShowAnswer,
    SqlAnswer,
    WhoAnswer,
)


def without_prose(schema: Any) -> Any:
    """The schema without docstrings: versions of msgspec indent them differently."""
    if isinstance(schema, dict):
        return {
            key: without_prose(value)
            for key, value in schema.items()
            if key != "description" or not isinstance(value, str)
        }
    return [without_prose(item) for item in schema] if isinstance(schema, list) else schema


def golden_file(answer: type[Any]) -> Path:
    return GOLDEN / f"{answer.__name__}.json"


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: str(answer.__name__))
def test_the_shape_of_an_answer_is_the_pinned_one(answer: type[Any]) -> None:
    shape = {"schema_version": SCHEMA_VERSION, "schema": without_prose(msgspec.json.schema(answer))}
    text = json.dumps(shape, indent=1, sort_keys=True) + "\n"
    if os.environ.get("GOLDEN") == "write":
        golden_file(answer).write_text(text, encoding="utf-8")

    assert golden_file(answer).read_text(encoding="utf-8") == text


def test_no_golden_file_is_left_over() -> None:
    assert set(GOLDEN.iterdir()) == set(map(golden_file, ANSWERS))
