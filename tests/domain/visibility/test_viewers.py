"""Who an answer is for, from the name a user types."""

from __future__ import annotations

import pytest

from domain.visibility import Viewer, resolve_viewer

_PLAYERS = {1: "player:ann", 2: "program:sparky"}


@pytest.mark.parametrize(
    ("name", "viewer"),
    [
        ("judge", Viewer("judge", "judge", frozenset())),
        ("judge:7", Viewer("judge:7", "judge", frozenset())),
        ("server:arena", Viewer("server:arena", "judge", frozenset())),
        ("spectator", Viewer("spectator", "spectator", frozenset())),
        ("rules", Viewer("rules", "spectator", frozenset())),
        ("unknown", Viewer("unknown", "spectator", frozenset())),
        ("seat:1", Viewer("player:ann", "person", frozenset({1}))),
        ("player:ann", Viewer("player:ann", "person", frozenset({1}))),
        ("program:sparky", Viewer("program:sparky", "person", frozenset({2}))),
        ("person:zoe", Viewer("person:zoe", "person", frozenset())),
        ("seat:3", Viewer("seat:3", "person", frozenset({3}))),
    ],
)
def test_a_viewer_is_a_seat_a_principal_a_judge_or_a_spectator(name: str, viewer: Viewer) -> None:
    assert resolve_viewer(name, _PLAYERS) == viewer


@pytest.mark.parametrize("name", ["", "Alice", "seat:", "seat:x", "player:"])
def test_any_other_text_is_no_viewer(name: str) -> None:
    with pytest.raises(ValueError, match="not a principal"):
        resolve_viewer(name, _PLAYERS)
