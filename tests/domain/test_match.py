"""The match aggregate."""

from __future__ import annotations

from typing import Any

import pytest

from domain.codec import encode, to_model
from domain.errors import BadInput
from domain.ids import match_stream
from domain.match import MatchState, begin_match, evolve_match, record_match
from domain.observation import Observation

MATCH = match_stream("arena", "m", "seat:1", 1, None)
OPENED = Observation(
    "match_opened",
    "m/open",
    fields={
        "match_key": "m",
        "viewpoint": "seat:1",
        "seats": (
            {"seat": 1, "player": "player:a", "team": None},
            {"seat": 2, "player": "player:b", "team": None},
        ),
        "format": None,
        "best_of": 3,
        "client": None,
        "generation": 1,
        "from_start": True,
    },
)


def play(*seen: Observation) -> tuple[MatchState, list[Any]]:
    state, events = begin_match(MATCH, "arena"), []
    for observation in seen:
        event = to_model(record_match(state, observation))
        state = evolve_match(state, event)
        events.append(event)
    return state, events


def test_a_match_knows_its_players_games_and_end() -> None:
    state, events = play(
        OPENED,
        Observation("game_linked", "m/1", fields={"game_id": "g1", "game_number": 1}),
        Observation(
            "match_ended",
            "m/end",
            fields={"result": "win", "winners": (1,), "reason": "game", "games": (), "by": None},
        ),
    )

    assert state.players == ((1, "player:a"), (2, "player:b"))
    assert state.games == ("g1",)
    assert state.ended
    assert [event.number for event in events] == [1, 2, 3]
    assert len({encode(event).state for event in events}) == 3


def test_sideboarding_is_the_persons_own_tournament_decision() -> None:
    _, events = play(
        OPENED, Observation("sideboarded", "m/sb", fields={"before_game": 2}, acting_seat=2)
    )
    stamp = events[-1].stamp

    assert (stamp.deciding_player, stamp.decision_class) == ("player:b", "tournament")
    assert stamp.authority.kind == "tournament_rule"
    assert stamp.basis == "derived"


def test_a_server_that_submits_a_deck_is_recorded_as_stated() -> None:
    _, events = play(
        OPENED,
        Observation(
            "sideboarded", "m/sb", fields={"before_game": 2}, acting_seat=2, stated="server:arena"
        ),
    )
    stamp = events[-1].stamp

    assert (stamp.deciding_player, stamp.basis, stamp.authority.kind) == (
        "server:arena",
        "stated",
        "server",
    )


def test_an_unknown_seat_leaves_the_decider_unknown() -> None:
    _, events = play(
        OPENED,
        Observation("play_or_draw_chosen", "m/pd", fields={"game_number": 1, "first": 1}),
    )

    assert events[-1].stamp.deciding_player == "unknown"
    assert events[-1].stamp.basis == "unknown"


@pytest.mark.parametrize(
    "seen",
    [Observation("spell_cast", "m/x"), Observation("game_linked", "m/x", fields={"nonsense": 1})],
    ids=["an event of a game", "fields that do not fit"],
)
def test_what_is_no_event_of_a_match_is_refused(seen: Observation) -> None:
    with pytest.raises(BadInput, match="m/x"):
        play(OPENED, seen)
