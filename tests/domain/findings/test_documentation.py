"""The document on findings and the code name the same findings."""

from __future__ import annotations

import re

from domain.findings import CODES
from tests.shared import PROJECT_ROOT

_TEXT = (PROJECT_ROOT / "docs" / "findings.md").read_text(encoding="utf-8")


def test_the_table_lists_every_code_with_its_severity_in_order() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (\w+) \|", _TEXT, flags=re.MULTILINE)

    assert rows == list(CODES.items())


def test_every_code_has_an_example() -> None:
    examples = re.findall(r"^\* `([a-z-]+)`\. ", _TEXT, flags=re.MULTILINE)

    assert examples == list(CODES)
