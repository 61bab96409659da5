"""Recorded logs: what the source says of actions, requests and results holds in the events."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from domain.codec import decode, to_model
from tests.shared import arena_samples, needs_shared, shared_path
from tests.support.arena_importing import opened
from whodecided.importers.arena.identity import identify
from whodecided.importers.arena.importer import import_arena
from whodecided.importers.arena.items import Game, StateItem, StateKind
from whodecided.importers.arena.reading import Reading
from whodecided.importers.arena.report import ImportReport

pytestmark = needs_shared

_ACTION = "AnnotationType_UserActionTaken"
_PASSED_OVER = (StateKind.DUPLICATE, StateKind.LATE)


class Imported(NamedTuple):
    """One sample: its report and the events of its games, by stream."""

    path: Path
    report: ImportReport
    games: list[list[Any]]


@pytest.fixture(scope="module", params=arena_samples(), ids=lambda path: path.name[:70])
def imported(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Imported:
    """Each sample, imported once for all tests of this module."""
    log = opened(tmp_path_factory.mktemp("log") / "log")
    try:
        report = import_arena([request.param], log)
        games = [
            [decode(event) for event in log.events.read(stream)]
            for stream, _, _ in log.events.streams("game")
        ]
    finally:
        log.close()
    return Imported(request.param, report, games)


def test_nothing_is_refused_and_only_old_numbers_are_unmapped(imported: Imported) -> None:
    (file,) = imported.report.files
    assert file.bad == []
    assert set(file.unmapped) <= {"62", "ObjectsSelected without a seat"}


def test_the_self_check_equals_the_expected_figures(imported: Imported) -> None:
    expected = json.loads(shared_path("samples", "arena", "expected.json").read_text("utf-8"))
    wanted = expected[imported.path.name]
    described = {"origin", "licence", "bytes", "sha256", "note", "notes"}
    figures = imported.report.files[0].to_json()
    assert {key: figures[key] for key in wanted if key not in described} == {
        key: value for key, value in wanted.items() if key not in described
    }
    assert figures["digest"] == wanted["sha256"]
    assert figures["bytes_read"] == wanted["bytes"]


def test_every_event_fits_its_model(imported: Imported) -> None:
    for events in imported.games:
        for event in events:
            to_model(event)


def test_every_action_is_stamped_with_the_seat_that_the_log_names(imported: Imported) -> None:
    stamped: dict[tuple[str, str], Any] = {
        _place(event): event
        for events in imported.games
        for event in events
        if re.search(r"/a\d+$", event.source.record)
    }
    known = 0
    for place, affector, decider, turn_known in _actions(imported.path):
        event = stamped.get(place)
        if event is None:  # an undo repeats the annotations of the state it returns to
            assert place[1] == "undo"
            known += turn_known
            continue
        assert event.stamp.acting_seat == affector
        if event.stamp.basis == "unknown":
            continue
        if turn_known:
            known += 1
            assert decider == affector
        players = _players(imported, event)
        assert event.stamp.deciding_player in (players[affector], "server:arena")
    figures = imported.report.files[0].figures
    actions = figures["actions_decider_known"]
    assert isinstance(actions, int)
    names = Counter(event.NAME for events in imported.games for event in events)
    assert known <= actions
    assert known == actions or names["gap_found"]


def _place(event: Any) -> tuple[str, str]:
    game = event.source.record.split("/gs")[0]
    return game, "gs" + event.source.record.split("/gs", 1)[1]


def _players(imported: Imported, event: Any) -> dict[int, str]:
    (events,) = (game for game in imported.games if game[0].game_id == event.game_id)
    return {info.seat: info.player for info in events[0].seats}


def _actions(path: Path) -> Iterator[tuple[tuple[str, str], int, int | None, bool]]:
    """Place, affector, who was asked before and whether that is known, of every action."""
    seen: Counter[tuple[Game, int]] = Counter()
    stems: dict[Game, str] = {}
    for item in Reading([path]):
        if not isinstance(item, StateItem) or item.kind in _PASSED_OVER:
            continue
        stem = stems.setdefault(item.game, _stem(item))
        seen[item.game, item.state_id] += 1
        again = seen[item.game, item.state_id]
        record = f"gs{item.state_id}" + (f"~{again}" if again > 1 else "")
        for index, note in enumerate(item.state.annotations):
            if _ACTION in note["type"]:
                turn = item.before.turn or {}
                undo = item.kind is StateKind.UNDO
                place = (stem, "undo" if undo else f"{record}/a{index}")
                yield place, note["affectorId"], turn.get("decisionPlayer"), item.before.turn_known


_STAND_INS = ("seat_taken_over", "seat_returned")


def _stem(item: StateItem) -> str:
    return identify(item).stem


def test_the_server_decides_for_a_seat_exactly_while_it_plays_it(imported: Imported) -> None:
    for events in imported.games:
        taken: set[int] = set()
        for event in events:
            if event.NAME in _STAND_INS:
                taken ^= {event.seat}
                continue
            stamp = getattr(event, "stamp", None)
            if stamp is None or stamp.deciding_player == "rules" or stamp.basis == "unknown":
                continue
            by_server = stamp.deciding_player == "server:arena"
            if stamp.acting_seat in taken and stamp.decision_class == "game":
                assert by_server
            elif by_server:
                assert stamp.basis == "stated"
    figures = imported.report.files[0].figures
    edicts = [
        event
        for events in imported.games
        for event in events
        if getattr(event, "stamp", None) is not None
        and event.stamp.deciding_player == "server:arena"
        and event.stamp.basis == "stated"
        and event.NAME not in _STAND_INS
    ]
    assert len(edicts) == figures["edicts"]


def test_every_game_with_a_result_ends_once_and_the_others_stay_open(imported: Imported) -> None:
    ends = [sum(event.NAME == "game_ended" for event in events) for events in imported.games]
    assert set(ends) <= {0, 1}
    assert sum(ends) == imported.report.files[0].figures["games_with_result"]
    conceded = sum(event.NAME == "conceded" for events in imported.games for event in events)
    assert conceded == imported.report.files[0].figures["games_conceded"]


def test_undos_timeouts_and_gaps_are_told(imported: Imported) -> None:
    names = Counter(event.NAME for events in imported.games for event in events)
    figures = imported.report.files[0].figures
    assert names["rewound"] == figures["undos"]
    assert names["timeout_used"] == figures["timeout_messages"]
    assert names["control_observed"] == figures["player_control"] == 0
    summarised = sum(
        event.NAME == "gap_found" and event.cause == "summarised"
        for events in imported.games
        for event in events
    )
    assert summarised == figures["summarised_gaps"]
