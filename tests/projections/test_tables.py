"""What the rows of the tables say about a game."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from msgspec.structs import replace

from domain.codec import hot
from domain.events.frame import SeatInfo
from domain.ids import match_stream
from domain.match import begin_match, evolve_match, record_match
from projections.game import FoldedGame, fold_game
from projections.rows.stream import Stream
from projections.schema import FOLDED
from projections.tables import fold_tables
from tests.support.games import (
    ALICE,
    BOB,
    LIBRARY,
    RULES,
    Told,
    act,
    asks,
    enters,
    fact,
    tell,
    turn,
)
from tests.support.random_games import PLAYERS, Move, moves, observed
from tests.support.said import said
from tests.support.tables import tables_of

CONTROL = fact(
    "control_created",
    acting=1,
    label="slaver",
    controller=ALICE,
    affected=(2,),
    scope="next_turn",
)
"""Alice will control Bob's next turn."""


def _timed(seen: Any, second: int, clock: str = "server") -> Any:
    return replace(seen, occurred_at=f"2026-10-01T09:00:{second:02}.250000Z", clock=clock)


def _rows(told: Told, table: str) -> list[dict[str, Any]]:
    return tables_of(told)[table]


def test_every_table_has_the_columns_and_types_of_the_schema() -> None:
    told = tell(
        turn(1),
        CONTROL,
        turn(2),
        act("spell_cast", 2, card="7"),
        fact("gap_found", cause="missing"),
    )
    for name, table in fold_tables(Stream(told.game_id, "game", 1), told.events, LIBRARY).items():
        assert table.schema.equals(FOLDED[name].arrow([]).schema)
        assert table.num_rows


def test_events_carry_the_recorded_stamp_turn_and_active_seat() -> None:
    told = tell(turn(1), CONTROL, turn(2, 2), act("spell_cast", 2, object="9", card="7"))
    start, first, _, _, cast = _rows(told, "events")
    assert (start["event"], start["acting_seat"], start["turn"]) == ("game_started", None, None)
    assert (first["turn"], first["active_seat"]) == (1, 1)
    assert (cast["event"], cast["family"]) == ("spell_cast", "decisions")
    assert (cast["acting_seat"], cast["deciding_player"]) == (2, ALICE)
    assert (cast["authority"], cast["authority_ref"]) == ("control_effect", 3)
    assert (cast["turn"], cast["active_seat"], cast["basis"]) == (2, 2, "derived")


def test_sealed_values_appear_only_by_the_name_of_their_field() -> None:
    told = tell(act("spell_cast", 1, object="9", card="70123"))
    (_, cast) = _rows(told, "events")
    assert cast["sealed"] == ["card"]
    digest = told.events[1].card.digest
    assert digest not in str(tables_of(told))
    assert "70123" not in str(tables_of(told))
    assert '"object":"9"' in cast["details"]


def test_turns_are_counted_over_the_surviving_history() -> None:
    told = tell(turn(1), turn(2), fact("rewound", to=2), fact("turn_skipped", seat=2), turn(1))
    first, undone, skipped, last = _rows(told, "turns")
    assert (first["turn"], first["to_number"], first["undone"]) == (1, 5, False)
    assert (undone["turn"], undone["player"], undone["undone"]) == (2, BOB, True)
    assert (skipped["turn"], skipped["skipped"], skipped["seat"]) == (None, True, 2)
    assert (last["turn"], last["undone"]) == (2, False)
    assert _rows(told, "games")[0]["turns"] == 2


def test_a_decision_made_for_another_shows_recorded_and_computed_decider() -> None:
    told = tell(
        turn(1),
        CONTROL,
        turn(2),
        act("spell_cast", 2),
        act("spell_cast", 2, stated=BOB),
        act("conceded", 2),
    )
    silent, stated, conceded = _rows(told, "decisions")
    assert (silent["deciding_player"], silent["computed_decider"]) == (ALICE, ALICE)
    assert (silent["agrees"], silent["for_another"], silent["computed_ref"]) == (True, True, 3)
    assert (stated["deciding_player"], stated["computed_decider"]) == (BOB, ALICE)
    assert (stated["agrees"], stated["for_another"]) == (False, False)
    assert (conceded["decision_class"], conceded["deciding_player"]) == ("tournament", BOB)
    assert conceded["agrees"]


def test_a_stand_in_is_computed_beside_the_player_who_should_decide() -> None:
    told = tell(fact("seat_taken_over", seat=2, by="server:arena"), act("priority_passed", 2))
    (passed,) = _rows(told, "decisions")
    assert passed["deciding_player"] == passed["computed_decider"] == "server:arena"
    assert (passed["should_decide"], passed["computed_authority"]) == (BOB, "server")
    assert passed["agrees"]


def test_an_answer_is_linked_to_its_request_with_the_time_it_took() -> None:
    told = tell(
        _timed(asks(1, "priority_passed"), 1),
        _timed(act("priority_passed", 1, request=2), 3),
        _timed(asks(2, "priority_passed"), 4),
        _timed(act("priority_passed", 2, request=4), 9, clock="client"),
        asks(1, "priority_passed"),
    )
    answered, other_clock, unanswered = _rows(told, "decisions")
    assert (answered["request"], answered["request_kind"]) == (2, "ActionsAvailableReq")
    assert (answered["outcome"], answered["latency_ms"]) == ("made", 2000)
    assert (other_clock["request"], other_clock["latency_ms"]) == (4, None)
    assert (unanswered["event"], unanswered["outcome"]) == ("decision_requested", "unanswered")
    assert unanswered["request"] == 6


def test_an_attempt_that_was_not_accepted_is_refused() -> None:
    (row,) = _rows(tell(act("spell_cast", 1, refused=True)), "decisions")
    assert row["outcome"] == "refused"


def test_after_a_gap_nothing_is_claimed_about_the_decider() -> None:
    told = tell(turn(1), fact("gap_found", cause="missing"), act("priority_passed", 1))
    (row,) = _rows(told, "decisions")
    assert (row["computed_decider"], row["certain"], row["agrees"]) == ("unknown", False, None)
    (gap,) = _rows(told, "gaps")
    assert (gap["cause"], gap["anchored_at"], gap["game_id"]) == ("missing", None, told.game_id)


def test_a_gap_names_the_snapshot_that_closed_it() -> None:
    anchor = fact("state_anchored", active_seat=1, turn=3, step=None, controlled=())
    (gap,) = _rows(tell(fact("gap_found", cause="missing"), anchor), "gaps")
    assert gap["anchored_at"] == 3


def test_a_turn_found_going_on_after_a_gap_begins_with_the_snapshot() -> None:
    anchor = fact("state_anchored", active_seat=2, turn=4, step=None, controlled=())
    told = tell(turn(1, 1), fact("gap_found", cause="missing"), anchor)
    _, found = _rows(told, "turns")
    assert (found["number"], found["turn"], found["source_turn"], found["seat"]) == (4, 4, 4, 2)
    assert _rows(told, "games")[0]["turns"] == 2


def test_control_stands_as_effect_and_as_stretch() -> None:
    told = tell(turn(1), CONTROL, turn(2), act("spell_cast", 2), turn(1))
    tables = tables_of(told)
    (effect,) = tables["control_effects"]
    assert (effect["label"], effect["kind"], effect["controller"]) == ("slaver", "control", ALICE)
    assert (effect["began"], effect["ended"], effect["status"]) == (4, 6, "ended")
    (stretch,) = tables["control_intervals"]
    assert (stretch["seat"], stretch["number"], stretch["to_number"]) == (2, 4, 5)
    assert (stretch["effect_number"], stretch["certain"]) == (3, True)


def test_a_choice_effect_stands_beside_the_control_effects() -> None:
    granted = fact(
        "choice_granted",
        acting=1,
        label="warcraft",
        chooser=ALICE,
        affected=(1, 2),
        decisions=("attackers",),
        lasts="this_turn",
    )
    (effect,) = _rows(tell(turn(1), granted), "control_effects")
    assert (effect["kind"], effect["decisions"], effect["scope"]) == (
        "choice",
        ["attackers"],
        "this_turn",
    )
    assert effect["status"] == "in_force"


def test_objects_are_told_in_stretches_across_new_ids() -> None:
    told = tell(
        enters("1", 2, "hand", "7"),
        fact("object_renamed", former="1", object="5"),
        fact("object_moved", object="5", to_zone="battlefield", controller=2),
    )
    first, renamed, moved = _rows(told, "objects")
    assert (first["object"], first["zone"], first["number"], first["to_number"]) == (
        "1",
        "hand",
        2,
        2,
    )
    assert (renamed["object"], renamed["to_number"]) == ("5", 3)
    assert (moved["zone"], moved["public"], moved["to_number"]) == ("battlefield", True, None)
    assert {row["track"] for row in (first, renamed, moved)} == {first["track"]}


def test_a_controlled_hand_is_open_to_the_controller_and_closes_again() -> None:
    told = tell(enters("1", 2, "hand", "7"), turn(1), CONTROL, turn(2), turn(1))
    tables = tables_of(told)
    hand = [row for row in tables["visibility"] if row["object"] == "1"]
    seen = {(row["viewer"], row["number"], row["to_number"]) for row in hand}
    assert seen == {("seat:2", 2, None), ("seat:1", 5, 5)}
    zone = [row for row in tables["visibility"] if row["object"] is None and row["zone"] == "hand"]
    assert ("seat:1", 2, 5, 5) in {
        (row["viewer"], row["zone_owner"], row["number"], row["to_number"]) for row in zone
    }
    learned = {(row["viewer"], row["object"], row["number"]) for row in tables["learned"]}
    assert learned == {("seat:2", "1", 2), ("seat:1", "1", 5)}


def test_what_is_public_stands_once_for_everybody() -> None:
    told = tell(enters("1", 2, "battlefield", "7", controller=2))
    tables = tables_of(told)
    rows = [row for row in tables["visibility"] if row["object"] == "1"]
    assert [row["viewer"] for row in rows] == ["spectator"]
    assert {row["viewer"] for row in tables["learned"]} == {"spectator", "seat:1", "seat:2"}


def test_what_was_shown_without_a_lasting_right_is_learned_as_shown() -> None:
    told = tell(enters("1", 2, "hand", "7"), fact("revealed", object="1", to=(ALICE,)))
    learned = {(r["viewer"], r["how"], r["number"]) for r in _rows(told, "learned")}
    assert learned == {("seat:2", "entitled", 2), ("seat:1", "shown", 3)}


def test_the_game_tells_its_result_and_counts() -> None:
    told = tell(
        _timed(turn(1), 1),
        act("conceded", 2),
        fact("player_left", seat=2, reason="conceded"),
        _timed(fact("game_ended", result="win", winners=(1,), reason="concession"), 5),
    )
    tables = tables_of(told)
    (game,) = tables["games"]
    assert (game["result"], game["winners"], game["reason"]) == ("win", [1], "concession")
    assert (game["events"], game["decisions"], game["seats"]) == (5, 1, 2)
    assert str(game["started_at"]) == "2026-10-01 09:00:01.250000"
    assert str(game["ended_at"]) == "2026-10-01 09:00:05.250000"
    assert game["short_id"] == told.game_id[:8]
    alice, bob = tables["seats"]
    assert (alice["player"], alice["won"], alice["left_at"]) == (ALICE, True, None)
    assert (bob["player"], bob["won"], bob["left_at"], bob["left_reason"]) == (
        BOB,
        False,
        3,
        "conceded",
    )


def test_a_result_that_was_rewound_is_no_result() -> None:
    ended = fact("game_ended", result="draw", winners=(), reason=None)
    (game,) = _rows(tell(turn(1), ended, fact("rewound", to=2)), "games")
    assert (game["result"], game["winners"]) == (None, [])


@settings(max_examples=40)
@given(told=moves(25))
def test_stretches_of_visibility_say_what_the_fold_says_at_every_event(told: list[Move]) -> None:
    game = tell(*observed(told), players=PLAYERS)
    folded = fold_game(game.events, RULES)
    tables = fold_tables(Stream(game.game_id, "game", 1), game.events, LIBRARY)
    seen = tables["visibility"].to_pylist()
    for viewer in ("spectator", "seat:1", "seat:2", "seat:3"):
        for number in range(1, folded.last + 1):
            objects = folded.visibility.objects_at(number)
            wanted = {name for name in objects if folded.visibility.entitled(viewer, number, name)}
            found = {
                row["object"]
                for row in seen
                if row["object"] is not None
                and row["viewer"] in (viewer, "spectator")
                and row["number"] <= number <= (row["to_number"] or number)
            }
            assert found == wanted
    _same_knowledge(folded, tables["learned"].to_pylist() if "learned" in tables else [])


def _same_knowledge(folded: FoldedGame, rows: list[dict[str, Any]]) -> None:
    for viewer in ("spectator", "seat:1", "seat:2", "seat:3"):
        found = [(row["object"], row["number"]) for row in rows if row["viewer"] == viewer]
        assert len(found) == len(folded.knowledge.learned(viewer, folded.last))
        for name, number in found:
            assert (name, number) in folded.knowledge.learned(viewer, number)


def _match() -> tuple[str, list[Any]]:
    match_id = match_stream("scenario", "told", "full", 1, None)
    state = begin_match(match_id, "scenario")
    seats = tuple(hot(SeatInfo)(seat=s, player=p, team=None) for s, p in ((2, BOB), (1, ALICE)))
    opened = {
        "match_key": "told",
        "viewpoint": "full",
        "seats": seats,
        "format": "Standard",
        "best_of": 3,
        "client": None,
        "generation": 1,
        "from_start": True,
    }
    ended = {"result": "win", "winners": (1,), "reason": "game", "games": ((1, 1),), "by": None}
    events = []
    for place, seen in enumerate(
        (
            said("match_opened", **opened),
            said("game_linked", game_id="a-game", game_number=1),
            said("gap_found", cause="missing"),
            said("match_ended", **ended),
        )
    ):
        events.append(record_match(state, replace(seen, record=str(place))))
        state = evolve_match(state, events[-1])
    return match_id, events


def test_a_match_has_a_row_of_its_own_and_its_events_are_of_no_game() -> None:
    match_id, events = _match()
    tables = fold_tables(Stream(match_id, "match", 1), events, LIBRARY)
    assert set(tables) == {"matches", "events", "gaps"}
    (match,) = tables["matches"].to_pylist()
    assert match["players"] == [ALICE, BOB]
    assert (match["result"], match["winners"], match["game_ids"]) == ("win", [1], ["a-game"])
    assert (match["events"], match["gaps"], match["best_of"]) == (4, 1, 3)
    rows = tables["events"].to_pylist()
    assert {(row["stream_kind"], row["game_id"]) for row in rows} == {("match", None)}
    assert rows[0]["event"] == "match_opened"
