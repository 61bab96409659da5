"""Erasing a person takes names and hidden values away, is recorded, and breaks no proof."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier

import pytest

from domain.codec import decode_all
from domain.errors import BadInput, NotFound
from tests.support.games import ALICE, BOB, fact, fresh_identity, tell, turn
from tests.support.live import GAME, starts
from tests.support.stories import controlled_turn
from tests.whodecided.evidence.forging import both
from whodecided import Observation, open_log
from whodecided.evidence.bundle import make_bundle
from whodecided.evidence.checkpoint import origin_of
from whodecided.evidence.checkpoints import make_checkpoint
from whodecided.evidence.erasure import Erasure, erase_person, find_person
from whodecided.evidence.keys import create_key, known_keys
from whodecided.evidence.showing import may_show_everything
from whodecided.evidence.trust import Trust
from whodecided.evidence.verify import verify_log
from whodecided.store.directory import LogDirectory, open_directory
from whodecided.store.opening import open_store

NOW = "2026-10-02T09:00:00.000000Z"


@pytest.fixture
def log(tmp_path: Path) -> Iterator[LogDirectory]:
    """A signed log of a game between Alice and Bob, whose names were kept."""
    controlled_turn().in_directory(tmp_path / "log")
    with closing(open_directory(tmp_path / "log", create=False)) as opened:
        opened.people.keep(
            [(player.partition(":")[2], name) for player, name in ((ALICE, "Ada"), (BOB, "Ben"))]
        )
        create_key(opened.keys, origin_of(opened.events.log_id))
        yield opened


def erase(log: LogDirectory, person: str) -> Erasure:
    return erase_person(log, person, reason="asked on paper", by="judge:hana", recorded_at=NOW)


def game_of(log: LogDirectory) -> str:
    return next(log.events.streams("game"))[0]


def test_names_and_hidden_values_of_the_person_are_gone_and_the_others_stay(
    log: LogDirectory,
) -> None:
    game = game_of(log)
    before = log.events.disclosures(game)

    done = erase(log, ALICE)

    after = log.events.disclosures(game)
    assert log.people.pseudonyms("Ada") == []
    assert log.people.pseudonyms("Ben") == [BOB.partition(":")[2]]
    assert done.names == 1
    assert done.streams == (game,)
    assert done.values == len(before) - len(after) > 0
    assert after
    events = decode_all(log.events.read(game))
    for item in after:
        stamp = getattr(events[item.number - 1], "stamp", None)
        assert stamp is None or stamp.deciding_player != ALICE


@pytest.mark.parametrize("store", ["file", "server"])
def test_erasures_at_once_all_erase_and_are_all_recorded(
    request: pytest.FixtureRequest, tmp_path: Path, store: str
) -> None:
    file = store == "file"
    place = str(tmp_path / "many") if file else request.getfixturevalue("postgres_address")
    people = [f"player:{n:016x}" for n in range(1, 5)]
    with closing(open_store(place, create=True, identity=fresh_identity())) as log:
        for at, person in enumerate(people):
            drawn = fact("card_drawn", seat=1, object="o1", secrets={"card": "84101"})
            story = tell(turn(1), drawn, players=(person, BOB), match=f"race {at}")
            log.events.append([story.append()])
            log.people.keep([(person.partition(":")[2], f"name {at}")])
        games = [name for name, _, _ in log.events.streams("game")]
        assert all(log.events.disclosures(game) for game in games)
    ready = Barrier(len(people))

    def run(person: str) -> Erasure:
        with closing(open_store(place, create=False)) as log:
            ready.wait()
            return erase(log, person)

    with ThreadPoolExecutor(len(people)) as pool:
        done = list(pool.map(run, people))

    assert sorted(one.event for one in done) == [1, 2, 3, 4]
    assert [(one.names, one.values > 0) for one in done] == [(1, True)] * 4
    with closing(open_store(place, create=False)) as log:
        assert log.people.everyone() == []
        assert [log.events.disclosures(game) for game in games] == [[], [], [], []]
        assert {event.person for event in decode_all(log.events.read(done[0].stream_id))} == {
            *people
        }
        assert verify_log(log).ok


def test_an_object_is_its_owners_also_where_an_event_does_not_say_whose_it_is(
    tmp_path: Path,
) -> None:
    entered = {"owner": 1, "controller": 1, "zone": "hand", "zone_owner": 1, "face_down": False}
    seen: list[tuple[str, str, dict[str, object]]] = [
        ("object_entered", "o5", entered),
        ("looked_at", "o5", {"viewer": BOB, "zone": "hand"}),
        ("object_renamed", "o6", {"former": "o5"}),
        ("turned_face_up", "o6", {}),
        ("turned_face_up", "o7", {}),
    ]
    observations = [
        Observation(
            name,
            f"r{at}",
            fields=fields | {"object": item},
            secrets={} if name == "object_renamed" else {"card": "81101"},
        )
        for at, (name, item, fields) in enumerate(seen)
    ]
    with open_log(tmp_path / "live", create=True) as live:
        live.record(GAME, [starts(), *observations])
        assert erase(live.directory, ALICE).values == 3
        [kept] = live.directory.events.disclosures(live.resolve(GAME))
        assert kept.number == 6


def test_the_erasure_is_an_event_that_says_who_asked_and_why(log: LogDirectory) -> None:
    done = erase(log, ALICE)

    [event] = decode_all(log.events.read(done.stream_id))
    assert (event.person, event.reason) == (ALICE, "asked on paper")
    assert (event.names, event.values) == (done.names, done.values)
    assert event.stamp.deciding_player == "judge:hana"
    assert event.occurred_at == NOW
    assert [kind for _, kind, _ in log.events.streams("case")] == ["case"]


def test_every_proof_made_before_and_after_stays_valid(log: LogDirectory) -> None:
    game = game_of(log)
    kept = make_checkpoint(log).checkpoint
    options = {"viewer": "judge", "may_show": may_show_everything}
    before = make_bundle(log, game, **options)  # type: ignore[arg-type]  # both options fit
    trust = Trust(keys=known_keys(log.keys), against=(kept,))

    erase(log, ALICE)
    erase(log, BOB)

    after = make_bundle(log, game, **options)  # type: ignore[arg-type]  # both options fit
    assert both(before.content, trust) is None
    assert both(after.content, trust) is None
    assert verify_log(log, trust, from_scratch=True).trusted
    assert before.manifest.counts.disclosed > after.manifest.counts.disclosed
    assert before.manifest.root == after.manifest.root


def test_erasing_again_finds_nothing_left_and_says_so(log: LogDirectory) -> None:
    erase(log, ALICE)

    again = erase(log, ALICE)

    assert (again.names, again.values, again.streams, again.event) == (0, 0, (), 2)
    assert verify_log(log).ok


def test_a_person_is_found_by_name_pseudonym_or_first_digits(log: LogDirectory) -> None:
    for named in ("Ada", ALICE, ALICE.partition(":")[2], ALICE.partition(":")[2][:6], ALICE[:13]):
        assert find_person(log, named) == ALICE
    for nobody in ("Carl", "player:", "player:0"):
        with pytest.raises(NotFound):
            find_person(log, nobody)
    log.people.keep([(BOB.partition(":")[2], "Ada")])
    with pytest.raises(BadInput, match="fits several"):
        find_person(log, "Ada")


def test_who_asks_must_be_somebody(log: LogDirectory) -> None:
    with pytest.raises(BadInput):
        erase_person(log, ALICE, reason="x", by="nobody at all", recorded_at=NOW)
    assert list(log.events.streams("case")) == []
