"""After the log secret was rotated: old games stay as they are, new ones have the new secret."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.codec import decode, decode_all
from domain.errors import BadInput
from tests.support.acceptance import empty_log
from tests.support.arena_importing import import_into, write_log
from tests.support.live import GAME, casts, starts
from tests.whodecided.evidence.forging import both
from whodecided import Log, open_log
from whodecided.evidence.bundle import make_bundle
from whodecided.evidence.erasure import erase_person, find_person
from whodecided.evidence.showing import may_show_everything
from whodecided.evidence.trust import Trust
from whodecided.evidence.verify import verify_log
from whodecided.importers.arena.synthetic.demo import demo_log
from whodecided.importers.arena.synthetic.random_games import Wishes, random_match

NOW = "2026-10-02T09:00:00.000000Z"
TEMPLATE = Path(__file__).parents[2] / "whodecided" / "scenario" / "template.yaml"


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    """A log with a game from before the rotation, and one of the same people from after it."""
    with open_log(empty_log(tmp_path / "log"), create=True) as opened:
        old = write_log(tmp_path, demo_log(), name="old.log")
        new = write_log(tmp_path, demo_log(local=2), name="new.log")
        opened.import_files([old], keep_names=True)
        opened.directory.secrets.rotate()
        opened.import_files([new], keep_names=True)
        yield opened


def contents(log: Log) -> dict[str, tuple[list[bytes], int | None]]:
    events = log.directory.events
    return {
        stream: ([one.state for one in events.read(stream)], events.secret_of(stream))
        for stream, _, _ in events.streams()
    }


def players(log: Log, stream: str) -> set[str]:
    first = decode(log.directory.events.read(stream, upto=1)[0])
    return {info.player for info in first.seats}


def test_new_games_have_the_new_secret_and_old_ones_their_own(log: Log, tmp_path: Path) -> None:
    found = contents(log)

    assert [secret for _, secret in found.values()] == [1, 1, 2, 2]
    never = import_into(tmp_path / "never", [tmp_path / "old.log"], [tmp_path / "new.log"])[0]
    same = [list(never[stream]) == states for stream, (states, _) in found.items()]
    assert same == [True, True, False, False]
    old, new = (found_id for found_id, kind, _ in log.directory.events.streams("game"))
    assert players(log, old).isdisjoint(players(log, new))


def test_importing_again_adds_nothing_and_changes_nothing(log: Log, tmp_path: Path) -> None:
    before, journal = contents(log), log.directory.events.journal()

    report = log.import_files([tmp_path / "new.log", tmp_path / "old.log"], keep_names=True)

    assert (report.events_added, report.conflicts) == (0, [])
    assert contents(log) == before
    assert log.directory.events.journal() == journal
    assert len(log.directory.people.pseudonyms("Alice")) == 2


@pytest.mark.parametrize("part", [0.2, 0.5, 0.8])
def test_a_match_that_goes_on_after_the_rotation_keeps_its_secret(
    tmp_path: Path, part: float
) -> None:
    text = random_match(11, Wishes(turns=4, best_of=3, gap=0, reconnect=0))
    begun = write_log(tmp_path, text[: int(len(text) * part)], name="begun.log")
    whole = write_log(tmp_path, text, name="whole.log")
    with open_log(empty_log(tmp_path / "log"), create=True) as log:
        log.import_files([begun])
        log.directory.secrets.rotate()
        report = log.import_files([whole])

        assert report.conflicts == []
        found = contents(log)
        assert {secret for _, secret in found.values()} == {1}
        games = [stream for stream, _, _ in log.directory.events.streams("game")]
        assert len(games) > 1
        assert len({frozenset(players(log, game)) for game in games}) == 1
    never = import_into(tmp_path / "never", [whole])[0]
    assert {stream: tuple(states) for stream, (states, _) in found.items()} == never


def test_scenarios_and_live_games_keep_their_secret_too(log: Log) -> None:
    first = log.import_scenario(TEMPLATE, "hypothetical", keep_names=True)
    log.record(GAME, [starts(), casts("a")])
    before = contents(log)
    log.directory.secrets.rotate()

    again = log.import_scenario(TEMPLATE, "hypothetical", keep_names=True)
    acknowledged = log.record(GAME, casts("a"))

    assert (again.events_added, again.events_present) == (0, first.events_added)
    assert not acknowledged[0].added
    assert contents(log) == before
    log.record(GAME, casts("b"))
    log.record("table-8", starts())
    assert [secret for _, secret in contents(log).values()] == [1, 1, 2, 2, 2, 2, 3]


def test_evidence_holds_for_games_of_every_secret(log: Log) -> None:
    assert verify_log(log.directory, from_scratch=True, rules=log.rules).ok
    for stream, _, _ in log.directory.events.streams("game"):
        made = make_bundle(log.directory, stream, viewer="judge", may_show=may_show_everything)
        assert both(made.content, Trust()) is None
        assert made.manifest.counts.disclosed > 0
        assert log.game(stream, viewer="judge").events > 0


def test_a_person_is_erased_under_every_secret(log: Log) -> None:
    name = "Alice"
    with pytest.raises(BadInput, match="fits several") as caught:
        find_person(log.directory, name)
    assert caught.value.advice is not None
    pseudonyms = log.directory.people.pseudonyms(name)

    for pseudonym in pseudonyms:
        person = find_person(log.directory, f"player:{pseudonym}")
        done = erase_person(log.directory, person, reason="asked", by="judge:hana", recorded_at=NOW)
        assert (done.names, len(done.streams)) == (1, 1)
        assert done.values > 0

    assert log.directory.people.pseudonyms(name) == []
    for stream, _, _ in log.directory.events.streams("game"):
        events = decode_all(log.directory.events.read(stream))
        for secret in log.directory.events.disclosures(stream):
            stamp = getattr(events[secret.number - 1], "stamp", None)
            assert stamp is None or stamp.deciding_player not in {
                f"player:{pseudonym}" for pseudonym in pseudonyms
            }
    assert verify_log(log.directory).ok
