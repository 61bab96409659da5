"""A viewer is a seat, a player, a spectator or a judge; anything else is refused."""

from __future__ import annotations

import pytest

from domain.errors import BadInput, NotFound
from queries.viewers import named_viewer
from tests.support.games import ALICE, tell, turn

RECORD = tell(turn(1)).record()


@pytest.mark.parametrize(
    ("text", "viewer"),
    [
        ("1", "seat:1"),
        ("seat:2", "seat:2"),
        ("spectator", "spectator"),
        ("judge", "judge"),
        (ALICE, ALICE),
        ("a11ce", ALICE),
        ("judge:head", "judge:head"),
        ("person:zoe", "person:zoe"),
    ],
)
def test_a_viewer_is_found_by_any_of_its_names(text: str, viewer: str) -> None:
    assert named_viewer(text, RECORD) == viewer


@pytest.mark.parametrize("text", ["3", "seat:9", "ffff", "player:ffff", "Alice"])
def test_who_has_no_part_in_the_game_is_not_found(text: str) -> None:
    with pytest.raises(NotFound):
        named_viewer(text, RECORD)


@pytest.mark.parametrize("text", ["", "rules", "unknown", "server:arena"])
def test_nobody_looks_as_a_server_or_as_nobody(text: str) -> None:
    with pytest.raises(BadInput):
        named_viewer(text, RECORD)


def test_digits_that_fit_two_players_are_refused() -> None:
    record = tell(turn(1), players=("player:ab1", "player:ab2")).record()

    with pytest.raises(BadInput, match="more than one"):
        named_viewer("ab", record)
