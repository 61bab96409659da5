"""No command, in no form, writes a card that its viewer may not see."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.stories import STORIES, hidden_cards

Runs = Callable[..., Any]
NUMBER = re.compile(r"(?<!\d)8[1-5]10[1-3](?!\d)")
PLACE = STORIES.index(hidden_cards) + 1
NEVER = {
    "1": {"84101", "85101"},
    "2": {"81101", "81102", "83101"},
    "spectator": {"81101", "81102", "82101", "82103", "83101", "84101", "85101"},
}


def asked(number: int) -> tuple[tuple[object, ...], ...]:
    return (
        ("who", PLACE, number),
        ("sees", PLACE, number),
        ("active", PLACE, number),
        ("replay", PLACE, "--at", number, "--before", 1, "--after", 1),
    )


@pytest.mark.parametrize("viewer", NEVER)
@pytest.mark.parametrize("form", [(), ("--json",)], ids=["text", "json"])
def test_no_command_about_an_event_writes_what_the_viewer_may_never_see(
    ask: Runs, viewer: str, form: tuple[str, ...]
) -> None:
    shown: set[str] = set()
    for number in range(1, len(hidden_cards().events) + 1):
        for question in asked(number):
            run = ask(*question, "--viewer", viewer, *form)
            shown |= set(NUMBER.findall(run.out + run.err))

    assert shown & NEVER[viewer] == set()


@pytest.mark.parametrize("viewer", [*NEVER, "judge"])
@pytest.mark.parametrize("form", [(), ("--json",)], ids=["text", "json"])
def test_no_command_about_a_game_or_the_log_writes_a_hidden_card(
    ask: Runs, viewer: str, form: tuple[str, ...]
) -> None:
    for question in (
        ("show", PLACE),
        ("control", PLACE),
        ("findings", PLACE),
        ("findings",),
        ("games",),
        ("status",),
    ):
        run = ask(*question, "--viewer", viewer, *form)
        assert NUMBER.findall(run.out + run.err) == []
