"""The recorded logs give exactly the figures that were established for them."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from domain.errors import BadInput
from tests.shared import arena_samples, needs_shared, shared_path
from whodecided.importers.arena.items import (
    ClientItem,
    Game,
    Gap,
    GapCause,
    MessageItem,
    Pending,
    StateItem,
    StateKind,
)
from whodecided.importers.arena.reading import Reading, check_file
from whodecided.importers.arena.words import bare

pytestmark = needs_shared

_ABOUT_THE_FILE = {"origin", "licence", "bytes", "sha256", "note", "notes"}


@cache
def _expected() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(
        shared_path("samples", "arena", "expected.json").read_text()
    )
    return found


def _figures(name: str) -> dict[str, Any]:
    return {k: v for k, v in _expected()[name].items() if k not in _ABOUT_THE_FILE}


class _Row(NamedTuple):
    """Of a state, in the order of delivery: what the tests compare."""

    game: Game
    line: int
    state_id: int
    prev_id: int | None
    kind: StateKind
    gap: Gap | None
    equals_fold: bool | None
    actors: list[int]
    known: bool
    decider: int | None


class _Read(NamedTuple):
    figures: dict[str, Any]
    problem: BadInput | None
    pending: list[Pending]
    rows: list[_Row]
    edicts: list[tuple[int, int | None, str]]
    concessions: list[int]


@cache
def _read(path: Path) -> _Read:
    reading = Reading([path])
    rows, edicts, concessions = [], [], []
    for item in reading:
        if isinstance(item, StateItem):
            rows.append(_row(item))
        elif isinstance(item, MessageItem) and item.message.edictalMessage:
            edict = item.message.edictalMessage["edictMessage"]
            line, kind = item.origin.place.line, bare(edict["type"])
            edicts.append((line, edict["gameStateId"], kind))
        elif isinstance(item, ClientItem) and item.type == "ConcedeReq":
            concessions.append(item.origin.place.line)
    figures, file = reading.figures(0), reading.files[0]
    return _Read(figures, file.problem, reading.pending, rows, edicts, concessions)


def _row(item: StateItem) -> _Row:
    actors = [
        annotation["affectorId"]
        for annotation in item.state.annotations
        if "AnnotationType_UserActionTaken" in annotation["type"]
    ]
    before = item.before
    known, decider = before.turn_known, before.decision_player
    return _Row(
        item.game,
        item.origin.place.line,
        item.state_id,
        item.prev_id,
        item.kind,
        item.gap,
        item.equals_fold,
        actors,
        known,
        decider,
    )


@pytest.mark.parametrize("path", arena_samples(), ids=lambda p: p.name[-48:-3])
def test_every_figure_of_a_file_is_reached(path: Path) -> None:
    read = _read(path)

    assert read.figures == _figures(path.name)
    assert hashlib.sha256(path.read_bytes()).hexdigest() == _expected()[path.name]["sha256"]
    assert read.problem is None
    assert read.pending == []


def test_files_read_in_one_go_have_the_figures_of_each_by_itself() -> None:
    paths = arena_samples()
    reading = Reading(paths)
    for _ in reading:
        pass

    assert {p.name: reading.figures(i) for i, p in enumerate(paths)} == {
        name: _figures(name) for name in _expected()
    }


def test_a_log_with_detailed_logs_switched_off_says_so_and_gives_nothing() -> None:
    path = next(p for p in arena_samples() if "detailed_logs_disabled" in p.name)
    reading = Reading([path])
    items = list(reading)

    assert reading.files[0].detailed_logs is False
    assert [type(item).__name__ for item in items] == ["SessionStarted"]
    assert set(map(str, reading.figures(0).values())) == {"0", "{}"}


def test_a_file_by_itself_can_be_checked() -> None:
    path = min(arena_samples(), key=lambda p: p.stat().st_size)
    assert check_file(path) == _figures(path.name)


def test_the_fold_finds_the_gaps_and_undos_that_the_figures_count() -> None:
    for path in arena_samples():
        figures, rows = _figures(path.name), _read(path).rows
        causes = [row.gap.cause for row in rows if row.kind is StateKind.GAP and row.gap]
        undos = [row.equals_fold for row in rows if row.kind is StateKind.UNDO]
        assert len(causes) == figures["chain_gaps"], path.name
        assert causes.count(GapCause.SUMMARISED) == figures["summarised_gaps"], path.name
        assert undos == [True] * figures["undos"], path.name


def test_undos_gaps_edicts_and_concessions_stand_where_the_notes_say() -> None:
    for path in arena_samples():
        notes, read = _expected()[path.name]["notes"], _read(path)
        undos = [(r.line, r.state_id, r.prev_id) for r in read.rows if r.kind is StateKind.UNDO]
        gaps = [(r.line, r.state_id, r.prev_id) for r in read.rows if r.kind is StateKind.GAP]
        assert undos == _noted(notes, "undos", "line", "game_state_id", "to"), path.name
        breaks = [b for b in notes.get("chain_breaks", []) if b["kind"] == "gap"]
        assert gaps == [(b["line"], b["game_state_id"], b["prev"]) for b in breaks], path.name
        assert read.edicts == _noted(notes, "edicts", "line", "game_state_id", "answer"), path.name
        assert read.concessions == [n["line"] for n in notes.get("concede_requests", [])]


def _noted(notes: dict[str, Any], kind: str, *fields: str) -> list[tuple[Any, ...]]:
    return [tuple(note[field] for field in fields) for note in notes.get(kind, [])]


def test_every_game_is_told_apart_and_has_its_states() -> None:
    for path in arena_samples():
        found = Counter(row.game for row in _read(path).rows)
        games = [
            (game.match_id, game.number or 1, count)
            for game, count in found.items()
            if game.match_id is not None
        ]
        noted = _noted(_expected()[path.name]["notes"], "games", "match", "game", "states")
        assert games == noted, path.name


def test_every_action_is_by_the_seat_that_was_asked_in_the_state_before() -> None:
    for path in arena_samples():
        figures, rows = _figures(path.name), _read(path).rows
        known = [(actor, row.decider) for row in rows if row.known for actor in row.actors]
        assert sum(len(row.actors) for row in rows) == figures["actions"], path.name
        assert len(known) == figures["actions_decider_known"], path.name
        assert all(actor == decider for actor, decider in known), path.name


def test_a_batch_logged_out_of_order_is_delivered_in_order() -> None:
    path = next(p for p in arena_samples() if "2026-04-27_2230" in p.name)
    items = [item for item in Reading([path]) if isinstance(item, StateItem)]
    last = items[-1].game
    ids = [item.state_id for item in items if item.game is last]
    lines = [item.origin.place.line for item in items if item.game is last]

    assert ids == sorted(ids)
    assert lines != sorted(lines)


def test_requests_know_the_turn_of_their_own_state() -> None:
    path = next(p for p in arena_samples() if "2026-04-12_1240" in p.name)
    figures = _figures(path.name)
    asked = [
        item.message.systemSeatIds == [(item.turn or {}).get("decisionPlayer")]
        for item in Reading([path])
        if isinstance(item, MessageItem)
        and item.turn_known
        and str(item.message.type).endswith("Req")
    ]
    assert sum(asked) == figures["requests_to_decider"] - _optional_actions(path)


def _optional_actions(path: Path) -> int:
    return gzip.decompress(path.read_bytes()).count(b'"GREMessageType_OptionalActionMessage"')


def test_the_expected_figures_belong_to_the_files_at_hand() -> None:
    for path in arena_samples():
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        assert _expected()[path.name]["sha256"] == digest
