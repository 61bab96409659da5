"""A log cut at any byte and given as several files yields what the whole yields."""

from __future__ import annotations

import gzip
import random
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shared import arena_samples
from tests.support.arena_lines import Log, diff, full, small_game
from tests.support.arena_reading import frames
from whodecided.importers.arena.frames import Framer
from whodecided.importers.arena.reading import Reading
from whodecided.importers.arena.records import BadKind, BadRecord, Entry, Record, SourceFile
from whodecided.importers.arena.text import read_blocks

STYLES = {
    "one line, LF": Log(),
    "one line, CRLF": Log(end="\r\n"),
    "one line, CR CR LF": Log(end="\r\r\n"),
    "pretty-printed, LF": Log(pretty=True),
    "pretty-printed, CRLF": Log(end="\r\n", pretty=True),
    "frame counters": Log(counter=True),
    "frame counters, pretty-printed": Log(counter=True, pretty=True),
    "without headers": Log(bare=True),
    "headers of 2018": Log(pretty=True, logger=""),
    "headers of 2019": Log(end="\r\n", logger="[Client GRE]"),
}
LOGS = {name: small_game(log).data() for name, log in STYLES.items()}
ENTRIES = 8


def _rows(records: Sequence[Record], parts: Sequence[bytes]) -> list[tuple[Any, ...]]:
    """The records with places counted over all parts."""
    rows = []
    for record in records:
        before = b"".join(parts[: record.place.file])
        offset, line = len(before) + record.place.offset, before.count(b"\n") + record.place.line
        said = (record.raw, record.header) if isinstance(record, Entry) else tuple(record)[1:]
        rows.append((type(record).__name__, offset, line, *said))
    return rows


@pytest.mark.parametrize("name", LOGS)
def test_a_log_yields_the_same_records_when_cut_in_two_at_any_byte(name: str) -> None:
    log = LOGS[name]
    whole = _rows(frames(log), [log])

    assert [row[0] for row in whole].count("Entry") == ENTRIES
    for cut in range(len(log) + 1):
        parts = [log[:cut], log[cut:]]
        assert _rows(frames(*parts), parts) == whole, (cut, log[cut - 20 : cut + 20])


@given(st.data())
def test_a_log_yields_the_same_records_in_any_number_of_parts(data: st.DataObject) -> None:
    log = LOGS[data.draw(st.sampled_from(sorted(LOGS)))]
    cuts = data.draw(st.lists(st.integers(0, len(log)), max_size=4))
    bounds = [0, *sorted(cuts), len(log)]
    parts = [log[a:b] for a, b in pairwise(bounds)]
    records = frames(*parts)

    assert _rows(records, parts) == _rows(frames(log), [log])


@pytest.mark.parametrize("name", LOGS)
@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 1000])
def test_blocks_of_any_size_yield_the_same_records(name: str, size: int) -> None:
    log = LOGS[name]
    assert frames(log, size=size) == frames(log)


def test_places_are_those_of_the_line_and_byte_where_the_object_begins() -> None:
    for log in LOGS.values():
        lines = log.split(b"\n")
        for record in frames(log):
            if isinstance(record, Entry):
                assert log[record.place.offset :].startswith(b"{")
                assert b"{" in lines[record.place.line - 1][:8]


def test_headers_give_the_local_time_of_their_entry() -> None:
    for name, log in LOGS.items():
        headers = {record.header for record in frames(log) if isinstance(record, Entry)}
        assert headers == {None if name == "without headers" else "2/22/2026 12:00:31 PM"}


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("mark", [True, False])
def test_a_utf_16_log_cut_at_any_byte_yields_what_its_utf_8_form_yields(
    encoding: str, mark: bool, tmp_path: Path
) -> None:
    log = small_game(Log(end="\r\n"))
    text = ("\ufeff" if mark else "") + log.text()
    data = text.encode(encoding)
    expected = [(r.raw, r.place.line) for r in frames(log.data()) if isinstance(r, Entry)]
    # Without a mark a short first part cannot be told from UTF-8.
    for cut in range(1 if mark else 200, len(data), 41):
        found = _read_parts(tmp_path, [data[:cut], data[cut:]])
        lines = data[: cut + cut % 2].decode(encoding).count("\n")  # a cut one is the first's
        got = [(r.raw, r.place.line + (lines if r.place.file else 0)) for r in found]
        assert got == expected, cut
        for record in found:
            whole = record.place.offset + (cut if record.place.file else 0)
            assert data[whole : whole + 2].decode(encoding) == "{"


def _read_parts(folder: Path, parts: Sequence[bytes]) -> list[Entry]:
    sources = []
    for index, part in enumerate(parts):
        path = folder / f"part-{index}.log"
        path.write_bytes(part)
        sources.append(SourceFile(index, path))
    framer, found = Framer(), []
    for block in read_blocks(sources):
        found += framer.feed(block)
    return [record for record in found + framer.finish() if isinstance(record, Entry)]


def test_a_byte_order_mark_is_no_part_of_the_text_even_when_cut(tmp_path: Path) -> None:
    log = Log(bare=True)
    log.server(full(1))
    data = b"\xef\xbb\xbf" + log.data()
    for cut in range(6):
        (entry,) = _read_parts(tmp_path, [data[:cut], data[cut:]])
        assert entry.place.offset + (cut if entry.place.file else 0) == 3


# A file that does not continue the one before.


def _torn_logs() -> Iterator[bytes]:
    """The first log, cut inside its last entry in all ways."""
    log = Log()
    log.server(full(1))
    begin = len(log.data())
    log.client("SelectNResp", gameStateId=1, respId=8)
    data = log.data()
    first = data.index(b"{", begin) + 1
    yield from (data[:cut] for cut in range(first + 4, data.rindex(b"}") - 1))


def test_a_torn_tail_is_reported_and_the_next_file_is_read_from_its_start() -> None:
    fresh = small_game(Log(end="\r\n")).data()
    expected = _rows(frames(fresh), [fresh])
    for torn in _torn_logs():
        records = frames(torn, fresh)
        kinds = [(type(r).__name__, r.place.file) for r in records[:2]]
        assert kinds == [("Entry", 0), ("BadRecord", 0)], torn[-30:]
        bad = records[1]
        assert isinstance(bad, BadRecord)
        assert bad.kind is BadKind.TORN
        moved = [r._replace(place=r.place._replace(file=0)) for r in records[2:]]
        assert _rows(moved, [fresh]) == expected


@pytest.mark.parametrize("cut", [30, 60, 90])
def test_a_fresh_file_that_begins_with_an_object_is_no_continuation(cut: int) -> None:
    torn, fresh = Log(bare=True), Log(bare=True)
    torn.server(full(1), diff(2, 1))
    fresh.server(full(1))
    bad, entry = frames(torn.data()[:cut], fresh.data())

    assert isinstance(bad, BadRecord)
    assert (bad.kind, bad.place.file) == (BadKind.TORN, 0)
    assert isinstance(entry, Entry)
    assert (entry.place.file, entry.place.offset, entry.place.line) == (1, 0, 1)


def test_a_torn_line_of_text_does_not_hide_the_beginning_of_the_next_file() -> None:
    log = small_game(Log()).data()
    for tail in (b"Unloading 17", b"[UnityCrossThr", b"::: Game", b"[Message summar", b"\r"):
        records = frames(tail, log)
        moved = [r._replace(place=r.place._replace(file=0)) for r in records]
        assert _rows(moved, [log]) == _rows(frames(log), [log]), tail


# Whole readings.


def _items(paths: list[Path]) -> list[tuple[Any, ...]]:
    rows = []
    for item in Reading(paths):
        row = [type(item).__name__]
        for name in ("kind", "state_id", "prev_id", "gap", "undone", "type", "answers", "turn"):
            row.append(repr(getattr(item, name, None)))
        rows.append(tuple(row))
    return rows


def _write(folder: Path, *parts: bytes) -> list[Path]:
    paths = [folder / f"{index}.log" for index in range(len(parts))]
    for path, part in zip(paths, parts, strict=True):
        path.write_bytes(part)
    return paths


@given(st.data())
def test_what_a_beginning_of_a_file_delivers_is_a_beginning_of_what_all_of_it_delivers(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("prefix")
    log = LOGS[data.draw(st.sampled_from(sorted(LOGS)))]
    cut = data.draw(st.integers(1, len(log)))
    whole = _items(_write(folder, log))
    begun = [row for row in _items(_write(folder, log[:cut])) if row[0] != "Unfinished"]

    assert begun == whole[: len(begun)]


@pytest.mark.parametrize("path", arena_samples()[:10], ids=lambda p: p.name[:40])
def test_recorded_logs_in_two_parts_deliver_what_the_whole_delivers(
    path: Path, tmp_path: Path
) -> None:

    log = gzip.decompress(path.read_bytes())
    whole = _items(_write(tmp_path, log))
    chance = random.Random(path.name)
    for _ in range(2):
        cut = chance.randrange(len(log))
        assert _items(_write(tmp_path, log[:cut], log[cut:])) == whole, cut
