"""`replay`: the state at an event and the events around it, for a viewer."""

from __future__ import annotations

import pytest

from domain.errors import NotFound
from queries.replay import ReplayAnswer, replay
from tests.support.stories import controlled_turn, gap, rewound


def zone(answer: ReplayAnswer, name: str, owner: int | None) -> dict[str, str | None]:
    [found] = [one for one in answer.zones if (one.zone, one.owner) == (name, owner)]
    return {one.object: one.card for one in found.objects}


def test_without_an_event_the_last_one_is_meant() -> None:
    answer = replay(controlled_turn().record())

    assert (answer.number, answer.last_event) == (24, 24)
    assert [event.view.number for event in answer.events] == list(range(14, 25))


def test_the_window_of_events_ends_where_the_game_does() -> None:
    answer = replay(controlled_turn().record(), 2, before=5, after=1)

    assert [event.view.number for event in answer.events] == [1, 2, 3]


def test_zones_show_what_the_viewer_may_see() -> None:
    record = controlled_turn().record()

    assert zone(replay(record, 16, "1"), "hand", 2) == {"o22": "82102"}
    assert zone(replay(record, 16, "2"), "hand", 1) == {"o11": None, "o12": None}
    assert zone(replay(record, 16), "battlefield", None) == {"o31": None}
    assert zone(replay(record, 16, "judge"), "battlefield", None) == {"o31": "83101"}


def test_a_cast_spell_lies_open_on_the_stack() -> None:
    assert zone(replay(controlled_turn().record(), 16), "stack", None)["o21"] == "82101"


def test_an_ability_on_the_stack_is_no_card() -> None:
    answer = replay(controlled_turn().record(), 11)
    [stack] = [one for one in answer.zones if one.zone == "stack"]

    assert [(one.object, one.card, one.ability) for one in stack.objects] == [("a1", None, "9001")]


def test_a_rewind_brings_zones_and_life_back_and_marks_what_was_undone() -> None:
    record = rewound().record()

    assert [one.life for one in replay(record, 7).totals] == [None, 12]
    assert [one.life for one in replay(record, 8).totals] == [None, 17]
    assert zone(replay(record, 9, "1"), "hand", 1) == {"o11": "81101"}
    undone = [event.view.number for event in replay(record, 9).events if event.undone]
    assert undone == [5, 6, 7]


def test_deciders_stand_beside_the_state() -> None:
    answer = replay(controlled_turn().record(), 16)

    assert [one.effect for one in answer.deciders] == [None, "mindslaver"]


def test_a_gap_makes_the_answer_incomplete_while_it_is_open() -> None:
    assert replay(gap().record(), 5).incomplete != ()
    assert replay(gap().record(), 8).incomplete == ()


def test_an_event_the_game_does_not_have_is_not_found() -> None:
    with pytest.raises(NotFound):
        replay(gap().record(), 99)
