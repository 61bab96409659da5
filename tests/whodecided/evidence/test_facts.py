"""The facts digest of bytes is that of the event, and does not depend on today's schemas."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings

from domain.canonical import canonical_json
from domain.codec import encode
from domain.events.base import Event
from tests.support.examples import any_event
from tools.verify_bundle import facts, parse
from whodecided.evidence.facts import facts_of_bytes


@settings(max_examples=100)
@given(any_event())
def test_it_is_the_digest_the_codec_gives_for_every_event(event: Event) -> None:
    stored = encode(event)

    assert facts_of_bytes(stored.state) == stored.facts == facts(parse(stored.state))


@pytest.mark.parametrize("basis", ["stated", "derived"])
@pytest.mark.parametrize(
    "stamp",
    [
        {"acting_seat": 1, "authority": None, "basis": "", "deciding_player": "x", "reading": "y"},
        {"acting_seat": 1, "basis": "", "deciding_player": "x", "newer": 1, "team_seats": None},
        {"basis": "", "deciding_player": "player:a"},
        {"acting_seat": 1, "basis": "", "deciding_player": 'quo"ted', "team_seats": [1, 2]},
    ],
)
def test_stamps_of_other_shapes_follow_the_same_rule(stamp: dict[str, Any], basis: str) -> None:
    event = {"number": 1, "stamp": stamp | {"basis": basis}, "topic": "game.other/v9"}
    kept = {k: v for k, v in stamp.items() if k not in ("authority", "basis", "reading")}
    if basis != "stated":
        kept["deciding_player"] = None
    wanted = sha256(canonical_json(event | {"stamp": kept})).digest()

    state = canonical_json(event)

    assert facts_of_bytes(state) == wanted == facts(msgspec.json.decode(state))


def test_a_text_that_looks_like_a_stamp_is_left_alone() -> None:
    text = '"stamp":{"acting_seat":1,"authority":{},"team_seats":null}'
    state = canonical_json({"number": 1, "text": text})

    assert facts_of_bytes(state) == sha256(state).digest()
