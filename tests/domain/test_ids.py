"""Identities depend only on what the source says."""

from __future__ import annotations

import uuid

from hypothesis import given
from hypothesis import strategies as st

from domain.ids import NAMESPACE, game_stream, match_stream, short_id, uuid5_text


@given(st.text(st.characters(codec="utf-8")))
def test_uuid5_text_is_the_standard_version_5_uuid(name: str) -> None:
    assert uuid5_text(NAMESPACE.bytes, name) == str(uuid.uuid5(NAMESPACE, name))


def test_viewpoints_parts_and_generations_are_streams_of_their_own() -> None:
    streams = {
        game_stream("arena", "m", 1, "seat:1", 1, None),
        game_stream("arena", "m", 1, "seat:2", 1, None),
        game_stream("arena", "m", 2, "seat:1", 1, None),
        game_stream("arena", "m", 1, "seat:1", 2, None),
        game_stream("arena", "m", 1, "seat:1", 1, "312"),
        match_stream("arena", "m", "seat:1", 1, None),
        match_stream("arena", "m", "seat:1", 1, "312"),
    }

    assert len(streams) == 7
    assert len({short_id(stream) for stream in streams}) == 7
