"""Damaged records become bad records with a place and a reason; the rest of the log is read."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.arena_lines import Log, diff, full, request, small_game
from tests.support.arena_reading import frames, items
from whodecided.importers.arena.figures import FileFigures
from whodecided.importers.arena.frames import Framer
from whodecided.importers.arena.items import GapCause, StateItem
from whodecided.importers.arena.records import (
    BadKind,
    BadRecord,
    Entry,
    Record,
    SessionStarted,
    Summarised,
    Unfinished,
)
from whodecided.importers.arena.text import Block

HEADER = b"[UnityCrossThreadLogger]2/22/2026 12:00:31 PM: Match to ACCOUNT: GreToClientEvent\n"


def _good(state_id: int = 1) -> bytes:
    log = Log()
    log.server(full(state_id))
    return log.data()


def _envelope(*messages: Any, **fields: Any) -> dict[str, Any]:
    return {"greToClientEvent": {"greToClientMessages": list(messages)}, **fields}


def _around(damaged: bytes) -> list[Record]:
    """The records of a log with one damaged line between two good entries."""
    return frames(_good(1) + HEADER + damaged + b"\n" + _good(2))


def _bad(records: list[Record]) -> BadRecord:
    (bad,) = [record for record in records if isinstance(record, BadRecord)]
    return bad


DAMAGED = {
    "torn": (b'{ "greToClientEvent": { "greToClientMessages": [ { "ty', BadKind.TORN),
    "torn in a number": (b'{ "greToClientEvent": { "x": 12', BadKind.TORN),
    "torn after its header": (b'{ "transac', BadKind.TORN),
    "malformed": (b'{ "greToClientEvent": { "x": tru } }', BadKind.MALFORMED),
    "NUL bytes inside": (b'{ "greToClientEvent": { "x": "\0\0" } }', BadKind.MALFORMED),
    "NUL bytes at the end": (b'{ "greToClientEvent": { "x": ' + bytes(400), BadKind.TORN),
    "nested 10,000 deep": (
        b'{ "greToClientEvent": ' + b"[" * 10_000 + b"]" * 10_000 + b" }",
        BadKind.TOO_DEEP,
    ),
    "objects nested 10,000 deep": (
        b'{ "matchGameRoomStateChangedEvent": ' + b'{"a":' * 10_000 + b"1" + b"}" * 10_001,
        BadKind.TOO_DEEP,
    ),
    "a list instead of a batch": (b'{ "greToClientEvent": [ 1, 2 ] }', BadKind.MESSAGE),
    "a lone surrogate": (b'{ "greToClientEvent": { "x": "\\ud800" } }', BadKind.MALFORMED),
}


@pytest.mark.parametrize(("damaged", "kind"), DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_entry_is_reported_with_its_line_and_the_rest_is_read(
    damaged: bytes, kind: BadKind
) -> None:
    records = _around(damaged)
    bad = _bad(records)

    assert (bad.kind, bad.place.line, bad.relevant) == (kind, 4, True)
    assert bad.place.offset == len(_good(1) + HEADER)
    assert bad.reason
    good = [r for r in records if isinstance(r, Entry) and r.place.line in (2, 6)]
    assert len(good) == 2


def test_invalid_utf_8_is_replaced_and_reported_but_the_entry_is_used() -> None:
    event = {"gameRoomInfo": {"players": [{"playerName": "Zo\u00eb"}]}}
    batch = json.dumps({"matchGameRoomStateChangedEvent": event}, ensure_ascii=False)
    records = _around(batch.encode("latin-1"))
    bad = _bad(records)

    assert (bad.kind, bad.relevant) == (BadKind.ENCODING, False)
    (used,) = [r for r in records if isinstance(r, Entry) and r.place.line == 4]
    assert "Zo\ufffd" in used.raw.decode()


def test_a_huge_integer_spoils_only_the_message_it_stands_in() -> None:
    huge = {**full(2), "gameStateId": 10**30}
    records = _around(json.dumps(_envelope(full(1), huge, request(5, 1, 1))).encode())

    assert _bad(records).kind is BadKind.MESSAGE
    assert "message 2" in _bad(records).reason
    (used,) = [r for r in records if isinstance(r, Entry) and r.place.line == 4]
    assert used.envelope.greToClientEvent is not None
    assert [m.msgId for m in used.envelope.greToClientEvent.greToClientMessages] == [1001, 5]


@pytest.mark.parametrize("digits", [25, 400, 5000])
def test_a_huge_integer_where_any_value_may_stand_stops_nothing(digits: int) -> None:
    detail = {"id": 1, "type": ["AnnotationType_X"], "n": "HUGE"}
    batch = json.dumps(_envelope(full(1, annotations=[detail]), request(5, 1, 1)))
    records = _around(batch.replace('"HUGE"', "9" * digits).encode())
    (used,) = [r for r in records if isinstance(r, Entry) and r.place.line == 4]

    assert used.envelope.greToClientEvent is not None
    messages = used.envelope.greToClientEvent.greToClientMessages
    assert messages[-1].msgId == 5
    assert len(messages) + len([r for r in records if isinstance(r, BadRecord)]) == 2


def test_text_after_an_object_on_its_line_is_no_part_of_it() -> None:
    log = _good().rstrip() + b" (Filename: x Line: 51)}\n"
    (entry,) = frames(log)
    assert isinstance(entry, Entry)
    assert json.loads(entry.raw)


def test_a_torn_pretty_printed_object_ends_at_the_next_header() -> None:
    torn = Log()
    torn.client("SelectNResp", gameStateId=1, respId=8)
    for cut in range(120, len(torn.data()) - 8):
        records = frames(torn.data()[:cut] + b"\n" + _good())
        assert [type(r).__name__ for r in records] == ["BadRecord", "Entry"], cut
        assert _bad(records).kind is BadKind.TORN


def test_a_torn_pretty_printed_object_does_not_hide_a_marker_or_an_object() -> None:
    torn = Log(bare=True, pretty=True)
    torn.server(full(1))
    begin = torn.data()[:180] + b"\n"
    marker = b"[Message summarized because]\n::: GameStateMessage\nx\n"
    assert [type(r).__name__ for r in frames(begin + marker)] == ["BadRecord", "Summarised"]
    assert [type(r).__name__ for r in frames(begin + torn.data())] == ["BadRecord", "Entry"]


def test_an_object_without_indentation_is_read_whole() -> None:
    text = json.dumps(_envelope({**full(1), "a": {"b": {"c": 1}}}), indent=0)
    records = frames(HEADER + text.replace("[\n{", "[ {").encode() + b"\n" + _good())
    assert [type(r).__name__ for r in records] == ["Entry", "Entry"]


def test_empty_lines_do_not_end_an_object() -> None:
    log = Log(pretty=True)
    log.server(full(1))
    text = log.text().replace(",\n", ",\n\n")
    assert [type(r).__name__ for r in frames(text.encode())] == ["Entry"]


def test_repeated_and_foreign_objects_are_no_entries() -> None:
    log = Log()
    log.line("[UnityCrossThreadLogger]Received unhandled GREMessageType: GREMessageType_X")
    log.json({"type": "GREMessageType_X", "systemSeatIds": [1], "msgId": 131}, pretty=False)
    log.line("[UnityCrossThreadLogger]==> Log.Info(154):")
    log.json({"method": "Log.Info", "params": {"payloadObject": {"a": 1}}}, pretty=True)
    log.header("Match to ACCOUNT: AuthenticateResponse")
    log.json({"authenticateResponse": {"screenName": "x"}}, pretty=False)
    assert frames(log.data()) == []


# Too long.

LIMIT = 4096


def _long_entry(size: int) -> bytes:
    return json.dumps(_envelope(full(1), padding="x" * size)).encode()


@pytest.mark.parametrize("size", [LIMIT, 10 * LIMIT, 100 * LIMIT])
@pytest.mark.parametrize("block", [100, 1000, 1 << 20])
@pytest.mark.parametrize("pretty", [False, True])
def test_an_entry_above_the_limit_is_skipped_and_reported(
    size: int, block: int, pretty: bool
) -> None:
    log = Log(pretty=pretty)
    log.server({**full(1), "padding": ["x" * 40] * (size // 40)})
    long = log.data()
    records = frames(_good() + long + _good(), size=block, limit=LIMIT)
    bad = _bad(records)

    assert (bad.kind, bad.place.line, bad.relevant) == (BadKind.TOO_LARGE, 4, True)
    assert abs(bad.size - (len(long) - len(HEADER))) < 4
    (first, last) = [r for r in records if isinstance(r, Entry)]
    assert last.place.offset == len(_good() + long) + len(HEADER)
    assert last.place.line == first.place.line + (_good() + long).count(b"\n")


@pytest.mark.parametrize("begin", [b"x", b'{"InventoryInfo":"', b"[UnityCrossThreadLogger]==> "])
def test_a_long_line_without_game_data_is_reported_as_such(begin: bytes) -> None:
    line = begin + b"x" * (3 * LIMIT) + b"\n"
    records = frames(_good() + line + _good(), size=1000, limit=LIMIT)
    bad = _bad(records)

    assert (bad.kind, bad.place.line, bad.relevant) == (BadKind.TOO_LARGE, 3, False)
    assert bad.size == len(line) - 1
    assert [r.place.line for r in records if isinstance(r, Entry)] == [2, 5]


@pytest.mark.parametrize("begin", [b"", b'{"InventoryInfo":"', b'{"greToClientEvent":"'])
def test_a_line_of_300_mb_is_never_held_in_memory(begin: bytes) -> None:
    framer, block = Framer(limit=8 << 20), b"x" * (1 << 20)
    framer.feed(Block(0, 0, _good() + HEADER + begin))
    at = len(_good() + HEADER + begin)
    tracemalloc.start()
    found: list[Record] = []
    for index in range(300):
        found += framer.feed(Block(0, at + index * len(block), block))
    found += framer.feed(Block(0, at + 300 * len(block), b"\n" + _good()))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert [type(r).__name__ for r in found] == ["BadRecord", "Entry"]
    assert _bad(found).size == 300 * len(block) + len(begin)
    assert peak < 24 << 20


def test_an_entry_cut_by_the_end_of_a_file_and_too_long_does_not_spoil_the_next() -> None:
    records = frames(HEADER + _long_entry(3 * LIMIT)[:-50], _good(), size=1000, limit=LIMIT)
    assert [type(r).__name__ for r in records] == ["BadRecord", "Entry"]


# The end of the input.


def test_an_entry_that_is_still_being_written_is_unfinished() -> None:
    for pretty in (False, True):
        log = Log(pretty=pretty)
        log.server(full(1))
        whole = log.data()
        begin = whole.index(b"{")
        for cut in range(begin + 1, len(whole) - 1):
            (last,) = frames(whole[:cut])
            assert isinstance(last, Unfinished), cut
            assert (last.place.offset, last.place.line) == (begin, 2)


def test_an_entry_that_lacks_only_its_line_end_is_complete() -> None:
    for pretty in (False, True):
        log = Log(pretty=pretty, end="\r\n")
        log.server(full(1))
        for missing in (0, 1, 2):
            (entry,) = frames(log.data()[: len(log.data()) - missing])
            assert isinstance(entry, Entry)


def test_a_marker_is_complete_only_when_its_list_is() -> None:
    log = Log()
    log.summarised("GameStateMessage", "SearchReq")
    data = log.data()
    assert [type(r).__name__ for r in frames(data)] == ["Unfinished"]
    (marker,) = frames(data + b"PAPA:Update()\n")
    assert isinstance(marker, Summarised)
    assert marker.listed == ("GameStateMessage", "SearchReq")
    assert marker.header == "2/22/2026 12:00:31 PM"


def test_a_marker_whose_punctuation_was_blanked_still_lists_its_types() -> None:
    log = Log()
    log.summarised("GameStateMessage", "SearchReq")
    data = log.data().replace(b":::", b"<blank>:").replace(b"::", b"<blank>")
    (marker, entry) = frames(data + _good())
    assert isinstance(marker, Summarised)
    assert marker.listed == ("GameStateMessage", "SearchReq")
    assert isinstance(entry, Entry)


@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
@pytest.mark.parametrize(("word", "detailed"), [("ENABLED", True), ("DISABLED", False)])
def test_the_marker_line_tells_whether_logs_are_detailed(
    end: str, word: str, detailed: bool
) -> None:
    for mark in ("", "[0] "):
        (session,) = frames(f"x\n{mark}DETAILED LOGS: {word}{end}".encode())
        assert isinstance(session, SessionStarted)
        assert (session.detailed, session.place.line) == (detailed, 2)


# What is lost by it.


def test_a_damaged_entry_explains_the_gap_that_follows() -> None:
    log, after = Log(), Log()
    log.server(full(1))
    after.server(diff(3, 2))
    torn = HEADER + b'{ "greToClientEvent": { "greToClientMessages": [ { "ty\n'
    found = items(log.data() + torn + after.data())
    states = [item for item in found if isinstance(item, StateItem)]

    assert [type(item).__name__ for item in found] == ["StateItem", "BadRecord", "StateItem"]
    assert states[1].gap is not None
    assert (states[1].gap.cause, states[1].gap.after, states[1].gap.before) == (
        GapCause.DAMAGED,
        1,
        2,
    )


@pytest.mark.parametrize(
    "broken",
    [
        {"type": "GREMessageType_GameStateMessage", "gameStateMessage": {"zones": []}},
        diff(2, 1, zones=[{"type": "ZoneType_Hand"}]),
        diff(2, 1, gameObjects=[{"grpId": 5}]),
        diff(2, 1, players=[{"lifeTotal": 5}]),
        diff(2, 1, persistentAnnotations=[{"id": [1]}]),
    ],
    ids=["no state id", "zone", "object", "player", "annotation"],
)
def test_a_state_without_ids_is_refused_and_leaves_a_gap(broken: dict[str, Any]) -> None:
    log = Log()
    log.server(full(1), broken, diff(3, 2), request(9, 3, 1))
    found = items(log.data())
    kinds = [type(item).__name__ for item in found]

    assert kinds == ["StateItem", "BadRecord", "StateItem", "MessageItem"]
    gap = found[2].gap if isinstance(found[2], StateItem) else None
    assert gap is not None
    assert gap.cause is GapCause.DAMAGED


# Anything.

_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=4,
)


def _places(document: Any) -> Iterator[tuple[Any, Any]]:
    """Every container of a document with each of its keys or indexes."""
    if isinstance(document, dict | list):
        for key in list(document) if isinstance(document, dict) else range(len(document)):
            yield document, key
            yield from _places(document[key])


@given(st.data())
def test_values_of_any_kind_anywhere_stop_nothing(data: st.DataObject) -> None:
    log = Log()
    info = {"matchID": "m", "gameNumber": 1, "results": [{"scope": "MatchScope_Game"}]}
    note = {"id": 1, "affectorId": 1, "type": ["AnnotationType_UserActionTaken"]}
    player = {"systemSeatNumber": 1, "controllerSeatId": 1, "controllerType": "X"}
    lists: dict[str, Any] = {"annotations": [note], "players": [player], "zones": [{"zoneId": 1}]}
    log.server(full(1, gameInfo=info, **lists), request(5, 1, 1))
    log.room("m")
    log.client("SelectNResp", gameStateId=1, respId=5)
    documents = [json.loads(r.raw) for r in frames(log.data()) if isinstance(r, Entry)]
    places = [place for document in documents for place in _places(document)]
    for container, key in data.draw(st.lists(st.sampled_from(places), min_size=1, max_size=3)):
        container[key] = data.draw(_VALUES)
    text = b"".join(json.dumps(document).encode() + b"\n" for document in documents)
    figures = FileFigures()
    for record in frames(text + _good()):
        figures.record(record)
    figures.result()

    assert [i for i in items(text + _good()) if isinstance(i, StateItem)]


@given(st.data())
def test_bytes_of_any_kind_anywhere_stop_nothing(data: st.DataObject) -> None:
    log = bytearray(small_game(Log(pretty=data.draw(st.booleans()))).data())
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(log)))
        log[at : at + data.draw(st.integers(0, 40))] = data.draw(st.binary(max_size=20))
    records = frames(bytes(log) + b"\n" + _good())

    assert isinstance(records[-1], Entry)
    assert records[-1].place.offset == len(log) + 1 + len(HEADER)
    assert items(bytes(log))


def test_a_run_of_the_client_also_begins_after_a_torn_entry() -> None:
    torn = b'{\n  "greToClientEvent": {\n    "x": [\n'

    assert [type(record).__name__ for record in frames(torn + b"DETAILED LOGS: ENABLED\n")] == [
        "BadRecord",
        "SessionStarted",
    ]
