"""Live append: a game grows event by event, whoever else appends, and nothing is stored twice."""

from __future__ import annotations

import contextlib
import doctest
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import whodecided
from domain.codec import decode_all
from domain.errors import AppendConflict, BadInput, NotFound, VersionConflict
from domain.ids import live_stream
from tests.shared import PROJECT_ROOT
from tests.support.games import ALICE, BOB
from tests.support.live import GAME, casts, passes, starts
from tests.support.stories import controlled_turn
from whodecided import Observation
from whodecided.evidence.merkle import leaf_hash
from whodecided.evidence.verify import verify_log


@pytest.fixture
def log(tmp_path: Path) -> Iterator[whodecided.Log]:
    with whodecided.open_log(tmp_path / "log", create=True) as opened:
        yield opened


def events(log: whodecided.Log) -> list[Any]:
    return decode_all(log.directory.events.read(live_stream(GAME)))


def numbers(log: whodecided.Log) -> list[int]:
    return [event.number for event in events(log)]


def test_the_example_of_the_documentation_runs() -> None:
    [example] = doctest.DocTestFinder(recurse=False).find(whodecided.Log.record, "record")

    assert example.examples
    assert doctest.DocTestRunner().run(example).failed == 0


def test_the_program_in_the_guide_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    guide = (PROJECT_ROOT / "docs" / "live.md").read_text(encoding="utf-8")
    [code] = re.findall(r"^```python\n(.*?)^```$", guide, flags=re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(tmp_path)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(code, "live.md", "exec"), {})

    assert re.fullmatch(r"2 2 [0-9a-f]{64} True\nplayer:ada\n", said.getvalue())


def test_what_is_acknowledged_is_what_the_log_holds(log: whodecided.Log) -> None:
    [first] = log.record(GAME, starts(), expected=0)
    second, third = log.record(GAME, [casts("a"), passes("b", 2)], expected=1)

    stored = log.directory.events.read(live_stream(GAME))
    assert [(one.number, one.position, one.leaf) for one in (first, second, third)] == [
        (event.number, event.position, leaf_hash(event.state).hex()) for event in stored
    ]
    assert [one.event_id for one in (first, second, third)] == [
        event.event_id for event in events(log)
    ]
    assert {one.stream_id for one in (first, second, third)} == {live_stream(GAME)}
    assert all(one.added for one in (first, second, third))
    assert [(e.first, e.last) for e in log.directory.events.journal()] == [(1, 1), (2, 3)]


def test_a_live_game_answers_questions_at_once(log: whodecided.Log) -> None:
    log.record(GAME, [starts(), casts("a", seat=2)])

    assert log.who(GAME, 2).deciding_player == BOB
    assert log.games().games[0].events == 2
    log.record(GAME, passes("b"))
    assert log.who(GAME, 3).deciding_player == ALICE
    assert log.games().games[0].events == 3


def test_stamps_are_derived_by_the_aggregate_also_across_sessions(tmp_path: Path) -> None:
    taken = Observation(
        "control_created",
        "c",
        acting_seat=1,
        fields={
            "label": "mindslaver",
            "controller": ALICE,
            "affected": [2],
            "scope": "next_turn",
            "source_card": "Mindslaver",
        },
    )
    turn = Observation("turn_started", "t", fields={"seat": 2, "turn": 2})
    with whodecided.open_log(tmp_path / "log", create=True) as log:
        log.record(GAME, [starts(), taken, turn])
    with whodecided.open_log(tmp_path / "log") as log:
        log.record(GAME, casts("a", seat=2), expected=3)

        stamp = events(log)[-1].stamp
        assert (stamp.acting_seat, stamp.deciding_player, stamp.basis) == (2, ALICE, "derived")
        assert (stamp.authority.kind, stamp.authority.ref) == ("control_effect", 2)


def test_a_stated_decider_is_kept_as_stated(log: whodecided.Log) -> None:
    log.record(GAME, [starts(), replace(passes("a"), stated=BOB)])

    stamp = events(log)[-1].stamp
    assert (stamp.deciding_player, stamp.basis) == (BOB, "stated")


def test_hidden_fields_are_sealed_and_disclosed_to_the_owner(log: whodecided.Log) -> None:
    log.record(GAME, [starts(), casts("a", card="81101")])

    stored = log.directory.events.read(live_stream(GAME))
    assert b"81101" not in b"".join(event.state for event in stored)
    [secret] = log.directory.events.disclosures(live_stream(GAME))
    assert (secret.number, secret.field, secret.value) == (2, "card", b'"81101"')
    assert verify_log(log.directory, from_scratch=True).ok


def test_another_number_than_the_expected_one_is_a_conflict_with_both(log: whodecided.Log) -> None:
    log.record(GAME, [starts(), passes("a")], expected=0)

    for expected in (0, 1, 3):
        with pytest.raises(VersionConflict) as caught:
            log.record(GAME, passes("b"), expected=expected)
        assert (caught.value.expected, caught.value.actual) == (expected, 2)
        assert caught.value.stream_id == live_stream(GAME)
    assert numbers(log) == [1, 2]
    assert log.record(GAME, passes("b"), expected=2)[0].number == 3


def test_a_lost_acknowledgement_is_given_again(log: whodecided.Log) -> None:
    batch = [casts("a"), passes("b", 2)]
    log.record(GAME, starts(), expected=0)
    before = log.record(GAME, batch, expected=1)
    log.record(GAME, passes("c"), expected=3)
    head = log.directory.events.head()

    again = log.record(GAME, batch, expected=1)

    assert [one.added for one in again] == [False, False]
    assert [(o.number, o.position, o.leaf) for o in again] == [
        (o.number, o.position, o.leaf) for o in before
    ]
    assert log.directory.events.head() == head
    assert log.record(GAME, reversed(batch))[0].number == 3


def test_a_retry_may_bring_more_than_before(log: whodecided.Log) -> None:
    log.record(GAME, [starts(), casts("a")], expected=0)

    done = log.record(GAME, [starts(), casts("a"), passes("b", 2)], expected=0)

    assert [(one.number, one.added) for one in done] == [(1, False), (2, False), (3, True)]
    with pytest.raises(VersionConflict) as caught:
        log.record(GAME, [casts("a"), passes("d")], expected=1)
    assert (caught.value.expected, caught.value.actual) == (2, 3)


@pytest.mark.parametrize(
    "other",
    [
        casts("a", card="81102"),
        casts("a", seat=2),
        replace(casts("a"), stated=ALICE),
        replace(casts("a"), occurred_at="2026-10-01T10:00:00.000000Z", clock="server"),
        passes("a"),
    ],
    ids=["hidden card", "seat", "stated decider", "time", "event"],
)
def test_the_same_id_with_other_content_is_a_conflict(
    log: whodecided.Log, other: Observation
) -> None:
    log.record(GAME, [starts(), casts("a"), passes("b", 2)])

    with pytest.raises(AppendConflict) as caught:
        log.record(GAME, other, expected=1)

    assert (caught.value.stream_id, caught.value.number) == (live_stream(GAME), 2)
    assert caught.value.stored != caught.value.offered
    assert numbers(log) == [1, 2, 3]


@pytest.mark.parametrize(
    ("seen", "said"),
    [
        (Observation("spell_kast", "x"), "no event is called"),
        (passes(""), "has no record id"),
        (passes("\ud800"), "the record id of priority_passed is no text"),
        (starts("again"), "has begun already"),
        (replace(passes("x"), record=7), "Expected `str`"),
        (replace(passes("x"), fields={"nonsense": 1}), "nonsense"),
        (replace(passes("x"), fields={"request": "nine"}), "Expected `int"),
        (replace(passes("x"), acting_seat=0), "int` >= 1"),
        (replace(passes("x"), acting_seat="1"), "Expected `int"),
        (replace(passes("x"), acting_seat=9), "the game has no seat 9"),
        (replace(passes("x"), stated="Ada Lovelace"), "matching regex"),
        (replace(passes("x"), occurred_at="yesterday"), "matching regex"),
        (replace(passes("x"), fields={"object": object()}), "unsupported"),
        (Observation("rewound", "x", fields={"to": 3}), "event 3 cannot go back to event 3"),
        (Observation("rewound", "x", fields={"to": -1}), "cannot go back to event -1"),
        (Observation("rewound", "x", fields={"to": "start"}), "rewound"),
        (replace(casts("x"), secrets={}, fields={"card": "81101"}), "it belongs in secrets"),
        (replace(casts("x"), secrets={"object": "o1"}), "is no hidden text"),
        (replace(casts("x"), secrets={"card": 81101}), "is no hidden text"),
    ],
)
def test_what_is_no_event_is_refused_and_nothing_of_its_batch_is_stored(
    log: whodecided.Log, seen: Observation, said: str
) -> None:
    log.record(GAME, starts())

    with pytest.raises(BadInput, match=said):
        log.record(GAME, [passes("before"), seen])

    assert numbers(log) == [1]
    assert log.directory.events.disclosures(live_stream(GAME)) == []
    assert log.record(GAME, passes("after"), expected=1)[0].number == 2


def test_a_game_begins_with_its_start(log: whodecided.Log) -> None:
    with pytest.raises(BadInput, match="begins with game_started"):
        log.record(GAME, passes("a"))

    assert log.directory.events.head() == 0


def test_a_record_stands_once_in_a_batch_and_old_ones_come_first(log: whodecided.Log) -> None:
    with pytest.raises(BadInput, match="twice in the batch"):
        log.record(GAME, [starts(), passes("a"), passes("a")])
    log.record(GAME, [starts(), passes("a")])

    with pytest.raises(BadInput, match="stands before one that is stored"):
        log.record(GAME, [passes("b"), passes("a")])
    assert log.record(GAME, []) == ()
    assert numbers(log) == [1, 2]


@pytest.mark.parametrize("name", ["", "1", "abc", "with blank", "../up", "x" * 65])
def test_a_game_needs_a_name_that_is_none_of_the_other_ways_to_say_which(
    log: whodecided.Log, name: str
) -> None:
    with pytest.raises(BadInput, match="is no name for a game"):
        log.record(name, starts())


def test_a_live_game_can_be_named_by_its_id(log: whodecided.Log) -> None:
    log.record(GAME, starts())

    assert log.record(live_stream(GAME), passes("a"))[0].number == 2
    assert log.record(GAME, passes("b"), expected=2)[0].number == 3


def test_an_imported_game_does_not_go_on_live(tmp_path: Path) -> None:
    told = controlled_turn()
    with whodecided.open_log(told.in_directory(tmp_path / "log")) as log:
        with pytest.raises(BadInput, match="was imported") as caught:
            log.record(told.game_id, passes("a"))
        assert caught.value.advice is not None


def test_a_name_that_a_scenario_has_as_well_is_not_guessed(
    log: whodecided.Log,
) -> None:
    template = PROJECT_ROOT / "whodecided" / "scenario" / "template.yaml"
    log.record(GAME, starts())
    assert log.resolve(GAME) == live_stream(GAME)
    log.import_scenario(template, GAME)

    with pytest.raises(BadInput, match="fits several"):
        log.resolve(GAME)
    with pytest.raises(NotFound):
        log.resolve("table-8")
