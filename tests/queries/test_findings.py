"""Some of the findings of a game or of all: from a severity on, of a code."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from domain.errors import BadInput
from domain.findings import CODES
from queries.findings import SEVERITIES
from tests.support.stories import STORIES
from whodecided.api import Log, open_log


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Log]:
    path = tmp_path_factory.mktemp("findings") / "log"
    for story in STORIES:
        story().in_directory(path)
    with open_log(path) as opened:
        yield opened


def test_the_severities_are_those_of_the_codes_in_their_order() -> None:
    assert SEVERITIES == ("info", "warning", "serious")
    assert set(CODES.values()) == set(SEVERITIES)


def test_findings_below_a_severity_are_left_out(log: Log) -> None:
    whole = log.all_findings()
    assert {one.severity for one in whole.findings} >= {"info", "warning"}

    for place, severity in enumerate(SEVERITIES):
        some = log.all_findings(severity=severity)
        kept = [one for one in whole.findings if one.severity in SEVERITIES[place:]]
        assert list(some.findings) == kept
        assert some.recorded == whole.recorded == len(whole.findings)


def test_findings_of_another_code_are_left_out(log: Log) -> None:
    disputed = log.all_findings(code="stamp-disputed").findings

    assert {one.code for one in disputed} == {"stamp-disputed"}
    assert log.all_findings(code="stamp-disputed", severity="serious").findings == ()


def test_the_findings_of_one_game_are_chosen_alike(log: Log) -> None:
    game = log.games().games[2].game_id
    whole = log.findings(game).findings
    assert {one.severity for one in whole} == {"info"}

    some = log.findings(game, severity="warning")
    assert (some.findings, some.recorded) == ((), len(whole))
    assert log.findings(game, code="gap-before-decision").findings == whole
    assert log.findings(game, code="stamp-disputed").findings == ()


def test_a_severity_or_code_that_no_finding_has_is_refused_with_those_there_are(log: Log) -> None:
    with pytest.raises(BadInput, match="no severity 'grave'") as raised:
        log.all_findings(severity="grave")
    assert raised.value.advice == "Known: info, warning, serious."
    with pytest.raises(BadInput, match="no code 'cheating'") as raised:
        log.findings(1, code="cheating")
    assert "information-leak" in str(raised.value.advice)
