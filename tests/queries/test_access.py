"""The access log as an answer: who, what, when, and why as far as the viewer may know."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from queries.access import access

ONE, OTHER = "aaaaaaaa-1111-5111-8111-111111111111", "bbbbbbbb-1111-5111-8111-111111111111"
SECRETS = {(1, "reason"): "complaint 7", (3, "statement"): "SELECT 1"}


def read(number: int, record: str | None, **hidden: str) -> Any:
    """A read by a judge, as an event."""
    return SimpleNamespace(
        number=number,
        occurred_at=f"2026-10-01T09:00:0{number}.000000Z",
        stamp=SimpleNamespace(deciding_player=f"judge:{number % 2}", basis="stated"),
        command="who" if record else "sql",
        record=record,
        first=None,
        last=None,
        reason=hidden.get("reason"),
        statement=hidden.get("statement"),
    )


READS = (
    read(1, ONE, reason="sealed"),
    read(2, OTHER),
    read(3, None, statement="sealed", reason="sealed"),
    read(4, ONE),
)


def test_a_judge_is_told_reasons_and_statements() -> None:
    answer = access(READS, SECRETS, "judge")

    assert [(r.reason, r.statement) for r in answer.reads] == [
        ("complaint 7", None),
        (None, None),
        (None, "SELECT 1"),
        (None, None),
    ]
    assert [r.hidden for r in answer.reads] == [()] * 4
    assert [r.erased for r in answer.reads] == [(), (), ("reason",), ()]


@pytest.mark.parametrize("viewer", ["spectator", "1", "judge:1"])
def test_others_are_told_that_there_is_a_reason_and_not_which(viewer: str) -> None:
    answer = access(READS, SECRETS, viewer)

    assert [r.hidden for r in answer.reads] == [("reason",), (), ("statement",), ()]
    assert {(r.reason, r.statement) for r in answer.reads} == {(None, None)}
    assert answer.reads[2].erased == ("reason",)


def test_reads_of_the_whole_log_count_for_every_record() -> None:
    answer = access(READS, SECRETS, record=ONE)

    assert [(r.number, r.short_id) for r in answer.reads] == [
        (1, "aaaaaaaa"),
        (3, None),
        (4, "aaaaaaaa"),
    ]
    assert answer.recorded == 4
    assert answer.readers == ("judge:0", "judge:1")


@pytest.mark.parametrize(
    ("newest", "numbers"), [(0, []), (1, [4]), (3, [2, 3, 4]), (9, [1, 2, 3, 4])]
)
def test_the_newest_are_the_last(newest: int, numbers: list[int]) -> None:
    assert [r.number for r in access(READS, SECRETS, newest=newest).reads] == numbers


def test_nobody_has_read_anything() -> None:
    answer = access((), {})

    assert (answer.recorded, answer.reads, answer.readers) == (0, (), ())
