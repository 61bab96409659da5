"""Rules and scenarios of any content are taken whole or refused with one typed error."""

from __future__ import annotations

import itertools
import json
import re
import shutil
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

import domain.rules
from domain.errors import BadInput
from queries.rules import rules_on
from tests.shared import PROJECT_ROOT
from tests.support.fuzzing import PLAIN, SPLICES, Splice, bounded, budget, spliced
from whodecided.rulebook import load_rules
from whodecided.rulesdir import check_rules_dir
from whodecided.scenario.running import run_file

_DATA: Final = Path(domain.rules.__path__[0]) / "data"
_FILES: Final = sorted(path.relative_to(_DATA).as_posix() for path in _DATA.rglob("*.toml"))
_CASES: Final = sorted((PROJECT_ROOT / "tests" / "scenarios" / "cases").glob("*.yaml"))
_TOKEN: Final = re.compile(r'"[^"\n]*"|\d{4}-\d{2}-\d{2}|[a-z_.-]+(?= =)|[\[\]{},=]|\btrue\b|\d+')
_TOKENS: Final = (
    '""', '"seen"', '"CR"', '"723"', '"../../x"', '"\\u0000"', "1", "-1", "1e99", "nan", "true",
    "2026-09-25", "0001-01-01", "9999-12-31", "2026-02-30", "[]", "[[]]", "{}", "{a = {a = 1}}",
    "id", "from", "until", "key", "number", "sources", "[", "]", "{", "}", ",", "=", "9" * 5000,
)  # fmt: skip
_fresh = itertools.count()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


def _taken(folder: Path, name: str, content: bytes) -> None:
    """Take a folder of rules with this file, and answer from it; or one error names the file."""
    # A folder is read once in a process, so each is another one.
    house = folder / str(next(_fresh))
    path = house / name
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    try:
        with bounded():
            check_rules_dir(house)
            rules_on(load_rules(house), "2026-09-25")
    except BadInput as error:
        refused = str(error)
    else:
        return
    finally:
        shutil.rmtree(house)
    assert refused.startswith(str(path)) or name in refused
    assert len(refused) < 1000


@budget(60)
@given(name=st.sampled_from(_FILES), changes=SPLICES)
def test_rules_with_any_bytes_in_the_place_of_others(
    folder: Path, name: str, changes: list[Splice]
) -> None:
    _taken(folder, name, spliced((_DATA / name).read_bytes(), changes))


@budget(150)
@given(
    name=st.sampled_from(_FILES),
    changes=st.lists(
        st.tuples(st.floats(0, 1), st.sampled_from(_TOKENS) | st.floats(0, 1)),
        min_size=1,
        max_size=4,
    ),
)
def test_rules_with_any_word_in_the_place_of_another(
    folder: Path, name: str, changes: list[tuple[float, str | float]]
) -> None:
    text = (_DATA / name).read_text(encoding="utf-8")
    for where, put in changes:
        tokens = list(_TOKEN.finditer(text))
        old = tokens[int(where * (len(tokens) - 1))]
        new = put if isinstance(put, str) else tokens[int(put * (len(tokens) - 1))][0]
        text = text[: old.start()] + new + text[old.end() :]
    _taken(folder, name, text.encode())


def _answered(folder: Path, content: bytes) -> None:
    """Answer the scenarios of a file; or one error names the file."""
    path = folder / "case.yaml"
    path.write_bytes(content)
    try:
        with bounded():
            for result in run_file(path):
                json.dumps(result.to_json())
    except BadInput as error:
        refused = error
    else:
        return
    assert refused.where == str(path)
    assert len(str(refused)) < 2000


@budget(40)
@given(case=st.sampled_from(_CASES), changes=SPLICES)
def test_scenarios_with_any_bytes_in_the_place_of_others(
    folder: Path, case: Path, changes: list[Splice]
) -> None:
    [document] = case.read_bytes().split(b"\n---\n")[:1]
    _answered(folder, spliced(document, changes))


@budget(150)
@given(value=PLAIN)
def test_scenarios_of_any_value(folder: Path, value: Any) -> None:
    _answered(folder, json.dumps(value).encode())
