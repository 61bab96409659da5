"""The hot codec reads and writes exactly what the pydantic models say."""

from __future__ import annotations

import json

import msgspec
import pytest
import rfc8785
from hypothesis import given, settings

from domain import codec
from domain.codec import decode, encode, facts_digest, from_model, to_model
from domain.errors import PoisonEvent
from domain.events.base import Event
from domain.events.decisions import SpellCast
from domain.events.registry import BY_TOPIC
from domain.ports import StoredEvent
from tests.support.examples import any_event, event_of

GAME = "6f2a0d3e-6b1c-5f0e-9c57-3c9e2b7f4a10"


def spell(**changes: object) -> Event:
    stamp = {
        "acting_seat": 2,
        "team_seats": None,
        "deciding_player": "player:a",
        "performer": None,
        "authority": {"kind": "control_effect", "ref": 3},
        "decision_class": "game",
        "basis": "derived",
        "reading": "2026-09-25/kernel-1",
    }
    plain = {
        "number": 7,
        "event_id": GAME,
        "occurred_at": "2026-01-02T03:04:05.000000Z",
        "clock": "server",
        "source": {"system": "arena", "record": "m/1/4"},
        "correlation_id": None,
        "causation": None,
        "action": None,
        "game_id": GAME,
        "stamp": stamp | {k: v for k, v in changes.items() if k in stamp},
    }
    return SpellCast.model_validate(plain | {k: v for k, v in changes.items() if k not in stamp})


@given(any_event())
@settings(max_examples=300)
def test_an_event_read_back_from_its_bytes_is_the_same_event(event: Event) -> None:
    stored = encode(event)

    assert to_model(decode(stored)) == event
    assert encode(decode(stored)) == stored


@given(any_event())
@settings(max_examples=300)
def test_stored_bytes_are_rfc_8785_and_the_models_own_json(event: Event) -> None:
    plain = event.model_dump(mode="json") | {"topic": event.TOPIC}

    assert encode(event).state == rfc8785.dumps(plain)


@pytest.mark.parametrize("topic", sorted(BY_TOPIC))
def test_structs_have_the_fields_and_defaults_of_their_models(topic: str) -> None:
    model = BY_TOPIC[topic]
    fields = msgspec.structs.fields(codec.hot(model))  # type: ignore[arg-type]  # a struct class

    assert [field.name for field in fields] == list(model.model_fields)
    for field in fields:
        info = model.model_fields[field.name]
        assert field.required == info.is_required()
        assert field.required or field.default == info.default


def test_facts_are_equal_when_only_what_was_derived_differs() -> None:
    one = encode(spell())
    other = encode(
        spell(
            deciding_player="player:b",
            reading="2027/kernel-2",
            authority={"kind": "self", "ref": None},
        )
    )

    assert one.state != other.state
    assert one.facts == other.facts == facts_digest(one.state)


@pytest.mark.parametrize(
    "change",
    [
        {"acting_seat": 1},
        {"performer": "player:z"},
        {"decision_class": "remedy"},
        {"basis": "stated", "reading": None},
        {"object": "44"},
        {"occurred_at": None},
        {"number": 8},
    ],
    ids=lambda change: next(iter(change)),
)
def test_facts_differ_when_the_source_said_something_else(change: dict[str, object]) -> None:
    assert encode(spell()).facts != encode(spell(**change)).facts


def test_a_stated_decider_is_a_fact() -> None:
    one = encode(spell(basis="stated", deciding_player="player:a", reading=None))
    other = encode(spell(basis="stated", deciding_player="player:b", reading=None))

    assert one.facts != other.facts


@pytest.mark.parametrize(
    "state",
    [
        b"",
        b"{",
        b"null",
        b'{"topic":"game.never_heard_of/v1"}',
        b"\xff\xfe",
        b"[" * 100_000,
        encode(spell()).state.replace(b'"object":null', b'"objekt":null'),
        encode(spell()).state.replace(b'"number":7', b'"number":0'),
        encode(spell()).state.replace(b'"player:a"', b'"nobody at all"'),
    ],
)
def test_bytes_that_are_no_event_are_poison_with_stream_and_number(state: bytes) -> None:
    with pytest.raises(PoisonEvent) as caught:
        decode(StoredEvent(GAME, 7, "game.spell_cast/v1", state))

    assert (caught.value.stream_id, caught.value.number) == (GAME, 7)


def test_old_topics_are_upcast_on_every_read(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = encode(spell(object="44"))
    old = json.loads(stored.state) | {"topic": "game.spell_cast/v0"}
    old["spell"] = old.pop("object")

    def upcast(plain: dict[str, object]) -> dict[str, object]:
        renamed = dict(plain) | {"topic": "game.spell_cast/v1", "object": plain["spell"]}
        del renamed["spell"]
        return renamed

    monkeypatch.setitem(codec.UPCASTERS, "game.spell_cast/v0", upcast)
    before = StoredEvent(GAME, 7, "game.spell_cast/v0", json.dumps(old).encode())

    assert decode(before) == decode(stored)
    assert facts_digest(before.state) == stored.facts


@given(event_of(SpellCast))
def test_structs_made_from_models_are_equal_to_decoded_ones(event: Event) -> None:
    assert from_model(event) == decode(encode(event))
