"""Tables fit the line; words are cut only where they have to be."""

from __future__ import annotations

import io

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.measure import Measurement

from queries.findings import LogFinding, LogFindingsAnswer
from whodecided.cardnames import CardNames
from whodecided.cli.labels import Labels
from whodecided.cli.render.common import listing
from whodecided.cli.render.listing import Rows, shared_out
from whodecided.cli.render.lists import draw_findings

GAME = ("3", "e966e123", "2026-04-15", "52ab597c v 7cf04e13", "seat 1 (concession)", "12", "513")
REMARKS = "1 gap, 3 findings, starts in mid-game"


def lines(width: int, *row: str, wide: tuple[int, ...]) -> list[str]:
    table = listing(*(f"c{index}" for index in range(len(row))), wide=wide)
    table.add_row(*row)
    stream = io.StringIO()
    Console(file=stream, width=width).print(table)
    return stream.getvalue().splitlines()


def test_no_word_of_a_game_is_cut_at_80_columns() -> None:
    drawn = lines(80, *GAME, REMARKS, wide=(3, 4, 7))

    words = {word for line in drawn for word in line.split()}
    assert {word for cell in (*GAME, REMARKS) for word in cell.split()} <= words
    assert max(map(len, drawn)) <= 80


def test_a_word_longer_than_the_line_is_folded_and_nothing_is_lost() -> None:
    drawn = lines(30, "short words stay", "f" * 64, wide=(0, 1))

    assert "".join(drawn).count("f") == 64
    assert {"short", "words", "stay"} <= {word for line in drawn for word in line.split()}


def test_columns_that_may_not_wrap_are_folded_last() -> None:
    sizes = [Measurement(10, 10), Measurement(8, 40)]

    assert shared_out(sizes, [False, True], 30) == [10, 20]
    assert shared_out(sizes, [False, True], 14) == [10, 4]
    assert shared_out(sizes, [False, True], 8) == [7, 1]


@given(
    st.lists(st.tuples(st.integers(1, 30), st.integers(0, 60), st.booleans()), min_size=1),
    st.integers(1, 200),
)
def test_columns_fill_the_line_at_most(columns: list[tuple[int, int, bool]], room: int) -> None:
    sizes = [Measurement(word, word + more) for word, more, _ in columns]
    widths = shared_out(sizes, [free for *_, free in columns], room)

    assert sum(widths) <= max(room, len(columns))
    assert all(1 <= width <= size.maximum for width, size in zip(widths, sizes, strict=True))
    if sum(size.maximum for size in sizes) <= room:
        assert widths == [size.maximum for size in sizes]


def rows(width: int, *row: str) -> list[str]:
    columns = [f"c{index}" for index in range(len(row))]
    drawn = Rows(listing(*columns, wide=range(len(row))), columns, [row])
    stream = io.StringIO()
    Console(file=stream, width=width).print(drawn)
    return [line.rstrip() for line in stream.getvalue().splitlines()]


def test_rows_are_a_table_as_long_as_no_word_is_cut() -> None:
    header, _, row = rows(26, "short words", "other", "ones")

    assert header.split() == ["c0", "c1", "c2"]
    assert row.split() == ["short", "words", "other", "ones"]


def test_rows_with_words_too_long_for_a_table_stand_one_below_the_other() -> None:
    assert rows(20, "f" * 12, "a" * 9) == ["row 1", f"c0  {'f' * 12}", f"c1  {'a' * 9}"]


def test_one_column_alone_stays_a_table() -> None:
    assert "".join(rows(20, "f" * 50)).count("f") == 50


def finding(number: int, severity: str, code: str) -> LogFinding:
    return LogFinding(
        game_id="g",
        short_id="g",
        number=number,
        code=code,
        severity=severity,
        message="Noticed.",
        rule_document=None,
        rule=None,
        rule_edition=None,
        root_cause=3 if severity == "info" else None,
    )


def test_findings_of_one_gap_share_a_line_below_the_serious_ones() -> None:
    gap = "gap-before-decision"
    found = (
        finding(4, "info", gap),
        finding(5, "serious", "information-leak"),
        finding(6, "serious", "information-leak"),
        finding(9, "info", gap),
    )
    drawn = draw_findings(LogFindingsAnswer(recorded=4, findings=found), Labels.of((), CardNames()))
    stream = io.StringIO()
    Console(file=stream, width=80).print(drawn)
    heading, *_, first, second, third = filter(str.strip, stream.getvalue().splitlines())

    assert heading.split("  ")[:2] == ["4 findings", "2 serious, 2 info"]
    assert [line.split()[1] for line in (first, second, third)] == ["5", "6", "4-9"]
    assert third.split("  ")[-1].strip() == "Noticed. From event 3. 2 events."
