"""Tables fit the line; words are cut only where they have to be."""

from __future__ import annotations

import io

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.measure import Measurement

from whodecided.cli.render.common import listing
from whodecided.cli.render.listing import shared_out

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
