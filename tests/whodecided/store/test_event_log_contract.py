"""What every event log must do, whatever it is stored in."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from domain.errors import AppendConflict, IntegrityFailure, PoisonEvent
from domain.ports import Append, Appended, EventLog, Leaves, Origin, Provenance, StoredEvent
from tests.whodecided.store.builders import (
    GAME,
    ORIGIN,
    OTHER_GAME,
    UNREADABLE,
    append,
    disclosure,
    event,
    facts_of,
    new_postgres_log,
    new_sqlite_log,
    without_positions,
)
from whodecided.evidence.merkle import MerkleTree, leaf_hash
from whodecided.store.memory_log import MemoryEventLog


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[EventLog]:
    if request.param == "memory":
        yield MemoryEventLog(facts_of)
    elif request.param == "sqlite":
        with closing(new_sqlite_log(tmp_path)) as sqlite_log:
            yield sqlite_log
    else:
        address = request.getfixturevalue("postgres_address")
        with closing(new_postgres_log(address)) as postgres_log:
            yield postgres_log


def contents(log: EventLog) -> tuple[object, ...]:
    streams = list(log.streams())
    return (
        log.read_all(),
        streams,
        log.journal(),
        [(log.disclosures(name), log.provenance(name)) for name, _, _ in streams],
    )


def test_an_empty_log_answers_every_question(log: EventLog) -> None:
    assert log.head() == 0
    assert log.stream_head(GAME) == 0
    assert log.read(GAME) == []
    assert log.read_all() == []
    assert list(log.streams()) == []
    assert log.disclosures(GAME) == []
    assert log.provenance(GAME) == []
    assert log.journal() == []
    assert log.erase_disclosures(GAME) == 0


def test_appended_events_are_read_back_with_their_bytes_and_positions(log: EventLog) -> None:
    assert log.append([append(1, 3)]) == [Appended(GAME, present=0, added=3, last_position=3)]

    stored = log.read(GAME)

    assert without_positions(stored) == [event(1), event(2), event(3)]
    assert [item.position for item in stored] == [1, 2, 3]
    assert log.stream_head(GAME) == log.head() == 3


def test_a_part_of_a_stream_can_be_read(log: EventLog) -> None:
    log.append([append(1, 5)])

    assert [item.number for item in log.read(GAME, after=2)] == [3, 4, 5]
    assert [item.number for item in log.read(GAME, after=1, upto=3)] == [2, 3]
    assert log.read(GAME, after=5) == log.read(GAME, upto=0) == []


def test_the_log_wide_order_is_the_order_of_appending(log: EventLog) -> None:
    log.append([append(1, 2), append(1, 1, OTHER_GAME)])
    log.append([append(3, 3)])

    everything = log.read_all()

    assert [(item.stream_id, item.number) for item in everything] == [
        (GAME, 1),
        (GAME, 2),
        (OTHER_GAME, 1),
        (GAME, 3),
    ]
    assert [item.position for item in everything] == [1, 2, 3, 4]
    assert log.read_all(after=1, limit=2) == everything[1:3]
    assert log.read_all(limit=0) == log.read_all(after=4) == []


def test_streams_are_listed_in_the_order_of_creation_with_kind_and_last_number(
    log: EventLog,
) -> None:
    log.append([append(1, 1, "z"), append(1, 2, "m", kind="match"), append(1, 1, "a")])
    log.append([append(2, 3, "a")])

    assert list(log.streams()) == [("z", "game", 1), ("m", "match", 2), ("a", "game", 3)]
    assert list(log.streams("match")) == [("m", "match", 2)]
    assert list(log.streams("case")) == []


def test_appending_the_same_events_again_changes_nothing(log: EventLog) -> None:
    details = append(
        1, 3, disclosures=[disclosure(2)], provenance=[Provenance(1, "ab" * 32, 17, 2)]
    )
    log.append([details])
    before = contents(log)

    assert log.append([details]) == [Appended(GAME, present=3, added=0, last_position=3)]
    assert contents(log) == before


def test_a_grown_source_adds_only_what_is_new(log: EventLog) -> None:
    log.append([append(1, 3)])

    assert log.append([append(2, 5)]) == [Appended(GAME, present=2, added=2, last_position=5)]
    assert without_positions(log.read(GAME)) == [event(number) for number in range(1, 6)]


def test_other_derived_stamps_over_equal_facts_count_as_present_and_are_not_stored(
    log: EventLog,
) -> None:
    log.append([append(1, 2, derived="seat 1 decided")])

    done = log.append([append(1, 3, derived="seat 2 decided")])

    assert done == [Appended(GAME, present=2, added=1, last_position=3)]
    assert [item.state.rpartition(b"|")[2] for item in log.read(GAME)] == [
        b"seat 1 decided",
        b"seat 1 decided",
        b"seat 2 decided",
    ]


def test_a_facts_digest_that_comes_with_the_event_is_trusted_over_its_bytes(log: EventLog) -> None:
    log.append([append(1, 1)])
    same = event(1, derived="newer")._replace(facts=facts_of(event(1).state))
    other = event(1, derived="newer")._replace(facts=bytes(32))

    log.append([Append(GAME, "game", [same], [], [], ORIGIN)])
    with pytest.raises(AppendConflict):
        log.append([Append(GAME, "game", [other], [], [], ORIGIN)])


def test_different_facts_under_a_taken_number_are_a_conflict_that_names_both_digests(
    log: EventLog,
) -> None:
    log.append([append(1, 3)])
    before = contents(log)

    with pytest.raises(AppendConflict) as caught:
        log.append([append(2, 4, said="otherwise")])

    assert (caught.value.stream_id, caught.value.number) == (GAME, 2)
    assert caught.value.stored == facts_of(event(2).state).hex()
    assert caught.value.offered == facts_of(event(2, said="otherwise").state).hex()
    assert contents(log) == before


def test_equal_facts_under_another_topic_are_refused(log: EventLog) -> None:
    log.append([append(1, 1)])
    renamed = event(1)._replace(topic="game.life_changed/v2")

    with pytest.raises(IntegrityFailure, match=r"stored as game.life_changed/v1"):
        log.append([Append(GAME, "game", [renamed], [], [], ORIGIN)])


def test_one_failing_append_undoes_the_whole_batch(log: EventLog) -> None:
    log.append([append(1, 2)])
    before = contents(log)

    with pytest.raises(AppendConflict):
        log.append([append(3, 4), append(1, 2, OTHER_GAME), append(1, 1, said="otherwise")])

    assert contents(log) == before


def test_later_appends_of_a_batch_see_the_earlier_ones(log: EventLog) -> None:
    done = log.append([append(1, 2), append(1, 3), append(4, 4)])

    assert done == [
        Appended(GAME, present=0, added=2, last_position=2),
        Appended(GAME, present=2, added=1, last_position=3),
        Appended(GAME, present=0, added=1, last_position=4),
    ]


@pytest.mark.parametrize(("first", "last"), [(2, 3), (5, 5), (0, 1), (-1, 0)])
def test_numbers_that_would_leave_a_hole_are_refused(log: EventLog, first: int, last: int) -> None:
    if first == 5:
        log.append([append(1, 3)])
    before = contents(log)

    with pytest.raises(IntegrityFailure, match="cannot follow"):
        log.append([append(first, last)])

    assert contents(log) == before


@pytest.mark.parametrize(
    "events",
    [
        [event(1), event(3)],
        [event(1), event(1)],
        [event(2), event(1)],
        [event(1), event(2, OTHER_GAME)],
    ],
    ids=["skipped", "repeated", "reversed", "another stream"],
)
def test_events_that_do_not_follow_each_other_are_refused(
    log: EventLog, events: list[StoredEvent]
) -> None:
    with pytest.raises(IntegrityFailure):
        log.append([Append(GAME, "game", events, [], [], ORIGIN)])

    assert log.head() == 0


def test_an_append_without_events_leaves_no_trace(log: EventLog) -> None:
    log.append([append(1, 1)])

    assert log.append([append(1, 0, OTHER_GAME)]) == [Appended(OTHER_GAME, 0, 0, 1)]
    assert list(log.streams()) == [(GAME, "game", 1)]
    assert len(log.journal()) == 1


def test_a_stream_keeps_its_kind(log: EventLog) -> None:
    log.append([append(1, 1)])

    with pytest.raises(IntegrityFailure, match="is a game, not a match"):
        log.append([append(2, 2, kind="match")])


def test_a_stream_keeps_the_secret_that_seals_it(log: EventLog) -> None:
    log.append([append(1, 2, secret=2), append(1, 1, OTHER_GAME)])
    before = contents(log)

    with pytest.raises(IntegrityFailure, match="is sealed with log secret 2, not with 1"):
        log.append([append(1, 3)])

    assert contents(log) == before
    assert log.append([append(1, 2)]) == [Appended(GAME, present=2, added=0, last_position=3)]
    log.append([append(3, 3, secret=2)])
    assert (log.secret_of(GAME), log.secret_of(OTHER_GAME)) == (2, 1)
    assert log.secret_of("of no game") is None


def test_a_stored_event_that_cannot_be_read_is_named(log: EventLog) -> None:
    unreadable = event(1)._replace(state=UNREADABLE, facts=bytes(32))
    log.append([Append(GAME, "game", [unreadable], [], [], ORIGIN)])

    with pytest.raises(PoisonEvent, match=f"stream {GAME}, event 1: unknown topic"):
        log.append([append(1, 1)])


def test_the_journal_has_one_entry_for_every_append_that_added_something(log: EventLog) -> None:
    log.append([append(1, 2), append(1, 1, "m", kind="match")])
    log.append([append(1, 2)])
    later = Origin("2026-03-02T10:00:00.000000Z", "whodecided test", None, None)
    log.append([append(2, 4, origin=later)])

    entries = log.journal()

    assert [(e.journal_index, e.stream_id, e.kind, e.first, e.last) for e in entries] == [
        (0, GAME, "game", 1, 2),
        (1, "m", "match", 1, 1),
        (2, GAME, "game", 3, 4),
    ]
    assert [e.origin for e in entries] == [ORIGIN, ORIGIN, later]
    facts = b"".join(facts_of(event(number).state) for number in (3, 4))
    assert entries[2].facts_digest == hashlib.sha256(facts).hexdigest()
    assert log.journal(after=0, limit=1) == entries[1:2]


def test_a_journal_entry_is_canonical_json_of_everything_in_it(log: EventLog) -> None:
    log.append([append(1, 2)])
    [entry] = log.journal()

    assert msgspec.json.decode(entry.entry) == {
        "facts_digest": entry.facts_digest,
        "file_digest": "ab" * 32,
        "file_name": "Player.log",
        "first": 1,
        "kind": "game",
        "last": 2,
        "log_id": log.log_id,
        "provenance_digest": None,
        "recorded_at": "2026-03-01T10:00:00.000000Z",
        "root": entry.root,
        "size": 2,
        "stream_id": GAME,
        "tool": "whodecided test",
    }
    assert entry.entry == msgspec.json.encode(msgspec.json.decode(entry.entry), order="sorted")


def test_a_journal_entry_holds_size_and_root_of_the_stream_after_the_append(log: EventLog) -> None:
    log.append([append(1, 3), append(1, 1, OTHER_GAME)])
    log.append([append(1, 8)])

    tree = MerkleTree(leaf_hash(stored.state) for stored in log.read(GAME))
    other = leaf_hash(log.read(OTHER_GAME)[0].state)
    assert [(entry.size, entry.root) for entry in log.journal()] == [
        (3, tree.root(3).hex()),
        (1, other.hex()),
        (8, tree.root(8).hex()),
    ]


def test_the_leaf_hashes_of_every_append_are_kept_with_the_peaks_of_the_tree(log: EventLog) -> None:
    log.append([append(1, 3), append(1, 1, OTHER_GAME)])
    log.append([append(1, 8)])

    leaves = [leaf_hash(stored.state) for stored in log.read(GAME)]
    other = leaf_hash(log.read(OTHER_GAME)[0].state)
    tree = MerkleTree(leaves)
    entries = [leaf_hash(entry.entry) for entry in log.journal()]
    kept = [
        Leaves(0, GAME, 3, tree.root(2) + leaves[2], b"".join(leaves[:3]), entries[0]),
        Leaves(1, OTHER_GAME, 1, other, other, entries[1]),
        Leaves(2, GAME, 8, tree.root(8), b"".join(leaves[3:]), entries[2]),
    ]
    assert log.leaves(upto=2) == kept
    assert log.leaves(after=0, upto=1) == kept[1:2]
    assert log.leaves(after=2, upto=9) == log.leaves(upto=-1) == []


def test_a_journal_entry_commits_to_the_provenance_of_its_events(log: EventLog) -> None:
    places = [Provenance(2, "aa" * 32, 99, 4), Provenance(1, "aa" * 32, 0, 1)]
    log.append([append(1, 2, provenance=places)])

    [entry] = log.journal()

    text = f'[[1,"{"aa" * 32}",0,1],[2,"{"aa" * 32}",99,4]]'
    assert entry.provenance_digest == hashlib.sha256(text.encode()).hexdigest()


def test_details_can_be_read_by_position(log: EventLog) -> None:
    place = Provenance(1, "aa" * 32, 0, 1)
    log.append([append(1, 2, disclosures=[disclosure(2)])])
    log.append([append(1, 1, OTHER_GAME, disclosures=[disclosure(1)], provenance=[place])])

    assert log.disclosures_between(0, 3) == [
        (2, *disclosure(2)[1:]),
        (3, *disclosure(1)[1:]),
    ]
    assert log.disclosures_between(2, 3) == [(3, *disclosure(1)[1:])]
    assert log.provenance_between(0, 2) == []
    assert log.provenance_between(0, 9) == [(3, *place[1:])]


def test_a_log_keeps_the_id_it_was_made_with(log: EventLog) -> None:
    assert re.fullmatch("[0-9a-f]{32}", log.log_id)
    assert log.log_id == log.log_id
    log.append([append(1, 1)])
    assert log.journal()[0].log_id == log.log_id


def test_a_file_name_that_is_not_text_is_kept_escaped(log: EventLog) -> None:
    log.append([append(1, 1, origin=ORIGIN._replace(file_name="Pl\udcffyer.log"))])

    assert log.journal()[0].origin.file_name == "Pl\\udcffyer.log"


def test_disclosures_are_kept_per_event_and_field(log: EventLog) -> None:
    cards = [disclosure(2, "options", b'["1","2"]'), disclosure(2, "card"), disclosure(1, "card")]
    log.append([append(1, 2, disclosures=cards), append(1, 1, OTHER_GAME)])

    assert log.disclosures(GAME) == [cards[2], cards[1], cards[0]]
    assert log.disclosures(OTHER_GAME) == []


def test_erasing_disclosures_leaves_the_events_and_the_other_disclosures(log: EventLog) -> None:
    log.append(
        [
            append(1, 3, disclosures=[disclosure(1), disclosure(2), disclosure(2, "options")]),
            append(1, 1, OTHER_GAME, disclosures=[disclosure(1)]),
        ]
    )

    assert log.erase_disclosures(GAME, 2) == 2
    assert log.disclosures(GAME) == [disclosure(1)]
    assert log.erase_disclosures(GAME) == 1
    assert log.disclosures(GAME) == []
    assert log.disclosures(OTHER_GAME) == [disclosure(1)]
    assert log.head() == 4


def test_appending_again_does_not_bring_erased_disclosures_back(log: EventLog) -> None:
    log.append([append(1, 2, disclosures=[disclosure(1)])])
    log.erase_disclosures(GAME)

    log.append([append(1, 3, disclosures=[disclosure(1), disclosure(3)])])

    assert log.disclosures(GAME) == [disclosure(3)]


def test_provenance_says_where_the_record_of_an_event_was_first_read(log: EventLog) -> None:
    part = [Provenance(1, "aa" * 32, 0, 1), Provenance(2, "aa" * 32, 99, 4)]
    whole = [Provenance(2, "bb" * 32, 99, 4), Provenance(3, "bb" * 32, 200, 7)]
    log.append([append(1, 2, provenance=part)])
    log.append([append(2, 3, provenance=whole), append(1, 1, OTHER_GAME)])

    assert log.provenance(GAME) == [*part, whole[1]]
    assert log.provenance(OTHER_GAME) == []


@pytest.mark.parametrize(
    "details",
    [
        {"disclosures": [disclosure(4)]},
        {"disclosures": [disclosure(1), disclosure(1)]},
        {"provenance": [Provenance(0, "aa" * 32, 0, 1)]},
        {"provenance": [Provenance(1, "aa" * 32, 0, 1), Provenance(1, "bb" * 32, 0, 1)]},
    ],
    ids=["of no event", "twice for a field", "before the first", "twice for an event"],
)
def test_details_that_fit_no_event_are_refused(
    log: EventLog, details: dict[str, list[object]]
) -> None:
    with pytest.raises(IntegrityFailure):
        log.append([append(1, 3)._replace(**details)])  # type: ignore[arg-type]  # both kinds of details

    assert log.head() == 0
