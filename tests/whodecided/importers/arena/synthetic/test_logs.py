"""The invented logs have Arena's shape and tell valid games."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.arena_importing import write_log
from tests.support.arena_reading import states
from whodecided.importers.arena.figures import Figure
from whodecided.importers.arena.items import StateKind
from whodecided.importers.arena.reading import check_file
from whodecided.importers.arena.synthetic.demo import DEMO_FILE, demo_log
from whodecided.importers.arena.synthetic.random_games import CALM, Wishes, random_match
from whodecided.importers.arena.synthetic.recording import VARIANTS
from whodecided.importers.arena.synthetic.text import spaced


def figures(folder: Path, text: str) -> dict[str, Figure]:
    """The self-check of a log."""
    return check_file(write_log(folder, text))


def shown(text: str) -> Iterator[dict[str, Any]]:
    """Every game object that a log shows."""
    for line in text.splitlines():
        if '"greToClientEvent"' in line:
            for message in json.loads(line)["greToClientEvent"]["greToClientMessages"]:
                yield from message.get("gameStateMessage", {}).get("gameObjects", ())


def test_the_bundled_log_is_what_the_generator_writes() -> None:
    assert DEMO_FILE.read_bytes() == demo_log().encode()


def test_json_has_the_clients_blanks_and_its_values() -> None:
    value = {"a": [1, 2], "b": {}, "c": [], "d": {"e": "x"}, "f": True}
    text = spaced(value)
    assert text == '{ "a": [ 1, 2 ], "b": { }, "c": [ ], "d": { "e": "x" }, "f": true }'
    assert json.loads(text) == value


@pytest.mark.parametrize("variant", sorted(VARIANTS))
@pytest.mark.parametrize("local", [1, 2])
def test_the_demo_is_one_game_with_one_controlled_turn(
    tmp_path: Path, variant: str, local: int
) -> None:
    found = figures(tmp_path, demo_log(VARIANTS[variant], local=local))
    assert (found["games"], found["games_with_result"], found["results"]) == (1, 1, {"Concede": 1})
    assert (found["chain_gaps"], found["reconnect_jumps"], found["responses_unresolved"]) == (
        0,
        0,
        {},
    )
    assert found["player_control"] == 1
    assert found["actions"] == found["actions_decider_known"]


@pytest.mark.parametrize("local", [1, 2])
def test_a_log_shows_the_other_hand_only_to_its_controller(local: int) -> None:
    hand = {1: 31, 2: 35}[3 - local]
    seen = [thing for thing in shown(demo_log(local=local)) if thing["zoneId"] == hand]
    assert bool(seen) == (local == 1)
    assert all(thing["viewers"] == [1, 2] for thing in seen)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_calm_matches_have_no_breaks_and_every_action_agrees(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    text = random_match(seed, CALM)
    assert text == random_match(seed, CALM)
    found = figures(tmp_path_factory.mktemp("calm"), text)
    assert (found["chain_gaps"], found["reconnect_jumps"], found["out_of_order_states"]) == (
        0,
        0,
        0,
    )
    assert found["games"] == found["games_with_result"] == 1
    assert found["actions"] == found["actions_decider_equal"]
    assert found["requests_elsewhere"].keys() <= {"IntermissionReq"}  # type: ignore[union-attr] # by name
    assert found["responses_unresolved"] == {}


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_every_undo_goes_back_to_what_was_folded(seed: int) -> None:
    text = random_match(seed, Wishes(undo=1, gap=0, reconnect=0, best_of=3))
    undone = [item for item in states(text.encode()) if item.kind is StateKind.UNDO]
    assert all(item.equals_fold for item in undone)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_every_summarised_batch_is_one_gap(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    wishes = Wishes(gap=0.5, reconnect=0, undo=0)
    found = figures(tmp_path_factory.mktemp("gaps"), random_match(seed, wishes))
    gaps, marked = found["chain_gaps"], found["summarised_gaps"]
    assert isinstance(gaps, int)
    assert isinstance(marked, int)
    assert gaps <= marked
    assert found["games"] == 1
