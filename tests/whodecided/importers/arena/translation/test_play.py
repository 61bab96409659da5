"""Ordinary play as a client logs it, in the words of the catalogue."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from domain.canonical import canonical_json
from tests.support.arena_importing import (
    events_of,
    game_events,
    import_into,
    opened,
    write_log,
)
from tests.support.arena_plays import MATCH, seated, text_of
from whodecided.importers.arena.importer import import_arena
from whodecided.importers.arena.synthetic.combat import attack, block, deal_damage
from whodecided.importers.arena.synthetic.endings import concede, end_game, sideboard
from whodecided.importers.arena.synthetic.plays import Plays
from whodecided.importers.arena.synthetic.recording import Match
from whodecided.importers.arena.synthetic.table import BATTLEFIELD, GRAVEYARD, HAND, LIBRARY

_MINE, _ORNITHOPTER = 700101, 700106
_SWAMP, _NIGHTHAWK = 700201, 700202


def named(events: list[Any], name: str) -> list[Any]:
    """The events of one name."""
    return [event for event in events if name == event.NAME]


def both_with_creatures() -> Plays:
    """Seat 1 has an Ornithopter, seat 2 a Nighthawk; it is seat 1's turn 3."""
    plays = seated()
    plays.open(1)
    plays.begin_turn(draw=False)
    plays.land(1, _MINE)
    plays.resolve(plays.cast(1, _ORNITHOPTER, 0))
    plays.begin_turn()
    plays.land(2, _SWAMP)
    plays.resolve(plays.cast(2, _NIGHTHAWK, 1))
    plays.begin_turn()
    return plays


def test_a_game_begins_with_its_seats_and_whose_view_it_is(tmp_path: Path) -> None:
    plays = seated(local=2)
    plays.open(1)
    started = game_events(tmp_path, text_of(plays))[0]
    assert started.NAME == "game_started"
    assert (started.viewpoint, started.from_start, started.game_number) == ("seat:2", True, 1)
    assert started.match_key == f"arena/{MATCH.id}"
    assert [info.seat for info in started.seats] == [1, 2]
    assert all(info.player.startswith("player:") for info in started.seats)
    assert started.seats[0].player != started.seats[1].player
    assert started.format == "Synthetic_Play"


def test_the_same_account_is_the_same_player_in_every_match(tmp_path: Path) -> None:
    first, second = (
        seated(),
        seated(match=MATCH._replace(id="00000000-0000-4000-8000-0000000000bb")),
    )
    for plays in (first, second):
        plays.open(1)
    (tmp_path / "2").mkdir()
    one = game_events(tmp_path, text_of(first))[0]
    two = game_events(tmp_path / "2", text_of(second))[0]
    assert one.seats == two.seats
    assert one.game_id != two.game_id


def test_a_bot_is_a_program(tmp_path: Path) -> None:
    plays = seated(match=MATCH._replace(bots=(2,)))
    plays.open(1)
    started = game_events(tmp_path, text_of(plays))[0]
    assert started.seats[1].player == "program:arena-bot"


def test_players_without_a_room_are_known_in_their_match_only(tmp_path: Path) -> None:
    plays = seated()
    plays.open(1)
    text = plays.recording.text
    text.entries = [entry for entry in text.entries if "GameRoomStateChanged" not in entry]
    started = game_events(tmp_path, text.text())[0]
    with_room = seated()
    with_room.open(1)
    (tmp_path / "2").mkdir()
    known = game_events(tmp_path / "2", text_of(with_room))[0]
    assert started.game_id == known.game_id
    assert {info.player for info in started.seats}.isdisjoint(info.player for info in known.seats)


def test_blanked_accounts_do_not_make_two_seats_one_player(tmp_path: Path) -> None:
    plays = seated(match=MATCH._replace(accounts={1: "<redacted>", 2: "<redacted>"}))
    plays.open(1)
    started = game_events(tmp_path, text_of(plays))[0]
    assert started.seats[0].player != started.seats[1].player


def test_the_choice_of_who_plays_first_belongs_to_who_is_asked(tmp_path: Path) -> None:
    plays = seated(local=1)
    plays.open(1)
    events = game_events(tmp_path, text_of(plays))
    (choice,) = named(events, "choice_made")
    assert (choice.kind, choice.stamp.acting_seat, choice.stamp.basis) == (
        "starting_player",
        1,
        "stated",
    )
    plays = seated(local=1)
    plays.open(2)
    (tmp_path / "2").mkdir()
    (choice,) = named(game_events(tmp_path / "2", text_of(plays)), "choice_made")
    assert (choice.kind, choice.stamp.acting_seat, choice.stamp.basis) == (
        "starting_player",
        2,
        "derived",
    )


def test_the_own_hand_is_sealed_and_the_other_hand_has_no_cards(tmp_path: Path) -> None:
    plays = seated()
    plays.open(1)
    entered = named(game_events(tmp_path, text_of(plays)), "object_entered")
    own = [event for event in entered if event.owner == 1]
    other = [event for event in entered if event.owner == 2]
    assert len(own) == len(other) == 7
    assert {event.zone for event in entered} == {"hand"}
    assert all(event.card is not None for event in own)
    assert all(event.card is None for event in other)


@pytest.mark.parametrize("taken", [0, 1, 2])
def test_mulligans_and_bottomed_cards_are_the_seats_own_decisions(
    tmp_path: Path, taken: int
) -> None:
    plays = seated()
    plays.open(1, mulligans=taken)
    plays.begin_turn(draw=False)
    plays.flush()
    events = game_events(tmp_path, text_of(plays))
    own = [e for e in named(events, "mulligan_decided") if e.stamp.acting_seat == 1]
    assert [event.keep for event in own] == [False] * taken + [True]
    assert [event.taken for event in own] == [*range(1, taken + 1), taken]
    assert {event.stamp.basis for event in own} == {"stated"}
    (other,) = (e for e in named(events, "mulligan_decided") if e.stamp.acting_seat == 2)
    assert (other.keep, other.stamp.basis) == (True, "derived")
    bottomed = [e for e in named(events, "choice_made") if e.kind == "bottom"]
    assert len(bottomed) == (taken > 0)
    assert len(named(events, "shuffled")) == taken


def test_turns_and_steps_are_told_in_order(tmp_path: Path) -> None:
    plays = seated()
    plays.open(1)
    plays.begin_turn(draw=False)
    plays.pass_priority(1)
    plays.phase("end")
    plays.flush()
    plays.begin_turn()
    plays.pass_priority(2)
    events = game_events(tmp_path, text_of(plays))
    frame = [e for e in events if e.NAME in ("turn_started", "step_started")]
    told = [
        (e.NAME, e.seat, getattr(e, "step", e.turn if e.NAME == "turn_started" else None))
        for e in frame
    ]
    assert told == [
        ("turn_started", 1, 1),
        ("step_started", 1, "untap"),
        ("step_started", 1, "upkeep"),
        ("step_started", 1, "precombat_main"),
        ("step_started", 1, "end"),
        ("turn_started", 2, 2),
        ("step_started", 2, "untap"),
        ("step_started", 2, "upkeep"),
        ("step_started", 2, "draw"),
        ("step_started", 2, "precombat_main"),
    ]
    mulligans = [e.number for e in named(events, "mulligan_decided")]
    assert max(mulligans) < frame[0].number


def test_a_land_is_played_once_though_answer_and_annotation_show_it(tmp_path: Path) -> None:
    plays = both_with_creatures()
    events = game_events(tmp_path, text_of(plays))
    own, other = named(events, "land_played")
    assert (own.stamp.acting_seat, own.stamp.basis, own.from_zone) == (1, "stated", "hand")
    assert (other.stamp.acting_seat, other.stamp.basis, other.from_zone) == (2, "derived", "hand")
    request = next(event for event in events if event.number == own.request)
    assert (request.request_kind, request.asked) == ("ActionsAvailableReq", (1,))


def test_a_spell_its_mana_and_its_payment_are_one_action(tmp_path: Path) -> None:
    events = game_events(tmp_path, text_of(both_with_creatures()))
    cast = named(events, "spell_cast")[1]
    parts = [event for event in events if event.action == cast.action]
    assert [event.NAME for event in parts] == ["ability_activated", "cost_paid", "spell_cast"]
    assert parts[0].mana_ability
    assert (parts[1].resource, parts[1].owner) == ("mana", 2)
    (resolved,) = (e for e in named(events, "resolved") if e.object == cast.object)
    assert resolved.causation == cast.number


def test_attackers_and_blockers_are_read_from_answer_or_objects(tmp_path: Path) -> None:
    plays = both_with_creatures()
    mine = plays.table.find(_ORNITHOPTER, BATTLEFIELD)
    theirs = plays.table.find(_NIGHTHAWK, BATTLEFIELD)
    attack(plays, 1, [mine])
    block(plays, 2, [(theirs, mine)])
    deal_damage(plays, 1, [])
    plays.begin_turn()
    attack(plays, 2, [theirs])
    block(plays, 1, [])
    deal_damage(plays, 2, [theirs])
    events = game_events(tmp_path, text_of(plays))
    first, second = named(events, "attackers_declared")
    assert (first.stamp.acting_seat, first.stamp.basis) == (1, "stated")
    assert [(a.object, a.target) for a in first.attacks] == [(str(mine), "seat:2")]
    assert (second.stamp.acting_seat, second.stamp.basis) == (2, "derived")
    assert [(a.object, a.target) for a in second.attacks] == [(str(theirs), "seat:1")]
    first, second = named(events, "blockers_declared")
    assert (first.stamp.acting_seat, first.stamp.basis) == (2, "derived")
    assert [(b.object, b.attackers) for b in first.blocks] == [(str(theirs), (str(mine),))]
    assert (second.stamp.acting_seat, second.stamp.basis, second.blocks) == (1, "stated", ())
    (hit,) = named(events, "damage_dealt")
    assert (hit.source_object, hit.target, hit.amount, hit.combat) == (
        str(theirs),
        "seat:1",
        2,
        True,
    )
    (life,) = named(events, "life_changed")
    assert (life.seat, life.change, life.total) == (1, -2, 18)


def test_passes_are_told_by_answer_and_by_setting_where_something_waits(tmp_path: Path) -> None:
    plays = both_with_creatures()
    plays.pass_priority(1)
    plays.phase("end")
    plays.flush()
    events = game_events(tmp_path, text_of(plays))
    passes = named(events, "priority_passed")
    stated = [event for event in passes if event.stamp.basis == "stated"]
    assert len(stated) == 1
    assert not stated[0].by_setting
    automatic = [event for event in passes if event.by_setting]
    assert len(automatic) == 4  # both players, for each of the two spells
    assert {event.stamp.acting_seat for event in automatic} == {1, 2}


def test_a_setting_is_a_decision_and_chat_is_not_stored(tmp_path: Path) -> None:
    plays = seated()
    plays.open(1)
    log = plays.recording
    stop = {"stopType": "StopType_EndStep", "appliesTo": "SettingScope_Team"}
    chosen = {
        "autoPassOption": "AutoPassOption_Turn",
        "stops": [stop | {"status": "SettingStatus_Set"}],
    }
    log.client("SetSettingsReq", None, setSettingsReq={"settings": chosen})
    log.client("UIMessage", None, systemSeatId=1, uiMessage={"onChat": {"text": "a secret remark"}})
    plays.begin_turn(draw=False)
    plays.flush()
    path = write_log(tmp_path, text_of(plays))
    streams, _ = import_into(tmp_path / "log", [path])
    (tmp_path / "2").mkdir()
    (setting,) = named(game_events(tmp_path / "2", text_of(plays)), "setting_changed")
    assert setting.settings == (
        ("auto_pass_option", "Turn"),
        ("stops.EndStep.Team", "Set"),
    )
    assert (setting.stamp.acting_seat, setting.stamp.basis) == (1, "stated")
    assert all(b"remark" not in event for events in streams.values() for event in events)


def test_two_settings_at_one_moment_are_two_and_an_entry_written_twice_is_one(
    tmp_path: Path,
) -> None:
    plays = seated()
    plays.open(1)
    entries = plays.recording.text.entries
    stamp = None
    for chosen in ("AutoPassOption_Turn", "AutoPassOption_FullControl"):
        plays.recording.client("SetSettingsReq", None, setSettingsReq={"settings": {"a": chosen}})
        stamp = stamp or re.findall(r'"timestamp": "\d+"', entries[-1])[0]
        entry = re.sub(r'"transactionId": "[^"]+",\s+', "", entries[-1])
        entries[-1] = re.sub(r'"timestamp": "\d+"', stamp, entry)
    entries.append(entries[-1])
    plays.begin_turn(draw=False)
    told = named(game_events(tmp_path, text_of(plays)), "setting_changed")
    assert [event.settings for event in told] == [(("a", "Turn"),), (("a", "FullControl"),)]


def test_neither_names_nor_accounts_nor_hidden_cards_stand_in_stored_bytes(tmp_path: Path) -> None:
    plays = both_with_creatures()
    hidden = {plays.table.objects[number]["grpId"] for number in plays.table.zones[HAND[1]]}
    concede(plays, 1)
    log = opened(tmp_path / "log")
    import_into(tmp_path / "log", [write_log(tmp_path, text_of(plays))])
    everything = b"".join(event.state for event in log.events.read_all(limit=10_000))
    log.close()
    match = plays.recording.match
    for text in (*match.accounts.values(), *match.names.values(), "synthetic-session"):
        assert text.encode() not in everything
    for card in hidden | {_MINE, _ORNITHOPTER}:
        assert str(card).encode() not in everything


def test_names_are_kept_apart_when_asked_for(tmp_path: Path) -> None:
    plays = seated()
    plays.open(1)
    path = write_log(tmp_path, text_of(plays))
    log = opened(tmp_path / "log")
    import_arena([path], log)
    assert log.people.pseudonyms("Alice") == []
    import_arena([path], log, keep_names=True)
    (alice,) = log.people.pseudonyms("Alice")
    (stream,) = (stream for stream, _, _ in log.events.streams("game"))
    first = log.events.read(stream)[0].state
    log.close()
    assert canonical_json(f"player:{alice}") in first


@pytest.mark.parametrize(
    ("seat", "observed", "basis"), [(1, False, "stated"), (2, True, "derived")]
)
def test_a_concession_is_told_once_and_ends_the_game(
    tmp_path: Path, seat: int, observed: bool, basis: str
) -> None:
    plays = seated()
    plays.open(1)
    plays.begin_turn(draw=False)
    concede(plays, seat)
    events = game_events(tmp_path, text_of(plays))
    (conceded,) = named(events, "conceded")
    assert (conceded.stamp.acting_seat, conceded.observed) == (seat, observed)
    assert (conceded.stamp.basis, conceded.stamp.decision_class) == (basis, "tournament")
    (left,) = named(events, "player_left")
    assert (left.seat, left.reason) == (seat, "conceded")
    (ended,) = named(events, "game_ended")
    assert (ended.result, ended.winners, ended.reason) == ("win", (3 - seat,), "concession")


def test_a_match_links_its_games_and_says_how_it_ended(tmp_path: Path) -> None:
    plays = seated(match=Match(MATCH.id, best_of=3))
    plays.open(1)
    for number, winner in ((1, 1), (2, 2), (3, 1)):
        plays.begin_turn(draw=False)
        end_game(plays, winner=winner)
        if number < 3:
            sideboard(plays)
            plays.recording.new_game(number + 1)
            plays.start_game(2)
    path = write_log(tmp_path, text_of(plays))
    found = events_of(tmp_path / "log", [path])
    _, (report,) = import_into(tmp_path / "log", [path])
    assert report.files[0].unmapped == {}
    (match,) = (events for events in found.values() if events[0].TOPIC.startswith("match."))
    games = [events for events in found.values() if events[0].TOPIC.startswith("game.")]
    assert [event.game_number for event in named(match, "game_linked")] == [1, 2, 3]
    assert {event.game_id for event in named(match, "game_linked")} == {g[0].game_id for g in games}
    assert [e.before_game for e in match if e.TOPIC == "match.sideboarded/v1"] == [2, 3]
    (ended,) = named(match, "match_ended")
    assert (ended.winners, ended.games) == ((1,), ((1, 1), (2, 2), (3, 1)))
    assert match[0].best_of == 3
    assert [len(named(game, "sideboarded")) for game in games] == [1, 1, 0]
    assert {game[0].match_stream for game in games} == {match[0].match_id}


def test_a_token_that_dies_does_not_stay_in_the_graveyard(tmp_path: Path) -> None:
    plays = both_with_creatures()
    table = plays.table
    token = table.add(_NIGHTHAWK, 2, BATTLEFIELD, "Token")
    table.zones[BATTLEFIELD].insert(0, token)
    table.note("TokenCreated", None, [token])
    plays.flush()
    dead = table.move(token, GRAVEYARD[2], "SBA_Damage")
    table.remove(dead)
    plays.flush()
    events = game_events(tmp_path, text_of(plays))
    moved = [e for e in named(events, "object_moved") if e.object == str(dead)]
    assert [(e.to_zone, e.cause) for e in moved] == [
        ("graveyard", "sba_damage"),
        ("limbo", "ceased_to_exist"),
    ]


def test_an_object_on_the_battlefield_that_shows_another_face_is_told_again(tmp_path: Path) -> None:
    plays = both_with_creatures()
    plays.flush()
    mine = plays.table.find(_ORNITHOPTER, BATTLEFIELD)
    plays.table.objects[mine]["grpId"] = _NIGHTHAWK
    plays.flush()
    plays.flush()
    events = game_events(tmp_path, text_of(plays))
    (shown,) = (e for e in named(events, "object_entered") if e.object == str(mine))
    assert (shown.zone, shown.controller, shown.owner) == ("battlefield", 1, 1)
    assert shown.card is not None


def test_an_object_that_becomes_known_after_it_has_moved_is_identified(tmp_path: Path) -> None:
    plays = both_with_creatures()
    table = plays.table
    plays.flush()
    land = table.find(_SWAMP, HAND[2])
    shown = table.move(land, BATTLEFIELD, "Put")
    thing = table.objects.pop(shown)
    plays.flush()
    table.objects[shown] = thing
    plays.flush()
    events = game_events(tmp_path, text_of(plays))
    (known,) = (e for e in named(events, "object_entered") if e.object == str(shown))
    (moved,) = (e for e in named(events, "object_moved") if e.object == str(shown))
    assert moved.card is None
    assert known.card is not None
    assert (known.zone, known.controller) == ("battlefield", 2)


@pytest.mark.parametrize("seat", [1, 2])
def test_who_scries_chooses_where_the_cards_go(tmp_path: Path, seat: int) -> None:
    plays = both_with_creatures()
    table = plays.table
    source = table.find(_ORNITHOPTER if seat == 1 else _NIGHTHAWK, BATTLEFIELD)
    top = table.zones[LIBRARY[seat]][0]
    if seat == 1:
        asked = plays.recording.request(1, "GroupReq", {"instanceIds": [top], "context": "Scry"})
        plays.recording.reply(1, "GroupResp", asked, groupResp={"groups": [{"ids": [top]}]})
    table.note("Scry", source, [top], topIds=[], bottomIds=[top])
    plays.flush()
    events = game_events(tmp_path, text_of(plays))
    (choice,) = (e for e in named(events, "choice_made") if e.kind == "arrange")
    (scried,) = named(events, "scried")
    assert choice.number < scried.number
    assert (choice.stamp.acting_seat, choice.stamp.basis) == (
        seat,
        "stated" if seat == 1 else "derived",
    )
    assert choice.stamp.deciding_player == events[0].seats[seat - 1].player
