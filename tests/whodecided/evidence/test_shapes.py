"""The fast form check takes what the schemas take, patterns apart, and nothing else."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings

from domain.canonical import canonical_json
from domain.codec import UPCASTERS, encode
from domain.errors import PoisonEvent
from domain.events.base import Event
from tests.support.examples import any_event
from tests.whodecided.evidence.builders import stored_events
from whodecided.evidence.shapes import identities, identity


@settings(max_examples=100)
@given(any_event())
def test_every_event_has_the_form_and_says_what_it_is(event: Event) -> None:
    stored = encode(event)
    name = (stored.stream_id, stored.number, stored.topic)

    assert identities([stored]) == [name]
    assert identity(stored) == name


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"seat":2', '"seat":"2"'),
        ('"seat":2', '"seat":0'),
        ('"change":-3', '"changes":-3'),
        ('"clock":"server"', '"clock":"sundial"'),
        ('"topic":"game.life_changed/v1"', '"topic":"game.life_changed/v0"'),
        ('"source":{', '"source":{"more":1,'),
        ("}", ""),
    ],
)
def test_bytes_of_another_form_are_no_event(old: str, new: str) -> None:
    stored = stored_events(0, 4)[-1]
    assert old.encode() in stored.state
    spoiled = stored._replace(state=stored.state.replace(old.encode(), new.encode(), 1))

    assert identities([stored]) is not None
    assert identities([stored, spoiled]) is None
    with pytest.raises(PoisonEvent):
        identity(spoiled)


def test_patterns_are_left_to_the_full_schemas() -> None:
    stored = stored_events(0, 1)[0]
    plain = msgspec.json.decode(stored.state) | {"event_id": "not a UUID"}
    spoiled = stored._replace(state=canonical_json(plain))

    assert identities([spoiled]) is not None
    with pytest.raises(PoisonEvent):
        identity(spoiled)


def test_an_old_event_keeps_its_old_topic(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = stored_events(0, 1)[0]
    old = "game.priority_passed/v0"
    state = stored.state.replace(stored.topic.encode(), old.encode())
    monkeypatch.setitem(UPCASTERS, old, lambda plain: plain | {"topic": stored.topic})

    aged = stored._replace(topic=old, state=state)

    assert identities([aged]) is None
    assert identity(aged) == (stored.stream_id, 1, old)
