"""`show` and `findings`: one game at a glance, and what was noticed about it."""

from __future__ import annotations

from msgspec.structs import replace

from queries.findings import findings
from queries.show import show
from tests.support.games import ALICE, BOB, act, tell, turn
from tests.support.stories import controlled_turn, gap, rewound


def test_a_game_at_a_glance_names_seats_result_and_record() -> None:
    answer = show(controlled_turn().record())

    assert [(seat.seat, seat.player) for seat in answer.seats] == [(1, ALICE), (2, BOB)]
    assert (answer.result, answer.winners, answer.reason) == ("win", (1,), "concession")
    assert (answer.system, answer.viewpoint, answer.format) == ("scenario", "full", "Standard")
    assert answer.events == 24
    assert sum(count for _, count in answer.families) == 24


def test_times_keep_the_clock_they_are_of() -> None:
    begin = replace(turn(1), occurred_at="2018-11-04T18:00:20.659000Z", clock="local")
    finish = replace(turn(2), occurred_at="2018-11-04T18:30:00.000000Z", clock="server")
    answer = show(tell(begin, finish).record())

    assert (answer.started_at, answer.started_clock) == (begin.occurred_at, "local")
    assert (answer.ended_at, answer.ended_clock) == (finish.occurred_at, "server")
    assert show(tell(turn(1)).record()).started_clock is None


def test_decisions_are_counted_by_seat_and_decider() -> None:
    counts = {
        (one.acting_seat, one.deciding_player, one.decision_class): one.decisions
        for one in show(controlled_turn().record()).deciders
    }

    assert counts == {
        (1, ALICE, "game"): 2,
        (2, ALICE, "game"): 2,
        (2, BOB, "tournament"): 1,
    }


def test_turns_are_those_of_the_surviving_history() -> None:
    turns = show(controlled_turn().record()).turns

    assert [(one.turn, one.seats, one.first, one.last) for one in turns] == [
        (1, (1,), 9, 12),
        (2, (2,), 13, 17),
        (3, (1,), 18, 24),
    ]


def test_rewinds_and_gaps_are_listed() -> None:
    assert show(rewound().record()).rewinds == (8,)
    [found] = show(gap().record()).gaps
    assert (found.number, found.cause, found.anchored) == (4, "missing", 7)


def test_a_game_without_an_end_is_open() -> None:
    assert show(gap().record()).result is None


def test_findings_name_event_code_severity_and_root_cause() -> None:
    [finding] = findings(gap().record()).findings

    assert (finding.number, finding.event, finding.code) == (
        5,
        "priority_passed",
        "gap-before-decision",
    )
    assert (finding.severity, finding.root_cause) == ("info", 4)


def test_a_finding_cites_its_rule() -> None:
    told = tell(turn(1), act("conceded", 2, stated=ALICE))
    [finding] = findings(told.record()).findings

    assert finding.code == "tournament-decision-by-other"
    assert finding.rule is not None
    assert finding.rule.document == "CR"
