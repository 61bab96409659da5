"""Answers about recorded games: every event has one, and no hidden card is in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import whodecided
from queries.record import GameRecord
from queries.replay import replay
from queries.sees import sees
from queries.who import who
from tests.shared import needs_shared, shared_path

pytestmark = needs_shared

_PREFIX = "manasight__manasight-corpus__session_"
FILES = (
    "2026-03-05_0000.log.gz",  # an undo
    "2026-04-14_1720.log.gz",  # the server takes seats over
    "2026-06-17_1708_brawl.log.gz",  # a hole
)
HIDDEN = ("hand", "library", "sideboard")


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[GameRecord]]:
    path = tmp_path_factory.mktemp("samples") / "log"
    with whodecided.open_log(path, create=True) as log:
        log.import_files([shared_path("samples", "arena", _PREFIX + name) for name in FILES])
        yield [log.game_record(game.game_id) for game in log.games().games]


def local_seat(record: GameRecord) -> int:
    return int(record.start.viewpoint.removeprefix("seat:"))


def shown_to_others(record: GameRecord) -> set[str]:
    """Objects that a reveal or a granted look names: others may see them while they are hidden."""
    shows = ("revealed", "look_granted", "looked_at")
    return {str(e.object) for e in record.folded.events if e.NAME in shows}


def test_every_event_of_a_game_has_an_answer_and_every_decision_a_decider(
    records: list[GameRecord],
) -> None:
    assert len(records) == 5
    for record in records:
        answers = [who(record, number) for number in range(1, record.folded.last + 1)]
        decisions = [answer for answer in answers if answer.recorded is not None]

        assert len(decisions) > 10
        assert all(answer.deciding_player is not None for answer in decisions)
        assert all(answer.proof[0].number == answer.event.number for answer in answers)


def test_what_is_hidden_in_a_players_zones_is_named_to_nobody_else(
    records: list[GameRecord],
) -> None:
    checked = 0
    for record in records:
        mine, shown = local_seat(record), shown_to_others(record)
        others = [f"seat:{seat}" for seat in record.players if seat != mine] + ["spectator"]
        for number in range(1, record.folded.last + 1):
            for viewer in others:
                answer = replay(record, number, viewer, before=0, after=0)
                for zone in answer.zones:
                    if zone.zone in HIDDEN and zone.owner == mine:
                        named = {one.object for one in zone.objects if one.card is not None}
                        assert named <= shown
                        checked += len(zone.objects)
    assert checked > 10_000


def test_the_player_whose_log_it_is_sees_the_own_hand(records: list[GameRecord]) -> None:
    for record in records:
        mine = local_seat(record)
        answer = sees(record, record.folded.last // 2, str(mine))
        hand = next(item for item in answer.items if (item.zone, item.owner) == ("hand", mine))

        assert all(card.card is not None for card in hand.cards)


def test_a_drawn_card_is_named_to_the_player_who_draws_alone(records: list[GameRecord]) -> None:
    draws = 0
    for record in records:
        mine = local_seat(record)
        for event in record.folded.events:
            if event.NAME == "card_drawn" and event.card is not None and event.seat == mine:
                views = {
                    viewer: who(record, event.number, viewer).event.details.get("card")
                    for viewer in (str(mine), str(3 - mine), "spectator")
                }
                draws += 1
                assert views[str(mine)] is not None
                assert {views[str(3 - mine)], views["spectator"]} == {None}
    assert draws > 10
