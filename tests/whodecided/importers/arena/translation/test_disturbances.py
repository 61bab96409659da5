"""What disturbs a log: undo, gaps, reconnects, take-overs, missing beginnings, odd content."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.arena_importing import events_of, game_events, import_into, write_log
from tests.support.arena_plays import seated, text_of
from whodecided.importers.arena.synthetic.endings import (
    cancel_a_cast,
    edict,
    end_game,
    hide,
    reconnect,
)
from whodecided.importers.arena.synthetic.plays import Plays
from whodecided.importers.arena.synthetic.random_games import Wishes, random_match

_MINE, _TOWER, _ORNITHOPTER = 700101, 700103, 700106
_SWAMP, _NIGHTHAWK = 700201, 700202


def named(events: list[Any], name: str) -> list[Any]:
    """The events of one name."""
    return [event for event in events if name == event.NAME]


def in_turn_two(*, local: int = 1) -> Plays:
    """Seat 1 has played a land; seat 2 is in its first main phase."""
    plays = seated(local=local)
    plays.open(1)
    plays.begin_turn(draw=False)
    plays.land(1, _MINE)
    plays.begin_turn()
    return plays


def test_an_undo_rewinds_to_just_after_the_state_and_its_request(tmp_path: Path) -> None:
    plays = seated()
    plays.open(1)
    plays.begin_turn(draw=False)
    cancel_a_cast(plays, 1, _ORNITHOPTER)
    plays.resolve(plays.cast(1, _ORNITHOPTER, 0))
    events = game_events(tmp_path, text_of(plays))
    (rewound,) = named(events, "rewound")
    target = events[rewound.to - 1]
    assert (target.NAME, target.request_kind) == ("decision_requested", "ActionsAvailableReq")
    assert rewound.cause == "undo"
    undone = [event for event in events if rewound.to < event.number < rewound.number]
    assert [event.NAME for event in undone] == [
        "object_renamed",
        "object_moved",
        "decision_requested",
        "choice_made",
    ]
    assert undone[-1].kind == "cancel"
    (cast,) = named(events, "spell_cast")
    assert cast.number > rewound.number
    assert cast.stamp.basis == "stated"


def test_after_a_gap_deciders_are_unknown_until_all_seats_and_the_turn_are_shown(
    tmp_path: Path,
) -> None:
    plays = in_turn_two()
    hide(plays, lambda: plays.land(2, _SWAMP))
    plays.resolve(plays.cast(2, _NIGHTHAWK, 1))
    plays.begin_turn()
    plays.pass_priority(1)
    plays.land(1, _TOWER)
    plays.flush()
    events = game_events(tmp_path, text_of(plays))
    (gap,) = named(events, "gap_found")
    (anchor,) = named(events, "state_anchored")
    assert gap.cause == "summarised"
    assert {"land_played", "turn_started", "spell_cast"} <= set(gap.may_hide)
    assert "decision_requested" not in gap.may_hide
    assert gap.number < anchor.number
    assert (anchor.active_seat, anchor.turn, anchor.controlled) == (1, 3, ())
    for event in events:
        if getattr(event, "stamp", None) is None or event.stamp.deciding_player == "rules":
            continue
        inside = gap.number < event.number < anchor.number
        assert (event.stamp.basis == "unknown") == (inside and event.stamp.basis != "stated")
    (cast,) = named(events, "spell_cast")
    assert (cast.stamp.acting_seat, cast.stamp.deciding_player) == (2, "unknown")


def test_an_answer_whose_confirmation_is_in_a_gap_is_still_told(tmp_path: Path) -> None:
    plays = seated()
    plays.open(1)
    plays.begin_turn(draw=False)
    plays.land(1, _MINE)
    text = plays.recording.text
    text.summarised(60)
    plays.table.annotations = []
    plays.table.state_id += 1
    plays.phase("end")
    plays.flush()
    events = game_events(tmp_path, text.text())
    (land,) = named(events, "land_played")
    (gap,) = named(events, "gap_found")
    assert land.number < gap.number
    assert land.stamp.basis == "stated"


def test_a_seat_seen_controlled_when_the_record_is_anchored_again_is_named(tmp_path: Path) -> None:
    plays = in_turn_two()

    def controlled_from_now_on() -> None:
        plays.take_control(2, by=1)
        plays.land(2, _SWAMP)

    hide(plays, controlled_from_now_on)
    plays.resolve(plays.cast(2, _NIGHTHAWK, 1))
    plays.begin_turn()
    plays.take_control(2, by=2)
    plays.pass_priority(1)
    plays.phase("end")
    plays.flush()
    events = game_events(tmp_path, text_of(plays))
    anchored = named(events, "state_anchored")
    observed = named(events, "control_observed")
    assert [event.by is None for event in observed] == [False, True]
    assert [event.controlled for event in anchored] == [((2, 1),)]


def test_what_happened_while_the_connection_was_lost_is_a_gap(tmp_path: Path) -> None:
    plays = in_turn_two()
    reconnect(plays, lambda: plays.resolve(plays.cast(2, _NIGHTHAWK, 1)))
    plays.pass_priority(2)
    plays.begin_turn()
    plays.pass_priority(1)
    events = game_events(tmp_path, text_of(plays))
    (gap,) = named(events, "gap_found")
    assert gap.cause == "reconnect"
    (anchor,) = named(events, "state_anchored")
    entered = [e for e in named(events, "object_entered") if gap.number < e.number < anchor.number]
    assert [event.zone for event in entered] == ["battlefield"]
    moved = [e for e in named(events, "object_moved") if gap.number < e.number < anchor.number]
    assert [(event.to_zone, event.cause) for event in moved] == [("limbo", None)]


def test_a_server_that_plays_the_seat_is_its_decider(tmp_path: Path) -> None:
    plays = seated()
    plays.open(1)
    plays.begin_turn(draw=False)
    asked = plays.offer(1)
    plays.take_over(1)
    plays.flush()
    passing = {"actions": [{"actionType": "ActionType_Pass"}]}
    edict(plays, 1, "PerformActionResp", asked, performActionResp=passing)
    plays.flush()
    plays.phase("end", asked=1)
    plays.flush("SendAndRecord")
    plays.take_over(1, mode="Player")
    plays.begin_turn()
    plays.pass_priority(2)
    events = game_events(tmp_path, text_of(plays))
    (taken,), (returned,) = named(events, "seat_taken_over"), named(events, "seat_returned")
    assert (taken.seat, taken.by, taken.mode) == (1, "server:arena", "AI_Goldfish")
    assert (returned.seat, returned.by) == (1, "server:arena")
    for event in (taken, returned):
        assert event.stamp.deciding_player == "server:arena"
        assert (event.stamp.authority.kind, event.stamp.basis) == ("server", "stated")
    first = named(events, "priority_passed")[0]
    assert (first.stamp.deciding_player, first.stamp.basis) == ("server:arena", "stated")
    assert first.stamp.authority.kind == "server"
    request = events[first.request - 1]
    assert request.request_kind == "ActionsAvailableReq"


def test_an_answer_of_the_server_begins_its_stand_in_before_any_state_shows_it(
    tmp_path: Path,
) -> None:
    plays = seated()
    plays.open(1)
    plays.begin_turn(draw=False)
    asked = plays.offer(1)
    passing = {"actions": [{"actionType": "ActionType_Pass"}]}
    edict(plays, 1, "PerformActionResp", asked, performActionResp=passing)
    plays.take_over(1)
    plays.flush()
    plays.take_over(1, mode="Player")
    plays.phase("end", asked=1)
    plays.flush("SendAndRecord")
    events = game_events(tmp_path, text_of(plays))
    (taken,), (returned,) = named(events, "seat_taken_over"), named(events, "seat_returned")
    passed = named(events, "priority_passed")[0]
    assert taken.number == passed.number - 1
    assert (taken.mode, taken.stamp.deciding_player) == ("EdictalMessage", "server:arena")
    assert passed.stamp.authority.kind == "server"
    assert returned.number > passed.number


def test_a_client_that_answers_after_an_edict_has_its_seat_back(tmp_path: Path) -> None:
    plays = seated()
    plays.open(1)
    plays.begin_turn(draw=False)
    asked = plays.offer(1)
    passing = {"actions": [{"actionType": "ActionType_Pass"}]}
    edict(plays, 1, "PerformActionResp", asked, performActionResp=passing)
    plays.phase("main2", asked=1)
    plays.flush()
    plays.pass_priority(1)
    events = game_events(tmp_path, text_of(plays))
    by_server, by_client = (e for e in named(events, "priority_passed") if not e.by_setting)
    (returned,) = named(events, "seat_returned")
    assert by_server.number < returned.number < by_client.number
    assert by_client.stamp.deciding_player == events[0].seats[0].player


def test_priority_of_before_a_gap_is_not_passed_after_it(tmp_path: Path) -> None:
    plays = in_turn_two()
    plays.cast(2, _NIGHTHAWK, 0)
    hide(plays, lambda: plays.hand_over(2))
    plays.flush()
    plays.phase("begin_combat")
    plays.flush()
    events = game_events(tmp_path, text_of(plays))
    (gap,) = named(events, "gap_found")
    assert named(events[: gap.number], "spell_cast")
    assert not named(events[gap.number :], "priority_passed")


def test_a_record_that_starts_in_mid_game_is_a_part_with_a_leading_gap(tmp_path: Path) -> None:
    plays = in_turn_two()
    text = plays.recording.text
    beginning = len(text.entries)
    plays.resolve(plays.cast(2, _NIGHTHAWK, 1))
    plays.begin_turn()
    plays.land(1, _TOWER)
    end_game(plays, winner=1)
    whole = write_log(tmp_path, text.text(), name="whole.log")
    rest = "".join(entry + "\n" for entry in text.entries[beginning + 2 :])
    part = write_log(tmp_path, rest, name="part.log")
    (events,) = (
        found
        for found in events_of(tmp_path / "log", [part]).values()
        if found[0].TOPIC.startswith("game.")
    )
    assert [event.NAME for event in events[:2]] == ["game_started", "gap_found"]
    assert not events[0].from_start
    assert events[1].cause == "starts_in_mid_game"
    assert named(events, "state_anchored")
    assert len(named(events, "game_ended")) == 1
    whole_streams, _ = import_into(tmp_path / "whole", [whole])
    assert events[0].game_id not in whole_streams


def test_a_match_first_seen_in_its_second_game_says_so(tmp_path: Path) -> None:
    text = random_match(7, Wishes(best_of=3, turns=2, gap=0, reconnect=0))
    second = text.index('"gameNumber": 2')
    line = text.rindex("\n", 0, text.rindex("\n", 0, second)) + 1
    found = events_of(tmp_path / "log", [write_log(tmp_path, text[line:])])
    (match,) = (events for events in found.values() if events[0].TOPIC.startswith("match."))
    assert not match[0].from_start
    assert (match[1].TOPIC, match[1].cause) == ("match.gap_found/v1", "starts_in_mid_match")


def test_several_states_in_one_batch_tell_what_they_tell_one_by_one(tmp_path: Path) -> None:
    text = random_match(11, Wishes(turns=4, gap=0, reconnect=0))
    (tmp_path / "2").mkdir()
    single = game_events(tmp_path, text)
    joined = game_events(tmp_path / "2", join_batches(text))

    def content(event: Any) -> tuple[Any, ...]:
        fields = event.__struct_fields__
        return tuple(getattr(event, name) for name in fields if name != "occurred_at")

    assert [content(event) for event in joined] == [content(event) for event in single]


def join_batches(text: str) -> str:
    """The same log with neighbouring batches sent as one."""
    lines = text.split("\n")
    joined: list[str] = []
    for line in lines:
        batch = line.startswith("{") and '"greToClientEvent"' in line
        if batch and len(joined) > 1 and '"greToClientEvent"' in joined[-2]:
            joined.pop()
            before = json.loads(joined.pop())
            more = json.loads(line)["greToClientEvent"]["greToClientMessages"]
            before["greToClientEvent"]["greToClientMessages"] += more
            line = json.dumps(before)
        joined.append(line)
    assert len(joined) < len(lines)
    return "\n".join(joined)


def test_unknown_messages_and_annotations_are_counted_by_name(tmp_path: Path) -> None:
    plays = in_turn_two()
    plays.table.note("NeverHeardOf", None, [159])
    plays.flush()
    log = plays.recording
    log.send(log.message("NovelMessage", (1,), novelMessage={}))
    log.client("NovelResp", None, novelResp={})
    _, (report,) = import_into(tmp_path / "log", [write_log(tmp_path, text_of(plays))])
    assert report.files[0].unmapped == {"NeverHeardOf": 1, "NovelMessage": 1, "NovelResp": 1}


def test_a_refused_answer_and_a_time_extension_are_told(tmp_path: Path) -> None:
    plays = seated()
    plays.open(1)
    plays.begin_turn(draw=False)
    asked = plays.offer(1)
    log = plays.recording
    refused = {"message": {"respId": asked}, "reason": "FailureReason_InvalidController"}
    log.send(log.message("IllegalRequest", (1,), illegalRequest=refused))
    timeout = {"seatId": 2, "timeoutCount": 1}
    log.client("TakeTimeoutReq", None)
    log.send(log.message("TimeoutMessage", (1, 2), timeoutMessage=timeout))
    events = game_events(tmp_path, text_of(plays))
    (refusal,) = named(events, "request_refused")
    assert refusal.reason == "InvalidController"
    assert events[refusal.request - 1].request_kind == "ActionsAvailableReq"
    (extension,) = named(events, "timeout_used")
    assert (extension.seat, extension.left) == (2, 1)


@pytest.mark.parametrize(
    "damage",
    [
        ('"zone_src", "type": "KeyValuePairValueType_int32", "valueInt32": [ 31 ]',
         '"zone_src", "type": "KeyValuePairValueType_int32", "valueInt32": [ { "a": 1 } ]'),
        ('"affectedIds": [ 1 ], "type": [ "AnnotationType_PhaseOrStepModified" ]',
         '"affectedIds": [ [ 1 ] ], "type": [ "AnnotationType_PhaseOrStepModified" ]'),
        ('"lifeTotal": 20, "systemSeatNumber": 2', '"lifeTotal": 1e400, "systemSeatNumber": 2'),
        ('"turnNumber": 1,', f'"turnNumber": 1{"0" * 40},'),
        ('"details": [ ', '"details": [ "what", '),
        ('"attackerInstanceId"', '"attacker"'),
    ],
)  # fmt: skip
def test_odd_content_stops_nothing_and_gives_readable_events(
    tmp_path: Path, damage: tuple[str, str]
) -> None:
    text = random_match(3, Wishes(turns=5, gap=0, reconnect=0))
    found = events_of(tmp_path / "log", [write_log(tmp_path, text.replace(*damage))])
    names = [event.NAME for events in found.values() for event in events]
    assert "game_started" in names
    assert len(names) > 20


def test_a_state_that_cannot_be_told_is_a_gap_and_a_person_reads_why(tmp_path: Path) -> None:
    plays = in_turn_two()
    plays.land(2, _SWAMP)
    plays.resolve(plays.cast(2, _NIGHTHAWK, 1))
    plays.begin_turn()
    plays.pass_priority(1)
    plays.flush()
    text = text_of(plays)
    whole = [event.NAME for event in game_events(tmp_path, text)]
    start = text.index('"details": [', text.rindex("ZoneTransfer", 0, text.rindex("PlayLand")))
    end = text.index("] } ]", start) + len("] } ]")
    torn = text[:start] + '"details": 5' + text[end:]
    (tmp_path / "torn").mkdir()
    path = write_log(tmp_path / "torn", torn)
    found = events_of(tmp_path / "torn" / "log", [path])
    _, (report,) = import_into(tmp_path / "torn" / "log", [path])
    (events,) = (events for events in found.values() if events[0].TOPIC.startswith("game."))
    (bad,) = report.files[0].bad
    (gap,) = named(events, "gap_found")
    names = [event.NAME for event in events]
    assert "gap_found" not in whole
    assert bad.reason.endswith(": a field holds something else than it should")
    assert gap.cause == "torn"
    assert bad.reason.startswith(f"state {gap.before_record.rpartition('gs')[2]}")
    assert "state_anchored" in names[gap.number :]


def test_a_first_state_that_cannot_be_told_is_a_gap_at_the_beginning(tmp_path: Path) -> None:
    plays = in_turn_two()
    plays.land(2, _SWAMP)
    plays.flush()
    text = text_of(plays)
    torn = text.replace('"players": [', '"teams": [ { "id": 1, "playerIds": 5 } ], "players": [', 1)
    path = write_log(tmp_path, torn)
    found = events_of(tmp_path / "log", [path])
    _, (report,) = import_into(tmp_path / "log", [path])
    (events,) = (events for events in found.values() if events[0].TOPIC.startswith("game."))
    (bad,) = report.files[0].bad
    (gap,) = named(events, "gap_found")

    assert bad.reason.startswith("state 1: ")
    assert [event.NAME for event in events[:2]] == ["game_started", "gap_found"]
    assert events[0].from_start is False
    assert (gap.cause, gap.after_record) == ("torn", f"{gap.source.record.partition('/gs')[0]}/gs1")
    assert "mulligan_decided" in gap.may_hide
    assert named(events, "state_anchored")
