"""Text from logs and tables of names reaches the terminal as text."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from rich.console import RenderableType
from rich.text import Text

from whodecided.cli.render.common import Facts, listing, sections, warning
from whodecided.cli.terminal import Terminal, visible

Runs = Callable[..., Any]

RED = "\x1b[31mred\x9b0m\x7f\u202e"


def written(renderable: RenderableType) -> str:
    stream = io.StringIO()
    Terminal(stream).print(renderable)
    return stream.getvalue()


def test_control_codes_in_text_are_shown_as_signs() -> None:
    assert visible(RED) == "␛[31mred\ufffd0m␡\ufffd"
    assert visible("Jötun Grünt, 真鍮の先触れ\n\t") == "Jötun Grünt, 真鍮の先触れ\n\t"


def test_what_is_no_text_in_a_name_can_be_written() -> None:
    assert visible("game-\udcff.log") == "game-\ufffd.log"
    assert visible("\U0001f600") == "\U0001f600"


def test_no_part_of_an_answer_lets_a_control_code_through() -> None:
    facts = Facts()
    facts.add("card", RED)
    table = listing("one", RED, wide=(0,))
    table.add_row(RED, Text(RED, "bold"))
    drawn = written(sections(Text.assemble((RED, "bold")), facts.drawn(), table, warning(RED)))

    assert drawn.count("␛[31mred") == 6
    assert [code for code in "\x1b\x9b\x7f\u202e" if code in drawn] == []


def test_colours_of_ones_own_stay_where_text_was_changed() -> None:
    shown = Text.assemble(("\x1bab", "bold"), "c")
    stream = io.StringIO()
    terminal = Terminal(stream)

    assert [(s.text, str(s.style)) for s in terminal.render(shown) if s.text.strip()] == [
        ("␛ab", "bold"),
        ("c", "none"),
    ]


@given(st.text())
def test_no_text_at_all_steers_the_terminal(text: str) -> None:
    steering = {chr(code) for code in (*range(0x20), *range(0x7F, 0xA0))} - {"\n", "\t"}

    assert steering & set(written(text)) == set()


def test_names_of_cards_and_errors_are_harmless(ask: Runs, tmp_path: Path) -> None:
    table = tmp_path / "names.csv"
    table.write_text(f"id,name\n82101,{RED}\n", encoding="utf-8")

    told = ask("who", 1, 16, "--card-names", table).out
    refused = ask("show", "\x1b[31m").err
    assert "casts ␛[31mred" in told
    assert "[31m" in refused
    assert "\x1b" not in told + refused


def test_programs_get_the_text_as_it_is(ask: Runs, tmp_path: Path) -> None:
    table = tmp_path / "names.csv"
    table.write_text(f"id,name\n82101,{RED}\n", encoding="utf-8")

    document = ask("who", 1, 16, "--json", "--card-names", table).document
    assert document["card_names"] == {"82101": RED}
