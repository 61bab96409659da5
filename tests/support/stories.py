"""Games that tests of questions and commands share, each about one thing."""

from __future__ import annotations

from typing import Final

from domain.observation import Observation
from tests.support.games import ALICE, BOB, Told, act, asks, enters, fact, tell, turn

__all__ = ["CARDS", "STORIES", "controlled_turn", "gap", "hidden_cards", "rewound", "stand_in"]

CARDS: Final = frozenset(map(str, (81101, 81102, 82101, 82102, 82103, 83101, 84101, 85101)))
"""Every card number of the stories; no other number in them looks like one."""


def _deal() -> tuple[Observation, ...]:
    return (
        enters("o11", 1, "hand", "81101"),
        enters("o12", 1, "hand", "81102"),
        enters("o21", 2, "hand", "82101"),
        enters("o22", 2, "hand", "82102"),
        enters("o28", 2, "library", "82103"),
        enters("o29", 2, "library", None),
        enters("o31", 1, "battlefield", "83101", controller=1, face_down=True),
    )


def controlled_turn() -> Told:
    """Seat 1 takes seat 2's turn with Mindslaver; seat 2 concedes in the middle of a third turn."""
    return tell(
        *_deal(),
        turn(1, 1),
        fact("step_started", step="precombat_main", seat=1),
        act("ability_activated", 1, object="a1", source_object="o40", secrets={"ability": "9001"}),
        fact(
            "control_created",
            acting=1,
            label="mindslaver",
            controller=ALICE,
            affected=(2,),
            scope="next_turn",
            source_card="Mindslaver",
            object="a1",
        ),
        turn(2, 2),
        fact("step_started", step="precombat_main", seat=2),
        asks(2, "spell_cast"),
        act("spell_cast", 2, object="o21", card="82101", from_zone="hand", request=15),
        act("priority_passed", 2),
        turn(1, 3),
        act("priority_passed", 1),
        fact("note_added", about=16, text="the judge was called here", by="judge:hj"),
        fact("stamp_disputed", about=16, claimed=BOB, by=BOB, grounds="I did this myself"),
        act("conceded", 2, scope="game"),
        fact("player_left", seat=2, reason="conceded"),
        fact("game_ended", result="win", winners=(1,), reason="concession"),
    )


def stand_in() -> Told:
    """The server answers in seat 2's name for a while."""
    return tell(
        turn(2, 1),
        fact("seat_taken_over", seat=2, by="server:arena", mode="AI_Goldfish"),
        act("priority_passed", 2),
        act("attackers_declared", 2, stated="server:arena"),
        fact("seat_returned", seat=2, by="server:arena"),
        act("priority_passed", 2),
        viewpoint="seat:2",
        match="stand-in",
    )


def gap() -> Told:
    """A part of the game is missing, until a snapshot makes the record certain again."""
    return tell(
        turn(1, 1),
        act("priority_passed", 1),
        fact("gap_found", cause="missing"),
        act("priority_passed", 2),
        act("conceded", 2),
        fact("state_anchored", active_seat=1, turn=3, step="upkeep", controlled=()),
        act("priority_passed", 1),
        match="gap",
    )


def rewound() -> Told:
    """A draw and a spell are undone."""
    return tell(
        enters("o11", 1, "hand", "81101"),
        turn(1, 1),
        fact("life_changed", seat=2, change=-3, total=17),
        fact("card_drawn", seat=1, object="o13", secrets={"card": "84101"}),
        act("spell_cast", 1, object="o11", card="81101", from_zone="hand"),
        fact("life_changed", seat=2, change=-5, total=12),
        fact("rewound", to=4, cause="undo"),
        act("priority_passed", 1),
        match="rewound",
    )


def hidden_cards() -> Told:
    """Looks, reveals, searches, face-down cards, choices and instructions under control."""
    return tell(
        *_deal(),
        turn(1, 1),
        fact("revealed", acting=2, object="o22", owner=2, secrets={"card": "82102"}),
        fact(
            "look_granted",
            acting=1,
            viewers=(ALICE,),
            object="o28",
            owner=2,
            lasts="while_in_zone",
            secrets={"card": "82103"},
        ),
        fact(
            "control_created",
            acting=1,
            label="agent",
            controller=ALICE,
            affected=(2,),
            scope="while_searching",
            source_card="Opposition Agent",
        ),
        act("library_search_started", 2, owner=2),
        act("card_found", 2, object="o28", card="82103"),
        fact("library_search_ended", acting=2, seat=2),
        act("choice_made", 2, kind="discard", secrets={"what": '["82102"]'}),
        fact("instructed", acting=1, by=ALICE, to=BOB, secrets={"text": "discard 82102"}),
        act("spell_cast", 1, object="o12", card="81102", from_zone="hand", face_down=True),
        act("spell_cast", 2, object="o22", card="82102", from_zone="hand", refused=True),
        fact("object_moved", object="o31", to_zone="hand", owner=1, secrets={"card": "83101"}),
        fact("card_drawn", acting=2, seat=2, object="o27", secrets={"card": "85101"}),
        act("outside_game_card_chosen", 2, secrets={"card": "84101"}),
        fact("shuffled", acting=2, owner=2),
        match="hidden",
    )


STORIES: Final = (controlled_turn, stand_in, gap, rewound, hidden_cards)
