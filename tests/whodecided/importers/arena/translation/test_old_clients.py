"""Logs of old clients, which annotate no actions: what players do shows in what it changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.arena_importing import game_events
from tests.support.arena_plays import seated, text_of
from whodecided.importers.arena.synthetic.plays import Plays

_MINE, _ORNITHOPTER = 700101, 700106
_SWAMP, _NIGHTHAWK = 700201, 700202
_ACTION = "AnnotationType_UserActionTaken"


class OldPlays(Plays):
    """Plays without annotations of actions."""

    def flush(self, update: str = "SendHiFi") -> None:
        """Send the state as an old client would log it."""
        table = self.table
        table.annotations = [note for note in table.annotations if _ACTION not in note["type"]]
        super().flush(update)


def named(events: list[Any], name: str) -> list[Any]:
    """The events of one name."""
    return [event for event in events if name == event.NAME]


def played() -> Plays:
    """Seat 1 has played a land and a creature, seat 2 has done so after it."""
    plays = OldPlays(seated(answers=False).recording)
    plays.open(1)
    plays.begin_turn(draw=False)
    plays.land(1, _MINE)
    plays.flush()
    plays.resolve(plays.cast(1, _ORNITHOPTER, 0))
    plays.begin_turn()
    plays.land(2, _SWAMP)
    plays.flush()
    plays.resolve(plays.cast(2, _NIGHTHAWK, 1))
    return plays


def test_spells_and_lands_of_both_seats_are_their_actions(tmp_path: Path) -> None:
    plays = played()
    text = text_of(plays)
    assert _ACTION not in text
    events = game_events(tmp_path, text)
    acts = [e for e in events if e.NAME in ("land_played", "spell_cast")]
    assert [(e.NAME, e.stamp.acting_seat, e.from_zone) for e in acts] == [
        ("land_played", 1, "hand"),
        ("spell_cast", 1, "hand"),
        ("land_played", 2, "hand"),
        ("spell_cast", 2, "hand"),
    ]
    seats = {info.seat: info.player for info in events[0].seats}
    assert [e.stamp.deciding_player for e in acts] == [seats[1], seats[1], seats[2], seats[2]]
    assert {e.stamp.basis for e in acts} == {"derived"}


def test_an_ability_that_comes_and_goes_for_mana_is_a_mana_ability(tmp_path: Path) -> None:
    plays = played()
    events = game_events(tmp_path, text_of(plays))
    assert not named(events, "ability_triggered")
    (ability,) = named(events, "ability_activated")
    (paid,) = named(events, "cost_paid")
    cast = named(events, "spell_cast")[-1]
    assert (ability.mana_ability, ability.stamp.acting_seat) == (True, 2)
    assert ability.action == paid.action == cast.action
    assert paid.payment == (ability.source_object,)


def test_who_acts_has_not_passed(tmp_path: Path) -> None:
    plays = played()
    events = game_events(tmp_path, text_of(plays))
    casts = [e.number for e in named(events, "spell_cast")]
    for cast in casts:
        seat = events[cast - 1].stamp.acting_seat
        before = [
            e for e in events[:cast] if e.NAME == "priority_passed" and e.stamp.acting_seat == seat
        ]
        turn = max(e.number for e in events[:cast] if e.NAME == "turn_started")
        assert not [e for e in before if e.number > turn and not e.by_setting]
