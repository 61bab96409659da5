"""The catalogue is closed, documented and pinned."""

from __future__ import annotations

import re

import pytest
from pydantic import BaseModel

from domain.events import registry
from domain.events.base import DecisionEvent, Event, StampedGameEvent
from domain.events.registry import BY_TOPIC, FAMILIES, GAME_EVENTS, decision_class, sealed_fields
from tests.shared import PROJECT_ROOT
from whodecided.reference import events_page, schema_files

UNSTAMPED = {"frame", "log"}
TOPICS = sorted(BY_TOPIC)


def test_topics_are_unique_and_well_formed() -> None:
    topics = [event.TOPIC for members in FAMILIES.values() for event in members]

    assert len(topics) == len(set(topics)) == len(BY_TOPIC)
    assert all(re.fullmatch(r"(game|match|case)\.[a-z_]+/v[1-9]\d*", topic) for topic in topics)


def test_every_family_of_the_architecture_has_members() -> None:
    assert list(FAMILIES) == [
        "frame", "control", "decisions", "play", "information",
        "tournament", "log", "match", "case",
    ]  # fmt: skip
    assert all(FAMILIES.values())


@pytest.mark.parametrize("topic", TOPICS)
def test_events_are_frozen_and_closed_and_every_field_is_documented(topic: str) -> None:
    event = BY_TOPIC[topic]

    assert event.model_config["frozen"] is True
    assert event.model_config["extra"] == "forbid"
    assert event.__doc__
    undocumented = [n for n, info in event.model_fields.items() if not info.description]
    assert undocumented == []


@pytest.mark.parametrize("topic", TOPICS)
def test_every_event_carries_a_stamp_except_frame_and_log_events(topic: str) -> None:
    event = BY_TOPIC[topic]
    if topic.startswith("match."):
        return

    assert ("stamp" in event.model_fields) == (event.FAMILY not in UNSTAMPED)


def test_every_field_that_can_name_a_hidden_card_is_sealed() -> None:
    named = {"card", "ability", "what", "options", "text"}
    plain = {
        (event.TOPIC, field)
        for event in BY_TOPIC.values()
        for field in named & set(event.model_fields) - set(sealed_fields(event))
    }

    assert plain == {
        ("game.note_added/v1", "text"),
        ("case.ruling_made/v1", "text"),
        ("case.appeal_decided/v1", "text"),
        ("case.case_viewed/v1", "what"),
    }


def test_classes_of_decisions() -> None:
    assert decision_class("conceded") == "tournament"
    assert decision_class("remedy_chosen") == "remedy"
    assert decision_class("spell_cast") == "game"
    assert decision_class("life_changed") == "game"
    tournament = {
        event.TOPIC for event in FAMILIES["tournament"] if issubclass(event, DecisionEvent)
    }
    assert all(decision_class(registry.name_of(topic)) == "tournament" for topic in tournament)


def test_game_events_are_found_by_their_short_names() -> None:
    assert GAME_EVENTS["spell_cast"].TOPIC == "game.spell_cast/v1"
    assert all(issubclass(event, Event | BaseModel) for event in GAME_EVENTS.values())
    assert not issubclass(GAME_EVENTS["turn_started"], StampedGameEvent)


def test_the_page_of_events_is_current() -> None:
    written = (PROJECT_ROOT / "docs" / "events.md").read_text(encoding="utf-8")

    assert written == events_page(), "run: python -m whodecided.reference"


def test_published_schemas_are_pinned() -> None:
    folder = PROJECT_ROOT / "docs" / "schemas"
    written = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.json")}

    assert written == schema_files(), "a schema changed: give the event a new version"
