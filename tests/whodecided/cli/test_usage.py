"""Wrong usage is told in the form that was asked for."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

Runs = Callable[..., Any]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("--json", "who"), "Missing argument 'GAME'"),
        (("who", "1", "--json"), "Missing argument 'EVENT'"),
        (("who", "1", "x", "--json"), "Invalid value for 'EVENT'"),
        (("--json", "nonsense"), "No such command 'nonsense'"),
        (("--json", "--nonsense"), "No such option: --nonsense"),
        (("rules", "cite", "--json"), "Missing argument 'NUMBER'"),
    ],
)
def test_wrong_usage_is_a_document_where_json_is_asked_for(
    run: Runs, asked: tuple[str, ...], said: str
) -> None:
    result = run(*asked)

    assert (result.code, result.out) == (2, "")
    error = json.loads(result.err)["error"]
    assert (error["kind"], error["exit_code"]) == ("BadInput", 2)
    assert said in error["message"]
    assert error["advice"].endswith("--help`.")


def test_wrong_usage_is_a_text_for_people(run: Runs) -> None:
    for asked in (("who",), ("sql", "--", "--json", "x")):
        result = run(*asked)

        assert result.code == 2
        assert result.err.startswith("Usage: ")


def test_an_argument_that_is_no_text_is_refused_and_a_file_of_such_a_name_is_named(
    run: Runs,
) -> None:
    for arguments in (("show", "\udcff"), ("who", "1", "2", "--infraction", "G\udcff")):
        told = run(*arguments, "--json")
        assert told.code == 2
        assert "it is not UTF-8 text" in json.loads(told.err)["error"]["message"]

    told = run("verify-bundle", "case\udcff\U0001f600.zip", "--json")
    assert told.code == 2
    assert json.loads(told.err)["error"]["message"].startswith("case\ufffd\U0001f600.zip: ")
