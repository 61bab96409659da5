"""What a gap may hide: every event that the messages in it could have made."""

from __future__ import annotations

from pathlib import Path

import pytest

from domain.events.registry import GAME_EVENTS
from tests.support.arena_importing import events_of, write_log
from whodecided.importers.arena.gaps import may_hide
from whodecided.importers.arena.synthetic.random_games import Wishes, random_match
from whodecided.importers.arena.words import DECISIONS

_OF_THE_RECORD = {"game_started", "gap_found", "state_anchored", "totals_stated"}


@pytest.mark.parametrize("seed", [3, 11])
def test_a_state_that_was_left_out_may_hide_whatever_states_tell(tmp_path: Path, seed: int) -> None:
    path = write_log(tmp_path, random_match(seed, Wishes(turns=6)))
    streams = events_of(tmp_path / "log", [path]).values()
    events = (event for events in streams for event in events if event.TOPIC.startswith("game."))
    told = {event.NAME for event in events if "/gs" in event.source.record}
    assert told - _OF_THE_RECORD <= set(may_hide(["GameStateMessage"]))
    assert len(told) > 10


def test_what_may_be_hidden_is_named_in_words_of_the_catalogue() -> None:
    kinds = ["GameStateMessage", "EdictalMessage", "TimeoutMessage", "IllegalRequest", *DECISIONS]
    names = may_hide([*kinds, "IntermissionReq", "QueuedGameStateMessage"])
    assert set(names) <= set(GAME_EVENTS)
    assert list(names) == sorted(set(names))


def test_a_request_hides_that_it_was_asked_and_chat_hides_nothing() -> None:
    assert may_hide(["OrderReq"]) == ("decision_requested",)
    assert may_hide(["SearchReq"]) == ("decision_requested", "library_search_started")
    assert may_hide(["UIMessage"]) == ()
    assert may_hide([]) == ()
