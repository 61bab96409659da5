"""What is told around a hole in the log: neither out of order nor a second time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from projections.game import fold_game
from tests.support.arena_importing import game_events
from tests.support.arena_plays import seated, text_of
from tests.support.games import RULES
from whodecided.importers.arena.synthetic.endings import hide
from whodecided.importers.arena.synthetic.plays import Plays
from whodecided.importers.arena.synthetic.table import BATTLEFIELD, GRAVEYARD, HAND, LIBRARY, STACK

_MINE, _ORNITHOPTER = 700101, 700106


def named(events: list[Any], name: str) -> list[Any]:
    """The events of one name."""
    return [event for event in events if name == event.NAME]


def in_turn_one() -> Plays:
    """Seat 1, whose client writes the log, is in its first main phase with a land."""
    plays = seated()
    plays.open(1)
    plays.begin_turn(draw=False)
    plays.land(1, _MINE)
    return plays


def test_an_announced_action_is_told_before_the_search_it_leads_to(tmp_path: Path) -> None:
    plays = in_turn_one()
    log, table = plays.recording, plays.table
    asked = plays.offer(1)
    log.act(1, asked, "Cast", table.find(_ORNITHOPTER, HAND[1]))
    found = table.zones[LIBRARY[1]][0]
    hide(plays, plays.flush)
    payload = {"zonesToSearch": [LIBRARY[1]], "itemsSought": [found], "sourceId": 9}
    search = log.message("SearchReq", (1,), searchReq=payload)
    log.send(search)
    log.client("SearchResp", search["msgId"], searchResp={"itemsFound": [found]})
    plays.phase("end")
    plays.flush()
    names = [event.NAME for event in game_events(tmp_path, text_of(plays))]
    told = ["spell_cast", "library_search_started", "card_found", "library_search_ended"]
    assert [name for name in names if name in (*told, "gap_found")] == [*told, "gap_found"]


@pytest.mark.parametrize(("gap", "objects", "told"), [(False, 1, 1), (True, 1, 0), (False, 0, 0)])
def test_a_lasting_note_of_a_choice_tells_one_only_when_it_is_new_and_names_something(
    tmp_path: Path, gap: bool, objects: int, told: int
) -> None:
    plays = in_turn_one()
    plays.flush()
    if gap:
        hide(plays, plays.flush)
    chosen = plays.table.zones[HAND[2]][:objects] or [0]
    plays.table.keep(("ObjectsSelected",), 9, chosen, playerId=2)
    plays.flush()
    events = game_events(tmp_path, text_of(plays))
    assert len(named(events, "gap_found")) == gap
    choices = [event for event in named(events, "choice_made") if event.kind == "other"]
    assert len(choices) == told


def test_a_spell_that_resolves_in_a_gap_does_not_stay_on_the_stack(tmp_path: Path) -> None:
    plays = in_turn_one()
    log, table = plays.recording, plays.table
    asked = plays.offer(1)
    card = table.find(_ORNITHOPTER, HAND[1])
    log.act(1, asked, "Cast", card)

    def cast_and_resolve() -> None:
        spell = table.move(card, STACK, "CastSpell")
        plays.flush()
        plays.resolve(spell)

    hide(plays, cast_and_resolve)
    plays.phase("end")
    table.move(table.zones[HAND[2]][0], GRAVEYARD[2], "Discard")  # shows limbo, not this hand
    plays.flush()
    table.draw(1)
    plays.flush()
    events = game_events(tmp_path, text_of(plays))
    (cast,) = named(events, "spell_cast")
    (gone,) = (e for e in named(events, "object_moved") if e.object == str(card))
    assert (gone.to_zone, gone.cause) == ("limbo", None)
    assert named(events[: gone.number], "gap_found")
    assert gone.number > cast.number


@pytest.mark.parametrize("gap", [True, False])
def test_an_ability_that_resolves_in_a_gap_does_not_stay_on_the_stack(
    tmp_path: Path, gap: bool
) -> None:
    plays = in_turn_one()
    ability = plays.activate(1, plays.table.zones[BATTLEFIELD][0], 0)
    plays.flush()

    def resolve() -> None:
        plays.resolve(ability)
        plays.flush()

    if gap:
        hide(plays, resolve)
    else:
        resolve()
    spell = plays.cast(1, _ORNITHOPTER, 0)
    plays.flush()
    events = game_events(tmp_path, text_of(plays))
    stack = {
        name: facts.zone
        for name, facts in fold_game(events, RULES).visibility.objects_at(events[-1].number).items()
        if facts.zone == "stack"
    }
    (activated,) = named(events, "ability_activated")
    gone = [e for e in named(events, "object_moved") if e.object == activated.object]
    assert activated.object == str(ability)
    assert stack == {str(spell): "stack"}
    assert [(e.to_zone, e.cause) for e in gone] == [("limbo", "ceased_to_exist")] * gap
    assert len(named(events, "resolved")) == (not gap)
